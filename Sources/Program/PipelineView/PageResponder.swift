/// Responds to the requests of the page.
struct PageResponder: Sendable {
  let source: any PageSource
  let feed: ChangeFeed
  let access: PageGuard

  /// Maximum size in bytes of a request's body.
  private static let longestBody = 64 << 10

  func respond(to request: Request, _ writer: consuming ResponseWriter) async throws {
    let content: PageContent?
    do throws(PageError) {
      let path = try access.path(of: request)
      let isStream = path == ["api", "events"] && request.method == .get
      content = isStream ? nil : try await self.content(path, request)
    } catch { return try await writer.write(error) }
    guard let content else { return try await sendChanges(for: request, writer) }
    try await writer.write(content, request.method)
  }

  private func content(_ path: [Substring], _ request: Request) async throws(PageError)
    -> PageContent
  {
    switch request.method {
    case .get, .head:
      if let file = PageFiles.content(path) { return file }
      do { return try await report(path, Self.query(of: request)) } catch let error as PageError {
        throw error
      } catch { throw PageError(.internalServerError, "\(error)") }
    case .post:
      // Another site cannot send this type without asking first (CORS), which is never permitted.
      guard request.headers[.contentType] == "application/json" else {
        throw PageError(.unsupportedMediaType, "expected application/json")
      }
      guard path.count == 4, path[0] == "api", path[1] == "runs",
        let body = try? await request.body.collect(upTo: Self.longestBody),
        let action = PageAction(path[3], body: try? Value(json: Array(body.readableBytesView)))
      else { throw PageError(.badRequest, "there is no such action") }
      let message = try await source.perform(action, on: String(path[2]))
      return PageContent(Self.json(["message": .string(message)]), type: "application/json")
    default: throw PageError(.methodNotAllowed, "expected GET or POST")
    }
  }

  private func report(_ path: [Substring], _ query: [String: String]) async throws -> PageContent {
    guard path.count >= 2, path[0] == "api", path[1] == "runs" else {
      throw PageError(.notFound, "there is no such page")
    }
    if path.count == 2 { return PageContent(try await source.runs(), type: "application/json") }
    let run = String(path[2])
    switch path.dropFirst(3) {
    case []: return PageContent(try await source.run(run), type: "application/json")
    case ["items"]:
      let items = ItemQuery(
        statuses: query["status"]?.split(separator: ",").map(String.init) ?? [],
        match: query["match"], after: query["after"],
        limit: min(query["limit"].flatMap(Int.init) ?? 200, ItemQuery.maximum))
      return PageContent(try await source.items(of: run, items), type: "application/json")
    case ["history"]:
      let events = HistoryQuery(item: query["item"], after: query["after"].flatMap(Int.init) ?? 0)
      return PageContent(try await source.history(of: run, events), type: "application/x-ndjson")
    default: throw PageError(.notFound, "there is no such page")
    }
  }

  private func sendChanges(for request: Request, _ writer: consuming ResponseWriter) async throws {
    let last = request.headers[.lastEventID].flatMap { Int($0) }
    let changes = await feed.changes(after: last)
    var head = HTTPResponse(status: .ok, headerFields: PageContent.safety)
    head.headerFields[.contentType] = "text/event-stream"
    var body = try await writer.writeHead(head)
    // Opens the stream at once, and names the time to wait before a lost connection is made again.
    try await body.write(ByteBuffer(string: "retry: 1000\n\n"))
    for await change in changes {
      let run = change.run.map { Value.string($0) } ?? .null
      let event = "event: changed\nid: \(change.number)\ndata: \(Self.json(["run": run]))\n\n"
      // A comment, so that the end of a connection is noticed and its silence is not mistaken for one.
      try await body.write(ByteBuffer(string: change.isPulse ? ":\n\n" : event))
    }
    try await body.finish(nil)
  }

  private static func query(of request: Request) -> [String: String] {
    Dictionary(
      request.uri.queryParameters.map { (String($0.key), String($0.value)) },
      uniquingKeysWith: { first, _ in first })
  }

  static func json(_ fields: [String: Value]) -> String { Value.map(MapValue(fields)).jsonText() }
}

extension HTTPField.Name {
  /// `Last-Event-ID` (https://html.spec.whatwg.org/multipage/server-sent-events.html).
  fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .eTag
}
