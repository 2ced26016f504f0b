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
