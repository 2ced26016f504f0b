/// How an origin is reached: directly, or through a proxy.
struct Route: Hashable {
  let origin: Origin
  let proxy: ProxySettings.Proxy?

  var host: String { proxy?.host ?? origin.host }
  var port: Int { proxy?.port ?? origin.port }
}
