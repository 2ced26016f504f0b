/// How an origin is reached: directly, or through a proxy.
struct Route: Hashable {
  let origin: Origin
  let proxy: ProxySettings.Proxy?

  var host: String { proxy?.host ?? origin.host }
  var port: Int { proxy?.port ?? origin.port }
  /// The HTTP proxy that forwards plain requests itself, instead of opening a tunnel.
  var forwarder: ProxySettings.Proxy? { proxy?.isSOCKS == false && !origin.isTLS ? proxy : nil }
}
