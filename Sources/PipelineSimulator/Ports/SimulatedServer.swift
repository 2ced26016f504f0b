public import PipelineCore

/// Answers requests in a simulation.
///
/// A server is asked when a request reaches it, and says at once what comes back and how much later.
/// It draws chance from a generator of its own, seeded by whoever makes it.
public protocol SimulatedServer: Sendable {
  /// What `exchange` comes to; `command` is what demanded it, with the values that its expressions
  /// saw.
  mutating func respond(to exchange: SimulatedRequest, for command: Command) -> SimulatedResponse
}

/// A request as a simulated server gets it.
public struct SimulatedRequest: Hashable, Sendable {
  /// What a request is for.
  public enum Purpose: String, Hashable, Sendable, CaseIterable {
    /// An attempt at the step.
    case attempt
    /// The step's probe.
    case probe
    /// An entry of `on_abandon`.
    case abandon
  }

  /// The fence of the command that demanded it.
  public let id: EffectID
  /// What it is for.
  public let purpose: Purpose
  /// The request; the body of an upload is its file.
  public let request: RenderedRequest
  /// The file that an upload sends.
  public let file: FileValue?
  /// Bytes of the body, where they are known: always, but for files of which only the size was given.
  public let body: [UInt8]?
  /// When it was sent.
  public let at: Instant

  /// A request that was sent at `now`.
  public init(
    id: EffectID, purpose: Purpose, request: RenderedRequest, file: FileValue?, body: [UInt8]?,
    at now: Instant
  ) {
    self.id = id
    self.purpose = purpose
    self.request = request
    self.file = file
    self.body = body
    at = now
  }

  /// Bytes of the body.
  public var bodySize: Int64 { file?.size ?? Int64(request.body.count) }

  /// The value of the first header called `name`, compared without case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return request.headers.first { $0.name.lowercased() == wanted }?.value
  }
}

/// What a simulated server sends back, or what becomes of the connection.
public struct SimulatedResponse: Hashable, Sendable {
  /// Time until the answer is complete.
  public var latency: Duration
  /// HTTP status; 0 where there is no answer.
  public var status: Int
  /// Headers in order.
  public var headers: [Response.Header]
  /// The body.
  public var body: [UInt8]
  /// Why there is no answer.
  public var failure: TransportFailure?

  /// An answer.
  public init(
    status: Int = 200, headers: [Response.Header] = [], body: [UInt8] = [],
    latency: Duration = .zero
  ) {
    self.latency = latency
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// No answer.
  public init(failure: TransportFailure, latency: Duration = .zero) {
    self.init(status: 0, latency: latency)
    self.failure = failure
  }

  /// The reply as the transport hands it on: cut off where it takes longer than the request may.
  func response(to request: RenderedRequest, sent: Instant) -> Response {
    guard latency <= request.timeout else {
      let failure = TransportFailure(
        .timeout, message: "no answer within \(request.timeout.milliseconds / 1000) s",
        mayHaveBeenSent: true)
      return Response(
        status: 0, url: request.url, error: failure, sent: sent, received: sent + request.timeout)
    }
    return Response(
      status: failure == nil ? status : 0, headers: headers, body: failure == nil ? body : [],
      url: request.url, error: failure, sent: sent, received: sent + latency)
  }
}

/// A server made of a function.
public struct FunctionServer: SimulatedServer {
  private let function: @Sendable (SimulatedRequest, Command) -> SimulatedResponse

  /// A server that answers with what `function` gives.
  public init(_ function: @escaping @Sendable (SimulatedRequest, Command) -> SimulatedResponse) {
    self.function = function
  }

  /// See ``SimulatedServer/respond(to:for:)``.
  public func respond(to exchange: SimulatedRequest, for command: Command) -> SimulatedResponse {
    function(exchange, command)
  }
}
