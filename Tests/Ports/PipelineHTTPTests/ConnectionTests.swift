import Foundation
import NIOCore
import PipelineCore
import PipelineEngine
import Synchronization
import Testing

@testable import PipelineHTTP

/// A connection's treatment of unsolicited bytes, and of a response that arrives before its request was sent.
struct ConnectionTests {
  private func post(_ server: RawServer, _ path: String = "/") -> RenderedRequest {
    RenderedRequest(method: "POST", url: "http://127.0.0.1:\(server.port)\(path)", body: [1])
  }

  private static func answer(_ text: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
  }

  // MARK: Unasked

  @Test(arguments: [answer("STALE"), "HTTP/1.1 200 OK\r\nContent-Len", "garbage", "\r\n", "H"])
  func `bytes after a response are no response, and the origin is not trusted again`(
    _ excess: String
  ) async throws {
    try await RawServer.run({ connection in
      while true {
        let number = (try await connection.readRequest()).head.split(separator: " ")[1].dropFirst()
        try await connection.write(Self.answer(String(number)) + excess)
      }
    }) { server in
      try await withTransport { transport in
        for number in 0..<20 {
          let response = await transport.send(post(server, "/\(number)"))
          #expect(response.error == nil)
          #expect(String(decoding: response.body, as: UTF8.self) == "\(number)")
        }
      }
      #expect(server.connections == 20)
      #expect(server.heads.dropFirst().allSatisfy { $0.header("connection") == "close" })
    }
  }

  @Test func `after a kept connection that was closed, the repeat gets a new one`() async throws {
    let begun = Mutex(0)
    try await RawServer.run({ connection in
      _ = try await connection.readRequest()
      begun.withLock { $0 += 1 }
      while begun.withLock({ $0 < 2 }) { await Task.yield() }
      try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      _ = try await connection.readRequest()
      try await connection.reset()
    }) { server in
      try await withTransport { transport in
        let request = post(server)
        async let first = transport.send(request)
        async let second = transport.send(request)
        let responses = await [first, second]
        #expect(responses.allSatisfy { $0.error == nil })
        let stale = await transport.send(request)
        #expect(stale.error?.circumstance == .connectionWasStale)
        let repeated = await transport.send(request)
        #expect(repeated.error == nil)
        #expect(server.connections == 3)
      }
    }
  }

  @Test func `bytes on an idle connection end it, and never answer the next request`()
    async throws
  {
    let (unasked, signal) = AsyncStream<Void>.makeStream()
    try await RawServer.run({ connection in
      // A server that has lost count continues to respond, one response ahead.
      while let request = try? await connection.readRequest() {
        let number = request.head.split(separator: " ")[1].dropFirst()
        try await connection.write(Self.answer(String(number)))
        guard number == "0" else { continue }
        for await _ in unasked {}
        try await connection.write(Self.answer("STALE"))
      }
    }) { server in
      try await withTransport { transport in
        let first = await transport.send(post(server, "/0"))
        #expect(first.body == Array("0".utf8))
        signal.finish()
        // Whether the bytes have come by now or not, only a request on this connection could receive them.
        for number in 1...3 {
          let response = await transport.send(post(server, "/\(number)"))
          #expect(response.body != Array("STALE".utf8) || number == 1)
        }
      }
    }
  }

  @Test func `two responses to one request on a kept connection leave its outcome unknown`()
    async throws
  {
    try await RawServer.run({ connection in
      _ = try await connection.readRequest()
      try await connection.write(Self.answer("0"))
      _ = try await connection.readRequest()
      try await connection.write(Self.answer("STALE") + Self.answer("1"))
      _ = await connection.readToEnd()
    }) { server in
      try await withTransport { transport in
        _ = await transport.send(post(server))
        let response = await transport.send(post(server))
        #expect(response.error?.kind == .connectionLost)
        #expect(response.error?.mayHaveBeenSent == true)
        #expect(response.error?.message.contains("unrequested") == true)
      }
    }
  }

  @Test func `a server that has closed a kept connection is asked on another one`() async throws {
    let (closed, signal) = AsyncStream<Void>.makeStream()
    try await RawServer.run({ connection in
      _ = try await connection.readRequest()
      try await connection.write(Self.answer("x"))
      signal.yield()
    }) { server in
      try await withTransport { transport in
        var turns = closed.makeAsyncIterator()
        var answered = 0
        for _ in 0..<100 {
          let response = await transport.send(post(server))
          // The written bytes may have crossed the server's end; the report must then be true.
          guard response.error == nil else {
            #expect(response.error?.mayHaveBeenSent == true)
            continue
          }
          answered += 1
          await turns.next()
        }
        // A failure ends its connection, and the next request gets another one.
        #expect(answered >= 50)
      }
    }
  }

