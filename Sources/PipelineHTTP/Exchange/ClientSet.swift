import AsyncHTTPClient
import NIOCore
import NIOSSL
import PipelineCore

/// The HTTP clients of one event loop: one for direct connections, and one per proxy, as a client has one proxy at most.
final class ClientSet: Sendable {
  /// The loop that all connections of the set are on.
  let loop: any EventLoop
  private let direct: HTTPClient
  private let proxied: [ProxySettings.Proxy: HTTPClient]
  private let proxies: ProxySettings

  init(
    _ configuration: HTTPTransportConfiguration, tls: TLSConfiguration, connectionsPerHost: Int,
    loop: any EventLoop
  ) {
    self.loop = loop
    var client = HTTPClient.Configuration(redirectConfiguration: .disallow)
    client.tlsConfiguration = tls
    client.timeout.connect = .milliseconds(configuration.connectTimeout.milliseconds)
    client.httpVersion = .http1Only
    client.connectionPool.idleTimeout = .milliseconds(configuration.idleTimeout.milliseconds)
    client.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
      max(1, connectionsPerHost)
    // The engine has its own back-off, and wants to know at once that nobody listens.
    client.connectionPool.retryConnectionEstablishment = false
    proxies = configuration.proxies
    direct = HTTPClient(eventLoopGroup: loop, configuration: client)
    var proxied: [ProxySettings.Proxy: HTTPClient] = [:]
    for proxy in [proxies.http, proxies.https] {
      guard let proxy, proxied[proxy] == nil else { continue }
      client.proxy = proxy.client
      proxied[proxy] = HTTPClient(eventLoopGroup: loop, configuration: client)
    }
    self.proxied = proxied
  }

  /// The client that reaches `origin`.
  func client(for origin: Origin) -> HTTPClient {
    guard
      let proxy = proxies.proxy(isTLS: origin.isTLS, host: origin.host, port: origin.port)
    else { return direct }
    return proxied[proxy] ?? direct
  }

  func shutdown() async {
    try? await direct.shutdown()
    for client in proxied.values { try? await client.shutdown() }
  }

  /// What is trusted: the system's roots and those of the configuration's file.
  static func tls(
    _ configuration: HTTPTransportConfiguration
  ) throws(HTTPConfigurationError) -> TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    guard let path = configuration.caFile else { return tls }
    guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else {
      throw HTTPConfigurationError(
        description: "'\(path)' is not a readable PEM file with certificates")
    }
    tls.additionalTrustRoots = [.certificates(certificates)]
    return tls
  }
}
