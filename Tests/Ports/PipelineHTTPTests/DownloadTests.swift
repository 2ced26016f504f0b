import PipelineCore
import PipelineEngine
import PipelineHTTP
import Synchronization
import Testing

struct DownloadTests {
  private let content = String(decoding: (0..<200).map { UInt8(0x41 + $0 % 26) }, as: UTF8.self)

  private func get(_ port: Int) -> RenderedRequest {
    RenderedRequest(
      method: "GET", url: "http://127.0.0.1:\(port)/film", timeout: .seconds(20),
      transfer: TransferSettings(
        id: EffectID(run: RunID("r"), item: nil, step: 0, generation: 1, attempt: 1), session: "s",
        policy: TransferPolicy()))
  }

  /// The result of a download.
  private enum Outcome: Equatable {
    case answer(status: Int, error: TransportFailure.Kind?)
    case failure(FileFailure.Kind)
  }

  private func download(
    from serve: @escaping @Sendable (RawConnection, Int) async throws -> Void,
    limit: Int64 = .max, attempts: Int = 1
  ) async throws -> (outcome: Outcome, sink: MemorySink, heads: [String]) {
    let number = Mutex(0)
    let sink = MemorySink(limit: limit)
    return try await RawServer.run({ connection in
      let index = number.withLock { number in
        number += 1
        return number
      }
      try await serve(connection, index)
    }) { server in
      try await withTransport { transport in
        var outcome = Outcome.failure(.interrupted)
        for attempt in 1...attempts {
          do throws(FileFailure) {
            let response = try await transport.download(
              get(server.port), into: sink, progress: { _ in })
            outcome = .answer(status: response.status, error: response.error?.kind)
          } catch {
            outcome = .failure(error.kind)
          }
          #expect(server.heads.count == attempt)
        }
        return (outcome, sink, server.heads)
      }
    }
  }

  // MARK: Failures

  @Test func `an error status is a response, and the sink gets nothing of it`() async throws {
    let result = try await download { connection, _ in
      _ = try await connection.readHead()
      try await connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone")
      _ = await connection.readToEnd()
    }
    #expect(result.outcome == .answer(status: 404, error: nil))
    #expect(result.sink.begun == 0)
    #expect(result.sink.text == "")
  }

  @Test func `bytes that the sink refuses end the download`() async throws {
    let result = try await download(
      from: { [content] connection, _ in
        _ = try await connection.readHead()
        try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n\(content)")
        _ = await connection.readToEnd()
      }, limit: 199)
    #expect(result.outcome == .failure(.reservationExceeded))
  }

  @Test(arguments: ["", "ETag: W/\"1\"\r\n"])
  func `without a strong entity tag a broken download is lost`(_ tag: String) async throws {
    let result = try await download { [content] connection, _ in
      _ = try await connection.readHead()
      try await connection.write("HTTP/1.1 200 OK\r\n\(tag)Content-Length: 300\r\n\r\n\(content)")
    }
    #expect(result.outcome == .answer(status: 0, error: .connectionLost))
    #expect(result.heads.count == 1)
  }

  @Test func `a part other than the requested one is not mistaken for the rest`() async throws {
    let result = try await download(
      from: { [content] connection, number in
        _ = try await connection.readHead()
        if number == 1 {
          try await connection.write(
            "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 200\r\n\r\n\(content.prefix(80))")
        } else {
          try await connection.write(
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-99/200\r\nContent-Length: 100\r\n\r\n"
              + content.prefix(100))
          _ = await connection.readToEnd()
        }
      }, attempts: 2)
    #expect(result.outcome == .failure(.mismatch))
  }

  @Test func `a broken download is not requested again by itself`() async throws {
    let result = try await download { [content] connection, _ in
      _ = try await connection.readHead()
      try await connection.write(
        "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 200\r\n\r\n\(content.prefix(80))")
    }
    #expect(result.outcome == .answer(status: 0, error: .connectionLost))
    #expect(result.heads.count == 1)
    #expect(result.sink.text == content.prefix(80))
  }

