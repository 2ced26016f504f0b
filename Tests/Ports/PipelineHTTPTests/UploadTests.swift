import Foundation
import PipelineCore
import PipelineEngine
import PipelineHTTP
import Synchronization
import Testing

struct UploadTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func put(_ port: Int, method: String = "PUT", _ path: String = "/") -> RenderedRequest {
    RenderedRequest(method: method, url: "http://127.0.0.1:\(port)\(path)", timeout: .seconds(20))
  }

  private func upload(
    _ request: RenderedRequest, _ file: FileValue,
    progress: @escaping @Sendable (Int64) -> Void = { _ in }
  ) async throws -> Response {
    try await withTransport { await $0.upload(request, body: Body(file), progress: progress) }
  }

  @Test func `a body is sent piece by piece, and from its start again on a repeat`() async throws {
    let first = try folder.write("a", Array(0..<200))
    let second = try folder.write("b", Array(repeating: 9, count: 300_000))
    let body = Body([
      .bytes([1, 2]), .file(first, offset: 10, length: 20), .bytes([]),
      .file(second, offset: 0, length: 300_000), .bytes([3]),
    ])
    let expected = [1, 2] + Array(10..<30) + Array(repeating: 9, count: 300_000) + [UInt8(3)]
    try await RawServer.run({ connection in
      let redirected = try await connection.readRequest()
      try await connection.write("HTTP/1.1 307 X\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
      let request = try await connection.readRequest()
      let isWhole = redirected.body == expected && request.body == expected
      try await connection.write(
        "HTTP/1.1 \(isWhole ? 204 : 400) X\r\nContent-Length: 0\r\n\r\n")
      _ = await connection.readToEnd()
    }) { server in
      let request = put(server.port)
      let response = try await withTransport {
        await $0.upload(request, body: body, progress: { _ in })
      }
      #expect(response.status == 204)
    }
  }

  @Test func `a body with trailers is sent in chunks, followed by its digests`() async throws {
    let file = try folder.write("a", Array(repeating: 7, count: 100_000))
    let trailers = [
      RenderedTrailer(name: "x-amz-checksum-crc32c", parts: [.digest(.crc32c, .base64)]),
      RenderedTrailer(
        name: "Repr-Digest", parts: [.text("sha-256=:"), .digest(.sha256, .base64), .text(":")]),
    ]
    let received = Mutex<(head: String, body: [UInt8], fields: String)?>(nil)
    try await RawServer.run({ connection in
      let head = try await connection.readHead()
      var body: [UInt8] = []
      while true {
        let size = try await connection.readLine()
        guard let count = Int(size, radix: 16), count > 0 else { break }
        body += try await connection.readBytes(count)
        _ = try await connection.readLine()
      }
      var fields = ""
      while case let line = try await connection.readLine(), !line.isEmpty { fields += line + "\n" }
      received.withLock { $0 = (head, body, fields) }
      try await connection.write("HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n")
      _ = await connection.readToEnd()
    }) { server in
      var request = put(server.port)
      request.trailers = trailers
      let sent = request
      let response = try await withTransport({ $0.digester = { Sums($0) } }) {
        await $0.upload(sent, body: Body(file), progress: { _ in })
      }
      #expect(response.status == 204)
    }
    let (head, body, fields) = try #require(received.withLock { $0 })
    #expect(head.header("transfer-encoding") == "chunked")
    #expect(head.header("trailer") == "x-amz-checksum-crc32c, Repr-Digest")
    #expect(head.header("content-length") == nil)
    #expect(body == Array(repeating: 7, count: 100_000))
    // The sums of the test's own digester: the number of bytes, and their sum.
    #expect(fields == "x-amz-checksum-crc32c: AAGGoA==\nRepr-Digest: sha-256=:AAquYA==:\n")
  }

  @Test func `an empty body with trailers is only its end`() async throws {
    let file = try folder.write("a", [])
    try await RawServer.run({ connection in
      _ = try await connection.readHead()
      let lines = [
        try await connection.readLine(), try await connection.readLine(),
        try await connection.readLine(),
      ]
      let isRight = lines == ["0", "x-name: a", ""]
      try await connection.write(
        "HTTP/1.1 \(isRight ? 204 : 400) X\r\nContent-Length: 0\r\n\r\n")
      _ = await connection.readToEnd()
    }) { server in
      var request = put(server.port)
      request.trailers = [RenderedTrailer(name: "x-name", parts: [.text("a")])]
      let response = try await upload(request, file)
      #expect(response.status == 204)
    }
  }

  @Test func `a trailer that HTTP does not allow fails before a byte is sent`() async throws {
    let file = try folder.write("a", [1])
    try await RawServer.run({ _ = try await $0.readHead() }) { server in
      var request = put(server.port)
      request.trailers = [RenderedTrailer(name: "x-name", parts: [.text("a\r\nb: c")])]
      let response = try await upload(request, file)
      #expect(response.error?.kind == .badURL)
      request.trailers = [RenderedTrailer(name: "x-sum", parts: [.digest(.md5, .hex)])]
      #expect(try await upload(request, file).error?.message.contains("digests") == true)
      #expect(server.heads.isEmpty)
    }
  }

  /// Two sums that are easily computed by hand: of CRC-32C the number of bytes, of SHA-256 the sum of them.
  struct Sums: BodyDigester {
    private var count: UInt32 = 0
    private var sum: UInt32 = 0

    init(_ algorithms: [DigestAlgorithm]) {}

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      count += UInt32(bytes.count)
      for byte in bytes { sum += UInt32(byte) }
    }

    func digests() -> [DigestAlgorithm: String] {
      [.crc32c: hex(count), .sha256: hex(sum)]
    }

    private func hex(_ number: UInt32) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }
  }

  @Test func `each file of a body is compared before a byte is sent`() async throws {
    let first = try folder.write("a", [1])
    let second = try folder.write("b", [2])
    try Data([2, 3]).write(to: URL(fileURLWithPath: second.path))
    let body = Body([.file(first, offset: 0, length: 1), .file(second, offset: 0, length: 1)])
    try await RawServer.run({ _ = try await $0.readHead() }) { server in
      let request = put(server.port)
      let response = try await withTransport {
        await $0.upload(request, body: body, progress: { _ in })
      }
      #expect(response.error?.kind == .fileChanged)
      #expect(response.error?.mayHaveBeenSent == false)
      #expect(server.heads.isEmpty)
    }
  }

  // MARK: Failures

  @Test(arguments: [
    (
      responseTimeout: Duration.milliseconds(300), whole: Duration.seconds(20),
      "no response within 300 ms after the last byte was sent"
    ),
    // Long enough for a busy machine to connect in.
    (responseTimeout: .seconds(20), whole: .milliseconds(1500), "no response within 1500 ms"),
  ])
  func `a transfer ends without a response, and at the end of its time`(
    _ responseTimeout: Duration, _ whole: Duration, _ message: String
  ) async throws {
    let file = try folder.write("x", [1, 2, 3])
    try await RawServer.run({ _ = await $0.readToEnd() }) { server in
      var request = put(server.port)
      request.timeout = whole
      request.transfer = TransferSettings(
        id: EffectID(run: RunID("r"), item: nil, step: 0, generation: 1, attempt: 1), session: "s",
        policy: TransferPolicy(
          requestTimeout: .seconds(20), responseTimeout: responseTimeout))
      let response = try await upload(request, file)
      #expect(
        response.error
          == TransportFailure(
            .timeout, message: "127.0.0.1:\(server.port): \(message)", mayHaveBeenSent: true,
            circumstance: message.contains("last byte") ? .responseOverdue : nil))
    }
  }

  @Test func `a file that is gone is a changed one, and nothing is sent`() async throws {
    let file = try folder.write("x", [1])
    try FileManager.default.removeItem(atPath: file.path)
    try await RawServer.run({ _ = try await $0.readHead() }) { server in
      let response = try await upload(put(server.port), file)
      #expect(response.error?.kind == .fileChanged)
      #expect(response.error?.mayHaveBeenSent == false)
      #expect(server.connections == 0)
    }
  }

  @Test func `a file of another size or time is a changed one, and nothing is sent`() async throws {
    let file = try folder.write("x", [1, 2])
    let others = [
      FileValue(path: file.path, name: "x", size: 3, modified: file.modified),
      FileValue(path: file.path, name: "x", size: 2, modified: file.modified - 1),
    ]
    try await RawServer.run({ _ = try await $0.readHead() }) { server in
      for other in others {
        let response = try await upload(put(server.port), other)
        #expect(response.error?.kind == .fileChanged)
      }
      #expect(server.connections == 0)
    }
  }

  @Test func `a folder is not a file`() async throws {
    let file = FileValue(path: folder.path, name: "x", size: 4096, modified: 0)
    let response = try await upload(put(1), file)
    #expect(response.error?.kind == .fileChanged)
  }

  enum Change: Hashable { case size(Int64), time, content }

  private func make(_ change: Change, of file: FileValue) {
    switch change {
    case .size(let growth): #expect(truncate(file.path, off_t(file.size + growth)) == 0)
    case .time: #expect(utimes(file.path, [timeval(), timeval()]) == 0)
    case .content:
      let descriptor = open(file.path, O_WRONLY)
      defer { close(descriptor) }
      #expect(pwrite(descriptor, "x", 1, 0) == 1)
      let (seconds, rest) = Int(file.modified).quotientAndRemainder(dividingBy: 1_000_000_000)
      let time = timespec(tv_sec: seconds, tv_nsec: rest)
      #expect(futimens(descriptor, [time, time]) == 0)
    }
  }

  @Test(arguments: [Change.size(-1), .size(1), .time, .content])
  func `a server never gets the whole of a file that changes during the transfer`(
    _ change: Change
  ) async throws {
    let size: Int64 = 64 << 20
    let file = try folder.makeSparse("x", size: size)
    let (begun, beginSignal) = AsyncStream<Void>.makeStream()
    let (changed, changeSignal) = AsyncStream<Void>.makeStream()
    let received = Counter()
    try await RawServer.run({
      _ = try await $0.readHead()
      beginSignal.finish()
      for await _ in changed {}
      received.add(Int64(await $0.readToEnd()))
      received.finish()
    }) { server in
      try await withTransport { transport in
        let request = put(server.port)
        async let response = transport.upload(
          request, body: Body(file), progress: { _ in })
        for await _ in begun {}
        make(change, of: file)
        changeSignal.finish()
        let result = await response
        #expect(result.error?.kind == .fileChanged)
        #expect(result.error?.mayHaveBeenSent == true)
        await received.wait()
        #expect(received.value < size)
      }
    }
  }

  @Test func `a cancelled upload ends`() async throws {
    let file = try folder.makeSparse("x", size: 64 << 20)
    let (begun, signal) = AsyncStream<Void>.makeStream()
    try await RawServer.run({
      _ = try await $0.readHead()
      signal.finish()
      for await _ in AsyncStream<Void>.makeStream().stream {}
    }) { server in
      try await withTransport { transport in
        let request = put(server.port)
        let task = Task {
          await transport.upload(request, body: Body(file), progress: { _ in })
        }
        for await _ in begun {}
        task.cancel()
        let response = await task.value
        #expect(response.error?.kind == .interrupted)
        #expect(response.error?.mayHaveBeenSent == true)
      }
    }
  }

  @Test func `a connection that is reset in the middle is lost`() async throws {
    let file = try folder.makeSparse("x", size: 64 << 20)
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.reset()
    }) { server in
      let response = try await upload(put(server.port), file)
      #expect(response.error?.kind == .connectionLost)
      #expect(response.error?.mayHaveBeenSent == true)
    }
  }

  // MARK: Responses before the end of the body

  @Test(arguments: [
    "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody",
    "HTTP/1.1 413 Too Large\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
    "HTTP/1.1 308 Resume Incomplete\r\nRange: bytes=0-99\r\nContent-Length: 0\r\n\r\n",
  ])
  func `a server may refuse the body before it has read it`(_ text: String) async throws {
    let file = try folder.makeSparse("x", size: 64 << 20)
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write(text)
      _ = await $0.readToEnd()
    }) { server in
      let response = try await upload(put(server.port), file)
      #expect(response.error == nil)
      #expect(text.contains(" \(response.status) "))
      #expect(response.body == (text.contains("body") ? Array("body".utf8) : []))
    }
  }

  // MARK: Successes

  @Test(arguments: [0, 1, 524_287, 524_288, 524_289, 1_200_000])
  func `a file arrives as it is, with its length`(_ size: Int) async throws {
    let bytes = pattern(size)
    let file = try folder.write("x", bytes)
    let seen = Counter()
    let received = Mutex<[UInt8]>([])
    try await RawServer.run({
      let request = try await $0.readRequest()
      received.withLock { $0 = request.body }
      try await $0.write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
      _ = await $0.readToEnd()
    }) { server in
      let response = try await upload(put(server.port), file) { seen.raise(to: $0) }
      #expect(response.status == 201)
      #expect(server.heads.first?.header("content-length") == "\(size)")
      #expect(server.heads.first?.header("transfer-encoding") == nil)
    }
    #expect(received.withLock { $0 } == bytes)
    #expect(seen.value == Int64(size))
  }

  @Test(arguments: [307, 308])
  func `a file is sent again where the server asks for the same request elsewhere`(
    _ status: Int
  ) async throws {
    let file = try folder.write("x", pattern(1_000_000))
    try await RawServer.run({
      let request = try await $0.readRequest()
      if request.head.hasPrefix("PUT / ") {
        try await $0.write(
          "HTTP/1.1 \(status) Elsewhere\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")
      } else {
        try await $0.write(
          "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n\(request.body.count)")
      }
      _ = try await $0.readRequest()
      try await $0.write("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n1000000")
      _ = await $0.readToEnd()
    }) { server in
      let response = try await upload(put(server.port), file)
      #expect(response.body == Array("1000000".utf8))
      #expect(response.url == "http://127.0.0.1:\(server.port)/there")
    }
  }

  @Test(arguments: [301, 302, 303])
  func `a file is not sent again where that is not clear`(_ status: Int) async throws {
    let file = try folder.write("x", [1])
    try await RawServer.run({
      _ = try await $0.readRequest()
      try await $0.write("HTTP/1.1 \(status) X\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")
      _ = await $0.readToEnd()
    }) { server in
      let response = try await upload(put(server.port), file)
      #expect(response.status == status)
      #expect(server.heads.count == 1)
    }
  }
}

/// A number that several tasks change, and an end that one can wait for.
final class Counter: Sendable {
  private let state = Mutex<Int64>(0)
  private let end = AsyncStream<Void>.makeStream()

  var value: Int64 { state.withLock { $0 } }
  func add(_ count: Int64) { state.withLock { $0 += count } }
  func raise(to count: Int64) { state.withLock { $0 = max($0, count) } }
  func finish() { end.continuation.finish() }
  func wait() async { for await _ in end.stream {} }
}
