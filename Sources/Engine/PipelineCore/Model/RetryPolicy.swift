/// How failures of a step are retried.
public struct RetryPolicy: Hashable, Sendable {
  /// How delays are randomized.
  public enum Jitter: String, Hashable, Sendable, CaseIterable {
    /// Uniform between zero and the full delay.
    case full
    /// The full delay.
    case none
  }

  /// What happens to an item when its retries are used up.
  public enum Exhausted: String, Hashable, Sendable, CaseIterable {
    /// It waits for `pipeline retry`.
    case pause
    case fail
  }

  /// How a `Retry-After` header is handled (RFC 9110 §10.2.3).
  public enum RetryAfter: String, Hashable, Sendable, CaseIterable {
    /// The delay is at least the server's.
    case honor
    /// The header is ignored.
    case ignore
  }

  /// Failed attempts until the retries are used up, at least 1.
  public let attempts: Int
  /// The first delay.
  public let initial: Duration
  /// Growth of the delay from one failure to the next, at least 1.
  public let factor: Double
  /// The longest delay.
  public let maximum: Duration
  /// How delays are randomized.
  public let jitter: Jitter
  /// Time from the first attempt after which the step is not attempted again.
  public let elapsed: Duration?
  /// How `Retry-After` is handled.
  public let retryAfter: RetryAfter
  /// The longest time that a server's `Retry-After` is waited for.
  public let retryAfterMaximum: Duration
  /// The final state of the item.
  public let exhausted: Exhausted

  /// Makes a policy.
  public init(
    attempts: Int = 6, initial: Duration = .seconds(1), factor: Double = 2,
    maximum: Duration = .seconds(300), jitter: Jitter = .full, elapsed: Duration? = nil,
    retryAfter: RetryAfter = .honor, retryAfterMaximum: Duration = longestRetryAfter,
    exhausted: Exhausted = .pause
  ) {
    (self.attempts, self.initial, self.factor, self.maximum) = (attempts, initial, factor, maximum)
    (self.jitter, self.elapsed, self.retryAfter) = (jitter, elapsed, retryAfter)
    (self.retryAfterMaximum, self.exhausted) = (retryAfterMaximum, exhausted)
  }

  /// The longest time that a `Retry-After` is waited for, unless the policy specifies another limit: a day.
  public static var longestRetryAfter: Duration { .seconds(86400) }

  /// The default policy of a step: 6 attempts, 1 s doubling to 5 min, full jitter, then pause.
  public static let standard = Self()

  /// The delay before jitter: `initial · factor^(failures − 1)`, at most `maximum`.
  public func delay(afterFailures failures: Int) -> Duration {
    var milliseconds = Double(initial.milliseconds)
    // Beyond 30,000 years a Double can no longer be converted to Int64 safely.
    let limit = min(Double(maximum.milliseconds), 1e15)
    for _ in 1..<max(failures, 1) where milliseconds < limit { milliseconds *= factor }
    return .milliseconds(Int64(min(milliseconds, limit)))
  }
}
