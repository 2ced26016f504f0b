import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import Testing

/// How a store gets from one version of its form to the next, with an invented version 2.
struct MigrationTests {
  private let folder: TemporaryFolder
  private var path: String { folder("run.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private static let second = Schema.run.adding(
    """
    ALTER TABLE run ADD COLUMN note TEXT NOT NULL DEFAULT 'none';
    CREATE TABLE remark (id INTEGER PRIMARY KEY) STRICT;
    """)

  private func open(_ schema: Schema) async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore(path: path, pipeline: Sample.pipeline, schema: schema)
  }

  /// A closed store of version 1 with a run of three files, stored by the program 0.0.9.
  private func closedRun() async throws {
    let store = try await open(.run)
    _ = try await store.claim()
    _ = try await store.create(Sample.state(), items: [Sample.files(3)])
    await store.close()
    try Database(path: path).execute("UPDATE meta SET program = '0.0.9'")
  }

  private func written() throws -> String? {
    try Database(path: path).first("SELECT version, program FROM meta") {
      "\(try $0.integer(0)) by \(try $0.text(1))"
    }
  }

  @Test func `a store of version 1 is migrated to version 2, with all that it has`() async throws {
    try await closedRun()
    let store = try await open(Self.second)
    #expect(try await store.load().loops[0].counts[.pending] == 3)
    #expect(try await store.items(loop: 0, status: .pending, after: -1, limit: 9).count == 3)
    #expect(try await store.claim() == 2)
    await store.close()
    let program = try #require(try written()?.split(separator: " ").last)
    #expect(try written() == "2 by \(program)" && program != "0.0.9")
    let note = try Database(path: path).first("SELECT note FROM run") { try $0.text(0) }
    #expect(note == "none")
    // A second time, there is nothing to do.
    await (try await open(Self.second)).close()
    #expect(try written() == "2 by \(program)")
  }

  @Test func `a store that is new gets all versions at once`() async throws {
    let store = try await open(Self.second)
    _ = try await store.create(Sample.state(), items: [Sample.files(1)])
    await store.close()
    #expect(try written()?.hasPrefix("2 by ") == true)
    #expect(try Database(path: path).integer("SELECT count(*) FROM remark") == 0)
  }

  @Test func `the program of version 1 refuses a store of version 2 and leaves it as it is`()
    async throws
  {
    try await closedRun()
    await (try await open(Self.second)).close()
    let bytes = try Data(contentsOf: URL(filePath: path))
    let failure = await expectFailure(.otherVersion) { _ = try await open(.run) }
    #expect(failure?.message.contains("in form 2, and this program") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test func `a migration that fails changes nothing`() async throws {
    try await closedRun()
    let broken = Self.second.adding("ALTER TABLE nothing ADD COLUMN note TEXT")
    await expectFailure(.system) { _ = try await open(broken) }
    #expect(try written() == "1 by 0.0.9")
    #expect(
      try Database(path: path).integer("SELECT count(*) FROM sqlite_master WHERE name = 'remark'")
        == 0)
    await (try await open(.run)).close()
  }

  @Test func `of programs that migrate at once, one does`() async throws {
    try await closedRun()
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { await (try await open(Self.second)).close() }
      }
      try await group.waitForAll()
    }
    #expect(try written()?.hasPrefix("2 by ") == true)
  }
}
