/// Hosts that a run may send something to: `host`, `*.domain`, each with `:port` or without.
public struct HostPattern: Hashable, Sendable, CustomStringConvertible {
  private let host: String
  /// Whether the names below ``host`` are meant, and not itself.
  private let isBelow: Bool
  private let port: Int?

  /// Reads a pattern; `nil` where the text is none, as a URL is.
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
    // Names are below a name; in an address nothing is.
    let last = host.split(separator: ".").last ?? ""
    let isAddress = last.allSatisfy(\.isNumber) || last.hasPrefix("0x") || host.contains(":")
    guard !host.isEmpty, isName, !(isBelow && isAddress),
      port.map({ (1...65_535).contains($0) }) ?? true
    else { return nil }
    self.host = host.lowercased()
    self.port = port
  }

  /// The pattern as it is written.
  public var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return (isBelow ? "*." : "") + name + (port.map { ":\($0)" } ?? "")
  }

  /// Whether the pattern means the origin.
  func covers(_ origin: Origin) -> Bool {
    let isHost = isBelow ? origin.host.hasSuffix("." + host) : origin.host == host
    return isHost && (port ?? origin.port) == origin.port
  }
}
