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
    digest("crc32") { CyclicCheck.bytes(of: $0, .crc32) },
    digest("crc32c") { CyclicCheck.bytes(of: $0, .crc32c) },
    digest("crc64nvme") { CyclicCheck.bytes(of: $0, .crc64nvme) },
    digest("sha256_blocks_4mib") { ofBlocks($0, 4 << 20) },
    Function("hmac_sha1", overloads: keyed { HMAC<Insecure.SHA1>.self }),
    Function("hmac_sha256", overloads: keyed { HMAC<SHA256>.self }),
    unary("hex", [.bytes], returns: .string) { (value) throws(EvaluationError) in
      .string(Hexadecimal.text(octets(value)))
    },
    unary("unhex", [.string], returns: .bytes) { (value) throws(EvaluationError) in
      guard let bytes = Hexadecimal.bytes(octets(value))
      else { throw .argument("string is not an even number of hex digits") }
      return .bytes(bytes)
    },
  ]

  /// The digest of the digests of all blocks of a size.
  private static func ofBlocks(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
    var whole = SHA256()
    for start in stride(from: 0, to: bytes.count, by: size) {
      whole.update(data: Array(SHA256.hash(data: bytes[start..<min(start + size, bytes.count)])))
    }
    return Array(whole.finalize())
  }

  private static func digest(
    _ name: String, _ hash: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> Function {
    unary(name, [.bytes, .string], returns: .bytes) { (value) throws(EvaluationError) in
      .bytes(hash(octets(value)))
    }
  }

  private static func keyed<Hash: HashFunction>(_ type: () -> HMAC<Hash>.Type) -> [Overload] {
    let texts: [ValueType] = [.bytes, .string]
    return texts.flatMap { key in
      texts.map { data in
        .function(key, data, returns: .bytes) { (arguments, _) throws(EvaluationError) in
          let key = SymmetricKey(data: octets(arguments[0]))
          return .bytes(Array(HMAC<Hash>.authenticationCode(for: octets(arguments[1]), using: key)))
        }
      }
    }
  }
}
