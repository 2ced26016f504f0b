import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import Testing

/// Several connections to one store: readers next to the owner, and owners that replace each other.
struct SQLiteReadersTests {
  private let folder: TemporaryFolder
  private var path: String { folder("run.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func open() async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore(path: path, pipeline: Sample.pipeline)
  }

  private func openReadOnly() async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore.openReadOnly(path: path, pipeline: Sample.pipeline)
  }

  private func begun(files count: Int) async throws -> SQLiteCheckpointStore {
    let store = try await open()
    _ = try await store.claim()
    _ = try await store.create(Sample.state(), items: [Sample.files(count)])
    return store
  }

  @Test func `a reader sees each batch as soon as it is kept`() async throws {
    let owner = try await begun(files: 50)
    let reader = try await openReadOnly()
    for ordinal in 0..<50 {
      try await owner.commit(
        Sample.batch(epoch: 1, [Sample.item(ordinal, .done)], events: [.timerFired]))
      #expect(try await reader.history(after: 0, limit: 99).count == ordinal + 1)
      #expect(try await reader.item(ItemKey(loop: 0, ordinal: ordinal))?.status == .done)
    }
    await reader.close()
    await owner.close()
  }

  @Test func `readers never see half of a batch, and never stop the owner`() async throws {
    let owner = try await begun(files: 40)
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        let reader = try await openReadOnly()
        group.addTask {
          for _ in 0..<40 {
            let done = try await reader.items(loop: 0, status: .done, after: -1, limit: 99).count
            #expect(done.isMultiple(of: 2))
          }
          await reader.close()
        }
      }
      group.addTask {
        for pair in 0..<20 {
          try await owner.commit(
            Sample.batch(
              epoch: 1, [Sample.item(2 * pair, .done), Sample.item(2 * pair + 1, .done)],
              isDurable: pair.isMultiple(of: 2)))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await owner.items(loop: 0, status: .done, after: -1, limit: 99).count == 40)
    await owner.close()
  }

  @Test func `a reader changes nothing`() async throws {
    let owner = try await begun(files: 2)
    let reader = try await openReadOnly()
    await expectFailure(.readOnly) { _ = try await reader.claim() }
    await expectFailure(.readOnly) {
      try await reader.commit(Sample.batch(epoch: 1, [Sample.item(0, .done)]))
    }
    await expectFailure(.readOnly) { _ = try await reader.requeue(nil, epoch: 1) }
    await expectFailure(.readOnly) {
      try await reader.enumerate(loop: 0, subjects: [], epoch: 1)
    }
    await expectFailure(.readOnly) {
      _ = try await reader.create(Sample.state(), items: [])
    }
    await reader.close()
    #expect(try await owner.items(loop: 0, status: .pending, after: -1, limit: 9).count == 2)
    await owner.close()
  }

  @Test func `a closed store is read where no log can be created`() async throws {
    let owner = try await begun(files: 2)
    await owner.close()
    // A link that leads nowhere stops SQLite as a folder does that cannot be written, even for
    // root.
    try FileManager.default.createSymbolicLink(
      atPath: path + "-shm", withDestinationPath: folder("gone/shm"))
    let reader = try await openReadOnly()
    #expect(try await reader.load().loops[0].counts[.pending] == 2)
    await reader.close()
    try Data("frames".utf8).write(to: URL(filePath: path + "-wal"))
    let failure = await expectFailure(.readOnly) { _ = try await openReadOnly() }
    #expect(failure?.message.contains("copy the whole folder") == true)
  }

  @Test(.enabled(if: NSUserName() != "root", "root may write everywhere"))
  func `an unwritable folder has a separate error`() async throws {
    let owner = try await begun(files: 2)
    await owner.close()
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
    await expectFailure(.readOnly) { _ = try await open() }
    let reader = try await openReadOnly()
    #expect(try await reader.load().loops[0].counts[.pending] == 2)
    await reader.close()
    #expect(try await SQLiteCheckpointStore.peek(path: path).counts[.pending] == 2)
    #expect(try folder.contents().count == 1)
  }

  @Test(.enabled(if: NSUserName() != "root", "root may write everywhere"))
  func `an unwritable file has a separate error`() async throws {
    let owner = try await begun(files: 2)
    await owner.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let failure = await expectFailure(.readOnly) { _ = try await open() }
    #expect(failure?.message.contains(path) == true)
  }

  // MARK: Owners

  @Test func `owners in a race get epochs of their own`() async throws {
    let epochs = try await withThrowingTaskGroup(of: [Int].self) { group in
      _ = try await open().claim()
      for _ in 0..<3 {
        let store = try await open()
        group.addTask {
          var epochs: [Int] = []
          for _ in 0..<15 { epochs.append(try await store.claim()) }
          await store.close()
          return epochs
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(epochs.sorted() == Array(2...46))
  }

  @Test func `an owner learns from its next batch that it was followed`() async throws {
    let first = try await begun(files: 2)
    let second = try await open()
    let epoch = try await second.claim()
    let failure = await expectFailure(.staleOwner) {
      try await first.commit(Sample.batch(epoch: 1, [Sample.item(0, .done)]))
    }
    #expect(failure?.message.contains(path) == true)
    try await second.commit(Sample.batch(epoch: epoch, [Sample.item(1, .done)]))
    let done = try await second.items(loop: 0, status: .done, after: -1, limit: 9)
    #expect(done.map(\.key.ordinal) == [1])
    await first.close()
    await second.close()
  }

  // MARK: Summaries

  @Test func `a summary is read without the pipeline`() async throws {
    let owner = try await begun(files: 3)
    var state = try await owner.load()
    Sample.fill(&state)
    state.loops[0].counts[.pending] = 1
    state.loops[0].counts[.failed] = 2
    state.loops[1].counts[.failed] = 5
    try await owner.commit(Sample.batch(epoch: 1, state: state))
    let summary = try await SQLiteCheckpointStore.peek(path: path)
    #expect(summary.id == state.id)
    #expect(summary.pipeline == "photos")
    #expect(summary.status == .paused)
    #expect(summary.reason == state.reason?.message)
    #expect(summary.began == state.began)
    #expect(summary.ended == state.ended)
    #expect(summary.counts[.pending] == 1)
    #expect(summary.counts[.failed] == 7)
    #expect(summary.counts.total == 8)
    await owner.close()
    #expect(try await SQLiteCheckpointStore.peek(path: path) == summary)
  }
}
