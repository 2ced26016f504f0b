import PipelineCore

/// How an origin is reached: directly, or through a proxy.
struct Route: Hashable {
  let origin: Origin
  let proxy: ProxySettings.Proxy?

  /// The host to connect to.
  var host: String { proxy?.host ?? origin.host }
  /// The port to connect to.
  var port: Int { proxy?.port ?? origin.port }
}
