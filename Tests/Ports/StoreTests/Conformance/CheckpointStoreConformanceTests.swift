import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import Testing

/// The implementations of ``CheckpointStore`` in this package.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case inMemory, simulated, sqlite

  var testDescription: String { rawValue }

  @Sendable func make(_ pipeline: Pipeline) async throws -> StoreUnderTest {
    switch self {
    case .inMemory: return StoreUnderTest(InMemoryCheckpointStore(pipeline))
    case .simulated: return StoreUnderTest(TableStore(pipeline))
    case .sqlite:
      let folder = try TemporaryFolder()
      let open = { @Sendable () async throws -> any CheckpointStore in
        try await SQLiteCheckpointStore(path: folder("run.sqlite"), pipeline: pipeline)
      }
      return StoreUnderTest(try await open(), reopened: open)
    }
  }
}

/// What every store owes.
struct CheckpointStoreConformanceTests {
  @Test(arguments: StoreKind.allCases, StoreCheck.all)
  func `a store obeys its contract`(_ kind: StoreKind, _ check: StoreCheck) async {
    for failure in await check.failures(of: kind.make) {
      Issue.record(
        "\(failure.message)",
        sourceLocation: Testing.SourceLocation(
          fileID: failure.fileID, filePath: failure.filePath, line: failure.line, column: 1))
    }
  }

  @Test func `each check has a name of its own`() {
    #expect(Set(StoreCheck.all.map(\.name)).count == StoreCheck.all.count)
  }

  @Test func `a store that cannot be made is a failure`() async throws {
    let failure = StoreFailure(.system, message: "there is no server")
    let check = try #require(StoreCheck.all.first)
    let failures = await check.failures { _ in throw failure }
    #expect(failures.map(\.message) == ["no store was created: there is no server"])
  }
}
