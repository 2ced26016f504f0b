import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import PipelineCore
import TestSupport
import Testing

@testable import PipelineHTTP

/// Responses that no server should send, against a whole exchange without its socket.
struct AnswerFuzzTests {
  /// The outcome of an exchange.
  private struct Outcome: Equatable {
    var status: Int?
    var body = ""
  }

  private static let parts: UInt64 = 4

  @Test(arguments: 0..<parts)
  func `no response ends the process or leaves an exchange without an end`(
    _ part: UInt64
  ) async throws {
    // Not on the threads that tasks share: other tests wait for sockets.
    try await NIOThreadPool.singleton.runIfActive { try read(part) }
  }

  private func read(_ part: UInt64) throws {
    let connector = try Connector(HTTPTransportConfiguration(), names: NameResolver())
    defer { connector.shutdown() }
    let fuzz = Fuzz("answers", inputs: 50_000, share: 0.15, part: part, of: Self.parts)
    var statuses: [Int: Int] = [:]
    while let seed = try fuzz.next() {
      var random = SeededGenerator(seed: seed)
      let response = RawAnswer.make(&random)
      fuzz.trying(String(decoding: response, as: UTF8.self), seed: seed)
      let (whole, pieces) = try read(response, &random, connector, seed)
      #expect(whole == pieces, "seed \(seed): it depends on how the bytes arrive")
      statuses[whole.status ?? 0, default: 0] += 1
      #expect(whole.status.map { (200...999).contains($0) } ?? true, "seed \(seed)")
    }
    // Enough of the mutations are still responses, and enough are not.
    let tried = statuses.values.reduce(0, +)
    #expect((statuses[0] ?? 0) > tried / 20)
    #expect((statuses[200] ?? 0) > tried / 20)
  }

  /// The outcomes of a response that arrives at once, and of the same in pieces, which a planted bug may change.
  private func read(
    _ response: [UInt8], _ random: inout SeededGenerator, _ connector: Connector, _ seed: UInt64,
    plant: ([[UInt8]]) -> [[UInt8]] = { $0 }
  ) throws -> (whole: Outcome, pieces: Outcome) {
    let method = ["GET", "POST", "HEAD"][Int.random(in: 0..<3, using: &random)]
    let pieces = plant(RawAnswer.split(response, &random))
    return (
      try exchange(method, plant([response]), connector, seed),
      try exchange(method, pieces, connector, seed)
    )
  }

  @Test func `the search finds a reader that loses a line feed with which a piece begins`()
    async throws
  {
    let found = try await NIOThreadPool.singleton.runIfActive {
      let connector = try Connector(HTTPTransportConfiguration(), names: NameResolver())
      defer { connector.shutdown() }
      return try (UInt64(1)...200).filter { seed in
        var random = SeededGenerator(seed: seed)
        let (whole, pieces) = try read(RawAnswer.make(&random), &random, connector, seed) {
          $0.map { $0.first == UInt8(ascii: "\n") ? Array($0.dropFirst()) : $0 }
        }
        return whole != pieces
      }
    }
    #expect(!found.isEmpty)
  }

  /// Has one exchange over a connection that receives `pieces`, and then nothing more.
  private func exchange(
    _ method: String, _ pieces: [[UInt8]], _ connector: Connector, _ seed: UInt64
  ) throws -> Outcome {
    var configuration = HTTPTransportConfiguration()
    configuration.maxResponseBytes = 4096
    let channel = EmbeddedChannel()
    let loop = channel.embeddedEventLoop
    let pool = ConnectionPool(configuration, loops: [loop], connector: connector)
    let request = RenderedRequest(method: method, url: "http://a.example/")
    let exchange = try HTTPExchange(
      request, to: try Address(request.url), source: nil, download: nil,
      files: .singleton, pool: pool, configuration, { _ in })
    let route = pool.route(to: exchange.address.origin)
    let counter = ByteCounter()
    let connection = HTTPConnection(route, pool: pool, counter: counter, loop: loop)
    try channel.pipeline.syncOperations.addHandlers(counter, connection)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    let promise = loop.makePromise(of: ResponseHead.self)
    var result: Result<ResponseHead, any Error>?
    promise.futureResult.assumeIsolated().whenComplete { result = $0 }
    exchange.start(promise, connection, route, loop)
    for piece in pieces where channel.isActive {
      try channel.writeInbound(ByteBuffer(bytes: piece))
    }
    if channel.isActive { _ = try? channel.finish(acceptAlreadyClosed: true) }
    loop.run()
    guard let result else {
      Issue.record("seed \(seed): the exchange has no end")
      promise.fail(ExchangeFailure.connectionLost)
      return Outcome()
    }
    guard case .success(let head) = result else { return Outcome() }
    return Outcome(status: head.status, body: String(buffer: exchange.body))
  }

