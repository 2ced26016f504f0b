import PipelineConformance
import PipelineEngine
import PipelinePostgreSQL
import Testing

/// The contract of every store, on a real server.
@Suite(.enabled(if: server != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct PostgreSQLConformanceTests {
  @Test(arguments: StoreCheck.all)
  func `a store obeys its contract`(_ check: StoreCheck) async throws {
    let address = try #require(server)
    let run = "conformance \(UInt64.random(in: 0 ... .max))"
    let failures = await check.failures { pipeline in
      let open = { @Sendable () async throws -> any CheckpointStore in
        try await PostgreSQLCheckpointStore(
          address: address, run: run, schema: TestRun.schema, pipeline: pipeline)
      }
      return StoreUnderTest(try await open(), reopened: open)
    }
    for failure in failures { Issue.record("\(failure)") }
  }
}
