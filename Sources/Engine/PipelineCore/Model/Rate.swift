/// How often requests may be sent: a server's limit, under the name by which steps count towards it.
///
/// At most ``requests`` are sent in any time span of length ``period``, and at most ``burst`` of these without a pause:
/// requests that a burst sends at once are deducted from those sent one by one afterwards.
public struct Rate: Hashable, Sendable {
  /// The name of the rate that all requests of a run count towards: `budgets.requests_per_second`.
  public static let ofAllRequests = "requests_per_second"
  /// Maximum of ``requests``: the arithmetic stays far from overflow.
  public static let maximumRequests = 1_000_000
  /// Maximum of ``period``: 31 days.
  public static let maximumPeriod: Duration = .seconds(31 * 86400)
  /// The name that steps use.
  public let name: String
  /// Maximum number of requests in one period.
  public let requests: Int
  /// The time span that is looked at.
  public let period: Duration
  /// Maximum number of requests without a pause.
  public let burst: Int

  /// Makes a rate.
  public init(name: String, requests: Int, period: Duration, burst: Int = 1) {
    precondition((1...Self.maximumRequests).contains(requests), "a rate allows requests")
    precondition(period > .zero && period <= Self.maximumPeriod, "a rate has a period")
    precondition((1...requests).contains(burst), "a burst is a part of the rate")
    (self.name, self.requests, self.period, self.burst) = (name, requests, period, burst)
  }

  /// Its description for the user: `6 requests per minute`, `300 requests per 15 min`.
  public var words: String {
    let count = "\(requests) request\(requests == 1 ? "" : "s")"
    let milliseconds = period.milliseconds
    let units: [(Int64, String, String)] = [
      (86_400_000, "day", "d"), (3_600_000, "hour", "h"), (60000, "minute", "min"),
      (1000, "second", "s"), (1, "millisecond", "ms"),
    ]
    for (length, name, unit) in units where milliseconds % length == 0 {
      let number = milliseconds / length
      return number == 1 ? "\(count) per \(name)" : "\(count) per \(number) \(unit)"
    }
    return count
  }

  /// Its name for the user: `rate 'init'`.
  public var title: String {
    name == Self.ofAllRequests ? "rate of all requests" : "rate '\(name)'"
  }

  /// The part of it for one of this many senders: if the requests cannot be divided, the same number in a longer period.
  func share(of senders: Int) -> Rate {
    guard senders > 1 else { return self }
    let share = max(requests / senders, 1)
    let wanted = Double(period.milliseconds) * Double(senders) * Double(share) / Double(requests)
    return Rate(
      name: name, requests: share,
      period: .milliseconds(
        min(Int64(wanted.rounded(.up)), Self.maximumPeriod.milliseconds)),
      burst: max(burst / senders, 1))
  }

  /// The number of equal pauses in a period: the rest of its requests belongs to the burst.
  var pauses: Int64 { Int64(requests - burst + 1) }

  /// One of them, in milliseconds.
  var pause: Double { Double(period.milliseconds) / Double(pauses) }
}
