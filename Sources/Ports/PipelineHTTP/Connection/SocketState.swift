import NIOCore

/// The system's state of a TCP connection, before its events arrive.
struct SocketState {
  let isEstablished: Bool
  /// Bytes received, read or not.
  let received: UInt64
  /// Whether the peer's system has everything that was written.
  let isDelivered: Bool

  #if canImport(Glibc)
    /// The start of `struct tcp_info`, which grows at its end.
    private struct Information: Sendable {
      let words:
        (
          UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
          UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
        )
    }
  #endif

  /// Reads the state of `channel`, on its loop; `nil` if the system does not provide it.
  init?(_ channel: any Channel) {
    #if canImport(Glibc)
      guard let provider = channel as? any SocketOptionProvider else { return nil }
      var found: Information?
      let response: EventLoopFuture<Information> = provider.unsafeGetSocketOption(
        level: SocketOptionLevel(IPPROTO_TCP), name: SocketOptionName(TCP_INFO))
      response.assumeIsolated().whenSuccess { found = $0 }
      guard let words = found?.words, words.0 & 0xFF != 0 else { return nil }
      // TCP_ESTABLISHED; tcpi_bytes_received; tcpi_unacked and tcpi_notsent_bytes.
      isEstablished = words.0 & 0xFF == 1
      received = words.16
      isDelivered = words.3 & 0xFFFF_FFFF == 0 && words.18 & 0xFFFF_FFFF == 0
    #else
      return nil
    #endif
  }

  /// Acknowledges received data at once: a server that waits for that (Nagle) sends the rest.
  static func acknowledge(_ channel: any Channel) {
    #if canImport(Glibc)
      guard let provider = channel as? any SocketOptionProvider else { return }
      _ = provider.unsafeSetSocketOption(
        level: SocketOptionLevel(IPPROTO_TCP), name: SocketOptionName(TCP_QUICKACK), value: CInt(1))
    #endif
  }
}

final class ByteCounter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private(set) var received: UInt64 = 0
  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  /// Ends the connection at once, and drops data that the system has not sent yet; layers above,
  /// such as TLS, are not asked.
  func reset() {
    guard let context else { return }
    _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += UInt64(unwrapInboundIn(data).readableBytes)
    context.fireChannelRead(data)
  }
}
