/// Which requests go through which proxy, according to the process's environment or to a URL that was passed.
///
/// Requests to this machine itself (`localhost`, RFC 6761 §6.3, and loopback addresses) never use a proxy. `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are read in lower and in upper case; lower case wins, as in curl.
/// Plain HTTP is sent to an HTTP proxy with the whole URL;
/// TLS and connections through a SOCKS proxy are tunneled (`CONNECT`, RFC 9110 §9.3.6).
public struct ProxySettings: Sendable {
  struct Proxy: Hashable, Sendable {
    let host: String
    let port: Int
    let isSOCKS: Bool
    let user: String?
    let password: String

    /// The header with its user and password; empty without them.
    var authorization: String {
      guard let user else { return "" }
      return "Proxy-Authorization: Basic \(Base64.encode(Array("\(user):\(password)".utf8)))\r\n"
    }

    var title: String {
      "\(isSOCKS ? "socks5" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
  }

  let http, https: Proxy?
  private let exceptions: [ProxyException]

  /// No proxy.
  public init() {
    http = nil
    https = nil
    exceptions = []
  }

  /// Reads the settings from `environment`.
  public init(environment: [String: String]) throws(HTTPConfigurationError) {
    let fallback = try Self.proxy("all_proxy", environment)
    let http = try Self.proxy("http_proxy", environment)
    let https = try Self.proxy("https_proxy", environment)
    self.http = http ?? fallback
    self.https = https ?? fallback
    exceptions =
      self.http == nil && self.https == nil
      ? [] : try Self.exceptions(Self.listedExceptions(environment))
  }

  /// All requests go through the proxy at `url`, such as `http://proxy.example.com:3128` or `socks5://localhost`.
  public init(url: String, exceptions: [String] = [], from name: String)
    throws(HTTPConfigurationError)
  {
    let proxy = try Self.proxy(url, name)
    (http, https) = (proxy, proxy)
    self.exceptions = try Self.exceptions(exceptions)
  }

  /// The entries of `no_proxy`.
  public static func listedExceptions(_ environment: [String: String]) -> [String] {
    (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split { $0 == "," || $0 == " " }.map(
      String.init)
  }

  private static func exceptions(_ texts: [String]) throws(HTTPConfigurationError)
    -> [ProxyException]
  { try texts.map { text throws(HTTPConfigurationError) in try ProxyException(text) } }

  func proxy(isTLS: Bool, host: String, port: Int) -> Proxy? {
    guard let proxy = isTLS ? https : http else { return nil }
    let host = host.lowercased()
    guard !Self.isHere(host) else { return nil }
    return exceptions.contains { $0.covers(host, port: port) } ? nil : proxy
  }

  func proxy(to origin: Origin) -> Proxy? {
    proxy(isTLS: origin.isTLS, host: origin.host, port: origin.port)
  }

  private static func isHere(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || AddressKind(literal: host) == .loopback
  }

  private static func proxy(_ name: String, _ environment: [String: String])
    throws(HTTPConfigurationError) -> Proxy?
  {
    let isLower = environment[name] != nil
    let variable = isLower ? name : name.uppercased()
    guard let text = environment[variable], !text.isEmpty else { return nil }
    return try proxy(text, variable)
  }

  private static func proxy(_ text: String, _ variable: String) throws(HTTPConfigurationError)
    -> Proxy
  {
    let full = text.contains("://") ? text : "http://" + text
    guard let url = URL(string: full), let scheme = url.scheme?.lowercased(),
      let host = url.host(percentEncoded: false), !host.isEmpty,
      scheme == "http" || scheme == "socks5" || scheme == "socks5h",
      (1...65_535).contains(url.port ?? 80)
    else {
      throw HTTPConfigurationError(
        description: "\(variable) is not the URL of an http or socks5 proxy")
    }
    let isSOCKS = scheme != "http"
    guard !isSOCKS || url.user() == nil else {
      throw HTTPConfigurationError(
        description: "\(variable) contains a user, which is not supported for a socks5 proxy")
    }
    return Proxy(
      host: host, port: url.port ?? (isSOCKS ? 1080 : 80), isSOCKS: isSOCKS,
      user: url.user(percentEncoded: false), password: url.password(percentEncoded: false) ?? "")
  }
}
