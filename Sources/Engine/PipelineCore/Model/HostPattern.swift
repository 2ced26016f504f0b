/// Hosts that a run, or a redirect, may send requests to: `host` or `*.domain`, each with or without `:port`.
public struct HostPattern: Hashable, Sendable, CustomStringConvertible {
  private let host: String
  /// Whether the pattern matches the names below ``host``, and not ``host`` itself.
  private let isBelow: Bool
  private let port: Int?

  /// Reads a pattern; `nil` if the text is not one, for example a URL.
  public init?(_ text: String) {
    var host = text[...]
    var port: Int?
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let rest = host[host.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
      if !rest.isEmpty {
        port = Int(rest.dropFirst())
        guard port != nil else { return nil }
      }
      host = host[host.index(after: host.startIndex)..<end]
    } else if let colon = host.firstIndex(of: ":"), colon == host.lastIndex(of: ":") {
      port = Int(host[host.index(after: colon)...])
      guard port != nil else { return nil }
      host = host[..<colon]
    }
    isBelow = host.hasPrefix("*.")
    if isBelow { host = host.dropFirst(2) }
    let isName = host.utf8.allSatisfy { byte in
      byte < 0x80 && !Array("/*?#@[] \\\"".utf8).contains(byte) && byte > 0x20
    }
    // A name can have subdomains; an address cannot.
    let last = host.split(separator: ".").last ?? ""
    let isAddress = last.allSatisfy(\.isNumber) || last.hasPrefix("0x") || host.contains(":")
    guard !host.isEmpty, isName, !(isBelow && isAddress),
      port.map({ (1...65_535).contains($0) }) ?? true
    else { return nil }
    self.host = host.lowercased()
    self.port = port
  }

  /// The text of the pattern.
  public var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return (isBelow ? "*." : "") + name + (port.map { ":\($0)" } ?? "")
  }

  /// Whether the pattern matches the origin.
  public func covers(_ origin: Origin) -> Bool {
    let isHost = isBelow ? origin.host.hasSuffix("." + host) : origin.host == host
    return isHost && (port ?? origin.port) == origin.port
  }
}
