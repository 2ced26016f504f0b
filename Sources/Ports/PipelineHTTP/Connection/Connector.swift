import NIOCore
import NIOPosix
import NIOSOCKS
import NIOSSL

/// Establishes connections: name resolution, addresses in turn (RFC 8305), proxy, TLS.
struct Connector: Sendable {
  private let tls: TLSContext
  let names: NameResolver
  private let timeout: TimeAmount

  init(
    _ configuration: HTTPTransportConfiguration, names: NameResolver
  ) throws(HTTPConfigurationError) {
    tls = try TLSContext(configuration)
    self.names = names
    timeout = .milliseconds(min(configuration.connectTimeout.milliseconds, Int64.max / 2_000_000))
  }

  func shutdown() { names.shutdown() }

  func connect(
    _ route: Route, on loop: any EventLoop, by deadline: NIODeadline, _ passage: DestinationPolicy,
    pool: ConnectionPool
  ) -> EventLoopFuture<HTTPConnection> {
    let promise = loop.makePromise(of: HTTPConnection.self)
    loop.execute {
      let end = min(deadline, .now() + timeout)
      let resolution = NameResolution(
        names.addresses(of: route.host, port: route.port, on: loop).flatMapThrowing {
          // The user has chosen the proxy, so it may be anywhere.
          route.proxy == nil ? try passage.permitted($0) : $0
        })
      let opening = Opening()
      let timer = loop.scheduleTask(deadline: end) {
        opening.isOver = true
        opening.channel?.close(promise: nil)
        promise.fail(
          resolution.isAnswered ? ExchangeFailure.connectTimeout : ExchangeFailure.resolverTimeout)
      }
      ClientBootstrap(group: loop)
        .resolver(resolution)
        .connectTimeout(end - .now() + .seconds(1))
        .channelInitializer { channel in
          loop.makeCompletedFuture { try prepare(channel, for: route, pool: pool, on: loop) }
        }
        .connect(host: route.host, port: route.port)
        .flatMapThrowing { channel in
          opening.channel = channel
          if opening.isOver { channel.close(promise: nil) }
          return try channel.pipeline.syncOperations.handler(type: HTTPConnection.self)
        }
        .flatMap { $0.ready }
        .whenComplete { result in
          guard !opening.isOver else { return }
          timer.cancel()
          promise.completeWith(result)
        }
    }
    return promise.futureResult
  }

  private func prepare(
    _ channel: any Channel, for route: Route, pool: ConnectionPool, on loop: any EventLoop
  ) throws {
    let counter = ByteCounter()
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(counter)
    if let proxy = route.proxy {
      if proxy.isSOCKS {
        let target = SOCKSAddress.domain(route.origin.host, port: route.origin.port)
        try pipeline.addHandler(SOCKSClientHandler(targetAddress: target))
      } else if route.forwarder == nil {
        try pipeline.addHandler(ProxyTunnel(to: route.origin, through: proxy))
      }
    }
    if route.origin.isTLS {
      let name = (try? SocketAddress(ipAddress: route.origin.host, port: 0)) == nil
      let handler = try NIOSSLClientHandler(
        context: tls.value(), serverHostname: name ? route.origin.host : nil)
      try pipeline.addHandler(handler)
    }
    try pipeline.addHandler(HTTPConnection(route, pool: pool, counter: counter, loop: loop))
  }

  private final class Opening: @unchecked Sendable {
    var channel: (any Channel)?
    var isOver = false
  }
}