  @Test func `a file that lacks only the end of its body is not requested forever`() async throws {
    // A chunked body without its last chunk, and nothing after its bytes.
    let result = try await download(
      from: { [content] connection, _ in
        let isWhole = try await connection.readHead().header("range") == nil
        try await connection.write(
          isWhole
            ? "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\nc8\r\n\(content)\r\n"
            : "HTTP/1.1 416 X\r\nContent-Range: bytes */200\r\nContent-Length: 0\r\n\r\n")
      }, attempts: 2)
    #expect(result.outcome == .failure(.mismatch))
    #expect(result.heads.count == 2)
  }

  // MARK: Success

  @Test(arguments: ["HTTP/1.0", "HTTP/1.1"])
  func `a server may close as soon as it has answered`(_ version: String) async throws {
    for _ in 0..<20 {
      let result = try await download { [content] connection, _ in
        _ = try await connection.readHead()
        try await connection.write("\(version) 200 OK\r\nContent-Length: 200\r\n\r\n\(content)")
      }
      #expect(result.outcome == .answer(status: 200, error: nil))
      #expect(result.sink.text == content)
    }
  }

  @Test func `an interrupted download continues where it stopped`() async throws {
    let result = try await download(
      from: { [content] connection, number in
        _ = try await connection.readHead()
        if number == 1 {
          try await connection.write(
            "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 200\r\n\r\n\(content.prefix(80))")
        } else {
          try await connection.write(
            "HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nContent-Range: bytes 80-199/200\r\n"
              + "Content-Length: 120\r\n\r\n\(content.dropFirst(80))")
          _ = await connection.readToEnd()
        }
      }, attempts: 2)
    #expect(result.outcome == .answer(status: 200, error: nil))
    #expect(result.sink.text == content)
    #expect(result.sink.begun == 1)
    #expect(result.heads.last?.header("range") == "bytes=80-")
    #expect(result.heads.last?.header("if-range") == "\"1\"")
  }

  @Test func `a file that has changed in the meantime starts over`() async throws {
    let result = try await download(
      from: { [content] connection, number in
        _ = try await connection.readHead()
        let tag = number == 1 ? "1" : "2"
        let body = number == 1 ? content.prefix(80) : "new"[...]
        let length = number == 1 ? 200 : 3
        try await connection.write(
          "HTTP/1.1 200 OK\r\nETag: \"\(tag)\"\r\nContent-Length: \(length)\r\n\r\n\(body)")
        if number == 2 { _ = await connection.readToEnd() }
      }, attempts: 2)
    #expect(result.outcome == .answer(status: 200, error: nil))
    #expect(result.sink.text == "new")
    #expect(result.sink.begun == 2)
  }
}

/// Keeps what comes.
final class MemorySink: FileSink {
  private let content = Mutex((bytes: [UInt8](), begun: 0))
  private let representation = Mutex<Representation?>(nil)
  private let limit: Int64

  init(limit: Int64) { self.limit = limit }

  var text: String { String(decoding: content.withLock { $0.bytes }, as: UTF8.self) }
  var begun: Int { content.withLock { $0.begun } }

  func begin(_ representation: Representation) async throws(FileFailure) {
    if let size = representation.size, size > limit {
      throw FileFailure(.reservationExceeded, message: "\(size) bytes")
    }
    content.withLock { $0 = ([], $0.begun + 1) }
    self.representation.withLock { $0 = representation }
  }

  func received() async throws(FileFailure) -> PartialDownload? {
    let count = Int64(content.withLock { $0.bytes.count })
    return representation.withLock { $0 }.flatMap {
      $0.validator == nil ? nil : PartialDownload($0, received: count)
    }
  }

  func append(_ bytes: [UInt8]) async throws(FileFailure) {
    content.withLock { $0.bytes += bytes }
  }

  func publish(contentType: String?) async throws(FileFailure) -> FileValue {
    FileValue(
      path: "film", name: "film", size: Int64(content.withLock { $0.bytes.count }), modified: 0)
  }

  func discard() async {}
}
