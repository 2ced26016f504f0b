import NIOCore

/// A destination that no proxy is used for: an entry of `no_proxy`.
///
/// It is `*`, `host`, `.domain`, an address in any spelling, each with or without `:port` (an IPv6 address then in brackets), or
/// a network such as `10.0.0.0/8`. A name covers its subdomains too.
enum ProxyException: Hashable, Sendable {
  case everything
  case network([UInt8], bits: Int)
  case address([UInt8], port: Int?)
  case domain(String, port: Int?)

  /// Throws for something with a slash that is not a network.
  init(_ text: String) throws(HTTPConfigurationError) {
    var name = text.lowercased()[...]
    guard name != "*" else { self = .everything; return }
    if let slash = name.lastIndex(of: "/") {
      guard let bits = Int(name[name.index(after: slash)...]),
        let network = Self.bytes(of: name[..<slash]), (0...network.count * 8).contains(bits)
      else {
        throw HTTPConfigurationError(
          description:
            "no_proxy: '\(text)' is neither a host nor a network such as 10.0.0.0/8 or fd00::/8")
      }
      self = .network(network, bits: bits)
      return
    }
    var port: Int?
    if let colon = name.lastIndex(of: ":"),
      name[..<colon].hasSuffix("]") || name.firstIndex(of: ":") == colon,
      let number = Int(name[name.index(after: colon)...])
    {
      (name, port) = (name[..<colon], number)
    }
    if let address = Self.bytes(of: name) { self = .address(address, port: port); return }
    if name.hasPrefix("*.") { name = name.dropFirst() }
    if name.hasPrefix(".") { name = name.dropFirst() }
    self = .domain(String(name), port: port)
  }

  func covers(_ host: String, port: Int) -> Bool {
    switch self {
    case .everything: return true
    case .network(let network, let bits):
      guard let address = Self.bytes(of: host[...]), address.count == network.count else {
        return false
      }
      return zip(address, network).enumerated().allSatisfy { index, pair in
        let rest = min(max(bits - 8 * index, 0), 8)
        return (pair.0 ^ pair.1) >> UInt8(8 - rest) == 0 || rest == 0
      }
    case .address(let address, let only):
      return only ?? port == port && address == Self.bytes(of: host[...])
    case .domain(let name, let only):
      return only ?? port == port && !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
  }

  private static func bytes(of text: Substring) -> [UInt8]? {
    let literal = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text
    return (try? SocketAddress(ipAddress: String(literal), port: 0))?.bytes
  }
}
