import PipelineCore
import Testing

struct RequiredDigestTests {
  @Test(
    arguments: [
      (.sha256, "ba7816"), (.sha256, ""), (.md5, "900150983cd24fb0d6963f7d28e17f7g"),
      (.md5, "kAFQmDzST7DWlj99KOF/cg="), (.md5, "kAFQmDzST7DWlj99KOF/ch=="),
      (.crc32, "352441c"), (.crc32, "NSRBw==="), (.sha1, "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=\n"),
    ] as [(DigestAlgorithm, String)])
  func `a text of another length or alphabet is not a digest`(
    _ algorithm: DigestAlgorithm, _ text: String
  ) {
    #expect(algorithm.hexadecimal(text) == nil)
  }

  /// The digests of "abc": RFC 1321 A.5, FIPS 180-4 appendices, and the CRC catalogue's polynomials.
  @Test(
    arguments: [
      (.md5, "kAFQmDzST7DWlj99KOF/cg==", "900150983cd24fb0d6963f7d28e17f72"),
      (.md5, "kAFQmDzST7DWlj99KOF_cg", "900150983cd24fb0d6963f7d28e17f72"),
      (
        .sha1, "A9993E364706816ABA3E25717850C26C9CD0D89D",
        "a9993e364706816aba3e25717850c26c9cd0d89d"
      ),
      (
        .sha256, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      ),
      (.crc32, "NSRBwg==", "352441c2"), (.crc32, "352441C2", "352441c2"),
      (.crc32c, "NksMtw", "364b0cb7"), (.crc64nvme, "AAAAAAAAAAA=", "0000000000000000"),
    ] as [(DigestAlgorithm, String, String)])
  func `hexadecimal and base64 are one digest`(
    _ algorithm: DigestAlgorithm, _ text: String, _ digest: String
  ) {
    #expect(algorithm.hexadecimal(text) == digest)
  }

  @Test func `every algorithm reads its own length`() {
    for algorithm in DigestAlgorithm.allCases {
      let text = String(repeating: "0a", count: algorithm.byteCount)
      #expect(algorithm.hexadecimal(text) == text)
      #expect(algorithm.hexadecimal(text + "0a") == nil)
    }
  }
}
