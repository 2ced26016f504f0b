import Foundation
import TestSupport
import Testing

/// Stopping, continuing, retrying and cancelling.
struct ControlTests {
  /// A scene in which a run is in the middle of its items, and stays there: its server is suspended.
  private func halfRun(
    _ files: Int = 100
  ) async throws -> (scene: Scene, server: ServerProcess, run: RunningCommand) {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(files)
    try scene.directory.write(ExpiryTests.definition, to: "slow.yaml")
    // Of at most four items at once, each with three requests, two have been finalized then.
    let server = try await scene.server("--suspend-at", "20")
    let run = try scene.pipeline.start(
      "run", "slow.yaml", "--input", "server=\(server.url)")
    try await server.waitUntilSuspended()
    return (scene, server, run)
  }

  private func checkAllDone(_ server: ServerProcess, _ count: Int = 100) {
    let finalized = server.journal.filter { $0.event == "finalize" }
    #expect(finalized.count == count)
    #expect(Set(finalized.compactMap(\.name)).count == count)
    #expect(!server.journal.contains { $0.event == "duplicate_finalize" })
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `the first Ctrl-C stops after a checkpoint and shows how to continue`(
    signal: Int32
  ) async throws {
    let (scene, server, run) = try await halfRun()
    run.signal(signal)
    let stopped = try await run.outcome()
    server.goOn()
    let name = try scene.runName()
    #expect(stopped.status == 130, "\(stopped)")
    #expect(stopped.error.contains("continue with `pipeline resume \(name)`"), "\(stopped)")
    let status = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    #expect(status["status"] as? String == "paused")
    let resumed = try await scene.pipeline.run("resume", name)
    #expect(resumed.status == 0, "\(resumed)")
    checkAllDone(server)
  }

  @Test func `the next command contains the run's name, and the passed state folder`()
    async throws
  {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(30)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server("--suspend-at", "3")
    let state = scene.directory.path("my runs")
    let run = try scene.pipeline.start(
      "run", "put.yaml", "--input", "server=\(server.url)", "--state", "my runs", "--name",
      "two words")
    try await server.waitUntilSuspended()
    run.signal(SIGINT)
    let stopped = try await run.outcome()
    server.goOn()
    let command = "pipeline resume 'two words' --state '\(state)'"
    #expect(stopped.error.contains("continue with `\(command)`"), "\(stopped)")
    let status = try await scene.pipeline.run("status", "--state", "my runs")
    #expect(status.output.contains("continue with `\(command)`"), "\(status)")
    let explained = try await scene.pipeline.run("explain", "--state", "my runs")
    #expect(explained.output.contains("unblocked by: `\(command)`"), "\(explained)")
    let resumed = try await scene.pipeline.run("resume", "two words", "--state", state)
    #expect(resumed.status == 0, "\(resumed)")
  }

  @Test func `the second Ctrl-C ends at once, and nothing is lost`() async throws {
    let (scene, server, run) = try await halfRun(12)
    // Both are there when it continues, so that it cannot stop on the first.
    run.signal(SIGSTOP)
    run.signal(SIGINT)
    run.signal(SIGTERM)
    run.signal(SIGCONT)
    let stopped = try await run.outcome()
    #expect(stopped.status == 130, "\(stopped)")
    server.goOn()
    let resumed = try await scene.pipeline.run("resume")
    #expect(resumed.status == 0, "\(resumed)")
    checkAllDone(server, 12)
  }

  @Test func `another process pauses a run, and yet another resumes it`() async throws {
    let (scene, server, run) = try await halfRun()
    let pause = try await scene.pipeline.run("pause")
    #expect(pause.status == 0, "\(pause)")
    #expect(pause.output.contains("is paused; continue with `pipeline resume"), "\(pause)")
    let stopped = try await run.outcome()
    #expect(stopped.status == 1, "\(stopped)")
    #expect(stopped.output.contains("paused by `pipeline pause`"), "\(stopped)")
    let again = try await scene.pipeline.run("pause")
    #expect(again.status == 0)
    #expect(again.output.contains("there is nothing to stop"), "\(again)")
    server.goOn()
    let resumed = try await scene.pipeline.run("resume")
    #expect(resumed.status == 0, "\(resumed)")
    checkAllDone(server)
  }

  @Test func `two processes cannot work on one run`() async throws {
    let (scene, _, _, run) = try await Scene.uploading(10)
    let second = try await scene.pipeline.run("resume")
    #expect(second.status == 3, "\(second)")
    let name = try scene.runName()
    #expect(
      second.error.contains(
        "run '\(name)' is being worked on by another process (process \(run.id))"),
      "\(second)")
    let status = try await scene.pipeline.run("status")
    #expect(status.output.contains(": running: "), "\(status)")
    let explained = try await scene.pipeline.run("explain", "--format", "json")
    #expect(try JSON.object(explained.output)["worked_on"] as? Bool == true)
    try await run.killed()
  }

  @Test func `explain names a blocker for each item of a killed run`() async throws {
    let (scene, _, run) = try await halfRun()
    try await run.killed()
    let explained = try JSON.object(
      try await scene.pipeline.run("explain", "--format", "json").output)
    #expect(explained["status"] as? String == "interrupted")
    let entries = try #require(explained["entries"] as? [[String: Any]])
    #expect(entries.count >= 2)
    for entry in entries {
      #expect((entry["waits_for"] as? String)?.isEmpty == false)
      #expect((entry["unblocked_by"] as? String)?.contains("pipeline resume") == true)
    }
    let runs = try await scene.pipeline.run("runs")
    #expect(runs.output.contains("  interrupted  "), "\(runs)")
  }

