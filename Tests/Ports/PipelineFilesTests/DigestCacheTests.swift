import Foundation
import PipelineCore
import PipelineEngine
import Synchronization
import Testing

@testable import PipelineFiles

/// Known digests are not computed again, except those of a file that changed.
struct DigestCacheTests {
  /// A cache in memory.
  private final class Memory: DigestCache {
    let kept = Mutex<[FileContent: [DigestAlgorithm: String]]>([:])

    func digests(of content: FileContent) async -> [DigestAlgorithm: String] {
      kept.withLock { $0[content] ?? [:] }
    }

    func keep(_ digests: [DigestAlgorithm: String], of content: FileContent) async {
      kept.withLock { $0[content, default: [:]].merge(digests) { $1 } }
    }
  }

  private let outside: ScratchFolder
  private let folder: ScratchFolder
  private let memory = Memory()
  private let workspace: POSIXWorkspace
  private static let long = Date(timeIntervalSince1970: 1_700_000_000)

  init() throws {
    outside = try ScratchFolder()
    folder = try ScratchFolder()
    workspace = try POSIXWorkspace(root: folder.path, cache: memory)
  }

  /// Writes a file with an old modification time, in place.
  private func write(
    _ bytes: [UInt8], at moment: Date = long, _ name: String = "a"
  ) throws -> FileValue {
    let path = outside.path + "/" + name
    if let handle = FileHandle(forWritingAtPath: path) {
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(bytes))
      try handle.close()
    } else {
      try outside.write(name, bytes)
    }
    try FileManager.default.setAttributes([.modificationDate: moment], ofItemAtPath: path)
    return try SourceFile.describe(path, in: "/")
  }

  private func digests(
    of file: FileValue, _ algorithms: [DigestAlgorithm] = [.sha256], from offset: Int64 = 0,
    length: Int64? = nil, isWritten: Bool = false
  ) async throws -> [DigestAlgorithm: String] {
    try await workspace.materialize(
      MaterializationPlan(
        pieces: [.file(file, offset: offset, length: length ?? file.size)], digests: algorithms,
        name: "x", contentType: nil, unwritten: isWritten ? nil : Instant(milliseconds: 0)),
      at: "x"
    ).digests
  }

  @Test func `a file that was read once is not read again`() async throws {
    let file = try write(Array("one".utf8))
    let first = try await digests(of: file)
    // The same size and the same time: only reading it shows the difference.
    let same = try write(Array("two".utf8))
    #expect(same == file)
    #expect(try await digests(of: same) == first)
    // The digest that is not known is that of the bytes.
    let both = try await digests(of: same, [.sha256, .md5])
    #expect(both[.sha256] == first[.sha256])
    #expect(both[.md5] == "b8a9f715dbb64fd5c56e7783c6820a61")
  }

  @Test func `a file that changed is read again`() async throws {
    let first = try await digests(of: write(Array("one".utf8)))
    let changed = try await digests(
      of: write(Array("two".utf8), at: Self.long.addingTimeInterval(1)))
    #expect(changed != first)
  }

  @Test func `a file in the place of another is read again`() async throws {
    let first = try await digests(of: write(Array("one".utf8)))
    _ = try write(Array("two".utf8), "b")
    try FileManager.default.removeItem(atPath: outside.path + "/a")
    try FileManager.default.moveItem(atPath: outside.path + "/b", toPath: outside.path + "/a")
    let other = try SourceFile.describe(outside.path + "/a", in: "/")
    #expect(try await digests(of: other) != first)
  }

  @Test func `each range has separate digests`() async throws {
    let file = try write(Array("one two".utf8))
    let first = try await digests(of: file, from: 0, length: 3)
    let second = try await digests(of: file, from: 4, length: 3)
    #expect(first != second)
    _ = try write(Array("xxx yyy".utf8))
    #expect(try await digests(of: file, from: 0, length: 3) == first)
    #expect(try await digests(of: file, from: 4, length: 3) == second)
  }

  @Test
  func `a file that was only just changed is not kept, because another change would not show`()
    async throws
  {
    let file = try write(Array("one".utf8), at: Date().addingTimeInterval(3600))
    _ = try await digests(of: file)
    #expect(memory.kept.withLock { $0.isEmpty })
  }

  @Test func `a copy with digests provides them to later steps`() async throws {
    let file = try write(Array("one".utf8))
    let copied = try await digests(of: file, isWritten: true)
    _ = try write(Array("two".utf8))
    #expect(try await digests(of: file) == copied)
    #expect(folder.files == ["x"])
  }

  @Test func `a file that is gone fails although its digests are known`() async throws {
    let file = try write(Array("one".utf8))
    _ = try await digests(of: file)
    try FileManager.default.removeItem(atPath: file.path)
    let failure = await #expect(throws: FileFailure.self) { try await digests(of: file) }
    #expect(failure?.kind == .missing)
  }
}
