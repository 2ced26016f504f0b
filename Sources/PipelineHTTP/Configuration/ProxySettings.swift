/// Which requests go through which proxy, according to the process's environment or to a URL that was given.
///
/// What goes to this machine itself (`localhost`, RFC 6761 §6.3, and loopback addresses) goes through none. `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are read in lower and in upper case; lower case wins, as in curl.
/// All traffic is tunnelled (`CONNECT`, RFC 9110 §9.3.6), plain HTTP too.
public struct ProxySettings: Sendable {
  struct Proxy: Hashable, Sendable {
    let host: String
    let port: Int
    let isSOCKS: Bool
    let user: String?
    let password: String

    var title: String {
      "\(isSOCKS ? "socks5" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
  }

  let http, https: Proxy?
  private let exceptions: [String]

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
    let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    exceptions = list.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
  }

  /// All requests go through the proxy at `url`, such as `http://proxy.example.com:3128` or `socks5://localhost`.
  public init(
    url: String, exceptions: [String] = [], from name: String
  ) throws(HTTPConfigurationError) {
    let proxy = try Self.proxy(url, name)
    (http, https) = (proxy, proxy)
    self.exceptions = exceptions.map { $0.lowercased() }
  }

  func proxy(isTLS: Bool, host: String, port: Int) -> Proxy? {
    guard let proxy = isTLS ? https : http else { return nil }
    let host = host.lowercased()
    guard !Self.isHere(host) else { return nil }
    for exception in exceptions where Self.covers(exception, host: host, port: port) { return nil }
    return proxy
  }

  func proxy(to origin: Origin) -> Proxy? {
    proxy(isTLS: origin.isTLS, host: origin.host, port: origin.port)
  }

  private static func isHere(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || AddressKind(literal: host) == .loopback
  }

  /// Whether `exception` (`*`, `host`, `.domain`, each with or without `:port`) covers an origin; a name covers its subdomains too.
  private static func covers(_ exception: String, host: String, port: Int) -> Bool {
    if exception == "*" { return true }
    var name = exception[...]
    if let colon = name.lastIndex(of: ":"), name.firstIndex(of: ":") == colon,
      let wanted = Int(name[name.index(after: colon)...])
    {
      guard wanted == port else { return false }
      name = name[..<colon]
    }
    if name.hasPrefix("*.") { name = name.dropFirst() }
    if name.hasPrefix(".") { name = name.dropFirst() }
    return !name.isEmpty && (host == name || host.hasSuffix("." + name))
  }

  private static func proxy(
    _ name: String, _ environment: [String: String]
  ) throws(HTTPConfigurationError) -> Proxy? {
    let isLower = environment[name] != nil
    let variable = isLower ? name : name.uppercased()
    guard let text = environment[variable], !text.isEmpty else { return nil }
    return try proxy(text, variable)
  }

  private static func proxy(
    _ text: String, _ variable: String
  ) throws(HTTPConfigurationError) -> Proxy {
    let full = text.contains("://") ? text : "http://" + text
    guard let url = URL(string: full), let scheme = url.scheme?.lowercased(),
      let host = url.host(percentEncoded: false), !host.isEmpty,
      scheme == "http" || scheme == "socks5" || scheme == "socks5h"
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
