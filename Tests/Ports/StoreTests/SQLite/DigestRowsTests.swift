import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import StoreSupport
import Testing

/// Digests in a run's store.
struct DigestRowsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func content(modified: Int64 = 1, offset: Int64 = 0) -> FileContent {
    FileContent(
      path: "/photos/été 📷/a.jpg", device: -3, inode: .max, size: 10, modified: modified,
      offset: offset, length: 5)
  }

  private func open() async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore(path: folder("run.sqlite"), pipeline: Sample.pipeline)
  }

  @Test func `digests are available after the process that computed them`() async throws {
    let store = try await open()
    #expect(await store.digests(of: content()) == [:])
    await store.keep([.sha256: "aa", .crc32c: "bb"], of: content())
    await store.close()
    let next = try await open()
    #expect(await next.digests(of: content()) == [.sha256: "aa", .crc32c: "bb"])
    #expect(await next.digests(of: content(offset: 5)) == [:])
    await next.close()
  }

  @Test func `those of a file that changed replace the old ones`() async throws {
    let store = try await open()
    await store.keep([.sha256: "aa", .md5: "cc"], of: content())
    await store.keep([.sha256: "dd"], of: content(modified: 2))
    #expect(await store.digests(of: content(modified: 2)) == [.sha256: "dd"])
    #expect(await store.digests(of: content()) == [.md5: "cc"])
    await store.close()
  }

  @Test func `a store that cannot be written loses digests and nothing else`() async throws {
    let store = try await open()
    await store.close()
    await store.keep([.sha256: "aa"], of: content())
    #expect(await store.digests(of: content()) == [:])
  }
}
