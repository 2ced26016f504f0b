/// How long a process may run while its app is in the background (BT1–BT9).
///
/// Calls report what happens; their results are passed to the process. ``due`` is when to ask again.
public struct ExecutionAllowance: Hashable, Sendable {
  /// The parameters, all of which have changed in the past.
  public struct Rules: Hashable, Sendable {
    /// After leaving the foreground (BT1).
    public var afterForeground: Duration
    /// Each time that the transfer service resumes the process (BT2).
    public var perResume: Duration
    /// The expiry handler runs this long before the end (BT4).
    public var expiryLead: Duration
    /// The smallest fraction of an allowance that is actually granted, from 0 to 1; 1 never ends early (BT3).
    public var certainPart: Double
    /// How often a request for an assertion is refused, from 0 to 1 (BT5).
    public var refusals: Double
    /// Time in which the callback about entering the background must return (BT8).
    public var callbackLimit: Duration

    /// Typical rules.
    public init(
      afterForeground: Duration, perResume: Duration = .seconds(30),
      expiryLead: Duration = .seconds(5), certainPart: Double = 1, refusals: Double = 0,
      callbackLimit: Duration = .seconds(5)
    ) {
      (self.afterForeground, self.perResume) = (afterForeground, perResume)
      (self.expiryLead, self.certainPart, self.refusals) = (expiryLead, certainPart, refusals)
      self.callbackLimit = callbackLimit
    }
  }

  /// The state of the process.
  public enum State: Hashable, Sendable {
    /// In the foreground, or with a debugger attached (BT10): no limit.
    case unlimited
    /// In the background until the instant; `isExpiring` once the expiry handler has run.
    case limited(until: Instant, isExpiring: Bool)
    /// Not running, in memory.
    case suspended
    /// Not in memory.
    case ended
  }

  /// The event for the process.
  public enum Change: Hashable, Sendable {
    /// It may run until the instant, or without limit (`nil`).
    case granted(until: Instant?)
    case expiring, suspended
    case killed(Cause)
  }

  /// Why a process is killed.
  public enum Cause: String, Hashable, Sendable {
    /// It held an assertion beyond the end (BT4).
    case assertionNotEnded
    /// It started an assertion twice and ended it once (BT6).
    case assertionLeaked
    /// Its callback about entering the background was too slow (BT8).
    case callbackTooSlow
  }

  /// The rules in force.
  public let rules: Rules
  /// The state of the process.
  public private(set) var state = State.unlimited
  private var assertions = 0
  private var endedAssertions = 0
  private var random: SplitMix64

  /// The allowance of an app in the foreground.
  public init(_ rules: Rules, seed: UInt64 = 1) {
    self.rules = rules
    random = SplitMix64(seed: seed)
  }

  /// Whether the process runs.
  public var isRunning: Bool {
    switch state {
    case .unlimited, .limited: true
    case .suspended, .ended: false
    }
  }

  /// When ``advance(to:)`` must be called next; `nil` while nothing is due.
  public var due: Instant? {
    guard case .limited(let until, let isExpiring) = state else { return nil }
    return isExpiring ? until : max(until - rules.expiryLead, Instant(milliseconds: .min))
  }

  /// Remaining time (BT7): known only in the background, with an assertion held.
  public func remaining(at now: Instant) -> Duration? {
    guard case .limited(let until, _) = state, assertions > 0 else { return nil }
    return max(until - now, .zero)
  }

  /// Starts an assertion; returns `false` if the system refuses, and the work must not start (BT5).
  public mutating func beginAssertion() -> Bool {
    guard isRunning else { return false }
    if rules.refusals > 0, Double.random(in: 0..<1, using: &random) < rules.refusals {
      return false
    }
    assertions += 1
    return true
  }

  /// Ends an assertion; when the last one ends in the background, the process is suspended (BT1).
  public mutating func endAssertion() -> [Change] {
    guard assertions > 0 else { return [] }
    assertions -= 1
    endedAssertions += 1
    guard assertions == 0, case .limited = state else { return [] }
    return suspend()
  }

  /// The user brings the app to the foreground.
  public mutating func enterForeground() -> [Change] {
    guard state != .unlimited else { return [] }
    state = .unlimited
    endedAssertions = 0
    return [.granted(until: nil)]
  }

  /// The user leaves the app, whose callback works for `work` (BT8); without an assertion, it is then suspended (BT9).
  public mutating func leaveForeground(at now: Instant, work: Duration = .zero) -> [Change] {
    guard state == .unlimited else { return [] }
    guard work <= rules.callbackLimit else { return kill(.callbackTooSlow) }
    guard assertions > 0 else { return suspend() }
    return limit(rules.afterForeground, from: now)
  }

  /// The transfer service resumes the process (BT2), which starts its own assertion for that.
  public mutating func resume(at now: Instant) -> [Change] {
    guard !isRunning else { return [] }
    assertions = 1
    endedAssertions = 0
    return limit(rules.perResume, from: now)
  }

  private mutating func limit(_ allowance: Duration, from now: Instant) -> [Change] {
    var given = allowance
    if rules.certainPart < 1 {
      let part = Double.random(in: rules.certainPart...1, using: &random)
      given = .clamped(milliseconds: Double(allowance.milliseconds) * part)
    }
    state = .limited(until: now + given, isExpiring: false)
    // The process expects the usual length: it is not informed that the allowance may end earlier (BT3).
    return [.granted(until: now + allowance)]
  }

  /// Advances time.
  public mutating func advance(to now: Instant) -> [Change] {
    guard case .limited(let until, let isExpiring) = state else { return [] }
    var changes: [Change] = []
    if !isExpiring, now >= until - rules.expiryLead {
      state = .limited(until: until, isExpiring: true)
      changes.append(.expiring)
    }
    if now >= until {
      changes += endedAssertions > 0 ? kill(.assertionLeaked) : kill(.assertionNotEnded)
    }
    return changes
  }

  /// The process is gone without warning.
  public mutating func end() {
    state = .ended
    assertions = 0
  }

  private mutating func suspend() -> [Change] {
    state = .suspended
    assertions = 0
    return [.suspended]
  }

  private mutating func kill(_ cause: Cause) -> [Change] {
    end()
    return [.killed(cause)]
  }
}
