import NIOCore
import NIOSOCKS
import NIOSSL
import NIOTLS

/// One connection, which carries one exchange after the other.
///
/// Data that arrives without a request, or beyond the end of a response, does not belong to a
/// request: the connection ends, and its origin is reported to the pool. HTTP/1.1 has no number that would match responses to requests; only their order does.
///
/// `@unchecked`: all mutable state is used on `loop` only.
final class HTTPConnection: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let route: Route
  let loop: any EventLoop
  private let pool: ConnectionPool
  private let counter: ByteCounter
  private let isReadyPromise: EventLoopPromise<HTTPConnection>
  private var isOpening = true
  private var channel: (any Channel)?

  private var exchange: HTTPExchange?
  private var parser = ResponseParser(method: "")
  private var input = ByteBuffer()
  private var count = 0
  private var isLast = false
  /// Whether the current response may belong to an earlier request.
  private var isSuspect = false
  private var isWritingHead = false
  private var isPaused = false
  private var isClosed = false
  private var isAnswered = false
  /// Whether a byte of a response to the current request has arrived.
  private var hasInput = false
  /// Whether the peer's system had the whole request when reading was paused.
  private var wasDelivered = false
  private var isEnded = false
  private var cause: (any Error)?

  init(_ route: Route, pool: ConnectionPool, counter: ByteCounter, loop: any EventLoop) {
    (self.route, self.pool, self.counter, self.loop) = (route, pool, counter, loop)
    isReadyPromise = loop.makePromise()
  }

  /// Succeeds when requests can be sent, including TLS and proxy.
  var ready: EventLoopFuture<HTTPConnection> { isReadyPromise.futureResult }

  /// Carries `exchange`, or reports it as not started if the connection turns out to be unusable before a byte was sent.
  func carry(_ next: HTTPExchange) {
    loop.assertInEventLoop()
    guard exchange == nil, isFit else {
      close()
      next.refused(isKept: count > 0)
      return
    }
    count += 1
    isLast = isLast || pool.isCaught(route.origin)
    isSuspect = false
    isAnswered = false
    hasInput = false
    wasDelivered = false
    exchange = next
    parser = ResponseParser(method: next.method)
    next.begin(on: self, isKept: count > 1, isLast: isLast)
  }

  /// The address of the peer; `nil` behind a proxy.
  var peer: AddressKind? {
    route.proxy == nil ? channel?.remoteAddress.map { AddressKind($0) } : nil
  }

  var isOpen: Bool { !isClosed }
  /// Whether the current response ends with the connection.
  var endsAtClose: Bool { parser.endsAtClose }
  func closed() async { try? await channel?.closeFuture.get() }

  /// Whether no data and no close has arrived since the last exchange, as far as this system can detect.
  private var isFit: Bool {
    guard !isClosed, !isOpening, let channel, channel.isActive, input.readableBytes == 0
    else { return false }
    guard let state = SocketState(channel) else { return true }
    guard state.isEstablished else { return false }
    guard state.received != counter.received else { return true }
    // With TLS it may be a session ticket.
    if !route.origin.isTLS { pool.markUnsolicited(route.origin) }
    return false
  }

  /// Writes the head of a request, with the body if that is available.
  func writeHead(
    _ bytes: ByteBuffer, body: ByteBuffer? = nil, bodySent: @escaping () -> Void = {}
  ) -> Bool {
    guard let channel else { return false }
    isWritingHead = true
    var failed = false
    let written: EventLoopFuture<Void> = channel.write(bytes)
    written.assumeIsolated().whenFailure { _ in failed = true }
    if let body {
      let rest: EventLoopFuture<Void> = channel.write(body)
      // A failure ends the channel, and the exchange with it.
      rest.assumeIsolated().whenSuccess { bodySent() }
    }
    channel.flush()
    isWritingHead = false
    // A single write that fails at once has sent nothing; a longer one may have been sent in part.
    let isUntouched = failed && bytes.readableBytes <= 16 * 1024
    return !isUntouched
  }

  func write(_ bytes: ByteBuffer) -> EventLoopFuture<Void> {
    channel?.writeAndFlush(bytes) ?? loop.makeFailedFuture(ChannelError.alreadyClosed)
  }

  func bodySent() {
    guard isAnswered else { return }
    finishWhenDelivered()
  }

  /// - Parameter drops: Whether bytes that the system has not sent yet are dropped.
  func abandon(_ given: HTTPExchange, drops: Bool = false) {
    guard exchange === given else { return }
    exchange = nil
    if drops, !isClosed { counter.reset() }
    close()
  }

  /// The origin is distrusted because of some connection: this one carries no further exchange, and the response on a kept connection is discarded.
  func markSuspect() {
    isLast = true
    isSuspect = exchange != nil && count > 1
    if exchange == nil { close() }
  }

  func close() {
    guard loop.inEventLoop else { return loop.execute { self.close() } }
    guard !isClosed else { return }
    isClosed = true
    channel?.close(promise: nil)
  }

  private func process() {
    do {
      while !isPaused, let exchange, let part = try parser.next(&input) {
        switch part {
        case .interim: exchange.noteProgress()
        case .head(let head): wait(for: try exchange.receive(head))
        case .body(let bytes): wait(for: try exchange.receive(bytes))
        case .end: answered(exchange)
        }
      }
    } catch { fail(error) }
  }

  private func wait(for future: EventLoopFuture<Void>?) {
    guard let future else { return }
    isPaused = true
    // The connection, and its state, may be gone before the received data has been handled.
    if !wasDelivered, exchange?.isBodySent == true, let channel, !isClosed {
      wasDelivered = SocketState(channel)?.isDelivered ?? true
    }
    var isNow = true
    setReading(false)
    future.hop(to: loop).assumeIsolated().whenComplete { result in
      self.isPaused = false
      self.setReading(true)
      if case .failure(let error) = result { return self.fail(error) }
      guard !isNow else { return }
      self.process()
      self.conclude()
    }
    isNow = false
  }

  private func setReading(_ isOn: Bool) {
    try? channel?.syncOptions?.setOption(.autoRead, value: isOn)
  }

  private func answered(_ exchange: HTTPExchange) {
    if input.readableBytes > 0 { receivedUnsolicited(input) }
    guard exchange.isBodySent || exchange.isRefused else {
      isAnswered = true
      return
    }
    if exchange.isRefused { finish() } else { finishWhenDelivered() }
  }

  /// A success that arrives before the body was sent is valid once the peer's system has the body.
  private func finishWhenDelivered() {
    guard exchange != nil, let channel else { return }
    guard !isClosed else {
      if wasDelivered { finish() }
      return
    }
    guard exchange?.isSuccess == true, let state = SocketState(channel), state.isEstablished,
      !state.isDelivered
    else { return finish() }
    isAnswered = true
    loop.scheduleTask(in: .milliseconds(5)) { self.finishWhenDelivered() }
  }

  private func finish() {
    guard let exchange else { return }
    guard !isSuspect else { return fail(ExchangeFailure.unsolicitedData) }
    self.exchange = nil
    let isKept = parser.isKeptAlive && exchange.isBodySent && !isLast && !isClosed
    isAnswered = false
    // Returned to the pool before the exchange ends, so that the next exchange finds it.
    if isKept {
      if let channel { SocketState.acknowledge(channel) }
      pool.keep(self)
    } else {
      close()
    }
    exchange.succeed()
  }

  private func fail(_ error: any Error) {
    guard let exchange else { return close() }
    self.exchange = nil
    close()
    exchange.end(.failure(error))
  }

  private func receivedUnsolicited(_ bytes: ByteBuffer) {
    isLast = true
    input.clear()
    // Servers send this to a connection that was idle for too long, before they close it.
    let text = bytes.readableBytesView.prefix(12)
    let isTimeout =
      exchange == nil && text.starts(with: "HTTP/1.".utf8)
      && text.suffix(4).elementsEqual(" 408".utf8)
    if !isTimeout { pool.markUnsolicited(route.origin) }
    // If another response came before on this connection, each may belong to the earlier request.
    if count > 1 { isSuspect = true }
    if exchange == nil { close() }
  }

  func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }

  func handlerRemoved(context: ChannelHandlerContext) {
    opened(.failure(ExchangeFailure.connectionLost))
  }

  func channelActive(context: ChannelHandlerContext) {
    if !route.origin.isTLS, route.proxy?.isSOCKS != true { opened(.success(())) }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is SOCKSProxyEstablishedEvent, !route.origin.isTLS { opened(.success(())) }
    if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
      let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
      if certificate?.names(route.origin.host) == true {
        opened(.success(()))
      } else {
        opened(.failure(NIOSSLExtraError.failedToValidateHostname))
        context.close(promise: nil)
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func opened(_ result: Result<Void, any Error>) {
    guard isOpening else { return }
    isOpening = false
    isReadyPromise.completeWith(result.map { self })
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    guard !isClosed, bytes.readableBytes > 0 else { return }
    guard exchange != nil, !isWritingHead, !isAnswered else { return receivedUnsolicited(bytes) }
    hasInput = true
    if input.readableBytes == 0 { input = bytes } else { input.writeBuffer(&bytes) }
    process()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if cause == nil { cause = error }
    opened(.failure(error))
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosed = true
    pool.forget(self)
    isEnded = true
    opened(.failure(cause ?? ExchangeFailure.connectionLost))
    conclude()
    context.fireChannelInactive()
  }

  private func conclude() {
    guard isEnded, !isPaused, let exchange else { return }
    self.exchange = nil
    let isWhole = parser.endsAtClose && cause == nil && !isSuspect
    if isWhole, exchange.isBodySent || exchange.isRefused {
      exchange.succeed()
    } else {
      let isStale = count > 1 && !hasInput && !isAnswered && exchange.hasBarelyBegun
      if isStale { pool.closeIdle(of: route) }
      exchange.end(
        .failure(
          isStale
            ? ExchangeFailure.connectionWasStale
            : isAnswered
              ? ExchangeFailure.closedBeforeBody : cause ?? ExchangeFailure.connectionLost)
      )
    }
  }
}
