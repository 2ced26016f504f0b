/// Exchanges in the HTTP Archive format, version 1.2.
///
/// After each entry, a file is a complete document; the data in a device or a pipe is one after ``end()``.
final class HARFile: Sendable {
  private struct Place {
    var offset: Int64
    var isFirst = true
  }

  private static let tail = "\n]}}\n"
  private let file: PrivateFile
  private let place: Mutex<Place>

  /// Starts a document in place of the file's content.
  init(_ file: PrivateFile) {
    self.file = file
    let head =
      "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"pipeline\",\"version\":\"\(Version.current)\"},\"entries\":[\n"
    if file.isRegular {
      file.empty()
      file.write(head + Self.tail, at: 0)
    } else {
      file.write(head)
    }
    place = Mutex(Place(offset: Int64(head.utf8.count)))
  }

  func write(_ exchange: Exchange) {
    let entry = EncodedJSON.of(AnyValue(Self.entry(exchange)))
    place.withLock { place in
      let text = (place.isFirst ? "" : ",\n") + entry
      if file.isRegular { file.write(text + Self.tail, at: place.offset) } else { file.write(text) }
      place.offset += Int64(text.utf8.count)
      place.isFirst = false
    }
  }

  func end() { if !file.isRegular { file.write(Self.tail) } }

  var complaint: String? { file.complaint }

  /// Names of our own start with an underscore, as the format asks for.
  private static func entry(_ exchange: Exchange) -> Value {
    let phases = exchange.timings
    return object([
      "startedDateTime": .string(ReportFormatting.timestamp(exchange.began)),
      "time": milliseconds(phases.total), "request": request(exchange.request),
      "response": answer(exchange), "cache": [:],
      "timings": [
        "blocked": -1, "dns": -1, "connect": milliseconds(phases.connect),
        "send": milliseconds(phases.send), "wait": milliseconds(phases.wait),
        "receive": milliseconds(phases.receive), "ssl": -1,
      ],
      "_step": .string(exchange.step), "_item": text(exchange.id.item?.description),
      "_name": text(exchange.item), "_attempt": .int(Int64(exchange.id.attempt)),
      "_error": text(exchange.error),
    ])
  }

  private static func object(_ members: [String: Value?]) -> Value {
    .map(MapValue(members.compactMapValues(\.self)))
  }

  private static func text(_ text: String?) -> Value? { text.map(Value.string) }

  private static func milliseconds(_ duration: Duration) -> Value {
    let parts = duration.components
    return .double(
      Double(parts.seconds) * 1000 + (Double(parts.attoseconds) / 1e12).rounded() / 1000)
  }

  private static func pairs(_ pairs: [(name: String, value: String)]) -> Value {
    .list(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  private static func value(_ name: String, in headers: [Response.Header]) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  private static func type(_ headers: [Response.Header]) -> Value {
    .string(value("content-type", in: headers) ?? "x-unknown")
  }

  private static func request(_ request: Exchange.Request) -> Value {
    let query = URLComponents(string: request.url)?.queryItems ?? []
    return object([
      "method": .string(request.method), "url": .string(request.url), "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": pairs(request.headers.map { ($0.name, $0.value) }),
      "queryString": pairs(query.map { ($0.name, $0.value ?? "") }),
      "postData": request.body.map { ["mimeType": type(request.headers), "text": .string($0)] },
      "headersSize": -1, "bodySize": .int(request.bodyBytes),
    ])
  }

  private static func answer(_ exchange: Exchange) -> Value {
    let answer = exchange.answer
    let headers = answer?.headers ?? []
    let isRedirected = (300..<400).contains(answer?.status ?? 0)
    return object([
      "status": .int(Int64(answer?.status ?? 0)),
      "statusText": .string(answer == nil ? exchange.error ?? "" : ""), "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": pairs(headers.map { ($0.name, $0.value) }),
      "content": object([
        "size": .int(answer?.bodyBytes ?? 0), "mimeType": type(headers),
        "text": text(answer?.body),
        "comment": answer?.isSecret == true ? "not kept: the step has secret outputs" : nil,
      ]),
      "redirectURL": .string(isRedirected ? value("location", in: headers) ?? "" : ""),
      "headersSize": -1, "bodySize": .int(answer?.bodyBytes ?? -1),
    ])
  }
}
