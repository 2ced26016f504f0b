import NIOCore

/// Asks an HTTP proxy for a tunnel (`CONNECT`, RFC 9110 §9.3.6); later handlers see the connection when the tunnel is open.
final class ProxyTunnel: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  enum Refusal: Error {
    /// The proxy requires credentials, and responded in these words.
    case authentication(String)
    /// The proxy's response, which was not a success.
    case refused(String)
  }

  private let request: String
  private var parser = ResponseParser(method: "CONNECT")
  private var input = ByteBuffer()
  private var isOpen = false
  private var isOver = false
  /// The head of a response that is not a success, whose body follows.
  private var refusal: ResponseHead?
  private var body = ByteBuffer()
  private static let bodyLimit = 2048

  init(to origin: Origin, through proxy: ProxySettings.Proxy) {
    var request = "CONNECT \(origin) HTTP/1.1\r\nHost: \(origin)\r\n"
    request += proxy.authorization
    self.request = request + "\r\n"
  }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOpen else { return context.fireChannelRead(data) }
    guard !isOver else { return }
    var part = unwrapInboundIn(data)
    input.writeBuffer(&part)
    do {
      while !isOpen, let part = try parser.next(&input) {
        switch part {
        case .interim: continue
        case .head(let head): open(head, context)
        case .body(let bytes):
          body.writeImmutableBuffer(bytes)
          if body.readableBytes >= Self.bodyLimit { return refuse(context) }
        case .end: return refuse(context)
        }
      }
    } catch { refuse(context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if refusal != nil { refuse(context) }
    context.fireChannelInactive()
  }

  /// Reports the proxy's response.
  private func refuse(_ context: ChannelHandlerContext) {
    guard !isOver else { return }
    isOver = true
    let words = Self.words(of: refusal, body)
    let error = refusal?.status == 407 ? Refusal.authentication(words) : .refused(words)
    context.fireErrorCaught(error)
    context.close(promise: nil)
  }

  /// The status of a proxy's response, and the text of its page.
  static func words(of head: ResponseHead?, _ body: ByteBuffer) -> String {
    guard let head else { return "its response is not HTTP" }
    var isTag = false
    let text = String(decoding: body.readableBytesView.prefix(bodyLimit), as: UTF8.self)
      .filter { character in
        if character == "<" { isTag = true }
        defer { if character == ">" { isTag = false } }
        return !isTag
      }.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(200)
    return "it returned \(head.status)" + (text.isEmpty ? "" : ", \(text)")
  }

  private func open(_ head: ResponseHead, _ context: ChannelHandlerContext) {
    guard head.status < 300 else {
      refusal = head
      return
    }
    isOpen = true
    context.fireChannelActive()
    guard input.readableBytes > 0 else { return }
    context.fireChannelRead(wrapInboundOut(input))
    input.clear()
  }
}
