#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An `http` or `https` URL that can be connected to, fully checked, so that no library below has to interpret it.
public struct Address: Hashable, Sendable {
  /// Scheme, host and port.
  public let origin: Origin
  /// Path and query, as sent in the request line (RFC 9112 §3.2.1).
  public let target: String

  /// Reads an absolute URL, without user, password and fragment; a failure quotes no path, query or user.
  public init(_ text: String) throws(TransportFailure) {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
      let host = url.host(percentEncoded: false), !host.isEmpty
    else { throw Self.bad("the URL must be http or https and have a host") }
    guard scheme == "http" || scheme == "https"
    else { throw Self.bad("the URL must be http or https") }
    guard Self.isHost(host)
    else { throw Self.bad("the host of the URL is not a valid name or address") }
    // Foundation reports no port if the number is too large, which would silently select the scheme's default.
    let port = try Self.port(of: text)
    origin = Origin(
      isTLS: scheme == "https", host: host, port: port ?? (scheme == "https" ? 443 : 80))
    let path = url.path(percentEncoded: true)
    let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
    let target = (path.hasPrefix("/") ? path : "/" + path) + query
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw Self.bad("the path of the URL contains a character that HTTP does not allow") }
    self.target = target
  }

  /// The value of the header `Host`: with a port only if it is not the scheme's default (RFC 9110 §7.2).
  public var authority: String {
    let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
    return origin.port == (origin.isTLS ? 443 : 80) ? host : "\(host):\(origin.port)"
  }

  private static func port(of text: String) throws(TransportFailure) -> Int? {
    guard let start = text.authorityStart else { return nil }
    var authority = text[start..<text.authorityEnd(after: start)]
    if let at = authority.lastIndex(of: "@") {
      authority = authority[authority.index(after: at)...]
    }
    if let bracket = authority.lastIndex(of: "]") {
      authority = authority[authority.index(after: bracket)...]
    }
    guard let colon = authority.lastIndex(of: ":") else { return nil }
    let digits = authority[authority.index(after: colon)...]
    guard !digits.isEmpty else { return nil }
    guard digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
    else { throw bad("the port of the URL is not a number") }
    guard let port = Int(digits), (1...65_535).contains(port)
    else { throw bad("the port of the URL is \(digits.prefix(24)): expected 1 to 65535") }
    return port
  }

  /// A name, an IPv4 address, or an IPv6 address without brackets, possibly followed by a zone (RFC 6874).
  private static func isHost(_ host: String) -> Bool {
    guard host.utf8.count <= 253 else { return false }
    let isAddress = host.contains(":")
    return host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      case UInt8(ascii: ":"), UInt8(ascii: "%"): isAddress
      default: false
      }
    }
  }

  private static func bad(_ message: String) -> TransportFailure {
    TransportFailure(.badURL, message: message)
  }
}
