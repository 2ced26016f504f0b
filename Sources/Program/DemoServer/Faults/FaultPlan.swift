package enum Fault: String, Sendable, Hashable, CaseIterable {
  /// 500, 502 or 503 before anything happens.
  case serverError = "server-error"
  /// 429 with `Retry-After` before anything happens.
  case tooManyRequests = "too-many-requests"
  /// The connection is reset before the request takes effect; a body is cut somewhere inside.
  case resetBeforeCommit = "reset-before-commit"
  /// The request takes effect, then the connection is reset without a response.
  case resetAfterCommit = "reset-after-commit"
  /// The token sent is revoked; the response is 401. Only where a token is required.
  case unauthorized
  /// The upload is expired; the response is 410. Only for an upload that is not complete.
  case gone
}

/// How likely each fault is, and how slow the server is; a request gets at most one fault, so the probabilities should not add up to more than 1.
package struct FaultProfile: Sendable, Hashable {
  package var probabilities: [Fault: Double]
  /// Delay before each request; drawn uniformly from the range.
  package var latency: ClosedRange<Duration>
  /// The value of `Retry-After` with 429, rounded up to seconds.
  package var retryAfter: Duration
  /// How fast a body is read; nil means as fast as it arrives.
  package var bodyBytesPerSecond: Int?
  package init(
    probabilities: [Fault: Double] = [:], latency: ClosedRange<Duration> = .zero ... .zero,
    retryAfter: Duration = .seconds(1), bodyBytesPerSecond: Int? = nil
  ) {
    (self.probabilities, self.latency, self.retryAfter) = (probabilities, latency, retryAfter)
    self.bodyBytesPerSecond = bodyBytesPerSecond
  }
}
package struct FaultPlan: Sendable, Hashable {
  package var seed: UInt64
  /// The profile of every route without its own.
  package var standard: FaultProfile
  /// Profiles that replace ``standard`` on single routes.
  package var routes: [RouteKind: FaultProfile]
  /// The requests, counted from 1, at which the process suspends itself as a server that hangs.
  ///
  /// It continues at `SIGCONT`.
  package var suspendAt: Set<Int>
  package init(
    seed: UInt64 = 1, standard: FaultProfile = FaultProfile(),
    routes: [RouteKind: FaultProfile] = [:], suspendAt: Set<Int> = []
  ) {
    (self.seed, self.standard, self.routes, self.suspendAt) = (seed, standard, routes, suspendAt)
  }
}
