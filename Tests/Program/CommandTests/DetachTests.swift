import Foundation
import TestSupport
import Testing

/// Runs in the background, and looking at them.
struct DetachTests {
  /// A run of 40 files that started in the background, and whose server has been halted after a
  /// few of them: nothing continues until it does.
  private func halted(
    _ arguments: String...
  ) async throws -> (scene: Scene, server: ServerProcess, outcome: CommandRunner.Outcome) {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(40)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server("--suspend-at", "3")
    let outcome = try await scene.pipeline.run(
      ["run", "put.yaml", "--input", "server=\(server.url)", "--detach"] + arguments)
    try await server.waitUntilSuspended()
    return (scene, server, outcome)
  }

  @Test func `an invalid run fails in the foreground, with its status and its message`()
    async throws
  {
    let scene = try Scene()
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let missing = try await scene.pipeline.run("run", "put.yaml", "--detach")
    #expect(missing.status == 2, "\(missing)")
    #expect(missing.error.contains("input 'server' has no value"), "\(missing)")
    #expect(missing.output.isEmpty)
    for (other, word) in [("--dry-run", "--dry-run starts nothing"), ("--progress=live", "draw")] {
      let refused = try await scene.pipeline.run("run", "put.yaml", "--detach", other)
      #expect(refused.status == 64, "\(refused)")
      #expect(refused.error.contains(word), "\(refused)")
    }
  }

  @Test func `a run continues in the background, and attach shows it until its end`() async throws {
    let (scene, server, outcome) = try await halted()
    #expect(outcome.status == 0, "\(outcome)")
    let name = try scene.runName()
    #expect(outcome.output == name + "\n")
    #expect(outcome.error.contains("`pipeline attach \(name)` shows its progress"), "\(outcome)")
    let attach = try scene.pipeline.start("attach", "--progress", "plain")
    try await attach.wait(for: "run \(name)\n")
    server.goOn()
    let attached = try await attach.outcome()
    #expect(attached.status == 0, "\(attached)")
    #expect(attached.error.contains(/\n100 %: 40 done, .*\n/), "\(attached)")
    #expect(attached.output.contains("run \(name): finished in "), "\(attached)")
    #expect(attached.output.contains("40 done"), "\(attached)")
    #expect(server.journal.count { $0.method == "PUT" } == 40)
    // Its output is kept.
    let folder = try scene.runFolder()
    let log = try String(contentsOfFile: folder + "/output.log", encoding: .utf8)
    #expect(log.contains("run \(name): finished in "), "\(log)")
    let again = try await scene.pipeline.run("attach", name)
    #expect(again.output.contains("run \(name): finished in "), "\(again)")
    #expect(again.status == 0)
  }

  @Test func `Ctrl-C ends attach and not the run; pause stops it, and resume detaches it again`()
    async throws
  {
    let (scene, server, outcome) = try await halted("--format", "json")
    let report = try JSON.object(outcome.output)
    let name = try scene.runName()
    #expect(report["run"] as? String == name)
    #expect(report["log"] as? String == (try scene.runFolder()) + "/output.log")
    let process = try #require(report["process"] as? Int)
    let attach = try scene.pipeline.start("attach", "--progress", "json")
    try await attach.wait(for: #""event":"progress""#)
    attach.signal(SIGINT)
    let left = try await attach.outcome()
    #expect(left.status == 130, "\(left)")
    #expect(left.error.contains("run \(name) continues in the background"), "\(left)")
    #expect(kill(Int32(process), 0) == 0)
    let pause = try scene.pipeline.start("pause")
    try await pause.wait("the request") {
      try pause.output.contains("is paused")
        || FileManager.default.fileExists(atPath: scene.runFolder() + "/request-pause")
    }
    server.goOn()
    let stopped = try await pause.outcome()
    #expect(stopped.output.contains("is paused"), "\(stopped)")
    let paused = try await scene.pipeline.run("attach")
    #expect(paused.status == 1, "\(paused)")
    #expect(paused.output.contains("continue with `pipeline resume \(name)`"), "\(paused)")
    let resumed = try await scene.pipeline.run("resume", "--detach")
    #expect(resumed.output == name + "\n", "\(resumed)")
    let end = try await scene.pipeline.run("attach")
    #expect(end.status == 0, "\(end)")
    // A run that has ended is not put into the background, and is reported as without --detach.
    let ended = try await scene.pipeline.run("resume", name, "--detach")
    #expect(ended.status == 0, "\(ended)")
    #expect(ended.output.contains("run \(name): finished in "), "\(ended)")
    #expect(!ended.error.contains("background"), "\(ended)")
    let lines = try await scene.pipeline.run("attach", "--progress", "json").output
      .split(separator: "\n").map { try JSON.object($0) }
    #expect(lines.last?["status"] as? String == "finished")
    #expect(server.journal.count { $0.method == "PUT" } >= 40)
  }

  @Test func `the end of a terminal stops a run after a checkpoint, but not with nohup`()
    async throws
  {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(40)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server("--suspend-at", "3")
    let words = ["run", "put.yaml", "--input", "server=\(server.url)"]
    let run = try scene.pipeline.start(words)
    try await server.waitUntilSuspended()
    run.signal(SIGHUP)
    let outcome = try await run.outcome()
    #expect(outcome.status == 130, "\(outcome)")
    #expect(outcome.error.contains("stopped after a checkpoint"), "\(outcome)")
    let name = try scene.runName()
    #expect(try await scene.pipeline.run("status", name).output.contains("paused"))
    // A process inherits ignored signals.
    signal(SIGHUP, SIG_IGN)
    let quiet = try scene.pipeline.start(["resume", name])
    signal(SIGHUP, SIG_DFL)
    try await scene.waitForTransfers(2, of: "put")
    quiet.signal(SIGHUP)
    server.goOn()
    let end = try await quiet.outcome()
    #expect(end.status == 0, "\(end)")
  }

  @Test func `attach names the failures of a run in another terminal, and ends as that does`()
    async throws
  {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(10)
    try scene.directory.write(
      Definitions.put.replacing("max: 50ms }", with: "max: 50ms }, exhausted: fail"),
      to: "put.yaml")
    let server = try await scene.server("--fault", "server-error=1")
    server.process.signal(SIGSTOP)
    let run = try scene.pipeline.start("run", "put.yaml", "--input", "server=\(server.url)")
    try await run.wait(for: "run put-")
    let attach = try scene.pipeline.start("attach", "--progress", "plain")
    try await attach.wait(for: "run put-")
    server.goOn()
    let (attached, outcome) = (try await attach.outcome(), try await run.outcome())
    #expect(outcome.status == 1, "\(outcome)")
    #expect(attached.status == 1, "\(attached)")
    // The server fails in three ways, so one of them is a line with a number.
    let failures = Self.failures(outcome)
    #expect(failures.contains { $0.contains(" × failed: ") }, "\(outcome)")
    #expect(Self.failures(attached) == failures, "\(attached)\n\(outcome)")
    for shown in [outcome, attached] {
      #expect(shown.error.contains("--status failed` lists them"), "\(shown)")
      #expect(shown.output.contains("10 failed"), "\(shown)")
    }
  }

  private static func failures(_ outcome: CommandRunner.Outcome) -> Set<Substring> {
    let lines = outcome.error.split(separator: "\n").filter { !$0.contains(/^\d+ %/) }
    return Set(lines.filter { $0.contains("failed") && !$0.contains("`") })
  }
}
