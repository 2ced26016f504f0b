import NIOCore

enum AddressKind: Hashable, Sendable {
  /// This machine.
  case loopback
  /// A network that is not the Internet: private, link-local, shared, unique local; or no machine at all.
  case local
  /// Everyone.
  case open

  /// Classifies a socket's address; one that is neither IPv4 nor IPv6 is local.
  init(_ address: SocketAddress) {
    switch address {
    case .v4: self.init(v4: address.bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case .v6: self.init(v6: address.bytes)
    case .unixDomainSocket: self = .loopback
    }
  }

  /// Reads an address in any notation that a resolver accepts, such as `2130706433` or `0x7f.1`; `nil` for a name.
  init?(literal host: String) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0, let first = list else { return nil }
    defer { freeaddrinfo(list) }
    guard let address = SocketAddress(first.pointee) else { return nil }
    self.init(address)
  }

  /// Ranges of the IANA registry of special-purpose IPv4 addresses that are not globally reachable, and multicast.
  private static let localRanges: [(base: UInt32, bits: UInt32)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0xA9FE_0000, 16), (0xAC10_0000, 12),
    (0xC000_0000, 24), (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
    (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
  ]

  init(v4 address: UInt32) {
    if address >> 24 == 127 {
      self = .loopback
    } else {
      let isLocal = Self.localRanges.contains { (address ^ $0.base) >> (32 - $0.bits) == 0 }
      self = isLocal ? .local : .open
    }
  }

  init(v6 bytes: [UInt8]) {
    func v4(at offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    func begins(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }
    let zeros = bytes.prefix { $0 == 0 }.count
    switch true {
    case zeros == 16: self = .local
    case zeros == 15 && bytes[15] == 1: self = .loopback
    // An embedded IPv4 address: mapped, compatible, NAT64, 6to4.
    case zeros == 10 && bytes[10] == 0xFF && bytes[11] == 0xFF: self.init(v4: v4(at: 12))
    case zeros >= 12: self.init(v4: v4(at: 12))
    case begins([0x00, 0x64, 0xFF, 0x9B]): self.init(v4: v4(at: 12))
    case begins([0x20, 0x02]): self.init(v4: v4(at: 2))
    // 2000::/3, the Internet's range, without Teredo and documentation.
    case begins([0x20, 0x01, 0x00, 0x00]), begins([0x20, 0x01, 0x0D, 0xB8]): self = .local
    default: self = bytes[0] >> 5 == 1 ? .open : .local
    }
  }
}

extension SocketAddress {
  /// The address of a resolver's entry; `nil` if it is neither IPv4 nor IPv6.
  init?(_ entry: addrinfo, host: String = "") {
    switch entry.ai_family {
    case AF_INET:
      self = entry.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        SocketAddress($0.pointee, host: host)
      }
    case AF_INET6:
      self = entry.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        SocketAddress($0.pointee, host: host)
      }
    default: return nil
    }
  }

  /// The bytes of only the address: four, or sixteen; none for a local socket.
  var bytes: [UInt8] {
    // After family and port, and for IPv6 after the flow label (RFC 3493 §3.3).
    let all = withSockAddr { socket, size in
      Array(UnsafeRawBufferPointer(start: socket, count: size))
    }
    return switch self {
    case .v4: Array(all[4..<8])
    case .v6: Array(all[8..<24])
    case .unixDomainSocket: []
    }
  }
}
