public import PipelineCore

/// The delay that the transfer service grows each time it resumes an app for its transfers: the rule
/// that decides whether a design with many small batches ever ends (RL1–RL8).
///
/// With the first batch queued in the foreground and every later one from a background resume, the
/// delays of B batches add up to 60·(2^(B−1) − 1) s, in both generations.
public struct ResumeRateLimiter: Hashable, Sendable {
  /// What the delay delays (RL4).
  public enum Generation: String, Hashable, Sendable, CaseIterable {
    /// iOS 7: the resume itself, after the transfers are complete.
    case resumes
    /// iOS 8 and later: the start of a task that was created in the background.
    case starts
  }

  /// The numbers, all of which have changed in the past.
  public struct Rules: Hashable, Sendable {
    /// What the delay delays.
    public var generation: Generation
    /// The first delay that is not zero (RL2).
    public var first: Duration
    /// Growth with each resume (RL1).
    public var factor: Double
    /// The delay is forgotten when the app was not resumed for this many times its length; `nil` is
    /// never, 1 is what one source says literally (RL8).
    public var quietReset: Double?
    /// Whether a resume counts in which a delayed task asks for its request (TX14).
    ///
    /// RL1 speaks of events of the session and RL6 of challenges; no source says it of this one.
    public var countsBegins: Bool

    /// Usual rules.
    public init(
      generation: Generation = .starts, first: Duration = .seconds(60), factor: Double = 2,
      quietReset: Double? = nil, countsBegins: Bool = false
    ) {
      self.generation = generation
      self.first = first
      self.factor = factor
      self.quietReset = quietReset
      self.countsBegins = countsBegins
    }
  }

  /// The rules it goes by.
  public let rules: Rules
  private var delay = Duration.zero
  private var lastResume: Instant?

  /// Beyond this the doubling is of no interest, and must not overflow.
  private static let longest = Duration.seconds(100 * 365 * 86400)

  /// A limiter of an app that was just in front.
  public init(_ rules: Rules = Rules()) { self.rules = rules }

  /// The delay that holds at `now`.
  public func delay(at now: Instant) -> Duration {
    guard let quietReset = rules.quietReset, let lastResume else { return delay }
    let quiet = Double((now - lastResume).milliseconds)
    return quiet >= quietReset * Double(delay.milliseconds) ? .zero : delay
  }

  /// The service resumes or relaunches the app for events of its session, or for a challenge (RL6):
  /// the delay grows before the app is told (RL1, RL2).
  ///
  /// What completes while the app runs anyway is told to it without this (RL7).
  public mutating func appResumed(at now: Instant) {
    let current = delay(at: now)
    if current == .zero {
      delay = rules.first
    } else {
      let grown = min(
        Double(current.milliseconds) * rules.factor, Double(Self.longest.milliseconds))
      delay = .clamped(milliseconds: grown)
    }
    lastResume = now
  }

  /// A person brings the app to the front: the delay is forgotten (RL3).
  public mutating func appCameToFront() {
    delay = .zero
    lastResume = nil
  }

  /// When a task may begin that is created at `now` (RL4).
  public func start(ofTaskCreatedAt now: Instant, inBackground: Bool) -> Instant {
    guard rules.generation == .starts, inBackground else { return now }
    return now + delay(at: now)
  }

  /// When the app is resumed for events that are complete at `now` (RL4).
  public func resumption(forEventsAt now: Instant) -> Instant {
    rules.generation == .resumes ? now + delay(at: now) : now
  }

  /// When the app is resumed for an authentication challenge of a task that exists (RL5): later
  /// generations exempt it.
  public func resumption(forChallengeAt now: Instant) -> Instant {
    resumption(forEventsAt: now)
  }
}
