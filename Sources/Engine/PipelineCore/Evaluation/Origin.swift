/// Scheme, host and port of a URL (RFC 9110 §4.3.1): the unit to which a secret may be sent.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// Whether the scheme is `https`.
  public let isTLS: Bool
  /// In lower case; an IPv6 address without brackets.
  public let host: String
  /// The port, which the scheme implies if the URL does not contain it.
  public let port: Int

  /// An origin; upper case in `host` does not matter.
  public init(isTLS: Bool, host: String, port: Int) {
    self.isTLS = isTLS
    self.host = host.lowercased()
    self.port = port
  }

  /// `host:port`, for messages.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
