import CEL
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import Testing

/// The remains of a run whose process or disk ends at a bad moment.
struct SQLiteCrashTests {
  private let folder: TemporaryFolder
  private let copy: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    copy = try TemporaryFolder()
  }

  private func open(_ folder: TemporaryFolder) async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore(path: folder("run.sqlite"), pipeline: Sample.pipeline)
  }

  /// The files as another process would find them if this one ended now.
  private static func copy(_ folder: TemporaryFolder, to other: TemporaryFolder) throws {
    for (name, bytes) in try folder.contents() { try bytes.write(to: URL(filePath: other(name))) }
  }

  // MARK: Kills

  @Test func `a process killed while it creates a run does not leave a run`() async throws {
    let store = try await open(folder)
    let (folder, copy) = (folder, copy)
    await expectFailure(.enumeration) {
      _ = try await store.create(
        Sample.state(),
        items: [
          EnumeratedLoop(loop: 0) { yield in
            for ordinal in 0..<20_000 { try yield(Sample.subject(ordinal)) }
            try Self.copy(folder, to: copy)
            throw CancellationError()
          }
        ])
    }
    let log = try #require(try copy.contents()["run.sqlite-wal"])
    try #require(log.count > 1 << 20, "rows had reached the disk when the files were copied")
    let later = try await open(copy)
    await expectFailure(.notFound) { _ = try await later.load() }
    let created = try await later.create(Sample.state(), items: [Sample.files(2)])
    #expect(created.loops[0].counts[.pending] == 2)
    #expect(try await later.items(loop: 0, status: nil, after: -1, limit: 9).count == 2)
    await later.close()
    await store.close()
  }

  @Test(arguments: [true, false])
  func `a killed process leaves every batch that was acknowledged`(_ isDurable: Bool) async throws {
    let store = try await begun(files: 3)
    for ordinal in 0..<3 { try await commit(ordinal, store, isDurable: isDurable) }
    try Self.copy(folder, to: copy)
    let later = try await open(copy)
    #expect(try await later.items(loop: 0, status: .done, after: -1, limit: 9).count == 3)
    #expect(try await later.history(after: 0, limit: 9).count == 3)
    await later.close()
    await store.close()
  }

  /// A power cut may keep any prefix of the log.
  @Test(arguments: [0.0, 0.13, 0.31, 0.5, 0.77, 0.99, 1.0])
  func `a torn log results in a prefix of the batches`(_ part: Double) async throws {
    let count = 12
    let store = try await begun(files: count)
    for ordinal in 0..<count { try await commit(ordinal, store, isDurable: false) }
    try Self.copy(folder, to: copy)
    await store.close()
    let log = try #require(try copy.contents()["run.sqlite-wal"])
    let kept = log.prefix(Int(Double(log.count) * part))
    try kept.write(to: URL(filePath: copy("run.sqlite-wal")))
    try FileManager.default.removeItem(atPath: copy("run.sqlite-shm"))
    let later = try await open(copy)
    let batches = try await later.history(after: 0, limit: 99).count
    let items = try await later.items(loop: 0, status: nil, after: -1, limit: 99)
    #expect(items.map(\.status) == (0..<count).map { $0 < batches ? .done : .pending })
    #expect(batches == count || part < 1)
    #expect(batches == 0 || part > 0)
    await later.close()
  }

  private func begun(files count: Int) async throws -> SQLiteCheckpointStore {
    let store = try await open(folder)
    _ = try await store.claim()
    _ = try await store.create(Sample.state(), items: [Sample.files(count)])
    return store
  }

  /// Batch number `ordinal`: one item is done.
  private func commit(
    _ ordinal: Int, _ store: SQLiteCheckpointStore, isDurable: Bool
  ) async throws {
    try await store.commit(
      Sample.batch(
        epoch: 1, [Sample.item(ordinal, .done)], events: [.timerFired], isDurable: isDurable))
  }

  // MARK: A full disk

  @Test func `a full disk does not leave half of a run`() async throws {
    let store = try await open(folder)
    try await store.limit(pages: 1)
    let failure = await expectFailure(.full) {
      _ = try await store.create(Sample.state(), items: [Sample.files(5000)])
    }
    #expect(failure?.message.contains(folder("run.sqlite")) == true)
    await expectFailure(.notFound) { _ = try await store.load() }
    try await store.limit(pages: 1 << 20)
    _ = try await store.create(Sample.state(), items: [Sample.files(5000)])
    #expect(try await store.load().loops[0].counts[.pending] == 5000)
    await store.close()
  }

  @Test func `a full disk is reported even if the enumeration continues`() async throws {
    let store = try await open(folder)
    try await store.limit(pages: 1)
    await expectFailure(.full) {
      _ = try await store.create(
        Sample.state(),
        items: [
          EnumeratedLoop(loop: 0) { yield in
            for ordinal in 0..<5000 { try? yield(Sample.subject(ordinal)) }
          }
        ])
    }
    await expectFailure(.notFound) { _ = try await store.load() }
    await store.close()
  }

  @Test func `a full disk stops at a checkpoint, and nothing is lost`() async throws {
    let store = try await begun(files: 2)
    try await store.limit(pages: 1)
    var kept = 0
    let failure = await expectFailure(.full) {
      while kept < 10_000 {
        var item = Sample.activeItem(kept % 2)
        item.reason = Failure(String(repeating: "x", count: 2000), status: kept)
        try await store.commit(Sample.batch(epoch: 1, [item], events: [.timerFired]))
        kept += 1
      }
    }
    #expect(failure != nil)
    #expect(try await store.history(after: 0, limit: 10_000).count == kept)
    let last = try #require(try await store.item(ItemKey(loop: 0, ordinal: (kept + 1) % 2)))
    #expect(last.reason?.status == (kept > 0 ? kept - 1 : nil))
    try await store.limit(pages: 1 << 20)
    try await commit(0, store, isDurable: true)
    await store.close()
    #expect(try await open(folder).history(after: 0, limit: 10_000).count == kept + 1)
  }

  @Test func `a disk that fills during a group commit does not keep any of its items`()
    async throws
  {
    let store = try await begun(files: 64)
    func commit(_ round: Int) async throws {
      let items = (0..<64).map { ordinal in
        var item = Sample.activeItem(ordinal)
        item.reason = Failure(String(repeating: "x", count: 200), status: round)
        return item
      }
      try await store.commit(Sample.batch(epoch: 1, items, events: [.timerFired]))
    }
    try await commit(0)
    try await store.limit(pages: 1)
    var rounds = 1
    await expectFailure(.full) {
      while rounds < 10_000 {
        try await commit(rounds)
        rounds += 1
      }
    }
    let statuses = try await store.items(loop: 0, status: nil, after: -1, limit: 100)
      .map(\.reason?.status)
    #expect(statuses == Array(repeating: rounds - 1, count: 64))
    #expect(try await store.history(after: 0, limit: 10_000).count == rounds)
    try await store.limit(pages: 1 << 20)
    try await commit(rounds)
    await store.close()
    #expect(try await open(folder).history(after: 0, limit: 10_000).count == rounds + 1)
  }

  // MARK: Tasks and secrets

  @Test func `a cancelled task still keeps its batch`() async throws {
    let store = try await begun(files: 1)
    try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await commit(0, store, isDurable: true)
    }.value
    #expect(try await store.item(ItemKey(loop: 0, ordinal: 0))?.status == .done)
    await store.close()
  }

  @Test func `no secret reaches the disk`() async throws {
    let store = try await open(folder)
    _ = try await store.claim()
    var state = Sample.state()
    Sample.fill(&state)
    state = try await store.create(state, items: [Sample.files(2)])
    let token = OutputValue(value: .string(Sample.secret), isSecret: true)
    let id = EffectID(run: state.id, item: nil, step: 0, generation: 1, attempt: 1)
    try await store.commit(
      Sample.batch(
        epoch: 1, [Sample.activeItem(1)],
        events: [.concluded(id, .success(StepResult(outputs: [token])))], state: state))
    let files = try folder.contents()
    #expect(files.keys.sorted() == ["run.sqlite", "run.sqlite-shm", "run.sqlite-wal"])
    #expect(files["run.sqlite-wal"]?.range(of: Data("sign_in".utf8)) != nil)
    for bytes in files.values { #expect(bytes.range(of: Data(Sample.secret.utf8)) == nil) }
    await store.close()
    let whole = try #require(try folder.contents()["run.sqlite"])
    #expect(whole.range(of: Data(Sample.secret.utf8)) == nil)
  }
}
