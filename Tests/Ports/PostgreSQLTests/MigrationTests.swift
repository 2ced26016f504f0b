import PipelineCore
import PipelineEngine
import PipelinePostgreSQL
import Testing

/// How a database gets from one version of its form to the next, with an invented version 2.
@Suite(.enabled(if: server != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct MigrationTests {
  /// A PostgreSQL schema of the test's own.
  private let name = "migration_\(UInt64.random(in: 0 ... .max))"

  private static let second = Schema.current.adding(
    "ALTER TABLE run ADD COLUMN note text NOT NULL DEFAULT 'none'")

  private func open(_ tables: Schema) async throws -> PostgreSQLRuns {
    try await PostgreSQLRuns(
      address: try #require(server), schema: name, patience: .zero, tables: tables)
  }

  private func refusal(_ tables: Schema) async throws -> StoreFailure? {
    do {
      await (try await open(tables)).close()
      return nil
    } catch let failure as StoreFailure {
      return failure
    }
  }

  @Test func `a database of version 1 is migrated, and then the program of version 1 refuses it`()
    async throws
  {
    let first = try await open(.current)
    let run = try await TestRun.created(in: first, shards: 1)
    await first.close()
    let second = try await open(Self.second)
    #expect(try await second.runs(called: run.id.rawValue).count == 1)
    await second.close()
    let failure = try await refusal(.current)
    #expect(failure?.kind == .otherVersion)
    #expect(failure?.message.contains("in form 2, and this program") == true)
    // It was left as it is.
    #expect(try await refusal(Self.second) == nil)
  }

  @Test func `a migration that fails changes nothing`() async throws {
    await (try await open(.current)).close()
    let broken = Self.second.adding("ALTER TABLE nothing ADD COLUMN note text")
    #expect(try await refusal(broken) != nil)
    #expect(try await refusal(.current) == nil)
  }

  @Test func `of programs that create the tables at once, one does`() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { await (try await open(.current)).close() } }
      try await group.waitForAll()
    }
    #expect(try await refusal(.current) == nil)
  }
}
