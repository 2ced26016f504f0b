import AsyncHTTPClient

/// Scheme, host and port of a URL (RFC 9110 §4.3.1): what a secret may be sent to.
struct Origin: Hashable, CustomStringConvertible {
  let isTLS: Bool
  let host: String
  let port: Int

  init(_ request: HTTPClient.Request) {
    isTLS = request.useTLS
    host = request.host.lowercased()
    port = request.port
  }

  init(url: String) throws { self.init(try HTTPClient.Request(url: url)) }

  /// `host:port`, for messages.
  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
