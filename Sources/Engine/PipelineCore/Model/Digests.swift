import Basics

/// Digests that can be computed of bytes; the raw value is the word in documents and in expressions.
public enum DigestAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// RFC 1321.
  case md5
  /// RFC 3174.
  case sha1
  /// FIPS 180-4.
  case sha256
  /// FIPS 180-4.
  case sha512
  /// The polynomial of Ethernet, gzip and PNG (RFC 1952 §8).
  case crc32
  /// Castagnoli polynomial, RFC 3720 §12.1.
  case crc32c
  /// The check of 64 bits of the NVM Express command set (its section 5.2.1.3.4), which object stores use.
  case crc64nvme
  /// SHA-256 of the SHA-256 digests of all blocks of 4 MiB, where the last one may be shorter.
  case sha256Blocks4MiB = "sha256_blocks_4mib"

  /// Bytes of a digest.
  public var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256, .sha256Blocks4MiB: 32
    case .sha512: 64
    case .crc32, .crc32c: 4
    case .crc64nvme: 8
    }
  }

  /// The digest in lower-case hexadecimal, from hexadecimal or base64 (RFC 4648), padded or not; else `nil`.
  public func hexadecimal(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    if bytes.count == 2 * byteCount, text.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit) {
      return text.lowercased()
    }
    guard let digits = Self.base64Digits(bytes, count: (byteCount * 8 + 5) / 6) else { return nil }
    var octets: [UInt8] = []
    var bits: UInt32 = 0
    var held = 0
    for digit in digits {
      bits = bits << 6 | UInt32(digit)
      held += 6
      guard held >= 8 else { continue }
      held -= 8
      octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      bits &= (1 << UInt32(held)) - 1
    }
    // The unused bits of the last digit are zero, so that a digest has one form.
    return bits == 0 ? Hexadecimal.text(octets) : nil
  }

  private static func base64Digits(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    let padding = (4 - count % 4) % 4
    let isPadded = bytes.count == count + padding
    guard isPadded || bytes.count == count else { return nil }
    guard bytes.dropFirst(count).allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
    var digits: [UInt8] = []
    for byte in bytes.prefix(count) {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digits.append(byte - UInt8(ascii: "A"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digits.append(byte - UInt8(ascii: "a") + 26)
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0") + 52)
      case UInt8(ascii: "+"), UInt8(ascii: "-"): digits.append(62)
      case UInt8(ascii: "/"), UInt8(ascii: "_"): digits.append(63)
      default: return nil
      }
    }
    return digits
  }
}

/// Digests of a file, or of a range of it, without a copy.
public struct Digests<S: Stage>: Sendable {
  /// The file: an input, an item, or another step's `file`.
  public let file: S.Expression
  /// The bytes of the file that are read; `nil` for all.
  public let range: Materialize<S>.ByteRange?
  /// The digests to compute in one pass, in the author's order.
  public let algorithms: [DigestAlgorithm]

  /// Describes digests.
  public init(
    file: S.Expression, range: Materialize<S>.ByteRange? = nil, algorithms: [DigestAlgorithm]
  ) { (self.file, self.range, self.algorithms) = (file, range, algorithms) }
}

/// Digests as the author wrote them.
public typealias DigestsTemplate = Digests<Compiled>

extension Digests: Equatable, Hashable where S == Compiled {}

extension DigestsTemplate {
  var expressions: [Expression] { [file] + (range.map { [$0.offset, $0.length] } ?? []) }
}
