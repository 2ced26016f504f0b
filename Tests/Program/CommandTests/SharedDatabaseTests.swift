import Foundation
import TestSupport
import Testing

/// How runs and shards share workers and rates.
@Suite(.enabled(if: DatabasePlace.address != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct SharedDatabaseTests {
  @Test func `a run that must wait for an hour occupies no worker`() async throws {
    let place = try await DatabasePlace()
    let patient =
      #"{"match": "login", "do": "answer", "status": 503, "headers": {"Retry-After": "3600"}}"#
    let gate = try await place.scene.gate(to: place.server, [patient])
    try await place.create("--name", "waiting", server: gate.url)
    let worker = try place.start("work", "--progress", "plain")
    try await worker.wait("4 shards that are put aside") {
      worker.error.ranges(of: "has nothing to do for").count == 4
    }
    let status = try await place.run("status", "waiting")
    #expect(status.output.contains("4 shards: 4 waiting: 30 pending"), "\(status)")
    #expect(status.output.contains("nothing to do until"), "\(status)")
    try await place.create("--name", "urgent")
    try await worker.wait("4 shards that are done") {
      worker.error.ranges(of: "is finished").count == 4
    }
    place.checkAllDone()
    worker.signal(SIGTERM)
    #expect(try await worker.outcome().status == 130)
  }

  @Test func `a busy worker makes room for a run with a higher priority`() async throws {
    let place = try await DatabasePlace("--suspend-at", "30")
    try await place.create("--name", "large")
    let worker = try place.start(
      "work", "--until-done", "--at-most", "4", "--lease", "1s", "--progress", "plain")
    try await place.server.waitUntilSuspended()
    try await place.create("--name", "urgent", "--priority", "1", "--weight", "2")
    try await worker.wait(for: "of run 'large' makes room for another run")
    try await worker.wait(for: "of run 'urgent'")
    place.server.goOn()
    let outcome = try await worker.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(place.server.journal.count { $0.event == "finalize" } == 60)
    let stored = try DatabasePlace.sql(
      "SELECT priority || ' ' || weight FROM pipeline.run WHERE name = 'urgent'", on: place.store)
    #expect(stored == "1 2")
  }

  @Test func `the shards of a worker share the rate of its command line`() async throws {
    let place = try await DatabasePlace(files: 10)
    try await place.create("--name", "nightly")
    let clock = ContinuousClock()
    let begun = clock.now
    let worked = try await place.run(
      "work", "--until-done", "--at-most", "4", "--requests-per-second", "8")
    let seconds = (clock.now - begun) / .seconds(1)
    #expect(worked.status == 0, "\(worked)")
    place.checkAllDone(10)
    // Each of the four shards may send its first request at once.
    #expect(Double(place.server.requests) <= 8 * seconds + 4, "\(seconds) s")
  }

  @Test func `a shard has its part of the rate at once when its worker claims or releases others`()
    async throws
  {
    let definition = ExpiryTests.definition.replacing(
      "inputs:\n", with: "budgets: { requests_per_second: 40 }\ninputs:\n")
    let place = try await DatabasePlace(definition: definition)
    let created = try await place.run(
      "run", "upload.yaml", "--input", "server=\(place.server.url)", "--shards", "12",
      "--create-only", "--name", "paced")
    #expect(created.status == 0, "\(created)")
    // With a sixteenth of an equal part, the first token of a shard comes after 4.8 s, which is later than a lease.
    let worked = try await place.run(
      "work", "--run", "paced", "--until-done", "--at-most", "4", "--lease", "3s",
      "--progress", "plain")
    #expect(worked.status == 0, "\(worked)")
    #expect(worked.error.ranges(of: "claimed shard").count == 12, "\(worked)")
    place.checkAllDone()
  }
}
