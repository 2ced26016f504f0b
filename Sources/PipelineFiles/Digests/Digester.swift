import Basics
import Crypto
import PipelineCore

/// Takes several digests of the same bytes in one pass.
struct Digester {
  private var md5: Insecure.MD5?
  private var sha1: Insecure.SHA1?
  private var sha256: SHA256?
  private var crc32c: CRC32C?

  init(_ algorithms: [DigestAlgorithm]) {
    for algorithm in algorithms {
      switch algorithm {
      case .md5: md5 = Insecure.MD5()
      case .sha1: sha1 = Insecure.SHA1()
      case .sha256: sha256 = SHA256()
      case .crc32c: crc32c = CRC32C()
      }
    }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    md5?.update(bufferPointer: bytes)
    sha1?.update(bufferPointer: bytes)
    sha256?.update(bufferPointer: bytes)
    crc32c?.update(bytes)
  }

  /// The digests in lower-case hexadecimal.
  func finish() -> [DigestAlgorithm: String] {
    var digests: [DigestAlgorithm: String] = [:]
    if let md5 { digests[.md5] = Hexadecimal.text(md5.finalize()) }
    if let sha1 { digests[.sha1] = Hexadecimal.text(sha1.finalize()) }
    if let sha256 { digests[.sha256] = Hexadecimal.text(sha256.finalize()) }
    if let crc32c { digests[.crc32c] = Hexadecimal.text(crc32c.bytes) }
    return digests
  }
}
