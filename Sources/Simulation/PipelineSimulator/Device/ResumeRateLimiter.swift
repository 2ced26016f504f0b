/// The delay that grows each time the transfer service resumes an app for its transfers (RL1–RL8).
///
/// If only the first of B batches is queued in the foreground, their delays add up to 60·(2^(B−1) − 1) s: this decides
/// whether a design with many small batches ever finishes.
public struct ResumeRateLimiter: Hashable, Sendable {
  /// The event that the delay affects (RL4).
  public enum Generation: String, Hashable, Sendable, CaseIterable {
    /// iOS 7: the resume itself, after the transfers are complete.
    case resumes
    /// iOS 8 and later: the start of a task that was created in the background.
    case starts
  }

  /// The parameters, all of which have changed in the past.
  public struct Rules: Hashable, Sendable {
    /// The event that the delay affects.
    public var generation: Generation
    /// The first non-zero delay (RL2).
    public var first: Duration
    /// Growth with each resume (RL1).
    public var factor: Double
    /// The delay is reset after this many times its length without a resume; `nil` is never, 1 one source's reading (RL8).
    public var quietReset: Double?
    /// Whether a resume counts in which a delayed task asks for its request (TX14); no source mentions this case.
    public var countsBegins: Bool

    /// Typical rules.
    public init(
      generation: Generation = .starts, first: Duration = .seconds(60), factor: Double = 2,
      quietReset: Double? = nil, countsBegins: Bool = false
    ) {
      (self.generation, self.first, self.factor) = (generation, first, factor)
      (self.quietReset, self.countsBegins) = (quietReset, countsBegins)
    }
  }

  /// The rules in force.
  public let rules: Rules
  private var delay = Duration.zero
  private var lastResume: Instant?
  /// Beyond this, further doubling does not matter, and must not overflow.
  private static let longest = Duration.seconds(100 * 365 * 86400)

  /// The limiter of an app that was just in the foreground.
  public init(_ rules: Rules = Rules()) { self.rules = rules }

  /// The delay in force at `now`.
  public func delay(at now: Instant) -> Duration {
    guard let quietReset = rules.quietReset, let lastResume else { return delay }
    let quiet = Double((now - lastResume).milliseconds)
    return quiet >= quietReset * Double(delay.milliseconds) ? .zero : delay
  }

  /// The service resumes the app for session events (RL1) or a challenge (RL6): first, the delay grows (RL2).
  ///
  /// Events that complete while the app runs anyway are delivered without this (RL7).
  public mutating func appResumed(at now: Instant) {
    let current = delay(at: now)
    let grown = min(Double(current.milliseconds) * rules.factor, Double(Self.longest.milliseconds))
    delay = current == .zero ? rules.first : .clamped(milliseconds: grown)
    lastResume = now
  }

  /// The user brings the app to the foreground: the delay is reset (RL3).
  public mutating func appCameToFront() {
    delay = .zero
    lastResume = nil
  }

  /// When a task created at `now` may start (RL4).
  public func start(ofTaskCreatedAt now: Instant, inBackground: Bool) -> Instant {
    guard rules.generation == .starts, inBackground else { return now }
    return now + delay(at: now)
  }

  /// When the app is resumed for events that complete at `now` (RL4); later generations do not delay this (RL5).
  public func resumption(forEventsAt now: Instant) -> Instant {
    rules.generation == .resumes ? now + delay(at: now) : now
  }
}
