import Foundation
import PipelineCore
import PipelineEngine
import Testing

@testable import PipelineFiles

struct POSIXWorkspaceTests {
  private let outside: ScratchFolder
  private let folder: ScratchFolder
  private let workspace: POSIXWorkspace

  init() throws {
    outside = try ScratchFolder()
    folder = try ScratchFolder()
    workspace = try POSIXWorkspace(root: folder.path)
  }

  private func source(_ bytes: [UInt8], name: String = "source.bin") throws -> FileValue {
    try SourceFile.describe(outside.write(name, bytes), in: "/")
  }

  private func plan(
    _ pieces: [Body.Piece], digests: [DigestAlgorithm] = [],
    reserved: Int64 = .max
  ) -> MaterializationPlan {
    MaterializationPlan(
      pieces: pieces, digests: digests, name: "body", contentType: "text/plain",
      reservedBytes: reserved)
  }

  private func failure(
    _ plan: MaterializationPlan, at path: String = "items/1/body"
  ) async -> FileFailure? {
    do throws(FileFailure) {
      _ = try await workspace.materialize(plan, at: path)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Failures

  @Test(arguments: [
    "", "/etc/x", "../x", "a/../../x", "a/./x", "a//x", "a/", "..", "a\0b",
  ])
  func `a path that could leave the folder is refused`(_ path: String) async {
    #expect(await failure(plan([.bytes([1])]), at: path)?.kind == .system)
    #expect(folder.files == [])
  }

  @Test func `a link inside the folder leads nowhere`() async throws {
    try outside.write("kept", [1])
    try folder.link("items", to: outside.path)
    #expect(await failure(plan([.bytes([1])]))?.kind == .system)
    await workspace.discard("items/kept")
    _ = await workspace.sweep(keeping: [])
    #expect(outside.files == ["kept"])
  }

  @Test func `a source of another size is a changed one`() async throws {
    let file = try source([1, 2, 3])
    try outside.write("source.bin", [1, 2])
    let failure = await failure(plan([.file(file, offset: 0, length: 3)]))
    #expect(failure?.kind == .changed)
    #expect(failure?.message.contains("it had 3 bytes and now has 2") == true)
    #expect(folder.files == [])
  }

  @Test func `a source of another time is a changed one`() async throws {
    let file = try source([1, 2, 3])
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path)
    #expect(await failure(plan([.file(file, offset: 0, length: 3)]))?.kind == .changed)
    #expect(folder.files == [])
  }

  @Test func `a source that is gone is a missing one`() async throws {
    let file = try source([1, 2, 3])
    try FileManager.default.removeItem(atPath: file.path)
    #expect(await failure(plan([.file(file, offset: 0, length: 3)]))?.kind == .missing)
  }

  @Test func `a source that became a pipe does not block`() async throws {
    let file = try source([])
    try FileManager.default.removeItem(atPath: file.path)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(await failure(plan([.file(file, offset: 0, length: 0)]))?.kind == .changed)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func `a source that may not be read is an unreadable one`() async throws {
    let file = try source([1])
    chmod(file.path, 0)
    #expect(await failure(plan([.file(file, offset: 0, length: 1)]))?.kind == .unreadable)
  }

  @Test func `a plan larger than its reservation writes nothing`() async throws {
    let failure = await failure(plan([.bytes([1, 2, 3])], reserved: 2))
    #expect(failure?.kind == .reservationExceeded)
    #expect(failure?.message == "'items/1/body' needs 3 bytes, but 2 are reserved for it")
    #expect(folder.files == [])
  }

  @Test(arguments: [(Int64(0), Int64(4)), (4, 0), (-1, 1), (1, -1), (.max, .max), (0, .max)])
  func `a range outside of the file is an error`(_ offset: Int64, _ length: Int64) async throws {
    let file = try source([1, 2, 3])
    let failure = await failure(plan([.file(file, offset: offset, length: length)]))
    #expect(failure?.kind == .system)
  }

  @Test func `a folder cannot be created in the place of a file`() async throws {
    #expect(await failure(plan([.bytes([1])]), at: "a/b") == nil)
    #expect(await failure(plan([.bytes([1])]), at: "a/b/c")?.kind == .system)
    #expect(folder.files == ["a/b"])
  }

  @Test func `a file that cannot be renamed leaves nothing behind`() async throws {
    #expect(await failure(plan([.bytes([1])]), at: "a/b") == nil)
    #expect(await failure(plan([.bytes([1])]), at: "a")?.kind == .system)
    #expect(folder.files == ["a/b"])
  }

  #if os(Linux)
    @Test func `a full disk has a separate error`() throws {
      let full = open("/dev/full", O_WRONLY)
      defer { close(full) }
      var writer = BodyWriter(
        to: full, path: "items/1/body", size: 1, digests: [], flag: CancellationFlag())
      var failure: FileFailure?
      do throws(FileFailure) { try writer.append([1]) } catch { failure = error }
      #expect(failure?.kind == .noSpace)
      #expect(failure?.message == "cannot write 'items/1/body': no space left on device")
    }
  #endif

  @Test func `a cancelled task leaves nothing behind`() async throws {
    let workspace = workspace
    let plan = plan([.bytes(noise(10))])
    let task = Task { () async -> FileFailure? in
      while !Task.isCancelled { await Task.yield() }
      do throws(FileFailure) {
        _ = try await workspace.materialize(plan, at: "x")
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value?.kind == .interrupted)
    #expect(folder.files == [])
  }

  // MARK: Successes

  @Test(arguments: [0, 1, 1000, 262_143, 262_144, 262_145, 1_000_001])
  func `pieces follow each other, for any size of the buffer`(_ count: Int) async throws {
    let bytes = noise(count)
    let file = try source(bytes)
    let made = try await workspace.materialize(
      plan([
        .bytes(Array("head".utf8)), .file(file, offset: 0, length: file.size), .bytes([]),
        .bytes(Array("tail".utf8)), .file(file, offset: file.size / 2, length: file.size / 4),
      ]), at: "items/7/body")
    let half = bytes[(count / 2)..<(count / 2 + count / 4)]
    #expect(try folder.read("items/7/body") == "head".utf8 + bytes + "tail".utf8 + half)
    #expect(made.path == "items/7/body")
    #expect(made.name == "body")
    #expect(made.contentType == "text/plain")
    #expect(made.size == Int64(8 + count + count / 4))
    #expect(folder.files == ["items/7/body"])
    let seen = try SourceFile.describe(workspace.absolutePath(of: made), in: "/")
    #expect(seen.modified == made.modified)
  }

  @Test func `a whole file is a separate copy`() async throws {
    let file = try source(noise(300_000))
    let made = try await workspace.materialize(
      plan([.file(file, offset: 0, length: file.size)], digests: [.crc32c]), at: "copy")
    try outside.write("source.bin", [1])
    #expect(try folder.read("copy") == noise(300_000))
    #expect(made.digests.count == 1)
  }

  @Test(arguments: [
    (
      "", "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "00000000"
    ),
    (
      "123456789", "25f9e794323b453885f5181f1b624d0b", "f7c3bc1d808e04732adf679965ccc34ca7ae3441",
      "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225", "e3069283"
    ),
  ])
  func `digests are those of the known values`(
    _ text: String, _ md5: String, _ sha1: String, _ sha256: String, _ crc32c: String
  ) async throws {
    let made = try await workspace.materialize(
      plan([.bytes(Array(text.utf8))], digests: DigestAlgorithm.allCases), at: "x")
    #expect(
      made.digests.filter { [.md5, .sha1, .sha256, .crc32c].contains($0.key) }
        == [.md5: md5, .sha1: sha1, .sha256: sha256, .crc32c: crc32c])
    #expect(made.digests.count == DigestAlgorithm.allCases.count)
  }

  @Test(arguments: [(32, 0x00, "8a9136aa"), (32, 0xFF, "62a8ab43")])
  func `the checksum is the one of RFC 3720`(_ count: Int, _ byte: UInt8, _ crc: String)
    async throws
  {
    let bytes = [UInt8](repeating: byte, count: count)
    let made = try await workspace.materialize(plan([.bytes(bytes)], digests: [.crc32c]), at: "x")
    #expect(made.digests[.crc32c] == crc)
  }

  @Test func `a materialized file can be a source`() async throws {
    let first = try await workspace.materialize(plan([.bytes([1, 2, 3])]), at: "a/first")
    _ = try await workspace.materialize(
      plan([.file(first, offset: 1, length: 2)]), at: "b/second")
    #expect(try folder.read("b/second") == [2, 3])
  }

  @Test func `a second file of the same name replaces the first`() async throws {
    _ = try await workspace.materialize(plan([.bytes([1, 2, 3])]), at: "x")
    _ = try await workspace.materialize(plan([.bytes([4])]), at: "x")
    #expect(try folder.read("x") == [4])
    #expect(folder.files == ["x"])
  }

  @Test func `discarding removes the folder and its contents, and no more`() async throws {
    for path in ["a/1/x", "a/1/deep/y", "a/2/x"] {
      _ = try await workspace.materialize(plan([.bytes([1])]), at: path)
    }
    await workspace.discard("a/1")
    await workspace.discard("a/none")
    await workspace.discard("..")
    #expect(folder.files == ["a/2/x"])
  }

  @Test func `a sweep deletes all but the kept files, including leftovers`() async throws {
    for path in ["a/1/x", "a/1/y", "b/z"] {
      _ = try await workspace.materialize(plan([.bytes([1])]), at: path)
    }
    try folder.write("a/.partial-1-1", [1])
    #expect(await workspace.sweep(keeping: ["a/1/y"]) == 3)
    #expect(folder.files == ["a/1/y"])
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/b"))
  }

  @Test func `a user's path stays as it is, a created file's is under the root`() throws {
    let file = try source([1])
    #expect(workspace.absolutePath(of: file) == file.path)
    let made = FileValue(path: "a/b", name: "b", size: 0, modified: 0)
    #expect(workspace.absolutePath(of: made) == folder.path + "/a/b")
  }
}
