import PipelineConformance
import PipelineEngine
@testable import PipelinePostgreSQL
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
  func `a role that may no longer log in is waited for, but not at the start`() async throws {
    let role = "role_\(UInt64.random(in: 0 ... .max))"
    let runs = try await TestRun.connect()
    func alter(_ text: String) async throws {
      try await runs.connection.perform(repeats: false) { _ = try $0.query(text) }
    }
    try await alter("CREATE ROLE \(role) SUPERUSER NOLOGIN")
    let address = try #require(server).replacing(#/\/\/[^@\/]*@/#, with: "//\(role)@")
    let patience = Duration.seconds(1)
    func open() async throws -> PostgreSQLRuns {
      try await PostgreSQLRuns(address: address, schema: TestRun.schema, patience: patience)
    }
    await #expect(throws: StoreFailure.self) { _ = try await open() }
    try await alter("ALTER ROLE \(role) LOGIN")
    let theirs = try await open()
    try await alter("ALTER ROLE \(role) NOLOGIN")
    try await alter(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
    let began = ContinuousClock.now
    await #expect(throws: StoreFailure.self) { _ = try await theirs.all() }
    #expect(ContinuousClock.now - began >= patience)
    await theirs.close()
    try await alter("DROP ROLE \(role)")
    await runs.close()
  }

  @Test(.enabled(if: server != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
  func `a read-only server is refused, and the message names the alternative`() async throws {
    let address = try #require(server)
    let options = "options=-c%20default_transaction_read_only%3Don"
    let message = try await refusal(address + (address.contains("?") ? "&" : "?") + options)
    #expect(message.contains("is read-only, and a store must be writable"))
  }
}
