/// Receives each exchange with a server once it has ended; must return at once.
public protocol ExchangeObserver: Sendable {
  /// An exchange has ended, with a response or without one.
  func exchanged(_ exchange: Exchange)
}

/// One request and its response, as both were sent, without secrets.
public struct Exchange: Hashable, Sendable {
  /// The request that was sent.
  public struct Request: Hashable, Sendable {
    public let method: String
    /// The absolute URL.
    public let url: String
    /// The headers in order, with those that the transport adds.
    public let headers: [Response.Header]
    /// The start of the body; `nil` if it is a file, not text, or empty.
    public let body: String?
    /// Size of the whole body in bytes.
    public let bodyBytes: Int64
  }

  /// What came back.
  public struct Answer: Hashable, Sendable {
    public let status: Int
    /// The headers in order.
    public let headers: [Response.Header]
    /// The start of the body; `nil` if it went to a file, is not text, or must not be kept.
    public let body: String?
    /// Size of the whole body in bytes, as far as it came.
    public let bodyBytes: Int64
    /// Whether the body is left out because the step has secret outputs.
    public let isSecret: Bool
  }

  /// The durations of its phases.
  public struct Timings: Hashable, Sendable {
    /// Until the head of the request was sent, with connecting if that was needed.
    public let connect: Duration
    /// Until its body was sent.
    public let send: Duration
    /// Until the head of the response came.
    public let wait: Duration
    /// Until its body had come.
    public let receive: Duration

    /// Describes phases.
    public init(connect: Duration, send: Duration, wait: Duration, receive: Duration) {
      (self.connect, self.send, self.wait, self.receive) = (connect, send, wait, receive)
    }

    /// All together.
    public var total: Duration { connect + send + wait + receive }
  }

  /// The step, its probe, or its compensation, for the user.
  public let step: String
  /// The item, for the user; `nil` for a step of the run.
  public let item: String?
  /// The fence of the attempt.
  public let id: EffectID
  /// The request that was sent.
  public let request: Request
  /// What came back; `nil` if nothing did.
  public let answer: Answer?
  /// Why nothing usable came back.
  public let error: String?
  /// When it started.
  public let began: Instant
  /// Its duration.
  public let timings: Timings
}

/// A transport's record of an exchange, with its secrets:
/// it is passed to ``ExchangeContext/record(_:)`` and nowhere else.
public struct WireExchange: Sendable {
  /// The request of this exchange; after a redirect, not the step's own.
  public var request: RenderedRequest
  /// Its headers as they were sent.
  public var headers: [Response.Header]
  /// Size of its body in bytes.
  public var requestBytes: Int64
  /// The response, without a body that went to a file; its ``/PipelineCore/Response/error`` explains a missing one.
  public var response: Response
  /// Size of the response's body in bytes.
  public var responseBytes: Int64
  /// Its duration.
  public var timings: Exchange.Timings

  /// Describes an exchange.
  public init(
    request: RenderedRequest, headers: [Response.Header], requestBytes: Int64, response: Response,
    responseBytes: Int64, timings: Exchange.Timings
  ) {
    (self.request, self.headers, self.requestBytes) = (request, headers, requestBytes)
    (self.response, self.responseBytes, self.timings) = (response, responseBytes, timings)
  }
}

/// Whose exchanges a task performs; a transport that finds one reports each exchange to it,
/// and otherwise does no extra work.
public struct ExchangeContext: Sendable {
  @TaskLocal public static var current: ExchangeContext?

  /// Most bytes of a body that are shown.
  public static let longestBody = 64 << 10
  /// Headers of a response that are shown even if its step has secret outputs, which any header may be.
  private static let harmless: Set<String> = [
    "content-type", "content-length", "content-encoding", "date", "server", "connection",
    "transfer-encoding", "retry-after", "vary",
  ]

  private let observer: any ExchangeObserver
  private let evaluator: Evaluator
  private let scope: Scope
  private let id: EffectID
  private let step: String
  private let hidesOutputs: Bool

  init(_ command: Command, _ evaluator: Evaluator, observer: any ExchangeObserver) {
    (self.observer, self.evaluator) = (observer, evaluator)
    scope = command.scope
    id = command.id
    let declaration = evaluator.pipeline.step(of: command.id)
    let name = declaration.map { $0.id.rawValue } ?? ""
    step =
      switch command.action {
      case .attempt, .adopt: name
      case .probe: "\(name) (probe)"
      case .abandon: "on_abandon"
      }
    hidesOutputs = declaration?.outputs.contains(where: \.isSecret) == true
  }

  /// Reports an exchange to the observer, without its secrets.
  public func record(_ wire: WireExchange) {
    let cover = evaluator.cover(scope, of: wire.request)
    let url =
      wire.request.isRedirected
      ? Redirection.address(wire.request.url)
      : wire.request.shown?.url ?? wire.request.unsignedURL ?? wire.request.url
    let request = Exchange.Request(
      method: wire.request.method, url: cover.text(url), headers: wire.headers.map(cover.header),
      body: wire.request.body.isEmpty
        ? nil
        : cover.excerpt(of: wire.request.shown?.body ?? wire.request.body, limit: Self.longestBody),
      bodyBytes: wire.requestBytes)
    observer.exchanged(
      Exchange(
        step: step, item: scope.subject?.label, id: id, request: request,
        answer: answer(wire, cover), error: wire.response.error.map { cover.text($0.message) },
        began: wire.response.sent, timings: wire.timings))
  }

  private func answer(_ wire: WireExchange, _ cover: SecretCover) -> Exchange.Answer? {
    let response = wire.response
    guard response.status > 0 else { return nil }
    let isSecret = hidesOutputs && (200..<400).contains(response.status)
    let headers = response.headers.map { header in
      let name = header.name.lowercased()
      return isSecret && !Self.harmless.contains(name) && !KeptResponse.isRequestID(name)
        ? Response.Header(name: header.name, value: "***") : cover.header(header)
    }
    return Exchange.Answer(
      status: response.status, headers: headers,
      body: isSecret || response.body.isEmpty
        ? nil : cover.excerpt(of: response.body, limit: Self.longestBody),
      bodyBytes: wire.responseBytes, isSecret: isSecret && wire.responseBytes > 0)
  }
}
