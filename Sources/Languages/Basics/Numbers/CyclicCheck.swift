/// A cyclic redundancy check, lowest bit of each octet first, that starts with ones and ends inverted.
package struct CyclicCheck: Sendable {
  /// A polynomial with its tables.
  package final class Kind: Sendable {
    /// The polynomial of Ethernet, gzip and PNG (RFC 1952 §8).
    package static let crc32 = Kind(reversedPolynomial: 0xEDB8_8320, bits: 32)
    /// The Castagnoli polynomial (RFC 3720 §12.1).
    package static let crc32c = Kind(reversedPolynomial: 0x82F6_3B78, bits: 32)
    /// The polynomial 0xAD93D23594C93659 of the NVM Express command set, its bits reversed.
    package static let crc64nvme = Kind(reversedPolynomial: 0x9A6C_9329_AC4B_C9B5, bits: 64)
    fileprivate let bits: Int
    fileprivate let ones: UInt64
    /// Eight tables of 256: table `k` advances an octet by `k` further octets of zeros.
    fileprivate let tables: [UInt64]

    private init(reversedPolynomial: UInt64, bits: Int) {
      self.bits = bits
      ones = bits == 64 ? .max : 1 << UInt64(bits) - 1
      var tables = [UInt64](repeating: 0, count: 8 * 256)
      for octet in 0..<256 {
        var remainder = UInt64(octet)
        for _ in 0..<8 {
          remainder = remainder & 1 == 1 ? remainder >> 1 ^ reversedPolynomial : remainder >> 1
        }
        tables[octet] = remainder
      }
      for index in 256..<tables.count {
        let previous = tables[index - 256]
        tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
      }
      self.tables = tables
    }
  }

  private let kind: Kind
  private var state: UInt64

  package init(_ kind: Kind) {
    self.kind = kind
    state = kind.ones
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var crc = state
    kind.tables.withUnsafeBufferPointer { table in
      var index = 0
      while index + 8 <= bytes.count {
        let word =
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ crc
        let low =
          table[1792 + Int(word & 0xFF)] ^ table[1536 + Int(word >> 8 & 0xFF)]
          ^ table[1280 + Int(word >> 16 & 0xFF)] ^ table[1024 + Int(word >> 24 & 0xFF)]
        let high =
          table[768 + Int(word >> 32 & 0xFF)] ^ table[512 + Int(word >> 40 & 0xFF)]
          ^ table[256 + Int(word >> 48 & 0xFF)] ^ table[Int(word >> 56)]
        crc = low ^ high
        index += 8
      }
      while index < bytes.count {
        crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[index])]
        index += 1
      }
    }
    state = crc
  }

  /// The value, most significant octet first.
  package var bytes: [UInt8] {
    let value = state ^ kind.ones
    return stride(from: kind.bits - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: value >> UInt64($0))
    }
  }

  package static func bytes(of bytes: [UInt8], _ kind: Kind) -> [UInt8] {
    var check = CyclicCheck(kind)
    bytes.withUnsafeBytes { check.update($0) }
    return check.bytes
  }
}
