import Basics
import NIOCore

/// Asks an HTTP proxy for a tunnel (`CONNECT`, RFC 9110 §9.3.6); what follows in the pipeline sees the connection when the tunnel stands.
final class ProxyTunnel: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  enum Refusal: Error {
    /// The proxy requires credentials.
    case authentication
    /// The proxy's response was not a success.
    case refused
  }

  private let request: String
  private var parser = ResponseParser(method: "CONNECT")
  private var input = ByteBuffer()
  private var isOpen = false

  init(to origin: Origin, through proxy: ProxySettings.Proxy) {
    var request = "CONNECT \(origin) HTTP/1.1\r\nHost: \(origin)\r\n"
    if let user = proxy.user {
      let credentials = Base64.encode(Array("\(user):\(proxy.password)".utf8))
      request += "Proxy-Authorization: Basic \(credentials)\r\n"
    }
    self.request = request + "\r\n"
  }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOpen else { return context.fireChannelRead(data) }
    var part = unwrapInboundIn(data)
    input.writeBuffer(&part)
    do {
      while !isOpen, let part = try parser.next(&input) {
        switch part {
        case .interim, .body, .end: continue
        case .head(let head): try open(head, context)
        }
      }
    } catch {
      context.fireErrorCaught(error is Refusal ? error : Refusal.refused)
      context.close(promise: nil)
    }
  }

  private func open(_ head: ResponseHead, _ context: ChannelHandlerContext) throws {
    guard head.status < 300 else { throw head.status == 407 ? Refusal.authentication : .refused }
    isOpen = true
    context.fireChannelActive()
    guard input.readableBytes > 0 else { return }
    context.fireChannelRead(wrapInboundOut(input))
    input.clear()
  }
}
