/// One thing that goes wrong with one request.
public enum Fault: String, Sendable, Hashable, CaseIterable {
  /// 500, 502 or 503 before anything happens.
  case serverError = "server-error"
  /// 429 with `Retry-After` before anything happens.
  case tooManyRequests = "too-many-requests"
  /// The connection is reset before the request takes effect; a body is cut somewhere inside.
  case resetBeforeCommit = "reset-before-commit"
  /// The request takes effect, then the connection is reset without an answer.
  case resetAfterCommit = "reset-after-commit"
  /// The token presented is revoked; the answer is 401. Only where a token is asked for.
  case unauthorized
  /// The upload named is expired; the answer is 410. Only on an upload that is not complete.
  case gone
}

/// How likely each fault is, and how slow the server is.
///
/// A request meets at most one fault, so the probabilities should not add up to more than 1.
public struct FaultProfile: Sendable, Hashable {
  /// The probability of each fault, 0...1.
  public var probabilities: [Fault: Double]
  /// How long a request waits before anything else; a range is drawn from evenly.
  public var latency: ClosedRange<Duration>
  /// What `Retry-After` says with 429, rounded up to seconds.
  public var retryAfter: Duration
  /// How fast a body is read, or nil for as fast as it comes.
  public var bodyBytesPerSecond: Int?

  /// Makes a profile; without arguments nothing goes wrong.
  public init(
    probabilities: [Fault: Double] = [:], latency: ClosedRange<Duration> = .zero ... .zero,
    retryAfter: Duration = .seconds(1), bodyBytesPerSecond: Int? = nil
  ) {
    self.probabilities = probabilities
    self.latency = latency
    self.retryAfter = retryAfter
    self.bodyBytesPerSecond = bodyBytesPerSecond
  }
}

/// What goes wrong on which route.
public struct FaultPlan: Sendable, Hashable {
  /// Where the generator of faults starts.
  public var seed: UInt64
  /// The profile of every route that has none of its own.
  public var standard: FaultProfile
  /// Profiles that replace ``standard`` on single routes.
  public var routes: [RouteKind: FaultProfile]

  /// Makes a plan; without arguments nothing goes wrong.
  public init(
    seed: UInt64 = 1, standard: FaultProfile = FaultProfile(),
    routes: [RouteKind: FaultProfile] = [:]
  ) {
    self.seed = seed
    self.standard = standard
    self.routes = routes
  }
}
