/// Responds to requests in a simulation.
///
/// A server is called when a request reaches it, and returns its response and the delay.
/// It has its own random generator, seeded by its creator.
public protocol SimulatedServer: Sendable {
  /// The response to `exchange`, which `command` sent with the values that its expressions saw.
  mutating func respond(to exchange: SimulatedRequest, for command: Command) -> SimulatedResponse
}

/// A request as a simulated server receives it.
public struct SimulatedRequest: Hashable, Sendable {
  /// Why a request is sent, which determines how the derived server responds.
  public enum Purpose: String, Hashable, Sendable, CaseIterable {
    case attempt, probe
    /// An entry of `on_abandon`.
    case abandon
  }

  /// The fence of the command that sent it.
  public let id: EffectID
  public let purpose: Purpose
  /// The request; the body of an upload is its file.
  public let request: RenderedRequest
  /// The file that an upload sends.
  public let file: FileValue?
  /// The body's bytes; `nil` if only the size of some of its content is known.
  public let body: [UInt8]?
  /// The parts of the body: bytes, and ranges of the user's files.
  public let pieces: [Body.Piece]
  /// Bytes of the body: of an upload those of its file, or of the range of it that is sent.
  public let bodySize: Int64
  /// Whether a redirect led to it, so that it belongs to the attempt of the request before it.
  public let isRedirected: Bool
  /// When it was sent.
  public let at: Instant

  /// A request that was sent at `now`.
  public init(
    id: EffectID, purpose: Purpose, request: RenderedRequest, file: FileValue?, body: [UInt8]?,
    pieces: [Body.Piece]? = nil, isRedirected: Bool = false, at now: Instant
  ) {
    self.isRedirected = isRedirected
    let pieces = pieces ?? file.map { Body($0).pieces } ?? [.bytes(request.body)]
    self.pieces = pieces
    bodySize = Body(pieces).size
    (self.id, self.purpose, self.request, self.file, self.body) = (id, purpose, request, file, body)
    at = now
  }

  /// The value of the first header called `name`, compared without case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return request.headers.first { $0.name.lowercased() == wanted }?.value
  }
}

/// The response of a simulated server, or how the connection fails.
public struct SimulatedResponse: Hashable, Sendable {
  /// Time until the response is complete.
  public var latency: Duration
  /// HTTP status; 0 if there is no response.
  public var status: Int
  /// Headers in order.
  public var headers: [Response.Header]
  public var body: [UInt8]
  /// Why there is no response.
  public var failure: TransportFailure?
  /// An effect of the server or the network that the device cannot see.
  public var oddities: [Oddity] = []

  /// Something that a server or a network does wrong, and that no response shows.
  public enum Oddity: String, Hashable, Sendable, CaseIterable {
    case deliveredTwice = "delivered-twice"
    case responseLost = "response-lost"
    case expiredEarly = "expired-early"
    /// Of a probe (eventual consistency).
    case notSeenYet = "not-seen-yet"

    var words: String {
      switch self {
      case .deliveredTwice: "was delivered twice by the network"
      case .responseLost: "was carried out, and its response was lost"
      case .expiredEarly: "needs a result that expired before its lifetime ended"
      case .notSeenYet: "does not see the server's changes yet"
      }
    }
  }

  /// A response.
  public init(
    status: Int = 200, headers: [Response.Header] = [], body: [UInt8] = [],
    latency: Duration = .zero
  ) { (self.latency, self.status, self.headers, self.body) = (latency, status, headers, body) }

  /// No response.
  public init(failure: TransportFailure, latency: Duration = .zero) {
    self.init(status: 0, latency: latency)
    self.failure = failure
  }

  /// The response as it arrives at once.
  func response(from url: String = "https://server.example/", at now: Instant) -> Response {
    Response(status: status, headers: headers, body: body, url: url, sent: now, received: now)
  }

  /// Why the body does not arrive as a whole: it is shorter than in its header, or larger than the request allows.
  private func truncation(_ request: RenderedRequest) -> TransportFailure? {
    let header = headers.first { $0.name.lowercased() == "content-length" }
    let length = header.flatMap { Int64($0.value) }
    let limit = request.maximumResponse ?? Int64(Response.usualLimit)
    let count = max(Int64(body.count), length ?? 0)
    // A download has a limit of its own, and only the size of its content may be known.
    if request.method == "GET", request.transfer != nil { return nil }
    if count > limit {
      return TransportFailure(
        .responseTooLarge, message: "the response has \(count) bytes, above the limit of \(limit)",
        mayHaveBeenSent: true)
    }
    guard let length, length > body.count else { return nil }
    return TransportFailure(
      .connectionLost, message: "the response ended after \(body.count) of \(length) bytes",
      mayHaveBeenSent: true)
  }

  /// The response as the transport delivers it: a timeout if it is too slow, and only a body that HTTP allows.
  func response(
    to request: RenderedRequest, after hops: [Response.Hop] = [], sent: Instant
  ) -> Response {
    guard latency <= request.timeout else {
      let failure = TransportFailure(
        .timeout, message: "no response within \(request.timeout.milliseconds / 1000) s",
        mayHaveBeenSent: true)
      return Response(
        status: 0, url: request.url, error: failure, hops: hops, sent: sent,
        received: sent + request.timeout)
    }
    let hasBody = failure == nil && Response.hasBody(status, to: request.method)
    let failure = failure ?? (hasBody ? truncation(request) : nil)
    return Response(
      status: failure == nil ? status : 0, headers: headers,
      body: hasBody && failure == nil ? body : [], url: request.url, error: failure, hops: hops,
      sent: sent, received: sent + latency)
  }
}

/// A server made of a function.
public struct FunctionServer: SimulatedServer {
  private let function: @Sendable (SimulatedRequest, Command) -> SimulatedResponse

  /// A server whose responses `function` returns.
  public init(_ function: @escaping @Sendable (SimulatedRequest, Command) -> SimulatedResponse) {
    self.function = function
  }

  /// See ``SimulatedServer/respond(to:for:)``.
  public func respond(to exchange: SimulatedRequest, for command: Command) -> SimulatedResponse {
    function(exchange, command)
  }
}
