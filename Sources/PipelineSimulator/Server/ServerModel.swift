public import PipelineCore

/// How a simulated server behaves; what nobody says is as an ideal server is.
public struct ServerModel: Hashable, Sendable {
  /// What goes wrong at the server, and on the way to it and back.
  public struct Faults: Hashable, Sendable {
    /// Chance that an answer is 503, and nothing was done.
    public var serverError: Double
    /// Chance that an answer is 429 with a `Retry-After` of 1 s to 30 s, and nothing was done.
    public var throttled: Double
    /// Chance that what was asked for is done and the answer is lost.
    public var lostReply: Double
    /// Chance that a request is lost on its way.
    public var lostRequest: Double
    /// Chance that a request arrives twice.
    public var duplicate: Double
    /// Chance that a result dies at some moment before its life is over.
    public var revoked: Double
    /// How long probes still see what was before (eventual consistency).
    public var staleReads: Duration

    /// Sets chances from 0 to 1.
    public init(
      serverError: Double = 0, throttled: Double = 0, lostReply: Double = 0,
      lostRequest: Double = 0, duplicate: Double = 0, revoked: Double = 0,
      staleReads: Duration = .zero
    ) {
      self.serverError = serverError
      self.throttled = throttled
      self.lostReply = lostReply
      self.lostRequest = lostRequest
      self.duplicate = duplicate
      self.revoked = revoked
      self.staleReads = staleReads
    }

    /// Nothing goes wrong.
    public static let none = Faults()
  }

  /// What becomes of one request, whatever the chances.
  public enum PlannedFault: String, Hashable, Sendable, CaseIterable {
    /// It is lost on its way.
    case lostRequest
    /// It is carried out, and the answer is lost.
    case lostReply
    /// It is carried out, and a gateway answers 502.
    case brokenGateway
    /// It is carried out, the answer is lost, and all that it used and that has a lifetime dies.
    case lostReplyAndDeath
    /// It is carried out, and the answer is 503.
    case refused503
    /// It is carried out, and the answer is 429.
    case refused429
    /// It is carried out, and the answer is 200 with a body that cannot be read.
    case unreadable
    /// It is carried out, and the answer is 400.
    case refused400
    /// It is carried out, and the answer is 401.
    case refused401
    /// It is carried out, and the answer is 408.
    case refused408
    /// It is carried out, and the answer is 425.
    case refused425
    /// It is carried out when the client has given up, as late as the step's probe is not believed yet.
    case late
    /// It is carried out, the answer is lost, and probes do not see it as long as they are not believed yet.
    case unseen

    /// The status of an answer that says something else than what was done; `nil` where none comes.
    var status: Int? {
      switch self {
      case .lostRequest, .lostReply, .lostReplyAndDeath, .late, .unseen: nil
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
  }

  /// A status for every attempt of a step, of which nothing is carried out: its items go no further.
  public var refusals: [Int: Int] = [:]

  /// Seconds from the arrival of a request to its answer.
  public var latency: Distribution
  /// How long the server keeps results of steps, whatever its answers say.
  public var lifetimes: [StepID: Duration]
  /// What goes wrong.
  public var faults: Faults
  /// How far the server's clock is ahead of the device's; where it is not zero, answers carry a `Date`.
  public var clockSkew: Duration
  /// Whether answers carry a `Date` in any case.
  public var isDated = false
  /// What becomes of single requests, by their number from 1 on.
  public var planned: [Int: PlannedFault] = [:]

  /// Describes a server.
  public init(
    latency: Distribution = .constant(0), lifetimes: [StepID: Duration] = [:],
    faults: Faults = .none, clockSkew: Duration = .zero
  ) {
    self.latency = latency
    self.lifetimes = lifetimes
    self.faults = faults
    self.clockSkew = clockSkew
  }

  /// A server that answers at once and never fails.
  public static let ideal = ServerModel()
}

/// Why no server can be made for a pipeline: one of its answers is not known, and none could be made up.
public struct ExampleMissing: Error, Hashable, Sendable {
  /// Which answer it is.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// The one to the step's request or transfer.
    case answer
    /// The one of the probe where the step took effect.
    case done
    /// The one of the probe where it did not.
    case open
  }

  /// The step.
  public let step: StepID
  /// Which of its answers.
  public let part: Part
  /// Where the step stands.
  public let location: SourceLocation
  /// What became of the best answer that was tried, for people.
  public let reason: String

  /// What is missing, without a final stop.
  public var message: String {
    switch part {
    case .answer: "no answer could be made up with which the step '\(step)' succeeds: \(reason)"
    case .done: "no answer could be made up with which the probe of '\(step)' says done: \(reason)"
    case .open:
      "no answer could be made up with which the probe of '\(step)' says not done: \(reason)"
    }
  }

  /// What to do about it.
  public var help: String {
    switch part {
    case .answer: "add 'example:' to its request: what a successful answer looks like"
    case .done, .open: "add 'example: { \(part.rawValue): … }' to the probe"
    }
  }
}
