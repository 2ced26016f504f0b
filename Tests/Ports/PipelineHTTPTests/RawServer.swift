import NIOCore
import NIOPosix
import Synchronization

/// A server on a free port whose every byte the test writes.
final class RawServer: Sendable {
  let port: Int
  private let record = Mutex((heads: [String](), connections: 0))

  private init(port: Int) { self.port = port }

  /// Heads of the requests, in order.
  var heads: [String] { record.withLock { $0.heads } }
  /// Connections that were accepted.
  var connections: Int { record.withLock { $0.connections } }

  fileprivate func note(head: String) { record.withLock { $0.heads.append(head) } }

  /// Runs `body` against a server that does `serve` on each connection and closes it then.
  static func run<Result: Sendable>(
    host: String = "127.0.0.1", port: Int = 0,
    _ serve: @escaping @Sendable (RawConnection) async throws -> Void,
    _ body: (RawServer) async throws -> Result
  ) async throws -> Result {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .bind(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          Accepted(
            try NIOAsyncChannel(
              wrappingChannelSynchronously: channel,
              configuration: .init(isOutboundHalfClosureEnabled: false)))
        }
      }
    let server = RawServer(port: listener.channel.localAddress?.port ?? 0)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.accept(listener, serve) }
      defer { group.cancelAll() }
      return try await body(server)
    }
  }

  private func accept(
    _ listener: NIOAsyncChannel<Accepted, Never>,
    _ serve: @escaping @Sendable (RawConnection) async throws -> Void
  ) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { connections in
        for try await accepted in connections {
          let connection = accepted.take()
          self.record.withLock { $0.connections += 1 }
          group.addTask {
            // A connection that breaks is often the point of the test.
            try? await connection.executeThenClose { inbound, outbound in
              try await serve(
                RawConnection(self, connection.channel, inbound.makeAsyncIterator(), outbound))
            }
          }
        }
      }
      group.cancelAll()
    }
  }
}

/// A connection that is not served yet; one that the server drops as it ends is closed all the same,
/// because the channel ends the process otherwise.
private final class Accepted: Sendable {
  private let connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>
  private let isTaken = Mutex(false)

  init(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) { self.connection = connection }

  deinit {
    guard !isTaken.withLock({ $0 }) else { return }
    let connection = connection
    Task { try? await connection.executeThenClose { _, _ in } }
  }

  func take() -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    isTaken.withLock { $0 = true }
    return connection
  }
}

/// One connection of a ``RawServer``, used by one task.
final class RawConnection {
  private let server: RawServer
  private let channel: any Channel
  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private var buffer = ByteBuffer()

  init(
    _ server: RawServer, _ channel: any Channel,
    _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    self.server = server
    self.channel = channel
    self.inbound = inbound
    self.outbound = outbound
  }

  struct Ended: Error {}

  /// The head of the next request, its empty line left out.
  func readHead() async throws -> String {
    while true {
      // A head is short; what follows it is not searched.
      let text = String(decoding: buffer.readableBytesView.prefix(8192), as: UTF8.self)
      if let end = text.utf8.firstRange(of: "\r\n\r\n".utf8) {
        let head = String(text[..<end.lowerBound])
        buffer.moveReaderIndex(forwardBy: head.utf8.count + 4)
        server.note(head: head)
        return head
      }
      try await readMore()
    }
  }

  /// The next line, without its end.
  func readLine() async throws -> String {
    while true {
      if let end = buffer.readableBytesView.firstRange(of: "\r\n".utf8) {
        let line = buffer.readString(length: end.lowerBound - buffer.readerIndex) ?? ""
        buffer.moveReaderIndex(forwardBy: 2)
        return line
      }
      try await readMore()
    }
  }

  /// Exactly `count` bytes.
  func readBytes(_ count: Int) async throws -> [UInt8] {
    while buffer.readableBytes < count { try await readMore() }
    return buffer.readBytes(length: count) ?? []
  }

  /// Reads to the end of the connection and returns the number of bytes.
  func readToEnd() async -> Int {
    var count = buffer.readableBytes
    buffer.clear()
    while let part = try? await inbound.next() { count += part.readableBytes }
    return count
  }

  /// A whole request.
  func readRequest() async throws -> (head: String, body: [UInt8]) {
    let head = try await readHead()
    let length = head.header("content-length").flatMap { Int($0) } ?? 0
    return (head, try await readBytes(length))
  }

  func write(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

  func write(bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

  /// Ends the connection with a reset, so that the client sees no clean end.
  func reset() async throws {
    let options = channel as? any SocketOptionProvider
    try await options?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    try await channel.close()
  }

  private func readMore() async throws {
    guard let part = try await inbound.next() else { throw Ended() }
    buffer.writeImmutableBuffer(part)
  }
}

extension String {
  /// The value of a header in a head.
  func header(_ name: String) -> String? {
    for line in split(separator: "\r\n").dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      if line[..<colon].lowercased() == name.lowercased() {
        return line[line.index(after: colon)...].drop { $0 == " " }.description
      }
    }
    return nil
  }
}
