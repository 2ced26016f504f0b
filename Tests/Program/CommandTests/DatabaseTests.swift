import Basics
import Foundation
import JSONSchema
import PipelineCommands
import TestSupport
import Testing

/// Runs in a PostgreSQL database, of which several processes do parts.
@Suite(.enabled(if: DatabasePlace.address != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct DatabaseTests {
  @Test func `a run in a database sends each file once, and is read from anywhere`() async throws {
    let place = try await DatabasePlace()
    let run = try await place.run(
      "run", "upload.yaml", "--input", "server=\(place.server.url)", "--shards", "4", "--name",
      "nightly", "--format", "json")
    #expect(run.status == 0, "\(run)")
    let report = try JSON.object(run.output)
    #expect(report["shards"] as? Int == 4 && report["name"] as? String == "nightly")
    #expect((report["items"] as? [String: Int])?["done"] == 30)
    place.checkAllDone()

    let items = try await place.run("items", "nightly", "--format", "csv")
    #expect(items.output.split(separator: "\n").count == 31, "\(items)")
    let explained = try await place.run("explain", "file-0007.bin")
    #expect(explained.output.contains("file-0007.bin: done"), "\(explained)")
    let history = try await place.run("history", "nightly", "file-0007.bin")
    #expect(history.output.contains("finalize success"), "\(history)")
    for (name, missing) in [("nightly.9", "shard 9"), ("nightly.lead", "lead")] {
      let none = try await place.run("explain", name)
      #expect(none.status == 2, "\(none)")
      #expect(
        none.error.contains("run 'nightly' has no \(missing); its shards are 1 to 4"), "\(none)")
    }
    let runs = try await place.run("runs")
    #expect(runs.output.contains("nightly  30 done"), "\(runs)")
    // The folder on this machine was for the time of the work.
    let left = try? FileManager.default.contentsOfDirectory(
      atPath: place.scene.pipeline.stateFolder + "/workers")
    #expect(left == [])
  }

  @Test func `a worker that is killed loses its shards to another`() async throws {
    let place = try await DatabasePlace("--suspend-at", "60")
    try await place.create()
    let first = try place.start("work", "--lease", "1s", "--at-most", "4")
    try await place.server.waitUntilSuspended()
    first.signal(SIGKILL)
    place.server.goOn()
    let second = try await place.run("work", "--until-done", "--lease", "1s")
    #expect(second.status == 0, "\(second)")
    place.checkAllDone()
  }

  @Test func `a worker that was stopped for longer than its lease changes nothing when it wakes`()
    async throws
  {
    let place = try await DatabasePlace("--suspend-at", "60")
    try await place.create()
    let first = try place.start("work", "--lease", "1s", "--at-most", "4", "--until-done")
    try await place.server.waitUntilSuspended()
    first.signal(SIGSTOP)
    // Its requests are answered now, and it reads the answers when it wakes.
    place.server.goOn()
    let second = try await place.run("work", "--until-done", "--lease", "1s")
    #expect(second.status == 0, "\(second)")
    first.signal(SIGCONT)
    let woken = try await first.outcome()
    #expect(woken.status == 0, "\(woken)")
    #expect(woken.error.contains("was claimed by another worker"), "\(woken)")
    place.checkAllDone()
  }

  @Test func `a worker that is stopped by a signal releases its shards at once`() async throws {
    let place = try await DatabasePlace("--suspend-at", "60")
    try await place.create()
    let first = try place.start("work", "--lease", "10m", "--at-most", "4")
    try await place.server.waitUntilSuspended()
    first.signal(SIGTERM)
    let stopped = try await first.outcome()
    place.server.goOn()
    #expect(stopped.status == 130, "\(stopped)")
    #expect(stopped.error.contains("other workers continue with the shards"), "\(stopped)")
    let second = try await place.run("work", "--until-done")
    #expect(second.status == 0, "\(second)")
    place.checkAllDone()
  }

  @Test func `shards go to a worker that comes later`() async throws {
    let place = try await DatabasePlace("--suspend-at", "20")
    try await place.create()
    let words = ["work", "--lease", "1s", "--at-most", "4", "--until-done", "--concurrency", "1"]
    let first = try place.start(words)
    try await place.server.waitUntilSuspended()
    let second = try place.start(words)
    try await first.wait(for: "is passed to a worker that has fewer")
    try await second.wait(for: "claimed shard")
    place.server.goOn()
    for worker in [first, second] {
      let outcome = try await worker.outcome()
      #expect(outcome.status == 0, "\(outcome)")
    }
    place.checkAllDone()
  }

  @Test func `a worker pauses a run at once, however long its lease is`() async throws {
    let place = try await DatabasePlace("--suspend-at", "60")
    try await place.create("--name", "nightly")
    let worker = try place.start("work", "--lease", "10m", "--at-most", "4")
    try await place.server.waitUntilSuspended()
    let paused = try await place.run("pause", "nightly")
    #expect(paused.output.contains("run 'nightly' is paused"), "\(paused)")
    place.server.goOn()
    worker.signal(SIGTERM)
    #expect(try await worker.outcome().status == 130)
  }

  @Test func `pause, resume and cancel work on all shards`() async throws {
    let place = try await DatabasePlace()
    // In each shard an item stands before the content of its file.
    let gate = try await place.scene.gate(
      to: place.server, [#"{"match": "/content", "do": "hold", "from": 5}"#])
    try await place.create("--name", "nightly", server: gate.url)
    let worker = try place.start("work", "--lease", "1s", "--at-most", "4", "--concurrency", "1")
    try await worker.wait("4 held uploads") { gate.held == 4 }
    let paused = try await place.run("pause", "nightly")
    #expect(paused.status == 0, "\(paused)")
    #expect(paused.output.contains("run 'nightly' is paused"), "\(paused)")
    let before = place.server.requests
    let runs = try await place.run("runs", "--format", "json")
    #expect(runs.output.contains("\"status\":\"paused\""), "\(runs)")
    #expect(place.server.requests == before)
    let cancelled = try await place.run("cancel", "nightly", "--work")
    // An item whose last request was interrupted by the pause may have left something at the server.
    #expect(cancelled.status <= 1, "\(cancelled)")
    #expect(cancelled.output.contains("4 cancelled"), "\(cancelled)")
    worker.signal(SIGTERM)
    _ = try await worker.outcome()
  }

  @Test func `work that a worker with another password leaves is done from anywhere`()
    async throws
  {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    var wrong = place.scene.pipeline
    wrong.environment["PIPELINE_INPUT_PASSWORD"] = "wrong"
    let refused = try await wrong.run(["work", "--until-done", "--store", place.store])
    #expect(refused.status == 3, "\(refused)")
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains("4 waiting: 30 pending"), "\(status)")
    #expect(status.output.contains("left to other workers by"), "\(status)")
    let resumed = try await place.run("resume", "nightly", "--work")
    #expect(resumed.status == 0, "\(resumed)")
    place.checkAllDone()
    let again = try await place.run("retry", "nightly")
    #expect(again.status == 0 && again.output.contains("no item of run 'nightly'"), "\(again)")
  }

  @Test func `JSON output conforms to the schemas`() async throws {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    let worked = try await place.run(
      "work", "--run", "nightly", "--until-done", "--progress", "json")
    let lines = worked.output.split(separator: "\n").map(String.init)
    let runs = try await place.run("runs", "--format", "json")
    for (name, texts) in [("worker-progress", lines), ("database-runs", [runs.output])] {
      let text = try #require(PrintedSchema.all.first { $0.name == name }).text()
      let schema = try Schema.compile(
        try JSONReader().read(text).root, options: .init(assertsFormat: true))
      var members = try SchemaMembers(text)
      #expect(!texts.isEmpty)
      for text in texts {
        let findings = schema.validate(try JSONReader().read(text).root).findings
        #expect(findings.isEmpty, "\(findings): \(text)")
        try members.look(at: text)
      }
      // The possible members of a shard's report are known from runs without a database.
      let missing = members.declared.subtracting(members.seen).filter {
        !$0.contains("each.") && !$0.contains("items.")
      }
      #expect(missing == [], "\(name)")
    }
  }

  @Test func `a run whose secrets a worker lacks is left to others, and its own are worked on`()
    async throws
  {
    let place = try await DatabasePlace()
    try await place.create("--name", "theirs")
    try place.scene.directory.write(
      ExpiryTests.definition.replacing("password: {", with: "phrase: {")
        .replacing("inputs.password", with: "inputs.phrase"), to: "ours.yaml")
    var ours = place.scene.pipeline
    ours.environment["PIPELINE_INPUT_PHRASE"] = ours.environment["PIPELINE_INPUT_PASSWORD"]
    ours.environment["PIPELINE_INPUT_PASSWORD"] = nil
    let created = try await ours.run([
      "run", "ours.yaml", "--input", "server=\(place.server.url)", "--shards", "2",
      "--create-only", "--name", "ours", "--store", place.store,
    ])
    #expect(created.status == 0, "\(created)")

    let worked = try await ours.run(["work", "--until-done", "--store", place.store])
    #expect(worked.status == 2, "\(worked)")
    #expect(worked.error.contains("run 'theirs' is left to other workers:"), "\(worked)")
    #expect(worked.error.contains("PIPELINE_INPUT_PASSWORD"), "\(worked)")
    let states = try await place.run("runs")
    #expect(states.output.contains("ours    30 done"), "\(states)")
    let others = try await place.run("work", "--until-done")
    #expect(others.status == 0, "\(others)")
    let status = try await place.run("status", "theirs")
    #expect(status.output.contains("4 shards: 4 finished:"), "\(status)")
  }

  @Test func `a shard that cannot be stored is tried five times, and others are worked on`()
    async throws
  {
    let place = try await DatabasePlace()
    try await place.create("--name", "poisoned")
    // The first shard's batches are refused, as those with a text that the database cannot store.
    try DatabasePlace.sql(
      """
      CREATE FUNCTION pipeline.refuse() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
        IF NEW.shard = 1 THEN RAISE EXCEPTION 'poison'; END IF; RETURN NEW; END $body$;
      CREATE TRIGGER refuse BEFORE INSERT ON pipeline.history
        FOR EACH ROW EXECUTE FUNCTION pipeline.refuse();
      """, on: place.store)
    try DatabasePlace.sql("UPDATE pipeline.shard SET attempts = 3 WHERE shard = 1", on: place.store)
    let worked = try await place.run("work", "--until-done")
    #expect(worked.error.contains("could not be worked on"), "\(worked)")
    let status = try await place.run("status", "poisoned")
    #expect(status.output.contains("3 finished, 1 failed to run"), "\(status)")
    #expect(status.output.contains("reports \"poison\" (P0001); tried 5 times"), "\(status)")
    try DatabasePlace.sql("DROP TRIGGER refuse ON pipeline.history", on: place.store)
    let resumed = try await place.run("resume", "poisoned", "--work")
    #expect(resumed.status == 0, "\(resumed)")
    let done = try await place.run("status", "poisoned")
    #expect(done.output.contains("4 finished"), "\(done)")
  }

  @Test func `workers use one rotating sign-in in turn, and no token twice`() async throws {
    let place = try await DatabasePlace(files: 6, definition: CredentialTests.rotating)
    var pipeline = place.scene.pipeline
    pipeline.environment["PIPELINE_INPUT_REFRESH"] = "r-token-0"
    pipeline.environment["PIPELINE_KEY"] = "a key that no one guesses"
    let credentials = CredentialTests()
    let (server, url) = try await credentials.start(place.scene)
    defer { withExtendedLifetime(server) {} }
    let names = ["one", "two", "three"]
    for name in names {
      let created = try await pipeline.run([
        "run", "upload.yaml", "--input", "server=\(url)", "--shards", "2", "--create-only",
        "--name", name, "--store", place.store,
      ])
      #expect(created.status == 0, "\(created)")
    }
    let workers = try names.map { name in
      try pipeline.start(["work", "--run", name, "--until-done", "--store", place.store])
    }
    for worker in workers {
      let outcome = try await worker.outcome()
      #expect(outcome.status == 0, "\(outcome)")
    }
    let end = try await credentials.state(url, place.scene)
    #expect(end.refused.isEmpty && end.issued >= names.count, "\(end)")
    #expect(end.put.count == 6)
    let kept = try DatabasePlace.sql("SELECT sealed FROM pipeline.credential", on: place.store)
    #expect(!kept.isEmpty && !kept.contains("r-token"), "\(kept)")
  }

  @Test func `a worker reports when the database last confirmed its leases`() async throws {
    let place = try await DatabasePlace(files: 1)
    try await place.create()
    let nowhere = try await place.run("work", "--until-done", "--heartbeat", "none/heartbeat")
    #expect(nowhere.status == 3, "\(nowhere)")
    #expect(nowhere.error.contains("cannot write the heartbeat to 'none/heartbeat'"), "\(nowhere)")
    let worked = try await place.run("work", "--until-done", "--heartbeat", "heartbeat")
    #expect(worked.status == 0, "\(worked)")
    let text = try String(
      contentsOf: place.scene.directory.url.appending(path: "heartbeat"), encoding: .utf8)
    #expect(text.hasPrefix("20") && text.hasSuffix("Z\n"), "\(text)")
  }

  @Test func `the status of 512 shards is a few queries`() async throws {
    let place = try await DatabasePlace(files: 4)
    let created = try await place.run(
      "run", "upload.yaml", "--input", "server=\(place.server.url)", "--shards", "512",
      "--create-only", "--name", "nightly")
    #expect(created.status == 0, "\(created)")
    let before = try place.searchesOfShards()
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains("512 shards"), "\(status)")
    let searches = try place.searchesOfShards() - before
    #expect((1..<20).contains(searches), "\(searches)")
  }

  @Test func `old runs are pruned, and those that are not finished are kept`() async throws {
    let place = try await DatabasePlace(files: 2)
    for name in ["first", "second"] {
      try await place.create("--name", name)
      let worked = try await place.run("work", "--run", name, "--until-done")
      #expect(worked.status == 0, "\(worked)")
    }
    try await place.create("--name", "open")
    let young = try await place.run("runs", "prune", "--older-than", "1h")
    #expect(young.output == "0 runs removed\n", "\(young)")
    let dry = try await place.run("runs", "prune", "--keep", "1", "--dry-run")
    #expect(dry.output.hasSuffix("  first\n1 run would be removed\n"), "\(dry)")
    let pruned = try await place.run("runs", "prune", "--keep", "0")
    #expect(pruned.output.hasSuffix("  second\n2 runs removed\n"), "\(pruned)")
    let runs = try await place.run("runs")
    #expect(!runs.output.contains("second") && runs.output.contains("open"), "\(runs)")
  }

  /// PostgreSQL assumes that a shard has one row until its tables are analyzed, and may read all of it for each row.
  @Test func `a shard is not read again for each row, although nothing is known of its tables`()
    async throws
  {
    let count = 2_000
    // Four sign-ins, and three requests for each of 40 items and of those that are at work.
    let place = try await DatabasePlace(files: count, "--suspend-at", "180")
    try await place.create()
    let items = try await place.run("items", "--format", "csv")
    #expect(items.output.split(separator: "\n").count == count + 1)
    let listed = try place.rowsRead()
    #expect((count..<20 * count).contains(listed), "\(listed)")

    let worker = try place.start("work", "--at-most", "4")
    try await place.server.waitUntilSuspended()
    #expect(place.server.journal.count { $0.event == "finalize" } >= 40)
    worker.signal(SIGTERM)
    _ = try await worker.outcome()
    let worked = try place.rowsRead() - listed
    #expect((40..<20 * count).contains(worked), "\(worked)")
  }

  // MARK: Bad input

  @Test(arguments: [
    "postgresql://user:sesame@127.0.0.1:1/runs", "postgres://127.0.0.1:1/runs?password=sesame",
  ])
  func `a database's password on the command line is refused`(_ store: String) async throws {
    let scene = try Scene()
    let run = try await scene.pipeline.run("run", "upload.yaml", "--store", store)
    #expect(run.status == 64, "\(run)")
    #expect(run.error.contains("PGPASSWORD") && !run.error.contains("sesame"), "\(run)")
  }

  @Test func `a database that is down is named`() async throws {
    let scene = try Scene()
    try scene.directory.write(ExpiryTests.definition, to: "upload.yaml")
    try scene.files(1)
    let run = try await scene.pipeline.run(
      "run", "upload.yaml", "--input", "server=http://localhost:1", "--store",
      "postgresql://user@127.0.0.1:1/runs")
    #expect(run.status == 3, "\(run)")
    #expect(run.error.contains("cannot be reached") && run.error.contains("127.0.0.1"), "\(run)")
  }

  @Test func `a schema of another version, a read-only server and a used name are refused`()
    async throws
  {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    let used = try await place.run(
      "run", "upload.yaml", "--input", "server=\(place.server.url)", "--name", "nightly")
    #expect(used.status == 2 && used.error.contains("a run named 'nightly'"), "\(used)")

    try DatabasePlace.sql(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$",
      on: place.store)
    let readOnly = try await place.run("work", "--until-done")
    #expect(readOnly.status == 3 && readOnly.error.contains("is read-only"), "\(readOnly)")
    try DatabasePlace.sql(
      "BEGIN READ WRITE; UPDATE pipeline.meta SET version = 99, program = '7.8.9'; COMMIT",
      on: place.store)
    let newer = try await place.run("runs")
    #expect(newer.status == 3, "\(newer)")
    #expect(
      newer.error.contains("version 7.8.9 of the program wrote")
        && newer.error.contains("in form 99"), "\(newer)")
  }

  @Test(arguments: [
    (["--demo"], "--demo does not go with --store"),
    (["--shards", "0"], "--shards must be from 1 to 10000"),
    (["--shard", "17/16"], "--shard '17/16': expected one of N shards"),
    (["--watch"], "--watch does not go with --store"),
  ])
  func `options that mean nothing with a database are refused`(
    arguments: [String], words: String
  ) async throws {
    let scene = try Scene()
    try scene.directory.write(ExpiryTests.definition, to: "upload.yaml")
    let run = try await scene.pipeline.run(
      ["run", "upload.yaml", "--store", "postgresql://127.0.0.1:1/runs"] + arguments)
    #expect(run.status == 64, "\(run)")
    #expect(run.error.contains(words), "\(run)")
  }
}