  @Test func `cancelling deletes the effects of open items on the server`() async throws {
    let (scene, server, _, run) = try await Scene.uploading(10)
    let cancel = try await scene.pipeline.run("cancel")
    #expect(cancel.status == 0, "\(cancel)")
    let ended = try await run.outcome()
    #expect(ended.status == 1, "\(ended)")
    try await Self.checkCancelled(scene, server, deleted: 4)
  }

  @Test func `cancelling a killed run deletes its items' effects on the server`() async throws {
    let (scene, server, _, run) = try await Scene.uploading(10)
    try await run.killed()
    let cancel = try await scene.pipeline.run("cancel")
    #expect(cancel.status == 0, "\(cancel)")
    // The token was lost with the process: the run signs in again to release the uploads.
    try await Self.checkCancelled(scene, server, deleted: 4)
  }

  private static func checkCancelled(
    _ scene: Scene, _ server: ServerProcess, deleted: Int
  ) async throws {
    let journal = server.journal
    let gone = Set(journal.filter { $0.event == "delete" }.compactMap(\.upload_id))
    #expect(gone == Set(journal.filter { $0.event == "allocate" }.compactMap(\.upload_id)))
    #expect(gone.count == deleted)
    let status = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    #expect(status["status"] as? String == "cancelled", "\(status)")
    #expect((status["items"] as? [String: Int])?["cancelled"] == 10, "\(status)")
    let resumed = try await scene.pipeline.run("resume")
    #expect(resumed.status == 1, "\(resumed)")
    #expect(server.journal.count == journal.count, "a run that was given up sent more")
  }

  @Test func `a run whose folder was moved continues where it stopped`() async throws {
    let (scene, server, run) = try await halfRun()
    try await run.killed()
    server.goOn()
    let moved = scene.directory.path("elsewhere/runs/")
    try FileManager.default.createDirectory(atPath: moved, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: try scene.runFolder(), toPath: moved + (try scene.runName()))
    let resumed = try await scene.pipeline.run(
      "resume", "--state", scene.directory.path("elsewhere"))
    #expect(resumed.status == 0, "\(resumed)")
    checkAllDone(server)
  }

  @Test func `a run that is done stays done`() async throws {
    let scene = try Scene()
    try scene.files(4)
    try scene.directory.write(ExpiryTests.definition, to: "quick.yaml")
    let server = try await scene.server()
    let run = try await scene.pipeline.run("run", "quick.yaml", "--input", "server=\(server.url)")
    #expect(run.status == 0, "\(run)")
    let requests = server.journal.count
    for command in ["resume", "retry", "cancel"] {
      let outcome = try await scene.pipeline.run(command)
      #expect(outcome.status == 0, "\(outcome)")
    }
    #expect(server.journal.count == requests)
    let status = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    #expect(status["status"] as? String == "finished")
  }

  @Test func `paused items are tried again when the server is back, all or one by one`()
    async throws
  {
    let scene = try Scene()
    try scene.files(4)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server("--store", scene.directory.path("store"))
    try await server.process.killed()
    let first = try await scene.pipeline.run("run", "put.yaml", "--input", "server=\(server.url)")
    #expect(first.status == 1, "\(first)")
    #expect(first.output.contains("4 paused"), "\(first)")
    #expect(first.error.contains("gave up after 2 attempts: "), "\(first)")
    #expect(first.error.contains("connection refused"), "\(first)")
    let port = try #require(server.url.split(separator: ":").last)
    let back = try scene.pipeline.start("demo-server", "--port", String(port))
    try await back.wait(for: "listening")
    let one = try await scene.pipeline.run("retry", "0/2")
    #expect(one.status == 1, "\(one)")
    #expect(one.output.contains("1 done, 3 paused"), "\(one)")
    let rest = try await scene.pipeline.run("retry")
    #expect(rest.status == 0, "\(rest)")
    #expect(rest.output.contains("4 done"), "\(rest)")
  }

  @Test func `a failed item is tried again when its cause is gone`() async throws {
    let scene = try Scene()
    let contents = try scene.files(3)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server()
    // While the server is stopped, the first two items keep both places, and the third is not looked at.
    server.process.signal(SIGSTOP)
    let run = try scene.pipeline.start("run", "put.yaml", "--input", "server=\(server.url)")
    try await scene.waitForTransfers(2, of: "put")
    try FileManager.default.removeItem(atPath: scene.directory.path("files/file-0002.bin"))
    server.process.signal(SIGCONT)
    let outcome = try await run.outcome()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.error.contains("failed files/file-0002.bin: "), "\(outcome)")
    #expect(outcome.error.contains("files/file-0002.bin' no longer exists"), "\(outcome)")
    let back = try #require(contents["file-0002.bin"])
    try scene.directory.write(back, to: "files/file-0002.bin")
    let retried = try await scene.pipeline.run("retry")
    // The file has another modification time than when the run started,
    // so that its content may be another.
    #expect(retried.status == 1, "\(retried)")
    #expect(retried.error.contains("changed"), "\(retried)")
    let accepted = try await scene.pipeline.run("retry", "--accept-changed-files")
    #expect(accepted.status == 0, "\(accepted)")
    let stored = server.journal.filter { $0.event == "store_file" }.compactMap(\.name)
    #expect(stored.sorted() == contents.keys.sorted())
  }
}
