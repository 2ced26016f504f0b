/// Exchanges in the HTTP Archive format, version 1.2.
///
/// After each entry, a file is a complete document; what a device or a pipe got is one after ``end()``.
final class HARFile: Sendable {
  private struct Place {
    var offset: Int64
    var isFirst = true
  }

  private static let tail = "\n]}}\n"
  private let file: PrivateFile
  private let place: Mutex<Place>

  /// Begins a document in place of what the file had.
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
    let entry = EncodedJSON.of(Entry(exchange))
    place.withLock { place in
      let text = (place.isFirst ? "" : ",\n") + entry
      if file.isRegular { file.write(text + Self.tail, at: place.offset) } else { file.write(text) }
      place.offset += Int64(text.utf8.count)
      place.isFirst = false
    }
  }

  func end() { if !file.isRegular { file.write(Self.tail) } }

  var complaint: String? { file.complaint }
}

extension HARFile {
  private struct Pair: Encodable {
    let name, value: String

    init(_ header: Response.Header) { (name, value) = (header.name, header.value) }
    init(_ item: URLQueryItem) { (name, value) = (item.name, item.value ?? "") }
  }

  private struct Post: Encodable {
    let mimeType, text: String
  }

  private struct Request: Encodable {
    let method, url: String
    let httpVersion = "HTTP/1.1"
    let cookies: [Pair] = []
    let headers, queryString: [Pair]
    let postData: Post?
    let headersSize = -1
    let bodySize: Int64
  }

  private struct Content: Encodable {
    let size: Int64
    let mimeType: String
    let text, comment: String?
  }

  private struct Answer: Encodable {
    let status: Int
    let statusText: String
    let httpVersion = "HTTP/1.1"
    let cookies: [Pair] = []
    let headers: [Pair]
    let content: Content
    let redirectURL: String
    let headersSize = -1
    let bodySize: Int64
  }

  private struct Timings: Encodable {
    let blocked = -1
    let dns = -1
    let connect, send, wait, receive: Double
    let ssl = -1
  }

  private struct Nothing: Encodable {}

  /// Names of our own begin with an underscore, as the format asks for.
  private struct Entry: Encodable {
    let startedDateTime: String
    let time: Double
    let request: Request
    let response: Answer
    let cache = Nothing()
    let timings: Timings
    let step: String
    let item, name: String?
    let attempt: Int
    let error: String?

    private enum CodingKeys: String, CodingKey {
      case startedDateTime, time, request, response, cache, timings
      case step = "_step"
      case item = "_item"
      case name = "_name"
      case attempt = "_attempt"
      case error = "_error"
    }

    init(_ exchange: Exchange) {
      startedDateTime = ReportFormatting.timestamp(exchange.began)
      let phases = exchange.timings
      time = Self.milliseconds(phases.total)
      timings = Timings(
        connect: Self.milliseconds(phases.connect), send: Self.milliseconds(phases.send),
        wait: Self.milliseconds(phases.wait), receive: Self.milliseconds(phases.receive))
      request = Self.request(exchange.request)
      response = Self.answer(exchange)
      step = exchange.step
      item = exchange.id.item?.description
      name = exchange.item
      attempt = exchange.id.attempt
      error = exchange.error
    }

    private static func milliseconds(_ duration: Duration) -> Double {
      let parts = duration.components
      return Double(parts.seconds) * 1000 + (Double(parts.attoseconds) / 1e12).rounded() / 1000
    }

    private static func type(_ headers: [Response.Header]) -> String {
      headers.first { $0.name.lowercased() == "content-type" }?.value ?? "x-unknown"
    }

    private static func request(_ request: Exchange.Request) -> Request {
      Request(
        method: request.method, url: request.url, headers: request.headers.map(Pair.init),
        queryString: (URLComponents(string: request.url)?.queryItems ?? []).map(Pair.init),
        postData: request.body.map { Post(mimeType: type(request.headers), text: $0) },
        bodySize: request.bodyBytes)
    }

    private static func answer(_ exchange: Exchange) -> Answer {
      guard let answer = exchange.answer else {
        return Answer(
          status: 0, statusText: exchange.error ?? "", headers: [],
          content: Content(size: 0, mimeType: "x-unknown", text: nil, comment: nil),
          redirectURL: "", bodySize: -1)
      }
      let location = answer.headers.first { $0.name.lowercased() == "location" }?.value
      return Answer(
        status: answer.status, statusText: "", headers: answer.headers.map(Pair.init),
        content: Content(
          size: answer.bodyBytes, mimeType: type(answer.headers), text: answer.body,
          comment: answer.isSecret ? "not kept: the step has secret outputs" : nil),
        redirectURL: (300..<400).contains(answer.status) ? location ?? "" : "",
        bodySize: answer.bodyBytes)
    }
  }
}