  @Test func `a server that answers nonsense does not stop the transport`() async throws {
    let number = Counter()
    try await RawServer.run({ connection in
      while true {
        _ = try await connection.readHead()
        number.add(1)
        var random = SeededGenerator(seed: UInt64(1_000_000 + number.value))
        for piece in RawAnswer.split(RawAnswer.make(&random), &random) {
          try await connection.write(bytes: piece)
        }
        if Bool.random(using: &random) { return }
      }
    }) { server in
      try await withTransport({ $0.maxResponseBytes = 4096 }) { transport in
        for _ in 0..<500 {
          let response = await transport.send(
            RenderedRequest(
              method: "GET", url: "http://127.0.0.1:\(server.port)/", timeout: .milliseconds(50)))
          #expect((response.status == 0) == (response.error != nil))
        }
      }
    }
  }
}

/// Makes answers and breaks them.
enum RawAnswer {
  private static let sound = [
    "HTTP/1.1 200 OK\r\nContent-Length: 11\r\nContent-Type: application/json\r\n\r\n{\"id\":\"12\"}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nT: v\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.0 200 OK\r\nServer: old\r\n\r\nuntil the end",
    "HTTP/1.1 204 No Content\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
    "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy",
    "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: 99\r\n\r\n",
  ]

  private static let fragments = [
    "\r\n", "\n", "\r", "\0", ":", " ", "\t", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 000 X\r\n\r\n",
    "HTTP/1.1 099 X\r\n\r\n", "HTTP/1.1 1000 X\r\n\r\n", "HTTP/1.1 101 X\r\n\r\n",
    "Content-Length: 99999999999999999999\r\n", "Content-Length: -1\r\n", "Content-Length: 3\r\n",
    "Content-Length: 9223372036854775807\r\n", "Transfer-Encoding: gzip\r\n",
    "Transfer-Encoding: chunked\r\n", "ffffffffffffffff\r\n", "7fffffffffffffff\r\n", "0\r\n\r\n",
    "Connection: keep-alive\r\n", "Connection: close\r\n", " folded\r\n", "\u{FEFF}", "é: é\r\n",
  ]

  static func make(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(sound[Int.random(in: 0..<sound.count, using: &random)].utf8)
    switch Int.random(in: 0..<40, using: &random) {
    case 0: bytes = flood("HTTP/1.1 102 Wait\r\n\r\n", &random) + bytes
    case 1: bytes = Array("HTTP/1.1 200 OK\r\n".utf8) + flood("X-Many: header\r\n", &random) + bytes
    case 2: bytes += Array(sound[Int.random(in: 0..<sound.count, using: &random)].utf8)
    case 3:
      bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
        .random(in: 0...255, using: &random)
      }
    case 4: bytes = Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + flood("much ", &random)
    case 5:
      bytes = Array(
        "HTTP/1.1 \(Int.random(in: 0..<1100, using: &random)) X\r\nContent-Length: 0\r\n\r\n".utf8)
    default: break
    }
    for _ in 0..<Int.random(in: 0..<5, using: &random) { mutate(&bytes, &random) }
    return bytes
  }

  private static func flood(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
    let bytes = Array(text.utf8)
    return (0..<Int.random(in: 1..<300, using: &random)).flatMap { _ in bytes }
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1..<20, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes[place] = .random(in: 0...255, using: &random)
    case 1: bytes[place] = UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.removeSubrange(end...)
    default:
      let fragment = fragments[Int.random(in: 0..<fragments.count, using: &random)]
      bytes.insert(contentsOf: Array(fragment.utf8), at: place)
    }
  }

  /// The same bytes in pieces.
  static func split(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    let largest = [1, 3, 40, 1000][Int.random(in: 0..<4, using: &random)]
    while !rest.isEmpty, pieces.count < 400 {
      let count = Int.random(in: 1...largest, using: &random)
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return rest.isEmpty ? pieces : pieces + [Array(rest)]
  }
}
