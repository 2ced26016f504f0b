import NIOCore

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

  /// Whether `exception` covers an origin.
  ///
  /// It is `*`, `host`, `.domain`, an address in any spelling, each with or without `:port` (an IPv6 address then in brackets), or
  /// a network such as `10.0.0.0/8`. A name covers its subdomains too.
  private static func covers(_ exception: String, host: String, port: Int) -> Bool {
    if exception == "*" { return true }
    var name = exception[...]
    if let slash = name.lastIndex(of: "/"), let bits = Int(name[name.index(after: slash)...]) {
      guard let network = bytes(ofAddress: String(name[..<slash])),
        let address = bytes(ofAddress: host), address.count == network.count,
        (0...network.count * 8).contains(bits)
      else { return false }
      return zip(address, network).enumerated().allSatisfy { index, pair in
        let rest = min(max(bits - 8 * index, 0), 8)
        return (pair.0 ^ pair.1) >> UInt8(8 - rest) == 0 || rest == 0
      }
    }
    if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
      let rest = name[name.index(after: end)...]
      guard rest.isEmpty || rest == ":\(port)" else { return false }
      name = name[name.index(after: name.startIndex)..<end]
    }
    if let address = bytes(ofAddress: String(name)) { return address == bytes(ofAddress: host) }
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

  private static func bytes(ofAddress text: String) -> [UInt8]? {
    let literal =
      text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    return (try? SocketAddress(ipAddress: literal, port: 0))?.bytes
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
