#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which requests go through which proxy, according to the process's environment.
///
/// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are read in lower and in upper case; lower case wins, as in curl.
/// All traffic is tunnelled (`CONNECT`, RFC 9110 §9.3.6), plain HTTP too.
public struct ProxySettings: Sendable {
  /// A proxy.
  struct Proxy: Hashable, Sendable {
    let host: String
    let port: Int
    let isSOCKS: Bool
    let user: String?
    let password: String
  }

  let http: Proxy?
  let https: Proxy?
  private let exceptions: [String]

  /// No proxy.
  public init() {
    http = nil
    https = nil
    exceptions = []
  }

  /// Reads the settings from `environment`.
  ///
  /// - Throws: ``HTTPConfigurationError`` that names the variable whose value is not a proxy URL, without the value, which
  ///   may hold a password.
  public init(environment: [String: String]) throws(HTTPConfigurationError) {
    let fallback = try Self.proxy("all_proxy", environment)
    let http = try Self.proxy("http_proxy", environment)
    let https = try Self.proxy("https_proxy", environment)
    self.http = http ?? fallback
    self.https = https ?? fallback
    let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    exceptions = list.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
  }

  /// The proxy for an origin; `nil` means a direct connection.
  func proxy(isTLS: Bool, host: String, port: Int) -> Proxy? {
    guard let proxy = isTLS ? https : http else { return nil }
    let host = host.lowercased()
    for exception in exceptions where Self.covers(exception, host: host, port: port) { return nil }
    return proxy
  }

  /// Whether `exception` (`*`, `host`, `.domain`, each with or without `:port`) covers an origin.
  ///
  /// A name covers its subdomains too. Address ranges are not supported.
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