  @Test func `a connection that nothing uses is closed after its time`() async throws {
    let (ended, signal) = AsyncStream<Void>.makeStream()
    try await RawServer.run({ connection in
      _ = try await connection.readRequest()
      try await connection.write(Self.answer("x"))
      _ = await connection.readToEnd()
      signal.yield()
    }) { server in
      try await withTransport({ $0.idleTimeout = .milliseconds(20) }) { transport in
        var ends = ended.makeAsyncIterator()
        for _ in 0..<3 {
          #expect(await transport.send(post(server)).status == 200)
          await ends.next()
        }
        #expect(server.connections == 3)
      }
    }
  }

  // MARK: Exchanges at once

  @Test func `exchanges never wait for a connection, and one too many fails at once`()
    async throws
  {
    let gate = Gate(count: 300)
    try await RawServer.run({ connection in
      let head = (try await connection.readRequest()).head
      if head.contains("/slow") { await gate.pass() }
      try await connection.write(Self.answer("x"))
    }) { server in
      try await withTransport({ $0.exchanges = 300 }) { transport in
        await withTaskGroup(of: Response.self) { group in
          for _ in 0..<300 { group.addTask { await transport.send(post(server, "/slow")) } }
          await gate.filled()
          let tooMany = await transport.send(post(server))
          #expect(tooMany.error?.kind == .tooManyOpenFiles)
          #expect(tooMany.error?.mayHaveBeenSent == false)
          gate.open()
          for await response in group { #expect(response.error == nil) }
        }
        let later = await transport.send(post(server))
        #expect(later.error == nil)
      }
    }
  }

  // MARK: Early answers

  /// Uploads this many bytes; the server ends when `received` has.
  private func upload(
    _ size: Int64, until received: Counter? = nil,
    _ serve: @escaping @Sendable (RawConnection) async throws -> Void
  ) async throws -> Response {
    let folder = try ScratchFolder()
    let file = try folder.makeSparse("x", size: size)
    return try await RawServer.run(serve) { server in
      try await withTransport { transport in
        let request = RenderedRequest(
          method: "PUT", url: "http://127.0.0.1:\(server.port)/", timeout: .seconds(60))
        let response = await transport.upload(
          request, body: Body(file), paths: \.path, renew: { _ in .unchanged }, progress: { _ in })
        await received?.wait()
        return response
      }
    }
  }

  private static let early = answer("{}")

  @Test(arguments: [early, early.replacing("OK\r\n", with: "OK\r\nConnection: close\r\n")])
  func `an early success counts when the server has accepted the body`(
    _ text: String
  ) async throws {
    let received = Counter()
    let response = try await upload(32 << 20, until: received) { connection in
      defer { received.finish() }
      _ = try await connection.readHead()
      try await connection.write(text)
      received.add(Int64(try await connection.readBytes(32 << 20).count))
      received.finish()
      _ = await connection.readToEnd()
    }
    #expect(response.error == nil)
    #expect(response.status == 200)
    #expect(received.value == 32 << 20)
  }

  @Test(arguments: [false, true])
  func `an early success whose connection ends before the body is sent has no outcome`(
    _ isReset: Bool
  ) async throws {
    let response = try await upload(64 << 20) { connection in
      _ = try await connection.readHead()
      try await connection.write(Self.early)
      _ = try await connection.readBytes(1 << 20)
      if isReset { try await connection.reset() }
    }
    #expect(response.status == 0)
    #expect(response.error?.kind == .connectionLost)
    #expect(response.error?.mayHaveBeenSent == true)
  }
}

/// Holds this many back until it is opened.
private final class Gate: Sendable {
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
  private let fill = AsyncStream<Void>.makeStream()
  private let count: Int

  init(count: Int) { self.count = count }

  func pass() async {
    await withCheckedContinuation { continuation in
      let number = waiting.withLock { waiting in
        waiting.append(continuation)
        return waiting.count
      }
      if number == count { fill.continuation.finish() }
    }
  }

  /// Waits until all are there.
  func filled() async { for await _ in fill.stream {} }

  func open() { for continuation in waiting.withLock({ $0 }) { continuation.resume() } }
}
