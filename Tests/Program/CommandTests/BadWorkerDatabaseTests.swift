import Foundation
import TestSupport
import Testing

/// Workers on machines that lack something, and requests, which are not workers.
@Suite(.enabled(if: DatabasePlace.address != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct BadWorkerDatabaseTests {
  private struct Files {
    let place: DatabasePlace

    private func url(_ path: String) -> URL { place.scene.directory.url.appending(path: path) }

    func remove(_ path: String) throws {
      try FileManager.default.moveItem(at: url(path), to: url("away"))
    }

    func restore(_ path: String) throws {
      try FileManager.default.moveItem(at: url("away"), to: url(path))
    }

    /// Gives a file other bytes, and the same size.
    func spoil(_ path: String) throws {
      try Data(count: Data(contentsOf: url(path)).count).write(to: url(path))
    }

    /// Gives all files another time, as a copy without `-p` has.
    func touch() throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: url("files").path) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
          ofItemAtPath: url("files/" + name).path)
      }
    }
  }

  private func wishes(_ place: DatabasePlace) throws -> String {
    try DatabasePlace.sql(
      "SELECT count(wish) || ' ' || bool_or(paused IS NOT NULL) FROM pipeline.shard JOIN pipeline.run ON id = shard.run",
      on: place.store)
  }

  @Test func `a worker without the folder of the files leaves all shards to others`() async throws {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    try Files(place: place).remove("files")
    let bad = try await place.run("work", "--until-done", "--state", "bad")
    #expect(bad.status == 3, "\(bad)")
    #expect(bad.error.contains("of the run's files is missing or empty"), "\(bad)")
    // Nothing was sent for a file that is not there.
    #expect(place.server.requests == 0)
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains("4 shards: 4 waiting: 30 pending"), "\(status)")
    #expect(status.output.contains("left to other workers by"), "\(status)")

    try Files(place: place).restore("files")
    let good = try await place.run("work", "--run", "nightly", "--until-done", "--state", "good")
    #expect(good.status == 0, "\(good)")
    place.checkAllDone()
  }

  @Test func `a file that one worker lacks is sent by another`() async throws {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    try Files(place: place).remove("files/file-0007.bin")
    let bad = try await place.run("work", "--run", "nightly", "--until-done", "--state", "bad")
    #expect(bad.status == 1, "\(bad)")
    #expect(bad.output.contains("29 done, 1 paused"), "\(bad)")
    #expect(bad.output.contains("1 waiting") && bad.output.contains("no longer exists"), "\(bad)")

    try Files(place: place).restore("files/file-0007.bin")
    let good = try await place.run("work", "--run", "nightly", "--until-done", "--state", "good")
    #expect(good.status == 0, "\(good)")
    place.checkAllDone()
  }

  @Test func `files with other times are left to others`() async throws {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    try Files(place: place).touch()
    let bad = try await place.run("work", "--run", "nightly", "--until-done", "--state", "bad")
    #expect(bad.status != 0, "\(bad)")
    #expect(place.server.journal.filter { $0.event == "finalize" }.isEmpty)
    let status = try await place.run("status", "nightly")
    #expect(!status.output.contains("failed"), "\(status)")
    #expect(status.output.contains("it was modified"), "\(status)")
  }

  @Test func `files with other times are sent if they have the digests that were recorded`()
    async throws
  {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly", "--record-digests")
    try Files(place: place).spoil("files/file-0007.bin")
    try Files(place: place).touch()
    let worked = try await place.run("work", "--run", "nightly", "--until-done")
    #expect(worked.status == 1, "\(worked)")
    #expect(worked.output.contains("29 done, 1 paused"), "\(worked)")
    place.checkAllDone(29)
    #expect(!place.server.journal.contains { $0.name == "file-0007.bin" && $0.event == "finalize" })
  }

  @Test func `a worker without a route to the server leaves all shards to others at once`()
    async throws
  {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly", server: "http://server.invalid")
    let bad = try place.start("work", "--progress", "plain", "--state", "bad")
    try await bad.wait(for: "is left to other workers: server.invalid:80")
    bad.signal(SIGTERM)
    #expect(try await bad.outcome().status == 130)
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains("4 waiting: 30 pending"), "\(status)")
    #expect(status.output.contains("left to other workers by"), "\(status)")
  }

  @Test func `a worker passes its secrets only to the listed hosts`() async throws {
    let evil = """
      pipeline: evil
      inputs:
        server: { type: url }
        password: { type: secret }
        photos: { type: files, default: "files/*" }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: take
              request:
                method: POST
                url: ${{ inputs.server + "/stolen" }}
                json: { password: "${{ inputs.password }}", name: "${{ photo.name }}" }
              effect: repeatable
      """
    let place = try await DatabasePlace(files: 2, definition: evil)
    try await place.create("--name", "nightly")
    let worked = try await place.run("work", "--until-done", "--allow-host", "photos.example.com")
    #expect(worked.status == 3, "\(worked)")
    #expect(worked.error.contains("--allow-host"), "\(worked)")
    #expect(place.server.requests == 0)
  }

  @Test func `shards are left to others by any number of workers that may not send to its host`()
    async throws
  {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    let other = ["--allow-host", "photos.example.com"]
    for name in ["one", "two", "three", "four"] {
      let refused = try await place.scene.pipeline.run(
        ["work", "--until-done", "--state", name, "--store", place.store] + other)
      #expect(refused.status == 3, "\(refused)")
    }
    // One that works on this run only has nothing else to do.
    let bound = try await place.scene.pipeline.run(
      ["work", "--run", "nightly", "--state", "five", "--store", place.store] + other)
    #expect(bound.status == 3, "\(bound)")
    #expect(place.server.requests == 0)
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains("4 shards: 4 waiting: 30 pending"), "\(status)")
    #expect(status.output.contains("(--allow-host)"), "\(status)")
    let good = try await place.run("work", "--until-done", "--allow-host", "127.0.0.1")
    #expect(good.status == 0, "\(good)")
    place.checkAllDone()
  }

  @Test func `items are left to others by a worker that may not send to the host of a later step`()
    async throws
  {
    let place = try await DatabasePlace(definition: Self.twoHosts)
    let gate = try await place.scene.gate(
      to: place.server,
      [
        #"{"match": "/first", "do": "answer", "status": 200, "json": {"id": "a"}}"#,
        #"{"match": "/second", "do": "answer", "status": 200, "json": {"done": true}}"#,
        ##"{"match": "/leads", "do": "answer", "status": 307, "headers": {"Location": "http://localhost:1/"}}"##,
      ])
    let port = gate.url.split(separator: ":").last ?? ""
    for (name, path) in [("later", "/second"), ("redirect", "/leads")] {
      try await place.create(
        "--name", name, "--input",
        "then=http://\(name == "later" ? "localhost" : "127.0.0.1"):\(port)\(path)",
        server: gate.url)
      for worker in ["one", "two", "three", "four"] {
        let bad = try await place.run(
          "work", "--run", name, "--until-done", "--state", worker, "--allow-host", "127.0.0.1")
        #expect(bad.status == 3, "\(name): \(bad)")
      }
      let status = try await place.run("status", name)
      #expect(!status.output.contains("failed"), "\(status)")
      #expect(status.output.contains("left to other workers by"), "\(status)")
    }
    let good = try await place.run("work", "--run", "later", "--until-done")
    #expect(good.status == 0, "\(good)")
  }

  private static let twoHosts = """
    pipeline: two-hosts
    inputs:
      server: { type: url }
      then: { type: url }
      photos: { type: files, default: "files/*" }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: first
            request: { method: POST, url: '${{ inputs.server + "/first" }}', json: { name: "${{ photo.name }}" } }
            effect: repeatable
            outputs: { id: "${{ response.json.id }}" }
          - id: second
            request: { url: '${{ inputs.then + "?" + steps.first.id }}' }
    """

  @Test func `a worker that leaves an item to others does not report success`() async throws {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    try Files(place: place).remove("files/file-0007.bin")
    let bad = try await place.run("work", "--until-done", "--state", "bad")
    #expect(bad.status == 1, "\(bad)")
    #expect(bad.error.contains("'nightly' has items that are left to other workers"), "\(bad)")
    place.checkAllDone(29)
  }

  @Test func `a file that three workers lack has failed, and the report names them`() async throws {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    try Files(place: place).remove("files/file-0007.bin")
    for (name, state) in [("one", "1 paused"), ("two", "1 paused"), ("three", "1 failed")] {
      let worked = try await place.run("work", "--run", "nightly", "--until-done", "--state", name)
      #expect(worked.status == 1, "\(worked)")
      #expect(worked.output.contains("29 done, \(state)"), "\(name): \(worked)")
    }
    let explained = try await place.run("explain", "file-0007.bin")
    for name in ["/one", "/two", "/three"] {
      #expect(explained.output.contains(name), "\(explained)")
    }
    place.checkAllDone(29)
  }

  @Test func `a password that three workers have wrong ends the shard, and the report names them`()
    async throws
  {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    var wrong = place.scene.pipeline
    wrong.environment["PIPELINE_INPUT_PASSWORD"] = "wrong"
    for name in ["one", "two", "three"] {
      let refused = try await wrong.run([
        "work", "--until-done", "--state", name, "--store", place.store,
      ])
      #expect(refused.status == 3, "\(refused)")
    }
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains("3 waiting, 1 failed to run: 30 pending"), "\(status)")
    for name in ["/one", "/two", "/three"] { #expect(status.output.contains(name), "\(status)") }
    let resumed = try await place.run("resume", "nightly", "--work", "--state", "four")
    #expect(resumed.status == 0, "\(resumed)")
    place.checkAllDone()
  }

  @Test func `a worker passes its secrets only to the listed pipelines`() async throws {
    let place = try await DatabasePlace(files: 4)
    try await place.create("--name", "nightly")
    let other = try await place.run(
      "work", "--until-done", "--allow-pipeline", zeros)
    #expect(other.status == 2, "\(other)")
    #expect(other.error.contains("run 'nightly' is left to other workers"), "\(other)")
    #expect(place.server.requests == 0)
    let digest = try #require(other.error.split(separator: "SHA-256 ").last?.prefix(64))
    let same = try await place.run("work", "--until-done", "--allow-pipeline", String(digest))
    #expect(same.status == 0, "\(same)")
    place.checkAllDone(4)
  }

  @Test func `each pipeline of a worker may have hosts of its own`() async throws {
    let place = try await DatabasePlace(files: 4)
    try await place.create("--name", "nightly")
    let other = try await place.run("work", "--until-done", "--allow-pipeline", zeros)
    let digest = try #require(other.error.split(separator: "SHA-256 ").last?.prefix(64))
    for bad in ["\(zeros.dropLast())=api.test", "\(zeros)=", "\(zeros)=a.test,not a host"] {
      let refused = try await place.run("work", "--until-done", "--allow-pipeline", bad)
      #expect(refused.status == 64, "\(bad): \(refused)")
    }
    // What is allowed for another pipeline, or for all, is not for this one.
    let elsewhere = try await place.run(
      "work", "--until-done", "--allow-pipeline", "\(digest)=api.test", "--allow-pipeline",
      "\(zeros)=127.0.0.1", "--allow-host", "127.0.0.1")
    #expect(elsewhere.status == 3, "\(elsewhere)")
    #expect(elsewhere.error.contains("is left to other workers"), "\(elsewhere)")
    #expect(place.server.requests == 0)
    let here = try await place.run(
      "work", "--until-done", "--allow-pipeline", "\(digest)=api.test,127.0.0.1",
      "--allow-host", "other.test")
    #expect(here.status == 0, "\(here)")
    place.checkAllDone(4)
  }

  private let zeros = String(repeating: "0", count: 64)

  @Test func `refusals of several items of one shard pause the run once`() async throws {
    let place = try await DatabasePlace(definition: Definitions.put)
    let gate = try await place.scene.gate(
      to: place.server, [#"{"match": "/", "do": "answer", "status": 507}"#])
    try await place.create("--name", "full", server: gate.url)
    let worked = try await place.run("work", "--until-done", "--at-most", "1")
    #expect((worked.output + worked.error).ranges(of: "claimed shard").count == 1, "\(worked)")
    let status = try await place.run("status", "full")
    #expect(status.output.contains("4 shards: 4 paused: "), "\(status)")
    let reason = "3 items in a row were refused in the same way: "
    #expect(status.output.ranges(of: reason).count == 4, "\(status)")
  }

  @Test func `a request is recorded, and processes no shard`() async throws {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    for command in [["pause"], ["resume"], ["retry"], ["cancel"]] {
      let asked = try await place.scene.pipeline.run(
        command + ["nightly", "--store", place.store])
      #expect(asked.status == 0, "\(command): \(asked)")
    }
    #expect(place.server.requests == 0)
    #expect(try wishes(place) == "4 false")
    let worked = try await place.run("work", "--until-done")
    #expect(worked.status == 0, "\(worked)")
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains("4 cancelled"), "\(status)")
  }

  @Test func `a request that fails leaves nothing behind`() async throws {
    let place = try await DatabasePlace()
    try await place.create("--name", "nightly")
    #expect(try await place.run("pause", "nightly").status == 0)
    var without = place.scene.pipeline
    without.environment["PIPELINE_INPUT_PASSWORD"] = nil
    for command in [["resume", "--work"], ["cancel", "--work"], ["retry"]] {
      let failed = try await without.run(
        [command[0], "nightly"] + command.dropFirst() + ["--store", place.store])
      #expect(failed.status == (command == ["retry"] ? 0 : 2), "\(command): \(failed)")
      #expect(try wishes(place) == "0 true", "\(command)")
    }
    try place.scene.directory.write("", to: "a-file")
    for missing in [["--log", "none/log"], ["--trace", "none/trace"], ["--state", "a-file"]] {
      for command in ["resume", "cancel", "retry"] {
        let failed = try await place.scene.pipeline.run(
          [command, "nightly", "--work", "--store", place.store] + missing)
        #expect(failed.status == 3, "\(command): \(failed)")
        #expect(try wishes(place) == "0 true", "\(command) \(missing)")
      }
      let created = try await place.scene.pipeline.run(
        [
          "run", "upload.yaml", "--input", "server=\(place.server.url)", "--name", "other",
          "--store", place.store,
        ] + missing)
      #expect(created.status == 3, "\(created)")
    }
    let runs = try await place.run("runs")
    #expect(!runs.output.contains("other"), "\(runs)")
  }

  @Test func `a retry is recorded for the items that it applies to`() async throws {
    let place = try await DatabasePlace(definition: Definitions.put)
    let gate = try await place.scene.gate(
      to: place.server, [#"{"match": "file-0007", "do": "answer", "status": 422, "to": 1}"#])
    try await place.create("--name", "nightly", server: gate.url)
    let worked = try await place.run("work", "--run", "nightly", "--until-done")
    #expect(worked.status == 1, "\(worked)")
    let before = place.server.requests
    let asked = try await place.scene.pipeline.run(["retry", "nightly", "--store", place.store])
    #expect(asked.status == 0 && asked.output.contains("(1 shard)"), "\(asked)")
    #expect(place.server.requests == before)
    #expect(try wishes(place) == "1 false")
    let again = try await place.run("work", "--run", "nightly", "--until-done")
    #expect(again.status == 0, "\(again)")
  }
}
