import PipelineCore
import PipelineEngine
import Testing

@testable import PipelineFiles

/// Digests against the check values of their standards, and without a copy of their input.
struct DigestTests {
  private let outside: ScratchFolder
  private let folder: ScratchFolder
  private let workspace: POSIXWorkspace

  init() throws {
    outside = try ScratchFolder()
    folder = try ScratchFolder()
    workspace = try POSIXWorkspace(root: folder.path)
  }

  private func digests(
    _ bytes: [UInt8], _ algorithms: [DigestAlgorithm] = DigestAlgorithm.allCases
  ) async throws -> [DigestAlgorithm: String] {
    try await workspace.materialize(
      MaterializationPlan(
        pieces: [.bytes(bytes)], digests: algorithms, name: "x", contentType: nil,
        unwritten: Instant(milliseconds: 0)), at: "x"
    ).digests
  }

  /// FIPS 180-4 for SHA-512, the CRC catalogue for `123456789`.
  @Test func `the digests of nine digits are the catalogued ones`() async throws {
    let digests = try await digests(Array("123456789".utf8))
    #expect(digests[.crc32] == "cbf43926")
    #expect(digests[.crc32c] == "e3069283")
    #expect(digests[.crc64nvme] == "ae8b14860a799888")
    #expect(
      digests[.sha512]
        == "d9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274a"
        + "d27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85")
  }

  /// The cases of the NVM Command Set Specification 1.0a, section 5.2.1.3.5: 4096 bytes each.
  @Test func `the check of 64 bits is the one of NVM Express`() async throws {
    let rising = (0..<4096).map { UInt8($0 & 0xFF) }
    let cases: [([UInt8], String)] = [
      ([UInt8](repeating: 0, count: 4096), "6482d367eb22b64e"),
      ([UInt8](repeating: 0xFF, count: 4096), "c0ddba7302eca3ac"),
      (rising, "3e729f5f6750449c"), (rising.reversed(), "9a2df64b8e9e517e"),
    ]
    for (bytes, check) in cases {
      #expect(try await digests(bytes, [.crc64nvme]) == [.crc64nvme: check])
    }
  }

  /// Values of an independent implementation: SHA-256 over the SHA-256 of each block.
  @Test(arguments: [
    (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (4 << 20 - 1, "839e2d868a885f260431d186466f0f3c189ee0eee5cc444b54e717740ad7f1c3"),
    (4 << 20, "c7e946d101855255d919ef0c70718633adf77d3dfb3adeeecf5d0cb4e951be58"),
    (4 << 20 + 1, "14a4d47f23a30177885d9820122f17d2d3a55fe63f7f5c27b95f689e0b2accd6"),
    (8 << 20, "03ae066c707c588592d9e27aa2444ca98423e0999024f1ceaa11a153790b37de"),
    (8 << 20 + 5, "21275856415bba29f3da5380f8154497a37c91fc7073816ddd3a67dabd9a8c94"),
  ])
  func `the digest of blocks depends on where blocks end`(_ count: Int, _ digest: String)
    async throws
  {
    #expect(
      try await digests([UInt8](repeating: 0, count: count), [.sha256Blocks4MiB])
        == [.sha256Blocks4MiB: digest])
  }

  @Test func `the digests of a range are those of its bytes, and nothing is written`() async throws
  {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try SourceFile.describe(outside.write("source", bytes), in: "/")
    let ranged = try await workspace.materialize(
      MaterializationPlan(
        pieces: [.file(file, offset: 1000, length: 250_001)], digests: [.md5, .crc64nvme],
        name: "x", contentType: nil, unwritten: Instant(milliseconds: 0)), at: "x"
    ).digests
    #expect(ranged == (try await digests(Array(bytes[1000..<251_001]), [.md5, .crc64nvme])))
    #expect(folder.files == [])
  }
}
