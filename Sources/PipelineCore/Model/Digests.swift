/// Digests that can be taken of bytes; the raw value is the word in documents and in expressions.
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
}

/// Digests of a file, or of a range of it, without a copy.
public struct Digests<S: Stage>: Sendable {
  /// The file: an input, an item, or another step's `file`.
  public let file: S.Expression
  /// The bytes of the file that are read; `nil` for all.
  public let range: Materialize<S>.ByteRange?
  /// What is taken, in one pass, in the author's order.
  public let algorithms: [DigestAlgorithm]

  /// Describes digests.
  public init(
    file: S.Expression, range: Materialize<S>.ByteRange? = nil, algorithms: [DigestAlgorithm]
  ) {
    self.file = file
    self.range = range
    self.algorithms = algorithms
  }
}

/// Digests as the author wrote them.
public typealias DigestsTemplate = Digests<Compiled>

extension Digests: Equatable, Hashable where S == Compiled {}

extension DigestsTemplate {
  /// Every expression of the step, in no order.
  var expressions: [Expression] { [file] + (range.map { [$0.offset, $0.length] } ?? []) }
}
