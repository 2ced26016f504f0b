import NIOCore
import NIOPosix
import NIOSOCKS
import NIOSSL
import PipelineCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Establishes connections: name resolution, addresses in turn (RFC 8305), proxy, TLS.
struct Connector: Sendable {
  private let tls: NIOSSLContext
  let names: NameResolver
  private let timeout: TimeAmount

  init(
    _ configuration: HTTPTransportConfiguration, names: NameResolver
  ) throws(HTTPConfigurationError) {
    tls = try Self.context(configuration)
    self.names = names
    timeout = .milliseconds(min(configuration.connectTimeout.milliseconds, Int64.max / 2_000_000))
  }

  func shutdown() { names.shutdown() }

  /// Establishes a connection that is ready for requests, or fails at `deadline` at the latest.
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
      } else {
        try pipeline.addHandler(ProxyTunnel(to: route.origin, through: proxy))
      }
    }
    if route.origin.isTLS {
      let name = (try? SocketAddress(ipAddress: route.origin.host, port: 0)) == nil
      let handler = try NIOSSLClientHandler(
        context: tls, serverHostname: name ? route.origin.host : nil)
      try pipeline.addHandler(handler)
    }
    try pipeline.addHandler(HTTPConnection(route, pool: pool, counter: counter, loop: loop))
  }

  /// The state of a connection being established; used only on its loop.
  private final class Opening: @unchecked Sendable {
    var channel: (any Channel)?
    var isOver = false
  }

  /// The trusted roots: the system's and those of the configuration's file.
  private static func context(
    _ configuration: HTTPTransportConfiguration
  ) throws(HTTPConfigurationError) -> NIOSSLContext {
    var tls = TLSConfiguration.makeClientConfiguration()
    // RFC 8996: older versions are insecure.
    tls.minimumTLSVersion = .tlsv12
    tls.applicationProtocols = ["http/1.1"]
    if let path = configuration.caFile {
      guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty
      else {
        throw HTTPConfigurationError(
          description: "'\(path)' is not a readable PEM file of certificates")
      }
      tls.additionalTrustRoots = [.certificates(certificates)]
    }
    if let shown = configuration.clientCertificate { try show(shown, in: &tls) }
    do {
      return try NIOSSLContext(configuration: tls)
    } catch {
      throw HTTPConfigurationError(
        description: configuration.clientCertificate.map {
          "TLS cannot be used: the key in '\($0.keyFile)' does not belong to the certificate in '\($0.certificateFile)'"
        } ?? "TLS cannot be used: the trusted roots are not readable")
    }
  }

  private static func show(
    _ shown: ClientCertificate, in tls: inout TLSConfiguration
  ) throws(HTTPConfigurationError) {
    guard let chain = try? NIOSSLCertificate.fromPEMFile(shown.certificateFile), !chain.isEmpty
    else {
      throw HTTPConfigurationError(
        description:
          "the client's certificate '\(shown.certificateFile)' is not a readable PEM file of certificates"
      )
    }
    // Without a passphrase to ask for, the library must not ask in the terminal.
    guard
      let key = try? NIOSSLPrivateKey(
        file: shown.keyFile, format: .pem, passphraseCallback: { $0(Array<UInt8>()) })
    else {
      throw HTTPConfigurationError(
        description:
          "the client's key '\(shown.keyFile)' is not a readable PEM file with a private key that needs no passphrase"
      )
    }
    tls.certificateChain = chain.map { .certificate($0) }
    tls.privateKey = .privateKey(key)
  }
}
