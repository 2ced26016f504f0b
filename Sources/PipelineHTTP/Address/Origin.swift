/// Scheme, host and port of a URL (RFC 9110 §4.3.1): the unit to which a secret may be sent.
struct Origin: Hashable, CustomStringConvertible {
  let isTLS: Bool
  /// In lower case; an IPv6 address without brackets.
  let host: String
  let port: Int

  init(isTLS: Bool, host: String, port: Int) {
    self.isTLS = isTLS
    self.host = host.lowercased()
    self.port = port
  }

  /// `host:port`, for messages.
  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// How an origin is reached: directly, or through a proxy.
struct Route: Hashable {
  let origin: Origin
  let proxy: ProxySettings.Proxy?

  /// The host to connect to.
  var host: String { proxy?.host ?? origin.host }
  /// The port to connect to.
  var port: Int { proxy?.port ?? origin.port }
}
