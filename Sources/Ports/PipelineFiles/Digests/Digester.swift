import Crypto

/// Computes several digests of the same bytes in one pass.
struct Digester {
  private var md5: Insecure.MD5?
  private var sha1: Insecure.SHA1?
  private var sha256: SHA256?
  private var sha512: SHA512?
  private var blocks: BlockDigest?
  private var checks: [(algorithm: DigestAlgorithm, check: CyclicCheck)] = []

  init(_ algorithms: [DigestAlgorithm]) {
    for algorithm in algorithms {
      switch algorithm {
      case .md5: md5 = Insecure.MD5()
      case .sha1: sha1 = Insecure.SHA1()
      case .sha256: sha256 = SHA256()
      case .sha512: sha512 = SHA512()
      case .crc32: checks.append((algorithm, CyclicCheck(.crc32)))
      case .crc32c: checks.append((algorithm, CyclicCheck(.crc32c)))
      case .crc64nvme: checks.append((algorithm, CyclicCheck(.crc64nvme)))
      case .sha256Blocks4MiB: blocks = BlockDigest(size: 4 << 20)
      }
    }
  }

  mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    md5?.update(bufferPointer: bytes)
    sha1?.update(bufferPointer: bytes)
    sha256?.update(bufferPointer: bytes)
    sha512?.update(bufferPointer: bytes)
    blocks?.update(bytes)
    for index in checks.indices { checks[index].check.update(bytes) }
  }

  func finish() -> [DigestAlgorithm: String] {
    var digests: [DigestAlgorithm: String] = [:]
    if let md5 { digests[.md5] = Hexadecimal.text(md5.finalize()) }
    if let sha1 { digests[.sha1] = Hexadecimal.text(sha1.finalize()) }
    if let sha256 { digests[.sha256] = Hexadecimal.text(sha256.finalize()) }
    if let sha512 { digests[.sha512] = Hexadecimal.text(sha512.finalize()) }
    if let blocks { digests[.sha256Blocks4MiB] = Hexadecimal.text(blocks.finalize()) }
    for (algorithm, check) in checks { digests[algorithm] = Hexadecimal.text(check.bytes) }
    return digests
  }
}

/// SHA-256 of the SHA-256 digests of all blocks of one size; the last block may be shorter.
private struct BlockDigest {
  let size: Int
  var whole = SHA256()
  var block = SHA256()
  var filled = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      let count = min(size - filled, rest.count)
      block.update(bufferPointer: UnsafeRawBufferPointer(rebasing: rest[..<count]))
      filled += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      guard filled == size else { continue }
      block.finalize().withUnsafeBytes { whole.update(bufferPointer: $0) }
      block = SHA256()
      filled = 0
    }
  }

  func finalize() -> SHA256Digest {
    guard filled > 0 else { return whole.finalize() }
    var whole = whole
    block.finalize().withUnsafeBytes { whole.update(bufferPointer: $0) }
    return whole.finalize()
  }
}

/// Digests of a body while it is sent, by the same code as those of files.
public struct StreamDigester: BodyDigester {
  private var digester: Digester

  /// Computes `algorithms`.
  public init(_ algorithms: [DigestAlgorithm]) { digester = Digester(algorithms) }
  /// Adds bytes.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) { digester.update(bytes) }
  /// The digests of all bytes so far, in lower-case hexadecimal.
  public func digests() -> [DigestAlgorithm: String] { digester.finish() }
}
