/// How long a host asked to stop requests, and how the waiting requests are spaced afterwards.
public struct HostPause: Hashable, Sendable {
  /// No request is sent to the host before.
  public let until: Instant
  /// When the next request may be sent that has not waited yet.
  public var next: Instant
  /// Time between those that waited.
  public let gap: Duration

  /// Restores a pause.
  public init(until: Instant, next: Instant, gap: Duration) {
    (self.until, self.next, self.gap) = (until, next, gap)
  }

  /// The longest time in which the requests of a full window follow each other.
  static var longestSpread: Duration { .seconds(16) }
  /// From this surplus of refusals on, a host refuses most requests.
  static var refusingScore: Int { 4 }
  /// The highest surplus: three successes end it.
  static var highestScore: Int { 6 }

  /// Whether a response concerns the host: 429, or a status for which `Retry-After` is meant.
  static func isAsked(by status: Int?, after: Instant?) -> Bool {
    switch status {
    case 429: true
    case 403, 413, 503: after != nil
    default: false
    }
  }
}

extension [String: HostPause] {
  /// Whether any of the hosts must not be asked yet.
  func areAny(at now: Instant) -> Bool { values.contains { now < $0.until } }

  /// Makes all requests to a host wait, and forgets the pauses that are over.
  mutating func pause(_ name: String, until moment: Instant, for count: Int, at now: Instant) {
    guard moment > now else { return }
    self = filter { now < $0.value.next }
    let known = self[name]
    let spread = Swift.min(moment - now, HostPause.longestSpread)
    self[name] = HostPause(
      until: Swift.max(moment, known?.until ?? moment),
      next: Swift.max(moment, known?.next ?? moment),
      gap: .milliseconds(spread.milliseconds / Int64(Swift.max(count, 1))))
  }
}
