import PipelineConformance
import PipelineEngine
import PipelinePostgreSQL
import Testing

/// A server that cannot be used is refused with what to do about it.
struct OpeningTests {
  private func refusal(_ address: String) async throws -> String {
    let check = try #require(StoreCheck.all.first)
    let failures = await check.failures { pipeline in
      StoreUnderTest(
        try await PostgreSQLCheckpointStore(
          address: address, run: "a", schema: "pipeline_refused", pipeline: pipeline))
    }
    return failures.map(\.message).joined(separator: "\n")
  }

  @Test func `a server that is down is named without its password`() async throws {
    // Nothing listens on port 1.
    let message = try await refusal("postgresql://user:sesame@127.0.0.1:1/database")
    #expect(message.contains("cannot be reached"))
    #expect(message.contains("127.0.0.1"))
    #expect(!message.contains("sesame"))
  }

  @Test(.enabled(if: server != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
  func `a read-only server is refused, and the message names the alternative`() async throws {
    let address = try #require(server)
    let options = "options=-c%20default_transaction_read_only%3Don"
    let message = try await refusal(address + (address.contains("?") ? "&" : "?") + options)
    #expect(message.contains("is read-only, and a store must be writable"))
  }
}
