import Basics
import CEL
import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Library {
  /// `sha256(data)` and similar functions return bytes; `hex(…)` and `base64.encode(…)` turn them into text.
  static let digestFunctions: [Function] = [
    digest("md5") { Array(Insecure.MD5.hash(data: $0)) },
    digest("sha1") { Array(Insecure.SHA1.hash(data: $0)) },
    digest("sha256") { Array(SHA256.hash(data: $0)) },
    digest("sha384") { Array(SHA384.hash(data: $0)) },
    digest("sha512") { Array(SHA512.hash(data: $0)) },
    digest("crc32") { bigEndian(Checksum32.ieee.checksum(of: $0)) },
    digest("crc32c") { bigEndian(Checksum32.castagnoli.checksum(of: $0)) },
    Function("hmac_sha1", overloads: keyed { HMAC<Insecure.SHA1>.self }),
    Function("hmac_sha256", overloads: keyed { HMAC<SHA256>.self }),
    unary("hex", [.bytes], returns: .string) { (value) throws(EvaluationError) in
      .string(Hexadecimal.text(octets(value)))
    },
    unary("unhex", [.string], returns: .bytes) { (value) throws(EvaluationError) in
      guard let bytes = Hexadecimal.bytes(octets(value)) else {
        throw EvaluationError(.invalidArgument, "string is not an even number of hex digits")
      }
      return .bytes(bytes)
    },
  ]

  private static func digest(
    _ name: String, _ hash: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> Function {
    unary(name, [.bytes, .string], returns: .bytes) { (value) throws(EvaluationError) in
      .bytes(hash(octets(value)))
    }
  }

  private static func keyed<Hash: HashFunction>(
    _ type: () -> HMAC<Hash>.Type
  ) -> [Overload] {
    let texts: [ValueType] = [.bytes, .string]
    return texts.flatMap { key in
      texts.map { data in
        .function(key, data, returns: .bytes) { (arguments, _) throws(EvaluationError) in
          let key = SymmetricKey(data: octets(arguments[0]))
          let code = HMAC<Hash>.authenticationCode(for: octets(arguments[1]), using: key)
          return .bytes(Array(code))
        }
      }
    }
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

/// A cyclic redundancy check of 32 bits that reads the lowest bit first.
struct Checksum32: Sendable {
  /// The polynomial of Ethernet, gzip and PNG.
  static let ieee = Checksum32(reversedPolynomial: 0xEDB8_8320)
  /// The polynomial of iSCSI (RFC 3720, appendix B.4), which object stores use.
  static let castagnoli = Checksum32(reversedPolynomial: 0x82F6_3B78)

  private let table: [UInt32]

  private init(reversedPolynomial: UInt32) {
    table = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { rest, _ in
        rest & 1 == 1 ? rest >> 1 ^ reversedPolynomial : rest >> 1
      }
    }
  }

  func checksum(of bytes: [UInt8]) -> UInt32 {
    var rest = UInt32.max
    for byte in bytes {
      rest = rest >> 8 ^ table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)]
    }
    return ~rest
  }
}
