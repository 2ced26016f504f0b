import PipelineCore
import PipelineEngine
import Synchronization
import Testing

@testable import PipelineHTTP

/// Downloads that a later process continues, and servers that do it wrong.
struct ResumeTests {
  private let content = String(decoding: (0..<200).map { UInt8(0x41 + $0 % 26) }, as: UTF8.self)

  /// The result of a download.
  private struct Outcome {
    var status = 0
    var error: TransportFailure.Kind?
    var failure: FileFailure.Kind?
    var headers: [Response.Header] = []
    var text = ""
    var begun = 0
    var requests: [String] = []

    func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name }?.value
    }
  }

  /// Downloads with a sink that has the first 80 bytes; the answers are in the order of the requests.
  private func resume(
    _ answers: String..., have: Int = 80, size: Int64? = 200, validator: String = "\"1\"",
    headers: [Response.Header] = []
  ) async throws -> Outcome {
    let next = Mutex(answers[...])
    let sink = PartialSink(
      String(content.prefix(have)), Representation(size: size, validator: validator))
    return try await RawServer.run({ connection in
      _ = try await connection.readHead()
      guard let answer = next.withLock({ $0.popFirst() }) else { return }
      try await connection.write(answer)
    }) { server in
      try await withTransport { transport in
        var outcome = Outcome()
        do throws(FileFailure) {
          let response = try await transport.download(
            RenderedRequest(
              method: "GET", url: "http://127.0.0.1:\(server.port)/film", headers: headers,
              timeout: .seconds(20)), into: sink, progress: { _ in })
          outcome.status = response.status
          outcome.error = response.error?.kind
          outcome.headers = response.headers
        } catch {
          outcome.failure = error.kind
        }
        outcome.text = sink.text
        outcome.begun = sink.begun
        outcome.requests = server.heads
        return outcome
      }
    }
  }

  private func part(
    _ range: Range<Int>, of total: String = "200", tag: String = "ETag: \"1\"\r\n",
    type: String = "", length: Int? = nil
  ) -> String {
    let body = content.dropFirst(range.lowerBound).prefix(range.count)
    return
      "HTTP/1.1 206 Partial Content\r\n\(tag)\(type)Connection: close\r\n"
      + "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)\r\n"
      + "Content-Length: \(length ?? range.count)\r\n\r\n\(body)"
  }

  private func whole(_ body: String, _ fields: String = "ETag: \"2\"\r\n") -> String {
    "HTTP/1.1 200 OK\r\n\(fields)Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  // MARK: Failures

  @Test func `a part that is not the one that was asked for is refused`() async throws {
    for answer in [
      part(0..<200), part(90..<200), part(80..<200, of: "300"), part(80..<200, tag: ""),
      part(80..<200, tag: "ETag: \"2\"\r\n"), part(80..<200, tag: "ETag: W/\"1\"\r\n"),
      part(80..<200, type: "Content-Type: multipart/byteranges; boundary=x\r\n"),
      part(80..<200).replacing("bytes 80-199/200", with: "bytes 80-199"),
      part(80..<200).replacing("bytes 80-199/200", with: "bytes 80-300/200"),
    ] {
      let outcome = try await resume(answer)
      #expect(outcome.failure == .mismatch, "\(answer)")
      #expect(outcome.text == content.prefix(80))
    }
  }

  @Test func `a part that is shorter or longer than its range is refused`() async throws {
    let short = part(80..<200).replacing("Content-Length: 120", with: "Content-Length: 100")
    #expect(try await resume(short).failure == .mismatch)
    let long = part(80..<200).replacing("80-199/200", with: "80-189/200")
    #expect(try await resume(long).failure == .mismatch)
  }

  @Test func `a part that no one asked for is refused`() async throws {
    #expect(try await resume(part(0..<80), validator: "W/\"1\"").failure == .mismatch)
  }

  @Test func `other statuses keep the received bytes for another attempt`() async throws {
    for status in ["404 Not Found", "503 Unavailable", "304 Not Modified"] {
      let outcome = try await resume(
        "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
      #expect(outcome.status == Int(status.prefix(3)))
      #expect(outcome.text == content.prefix(80))
      #expect(outcome.begun == 0)
    }
  }

  @Test func `a file that the server cannot continue is left to another attempt`() async throws {
    let refused =
      "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */50\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    let outcome = try await resume(refused, whole("new"))
    #expect(outcome.failure == .mismatch)
    #expect(outcome.requests.count == 1)
  }

  @Test func `a server that ignores ranges sends the file from its start`() async throws {
    let outcome = try await resume(whole(content))
    #expect(outcome.requests.first?.header("range") == "bytes=80-")
    #expect(outcome.text == content)
    #expect(outcome.begun == 1)
  }

  @Test func `a request with a range of its own is the author's`() async throws {
    let outcome = try await resume(
      part(80..<200), headers: [.init(name: "Range", value: "bytes=80-")])
    #expect(outcome.status == 206)
    #expect(outcome.requests.first?.header("if-range") == nil)
    #expect(outcome.text == content.dropFirst(80))
  }

  // MARK: Validators (RFC 9110 §8.8.2.2, §13.1.5)

  @Test(
    arguments: [
      ("ETag: \"1\"", "\"1\""), ("ETag: W/\"1\"", nil), ("ETag: 1", nil),
      ("Last-Modified: Sun, 06 Nov 1994 08:48:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT"),
      ("Last-Modified: Sun, 06 Nov 1994 08:49:30 GMT", nil),
      ("Last-Modified: yesterday", nil),
      ("ETag: W/\"1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:48:37 GMT", nil),
    ] as [(String, String?)])
  func `only a strong validator distinguishes a file from others`(
    _ fields: String, _ validator: String?
  ) {
    let lines = ("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n" + fields).split(separator: "\r\n")
    let head = ResponseHead(
      status: 200,
      headers: lines.map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return .init(name: String(parts[0]), value: String(parts[1].dropFirst()))
      })
    #expect(Representation(head, mayBeCoded: false).validator == validator)
  }

  @Test(
    arguments: [
      ("bytes 0-9/10", ContentRange.bytes(0...9, total: 10)),
      ("Bytes 5-9/*", .bytes(5...9, total: nil)), ("bytes */10", .unsatisfied(total: 10)),
      ("bytes 0-10/10", nil), ("bytes 9-5/10", nil), ("bytes */*", nil), ("bytes -9/10", nil),
      ("bytes +0-9/10", nil), ("items 0-9/10", nil), ("bytes 0-99999999999999999999/*", nil),
      ("", nil),
      // The byte after the last one must have a number as well.
      ("bytes 0-9223372036854775807/*", nil),
      ("bytes 0-9223372036854775806/*", .bytes(0...9_223_372_036_854_775_806, total: nil)),
      ("bytes 0-9223372036854775808/*", nil),
    ] as [(String, ContentRange?)])
  func `a range is read strictly`(_ text: String, _ range: ContentRange?) {
    #expect(ContentRange(text) == range)
  }

  // MARK: Success

  @Test func `a later process asks for the rest, and the response is that of a whole file`()
    async throws
  {
    let outcome = try await resume(part(80..<200, type: "Content-Type: video/mp4\r\n"))
    #expect(outcome.requests.first?.header("range") == "bytes=80-")
    #expect(outcome.requests.first?.header("if-range") == "\"1\"")
    #expect(outcome.requests.first?.header("accept-encoding") == "identity")
    #expect(outcome.text == content)
    #expect(outcome.begun == 0)
    #expect(outcome.status == 200)
    #expect(outcome.header("content-length") == "200")
    #expect(outcome.header("content-type") == "video/mp4")
    #expect(outcome.header("content-range") == nil)
  }

  @Test func `without a tag, a date continues a file`() async throws {
    let date = "Sun, 06 Nov 1994 08:48:37 GMT"
    for tag in ["", "Last-Modified: \(date)\r\n"] {
      let outcome = try await resume(part(80..<200, tag: tag), validator: date)
      #expect(outcome.requests.first?.header("if-range") == date)
      #expect(outcome.text == content)
    }
    #expect(try await resume(part(80..<200), validator: date).failure == .mismatch)
  }

  @Test func `the missing rest of a range is left to another attempt`() async throws {
    let outcome = try await resume(part(80..<120), part(120..<200))
    #expect(outcome.text == content.prefix(120))
    #expect(outcome.error == .connectionLost)
    #expect(outcome.requests.count == 1)
  }

  @Test func `a file of which nothing is missing costs one byte`() async throws {
    let outcome = try await resume(part(199..<200), have: 200)
    #expect(outcome.requests.first?.header("range") == "bytes=199-")
    #expect(outcome.text == content)
    #expect(outcome.status == 200)
    #expect(try await resume(whole("new"), have: 200).text == "new")
  }

  @Test func `a file of unknown size may turn out to be whole`() async throws {
    let refused =
      "HTTP/1.1 416 Range Not Satisfiable\r\nETag: \"1\"\r\nContent-Range: bytes */200\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    let outcome = try await resume(refused, have: 200, size: nil)
    #expect(outcome.status == 200)
    #expect(outcome.text == content)
    #expect(outcome.requests.count == 1)
  }
}

/// Has the start of a file.
final class PartialSink: FileSink {
  private let state: Mutex<(text: String, begun: Int)>
  private let representation: Representation

  init(_ text: String, _ representation: Representation) {
    state = Mutex((text, 0))
    self.representation = representation
  }

  var text: String { state.withLock { $0.text } }
  var begun: Int { state.withLock { $0.begun } }

  func received() async throws(FileFailure) -> PartialDownload? {
    let validator = representation.validator ?? ""
    return validator.hasPrefix("W/")
      ? nil : PartialDownload(representation, received: Int64(text.utf8.count))
  }

  func begin(_ representation: Representation) async throws(FileFailure) {
    state.withLock { $0 = ("", $0.begun + 1) }
  }

  func append(_ bytes: [UInt8]) async throws(FileFailure) {
    state.withLock { $0.text += String(decoding: bytes, as: UTF8.self) }
  }

  func publish(contentType: String?) async throws(FileFailure) -> FileValue {
    FileValue(path: "film", name: "film", size: Int64(text.utf8.count), modified: 0)
  }

  func discard() async {}
}
