import Logging

/// Handles requests: draws their faults, calls the routes, writes the journal, sends the response.
struct RequestResponder: Sendable {
  let configuration: DemoServer.Configuration
  let clock: ServerClock
  let tokens: TokenRegistry
  let uploads: UploadRegistry
  let store: BodyStore
  let injector: FaultInjector
  let journal: RequestJournal
  let logger: Logger

  /// The connection is closed without a response; Hummingbird drops it when this is thrown.
  struct ConnectionDropped: Error {}

  func respond(
    to request: Request, writer: consuming ResponseWriter, channel: any Channel
  ) async throws {
    let (method, path) = (request.method.rawValue, request.uri.path)
    var entry = JournalEntry(time: clock.now, method: method, path: path)
    entry.idempotencyKey = request.headers[.idempotencyKey]
    let route: Route
    switch Route.find(method: method, path: path) {
    case .found(let found): route = found
    case .wrongMethod(let allowed):
      var draft = ResponseDraft.refusal(
        .methodNotAllowed, "method_not_allowed", "this resource allows \(allowed)")
      draft.headers[.allow] = allowed
      return try await refuse(draft, entry, request, writer)
    case .unknown:
      let draft = ResponseDraft.refusal(.notFound, "not_found", "no such resource")
      return try await refuse(draft, entry, request, writer)
    }
    let draw = injector.draw(for: route.kind) { applies($0, to: route, request) }
    entry.fault = draw.fault
    if draw.suspends { raise(SIGSTOP) }
    if draw.latency > .zero { try await Task.sleep(for: draw.latency) }
    var exchange = RequestContext(request: request, route: route, draw: draw, entry: entry)
    if draw.fault == .resetBeforeCommit, !route.kind.hasLargeBody {
      return try await drop(channel, recording: exchange.interrupted())
    }
    if request.headers[.expect]?.lowercased() == "100-continue" {
      try await writer.writeInformationalHead(HTTPResponse(status: .continue))
    }
    let draft: ResponseDraft
    do { draft = try await perform(&exchange) } catch is ConnectionDropped {
      return try await drop(channel, recording: exchange.interrupted())
    } catch let refusal as ResponseDraft { draft = refusal }
    if draw.fault == .resetAfterCommit { return try await drop(channel, recording: exchange.entry) }
    journal.record(exchange.entry(answeredBy: draft))
    try await send(draft, for: request, writer)
  }

  private func send(
    _ draft: ResponseDraft, for request: Request, _ writer: consuming ResponseWriter
  ) async throws {
    let response = draft.response(date: HTTPDateCache.text(at: clock.now), method: request.method)
    try await writer.write(response: response.head, body: response.body)
  }

  private func drop(_ channel: any Channel, recording entry: JournalEntry) async throws {
    journal.record(entry)
    await ConnectionReset.reset(channel)
    throw ConnectionDropped()
  }

  private func refuse(
    _ draft: ResponseDraft, _ entry: JournalEntry, _ request: Request,
    _ writer: consuming ResponseWriter
  ) async throws {
    var entry = entry
    entry.status = draft.status.code
    journal.record(entry)
    try await send(draft, for: request, writer)
  }

  private func applies(_ fault: Fault, to route: Route, _ request: Request) -> Bool {
    switch fault {
    case .unauthorized: route.kind.needsToken
    case .gone: route.uploadID.map { uploads.canExpire($0) } ?? false
    case .serverError, .tooManyRequests, .resetBeforeCommit, .resetAfterCommit: true
    }
  }

  /// Injects the faults before a commit, checks the token, and passes the request to its route.
  private func perform(_ exchange: inout RequestContext) async throws -> ResponseDraft {
    switch exchange.draw.fault {
    case .serverError: return Self.serverError(exchange.draw.fraction)
    case .tooManyRequests:
      var draft = ResponseDraft.refusal(.tooManyRequests, "too_many_requests", "slow down")
      draft.headers[.retryAfter] = String(exchange.draw.retryAfter.secondsRoundedUp)
      return draft
    case .unauthorized: exchange.bearerToken.map { tokens.revoke($0) }
    case .gone: exchange.route.uploadID.map { uploads.expire($0, now: clock.now) }
    case .resetBeforeCommit, .resetAfterCommit, nil: break
    }
    if exchange.route.kind.needsToken {
      guard let token = exchange.bearerToken else { return .unauthorized(tokenIsPresent: false) }
      guard tokens.isValid(token, now: clock.now) else {
        return .unauthorized(tokenIsPresent: true)
      }
    }
    let name = exchange.route.name
    switch exchange.route.kind {
    case .login: return try await login(&exchange)
    case .allocate: return try await allocate(&exchange)
    case .content: return try await receiveContent(of: name, &exchange)
    case .download: return try sendContent(of: name, &exchange)
    case .inspect: return try inspect(name, &exchange)
    case .finalize: return finalize(name, &exchange)
    case .finalizeAll: return try await finalizeAll(&exchange)
    case .delete: return await delete(name, &exchange)
    case .storeFile: return try await storeFile(name, &exchange)
    case .inspectFile: return inspectFile(name, &exchange)
    }
  }

  private static func serverError(_ fraction: Double) -> ResponseDraft {
    let statuses: [HTTPResponse.Status] = [.internalServerError, .badGateway, .serviceUnavailable]
    let status = statuses[min(Int(fraction * 3), 2)]
    return .refusal(status, "server_error", "something went wrong; nothing was done")
  }
}

extension HTTPField.Name {
  /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
  static let idempotencyKey = HTTPField.Name(validated: "Idempotency-Key")
  static let contentSHA256 = HTTPField.Name(validated: "X-Content-SHA256")

  private init(validated name: StaticString) {
    // The names above are tokens (RFC 9110 §5.6.2), so the first form always exists.
    self = HTTPField.Name("\(name)") ?? .contentType
  }
}

enum ConnectionReset {
  /// Closes with a TCP reset: a linger time of zero makes the system discard unsent data.
  static func reset(_ channel: any Channel) async {
    if let socket = channel as? any SocketOptionProvider {
      try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try? await channel.close(mode: .all)
  }
}
