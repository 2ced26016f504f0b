import Basics
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import Testing

/// A store's treatment of files that it cannot use, and with folders that move.
struct SQLiteFilesTests {
  private let folder: TemporaryFolder
  private var path: String { folder("run.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ path: String) async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore(path: path, pipeline: Sample.pipeline)
  }

  /// A closed store with a run of `count` files.
  private func closedRun(files count: Int) async throws {
    let store = try await open(path)
    let epoch = try await store.claim()
    _ = try await store.create(Sample.state(), items: [Sample.files(count)])
    try await store.commit(
      Sample.batch(epoch: epoch, [Sample.activeItem(0)], events: [.runBegan]))
    await store.close()
  }

  private func edit(_ sql: String) throws {
    try Database(path: path).execute(sql)
  }

  /// Expects that opening fails in every way with a message that names the file, and leaves the
  /// file as it is.
  ///
  /// - Returns: The last failure.
  @discardableResult
  private func expectRefusal(
    _ kind: StoreFailure.Kind, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> StoreFailure? {
    let before = try Data(contentsOf: URL(filePath: path))
    let path = path
    let attempts: [() async throws -> Void] = [
      { _ = try await open(path) },
      {
        _ = try await SQLiteCheckpointStore.openReadOnly(path: path, pipeline: Sample.pipeline)
      },
      { _ = try await SQLiteCheckpointStore.peek(path: path) },
    ]
    var failure: StoreFailure?
    for attempt in attempts {
      failure = await expectFailure(kind, sourceLocation: sourceLocation, attempt)
      #expect(failure?.message.contains(path) == true, sourceLocation: sourceLocation)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before, sourceLocation: sourceLocation)
    return failure
  }

  @Test(arguments: [0, 2, 9999])
  func `another version's store is refused, left as it is, and its program is named`(
    _ version: Int
  ) async throws {
    try await closedRun(files: 3)
    try edit("UPDATE meta SET version = \(version), program = '7.8.9'")
    let failure = try await expectRefusal(.otherVersion)
    #expect(failure?.message.contains("version 7.8.9 of the program wrote") == true)
    #expect(failure?.message.contains("in form \(version),") == true)
  }

  @Test func `a store without a version is refused and not changed`() async throws {
    try await closedRun(files: 3)
    try edit("DROP TABLE meta")
    let failure = try await expectRefusal(.otherVersion)
    #expect(failure?.message.contains("an unreleased version of the program wrote") == true)
  }

  @Test func `a store names the program that wrote it`() async throws {
    try await closedRun(files: 3)
    let program = try Database(path: path).first("SELECT program FROM meta") { try $0.text(0) }
    #expect(program == Version.current)
  }

  @Test func `random bytes are not a store`() async throws {
    var generator = SplitMix64(seed: 7)
    let bytes = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try Data(bytes).write(to: URL(filePath: path))
    try await expectRefusal(.corrupt)
  }

  @Test func `another program's database is left as it is`() async throws {
    try edit("CREATE TABLE person (name TEXT)")
    try await expectRefusal(.corrupt)
  }

  @Test func `a folder in the place of the file is refused`() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    await expectFailure(.readOnly) { _ = try await open(path) }
  }

  @Test func `a missing folder is named`() async throws {
    let failure = await expectFailure(.readOnly) { _ = try await open(folder("gone/run.sqlite")) }
    #expect(failure?.message.contains("gone/run.sqlite") == true)
  }

  @Test func `a missing file has no run, and reading it does not create one`() async throws {
    await expectFailure(.notFound) { _ = try await SQLiteCheckpointStore.peek(path: path) }
    await expectFailure(.notFound) {
      _ = try await SQLiteCheckpointStore.openReadOnly(path: path, pipeline: Sample.pipeline)
    }
    #expect(try folder.contents().isEmpty)
  }

  @Test func `a store without a run has no summary`() async throws {
    let store = try await open(path)
    await expectFailure(.notFound) { _ = try await SQLiteCheckpointStore.peek(path: path) }
    await store.close()
  }

  @Test(arguments: [0.9, 0.5, 0.2])
  func `a truncated store is reported as damaged`(_ part: Double) async throws {
    try await closedRun(files: 3000)
    let whole = try Data(contentsOf: URL(filePath: path))
    try whole.prefix(Int(Double(whole.count) * part)).write(to: URL(filePath: path))
    await expectFailure(.corrupt) {
      let store = try await open(path)
      _ = try await store.load()
      _ = try await store.items(loop: 0, status: nil, after: -1, limit: 3000)
    }
  }

  /// For any flipped page, the store responds or reports that it is damaged; it never traps.
  @Test(arguments: 1...20)
  func `flipped pages never bring the process down`(_ page: Int) async throws {
    try await closedRun(files: 400)
    var bytes = try Data(contentsOf: URL(filePath: path))
    let start = page * 4096
    try #require(bytes.count >= 21 * 4096)
    for index in start..<(start + 4096) { bytes[index] ^= 0xA5 }
    try bytes.write(to: URL(filePath: path))
    do {
      let store = try await open(path)
      let epoch = try await store.claim()
      _ = try await store.load()
      let items = try await store.items(loop: 0, status: nil, after: -1, limit: 1000)
      #expect(items.map(\.key.ordinal) == Array(0..<400))
      _ = try await store.items(loop: 0, status: .pending, after: -1, limit: 1000)
      _ = try await store.history(after: 0, limit: 10)
      try await store.commit(
        Sample.batch(epoch: epoch, items.map { Sample.item($0.key.ordinal, .done) }))
    } catch let failure as StoreFailure {
      #expect(failure.kind == .corrupt)
    }
  }

  @Test(arguments: ["state", "subject", "progress"])
  func `stored text that is not JSON is reported as damaged`(_ column: String) async throws {
    try await closedRun(files: 3)
    let table = ["state": "run", "subject": "subject", "progress": "item"][column] ?? ""
    try edit("UPDATE \(table) SET \(column) = CAST('{\"format\":' AS BLOB)")
    let store = try await open(path)
    let failure = await expectFailure(.corrupt) {
      _ = try await store.load()
      _ = try await store.items(loop: 0, status: nil, after: -1, limit: 9)
    }
    #expect(failure?.message.contains(path) == true)
  }

  @Test func `a folder can be moved`() async throws {
    try await closedRun(files: 3)
    let other = try TemporaryFolder()
    let moved = other("elsewhere")
    try FileManager.default.moveItem(atPath: folder.path, toPath: moved)
    let store = try await open(moved + "/run.sqlite")
    #expect(try await store.load().loops[0].active.keys.sorted() == [0])
    await store.close()
    let bytes = try Data(contentsOf: URL(filePath: moved + "/run.sqlite"))
    #expect(bytes.range(of: Data(folder.path.utf8)) == nil)
  }

  @Test func `closing leaves one file, and closing again does nothing`() async throws {
    let store = try await open(path)
    _ = try await store.create(Sample.state(), items: [Sample.files(3)])
    await store.close()
    await store.close()
    #expect(try folder.contents().keys.sorted() == ["run.sqlite"])
    let failure = await expectFailure(.system) { _ = try await store.load() }
    #expect(failure?.message.contains("closed") == true)
  }
}
