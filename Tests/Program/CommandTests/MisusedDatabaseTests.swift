import Foundation
import TestSupport
import Testing

/// Typical misuses of runs in a database.
@Suite(.enabled(if: DatabasePlace.address != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct MisusedDatabaseTests {
  @Test(arguments: [
    ["--detach"], ["--device", "ios"], ["--on-finish", "true"], ["--require-on-finish"],
    ["--max-duration", "1s"], ["--max-transfer", "1KB"],
  ])
  func `an option that is meaningless with a database is refused before the run is created`(
    option: [String]
  ) async throws {
    let place = try await DatabasePlace(files: 1)
    let refused = try await place.scene.pipeline.run(
      ["run", "upload.yaml", "--input", "server=\(place.server.url)", "--store", place.store]
        + option)
    #expect(refused.status == 64, "\(refused)")
    #expect(refused.error.contains("\(option[0]) does not go with --store"), "\(refused)")
    let worker = try await place.scene.pipeline.run(["work", "--store", place.store] + option)
    #expect(worker.status == 64, "\(worker)")
    let runs = try await place.run("runs")
    #expect(runs.output == "no runs in the database\n", "\(runs)")
  }

  @Test func `other shards than a run has are refused`() async throws {
    let place = try await DatabasePlace(files: 1)
    try await place.create("--name", "nightly")
    let other = try await place.run(
      "run", "upload.yaml", "--input", "server=\(place.server.url)", "--name", "nightly",
      "--continue", "--shards", "7")
    #expect(other.status == 2, "\(other)")
    #expect(other.error.contains("was started with --shards 4"), "\(other)")
  }

  @Test func `a list without files does not leave a run behind`() async throws {
    let place = try await DatabasePlace(files: 1)
    let empty = try await place.run(
      "run", "upload.yaml", "--input", "server=\(place.server.url)", "--input",
      "files=none/*.bin", "--name", "nightly")
    #expect(empty.status == 2, "\(empty)")
    let runs = try await place.run("runs")
    #expect(runs.output == "no runs in the database\n", "\(runs)")
  }

  @Test func `a run that was paused before it started is reported, and attach does not wait`()
    async throws
  {
    let place = try await DatabasePlace(files: 2)
    try await place.create("--name", "nightly")
    let paused = try await place.run("pause", "nightly")
    #expect(paused.status == 0, "\(paused)")
    for command in ["status", "attach"] {
      let shown = try await place.run(command, "nightly")
      #expect(shown.output.contains("4 paused: 2 pending"), "\(shown)")
      #expect(shown.output.contains("paused by `pipeline pause`"), "\(shown)")
      #expect(shown.output.contains("continue with `pipeline resume nightly"), "\(shown)")
    }
    // It has lain there for an hour.
    try DatabasePlace.sql(
      "UPDATE pipeline.shard SET began = began - 3600000, state = convert_to(regexp_replace(convert_from(state, 'UTF8'), '\"began\":[0-9]+', '\"began\":' || began - 3600000), 'UTF8')",
      on: place.store)
    let resumed = try await place.run("resume", "nightly", "--work", "--format", "json")
    #expect(resumed.status == 0, "\(resumed)")
    let each = try #require(try JSON.object(resumed.output)["each"] as? [[String: Any]])
    #expect(each.allSatisfy { ($0["worked_seconds"] as? Double).map { $0 < 600 } == true })
    let again = try await place.run("pause", "nightly")
    #expect(again.status == 0, "\(again)")
    #expect(again.output.contains("is finished; there is nothing to stop"), "\(again)")
    place.checkAllDone(2)
  }

  @Test func `a shard that a stopped worker released waits for another`() async throws {
    let place = try await DatabasePlace("--suspend-at", "60")
    try await place.create("--name", "nightly")
    let worker = try place.start("work", "--lease", "10m", "--at-most", "4")
    try await place.server.waitUntilSuspended()
    worker.signal(SIGTERM)
    worker.signal(SIGTERM)
    let stopped = try await worker.outcome()
    #expect(stopped.status == 130, "\(stopped)")
    place.server.goOn()
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains(" waiting"), "\(status)")
    #expect(!status.output.contains("paused"), "\(status)")
    let second = try await place.run("work", "--until-done")
    #expect(second.status == 0, "\(second)")
    place.checkAllDone()
  }

  @Test func `a run with failed items is kept until that is forced, and tried with its new files`()
    async throws
  {
    let place = try await DatabasePlace(files: 3)
    try await place.create("--name", "nightly")
    try place.scene.directory.write("other", to: "files/file-0001.bin")
    let first = try await place.run("work", "--run", "nightly", "--until-done")
    #expect(first.status == 1, "\(first)")
    #expect(first.output.contains("`pipeline explain nightly --store"), "\(first)")

    let kept = try await place.run("runs", "rm", "nightly")
    #expect(kept.status == 2, "\(kept)")
    #expect(kept.error.contains("is waiting; --force removes it anyway"), "\(kept)")
    let listed = try await place.run("runs", "--status", "unfinished")
    #expect(listed.output.contains("nightly"), "\(listed)")
    var explained = ""
    for shard in 1...4 { explained += try await place.run("explain", "nightly.\(shard)").output }
    #expect(explained.contains("`pipeline retry nightly --accept-changed-files --store"))
    // A run that was asked to continue can be paused.
    try DatabasePlace.sql(
      "UPDATE pipeline.shard SET wish = 'retry' WHERE counts[3] > 0", on: place.store)
    let paused = try await place.run("pause", "nightly")
    #expect(paused.output.contains("is paused; continue with"), "\(paused)")
    try DatabasePlace.sql("UPDATE pipeline.shard SET wish = NULL", on: place.store)
    let again = try await place.run("retry", "nightly", "--accept-changed-files", "--work")
    #expect(again.status == 0, "\(again)")
    place.checkAllDone(3)

    let finished = try await place.run("runs", "--status", "unfinished")
    #expect(finished.output == "no such runs in the database\n", "\(finished)")
    let removed = try await place.run("runs", "rm", "nightly", "nightly")
    #expect(removed.status == 0, "\(removed)")
  }

  @Test func `the name of a run comes before the number of a shard`() async throws {
    let place = try await DatabasePlace(files: 1)
    try await place.create("--name", "nightly")
    try await place.create("--name", "nightly.1")
    let whole = try await place.run("status", "nightly.1")
    #expect(whole.output.contains("run 'nightly.1' in 4 shards: 4 waiting"), "\(whole)")
    let shard = try await place.run("status", "nightly.2")
    #expect(shard.output.contains("run 'nightly' in 4 shards: 1 waiting"), "\(shard)")
    #expect(!shard.output.contains("not found"), "\(shard)")
  }

  @Test func `an address that is not PostgreSQL's is refused with an example`() async throws {
    let scene = try Scene()
    let run = try await scene.pipeline.run("work", "--store", "mysql://db/runs")
    #expect(run.status == 64, "\(run)")
    #expect(run.error.contains("expected the address of a PostgreSQL database"), "\(run)")
  }
}
