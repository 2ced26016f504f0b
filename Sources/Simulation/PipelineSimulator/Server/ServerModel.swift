/// How a simulated server behaves; by default it is an ideal server.
public struct ServerModel: Hashable, Sendable {
  /// Faults of the server, and of the network on the way there and back.
  public struct Faults: Hashable, Sendable {
    /// Probability of a 503 response; nothing was done.
    public var serverError: Double
    /// Probability of a 429 response with a `Retry-After` of 1 s to 30 s; nothing was done.
    public var throttled: Double
    /// Probability that the request takes effect but the response is lost.
    public var lostReply: Double
    /// Probability that a request is lost.
    public var lostRequest: Double
    /// Probability that a request arrives twice.
    public var duplicate: Double
    /// Probability that a result expires at some time before the end of its lifetime.
    public var revoked: Double
    /// How long probes still see the previous state (eventual consistency).
    public var staleReads: Duration

    /// Sets probabilities from 0 to 1.
    public init(
      serverError: Double = 0, throttled: Double = 0, lostReply: Double = 0,
      lostRequest: Double = 0, duplicate: Double = 0, revoked: Double = 0,
      staleReads: Duration = .zero
    ) {
      (self.serverError, self.throttled, self.lostReply) = (serverError, throttled, lostReply)
      (self.lostRequest, self.duplicate, self.revoked) = (lostRequest, duplicate, revoked)
      self.staleReads = staleReads
    }

    /// No faults.
    public static let none = Faults()
  }

  /// A fault of one request, regardless of the probabilities.
  public enum PlannedFault: String, Hashable, Sendable, CaseIterable {
    case lostRequest
    /// It takes effect, and the response is lost.
    case lostReply
    /// It takes effect, and a gateway responds with 502.
    case brokenGateway
    /// It takes effect, the response is lost, and everything that it used and that has a lifetime expires.
    case lostReplyAndDeath
    /// It takes effect, and the response has this status.
    case refused503, refused429
    /// It takes effect, and the response is 200 with an unreadable body.
    case unreadable
    /// It takes effect, and the response has this status.
    case refused400, refused401, refused408, refused425
    /// It takes effect after the client has timed out, at the latest time at which the step's probe is not yet trusted.
    case late
    /// It takes effect, the response is lost, and probes do not see it for as long as they are not yet trusted.
    case unseen
    /// It takes effect, and the response is a redirect that is not followed.
    case seeOther
    /// It never arrives: a gateway redirects it to a sign-in page, or responds with 200 and a page, or without a body.
    case signInPage, foreignPage, emptySuccess

    var isForeign: Bool { [.signInPage, .foreignPage, .emptySuccess].contains(self) }

    /// The status of a response that contradicts the effect; `nil` if no response arrives.
    var status: Int? {
      switch self {
      case .lostRequest, .lostReply, .lostReplyAndDeath, .late, .unseen: nil
      case .seeOther: 303
      case .signInPage: 302
      case .foreignPage, .emptySuccess: 200
      case .brokenGateway: 502
      case .refused503: 503
      case .refused429: 429
      case .unreadable: 200
      case .refused400: 400
      case .refused401: 401
      case .refused408: 408
      case .refused425: 425
      }
    }

    /// The path of the page to which ``signInPage`` leads.
    static let signInPath = "/gateway/sign-in"

    var response: SimulatedResponse {
      var response = SimulatedResponse(status: status ?? 0)
      switch self {
      case .seeOther: response.headers = [.init(name: "Location", value: "/elsewhere")]
      case .signInPage: response.headers = [.init(name: "Location", value: Self.signInPath)]
      case .foreignPage: response = Self.page
      case .unreadable: response.body = Array("<html>".utf8)
      default: break
      }
      return response
    }

    static let page = SimulatedResponse(
      headers: [.init(name: "Content-Type", value: "text/html")],
      body: Array("<!DOCTYPE html><title>Sign in</title>".utf8))
  }

  /// A status for every attempt of a step, none of which takes effect: its items cannot continue.
  public var refusals: [Int: Int] = [:]
  /// Seconds from the arrival of a request to its response.
  public var latency: Distribution
  /// How long the server keeps results of steps, regardless of its responses.
  public var lifetimes: [StepID: Duration]
  /// Whether an interrupted upload continues where it was, if the device can do that too (TX10); few servers support it.
  public var resumesUploads = false
  public var faults: Faults
  /// How far the server's clock is ahead of the device's; if not zero, responses carry a `Date`.
  public var clockSkew: Duration
  /// Whether responses carry a `Date` in any case.
  public var isDated = false
  /// Faults of single requests, by number from 1.
  public var planned: [Int: PlannedFault] = [:]

  /// Describes a server.
  public init(
    latency: Distribution = .constant(0), lifetimes: [StepID: Duration] = [:],
    faults: Faults = .none, clockSkew: Duration = .zero
  ) {
    (self.latency, self.lifetimes, self.faults) = (latency, lifetimes, faults)
    self.clockSkew = clockSkew
  }

  /// A server that responds at once and never fails.
  public static let ideal = ServerModel()
}

/// Why no server can be derived for a pipeline: one of its responses is neither specified nor can be derived.
public struct ExampleMissing: Error, Hashable, Sendable {
  /// Which response it is.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// The response to the step's request or transfer.
    case answer
    /// The probe's response if the step took effect.
    case tookEffect = "took_effect"
    /// The probe's response if the step did not.
    case noEffect = "no_effect"
  }

  public let step: StepID
  /// Which of its responses.
  public let part: Part
  /// The position of the step.
  public let location: SourceLocation
  /// The outcome of the best response tried, for the user.
  public let reason: String

  /// The missing part, without a final full stop.
  public var message: String {
    switch part {
    case .answer: "cannot derive a response with which step '\(step)' succeeds: \(reason)"
    case .tookEffect:
      "cannot derive a response with which the probe of '\(step)' finds its effect: \(reason)"
    case .noEffect:
      "cannot derive a response with which the probe of '\(step)' reports no effect: \(reason)"
    }
  }

  /// What to do about it.
  public var help: String {
    switch part {
    case .answer: "add 'example:' to its request, with a successful response"
    case .tookEffect, .noEffect: "add 'example: { \(part.rawValue): … }' to the probe"
    }
  }
}
