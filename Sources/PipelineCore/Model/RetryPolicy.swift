/// How failures of a step are retried.
public struct RetryPolicy: Hashable, Sendable {
  /// How a delay is spread.
  public enum Jitter: String, Hashable, Sendable, CaseIterable {
    /// Uniform between zero and the full delay.
    case full
    /// The full delay.
    case none
  }

  /// What becomes of an item whose retries are used up.
  public enum Exhausted: String, Hashable, Sendable, CaseIterable {
    /// It waits for `pipeline retry`.
    case pause
    /// It has failed.
    case fail
  }

  /// What a `Retry-After` header does (RFC 9110 §10.2.3).
  public enum RetryAfter: String, Hashable, Sendable, CaseIterable {
    /// The delay is at least what the server says.
    case honor
    /// The server's wish is not looked at.
    case ignore
  }

  /// Failed attempts before the retries are used up, at least 1.
  public let attempts: Int
  /// First delay.
  public let initial: Duration
  /// Growth of the delay from one failure to the next, at least 1.
  public let factor: Double
  /// Longest delay.
  public let maximum: Duration
  /// How a delay is spread.
  public let jitter: Jitter
  /// Time from the first attempt after which no further one is made.
  public let elapsed: Duration?
  /// Whether `Retry-After` counts.
  public let retryAfter: RetryAfter
  /// The longest that a server's `Retry-After` is waited for.
  public let retryAfterMaximum: Duration
  /// What becomes of the item in the end.
  public let exhausted: Exhausted

  /// Makes a policy.
  public init(
    attempts: Int = 6, initial: Duration = .seconds(1), factor: Double = 2,
    maximum: Duration = .seconds(300), jitter: Jitter = .full, elapsed: Duration? = nil,
    retryAfter: RetryAfter = .honor, retryAfterMaximum: Duration = .seconds(86400),
    exhausted: Exhausted = .pause
  ) {
    self.attempts = attempts
    self.initial = initial
    self.factor = factor
    self.maximum = maximum
    self.jitter = jitter
    self.elapsed = elapsed
    self.retryAfter = retryAfter
    self.retryAfterMaximum = retryAfterMaximum
    self.exhausted = exhausted
  }

  /// The policy of a step that names none: 6 attempts, 1 s doubling to 5 min, full jitter, then
  /// pause.
  public static let standard = Self()

  /// The delay before jitter after `failures` failed attempts: `initial · factor^(failures − 1)`,
  /// at most `maximum`.
  public func delay(afterFailures failures: Int) -> Duration {
    var milliseconds = Double(initial.milliseconds)
    // Beyond 30,000 years a Double no longer becomes an Int64 safely, and nobody waits.
    let limit = min(Double(maximum.milliseconds), 1e15)
    for _ in 1..<max(failures, 1) where milliseconds < limit { milliseconds *= factor }
    return .milliseconds(Int64(min(milliseconds, limit)))
  }
}
