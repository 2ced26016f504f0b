import Foundation
import TestSupport
import Testing

/// The waits and their reasons: the progress, `status`, `explain`,
/// `attach` and JSON report the same, correctly.
struct WaitTests {
  @Test(arguments: WaitSituation.all)
  func `everything that shows a wait shows the same reason`(situation: WaitSituation) async throws {
    let (scene, run) = try await standing(situation)
    defer { run.signal(SIGKILL) }
    let explained = try JSON.object(
      try await scene.pipeline.run("explain", "--format", "json").output)
    let entries = try #require(explained["entries"] as? [[String: Any]])
    let entry = try #require(
      entries.first { $0["name"] as? String == situation.subject }, "\(entries)")
    #expect(entry["kind"] as? String == situation.kind, "\(entries)")
    #expect((entry["since"] as? String)?.isEmpty == false)
    #expect((entry["unblocked_by"] as? String)?.isEmpty == false)
    let failure = entry["failure"] as? String
    if let expected = situation.failure {
      #expect(failure?.contains(expected) == true, "\(entry)")
      #expect(entry["failed_after_seconds"] is Double, "\(entry)")
    }
    let text = try await scene.pipeline.run("explain").output
    #expect(text.contains("\(situation.subject): "), "\(text)")
    if let failure { #expect(text.contains(", after: \(failure)"), "\(text)") }
    #expect(!text.contains("nothing is waiting"), "\(text)")
    try await compareProgress(situation, scene, run)
  }

  /// The progress of the run, of `attach` and of `status` count the same waits, in the same words.
  private func compareProgress(
    _ situation: WaitSituation, _ scene: Scene, _ run: RunningCommand
  ) async throws {
    // They look in turn, and what else there is to wait for may still come.
    var shown: [[String: Int]?]
    let end = ContinuousClock.now + RunningCommand.patience
    repeat {
      shown = try await waits(scene, run)
    } while ContinuousClock.now < end
      && (Set(shown).count > 1 || shown[0]?[situation.words] == nil)
    #expect(Set(shown).count == 1 && shown[0]?[situation.words] != nil, "\(shown)")
    let text = try await scene.pipeline.run("status").output
    for (words, count) in shown[0] ?? [:] {
      #expect(text.contains("  \(count) × \(words)"), "\(text)")
    }
  }

  /// The awaited resources, as `status`, the run's progress and that of `attach` count it.
  private func waits(_ scene: Scene, _ run: RunningCommand) async throws -> [[String: Int]?] {
    let status = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    let own = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last
    let attach = try scene.pipeline.start("attach", "--progress", "json")
    defer { attach.signal(SIGKILL) }
    var line: Substring?
    try await attach.wait("its progress") {
      let lines = attach.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      line = lines.last { $0.contains(#""event":"progress""#) }
      return line != nil
    }
    let lines = try [own, line].map { try $0.map { try JSON.object($0) } }
    return [status["waiting"] as? [String: Int]] + lines.map { $0?["waiting"] as? [String: Int] }
  }

  @Test func `a run that no process works on is explained by the same reasons`() async throws {
    let situation = try #require(WaitSituation.all.first { $0.name == "a refused connection, run" })
    let (scene, run) = try await standing(situation)
    try await run.killed()
    let text = try await scene.pipeline.run("explain").output
    #expect(
      text.contains(
        /step 'x': interrupted: no process is working on it; next: back-off of 'x', after: .*refused/
      ),
      "\(text)")
    #expect(text.contains("3 items: pending: no process is working on it"), "\(text)")
    #expect(!text.contains("busy"), "\(text)")
  }

  @Test func `an item of many is explained by its loop's wait`() async throws {
    let situation = try #require(WaitSituation.all.first { $0.name == "a refused connection, run" })
    let (scene, run) = try await standing(situation)
    defer { run.signal(SIGKILL) }
    let text = try await scene.pipeline.run("explain", "0/1").output
    #expect(text.contains("waits: step 'x' must succeed first, after: "), "\(text)")
  }

  @Test func `status follows a run until it ends`() async throws {
    let situation = try #require(
      WaitSituation.all.first { $0.name == "an upload without a response, item" })
    let (scene, run) = try await standing(situation)
    let watch = try scene.pipeline.start("status", "--watch")
    try await watch.wait(for: "1 × transfer of 'x'")
    #expect(watch.output.contains(" %, 2 active, 1 pending, "), "\(watch.output)")
    #expect(watch.output.contains(" of 1.17 KiB"), "\(watch.output)")
    try await run.killed()
    let outcome = try await watch.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains(": interrupted: "), "\(outcome)")
  }

  @Test func `the history has the duration of an attempt that failed`() async throws {
    let situation = try #require(WaitSituation.all.first { $0.name == "a busy server, item" })
    let (scene, run) = try await standing(situation)
    defer { run.signal(SIGKILL) }
    let lines = try await scene.pipeline.run("history", "--format", "json").output
      .split(separator: "\n").map { try JSON.object($0) }
    let failed = lines.filter { $0["verdict"] as? String == "retry" }
    #expect(!failed.isEmpty)
    #expect(failed.allSatisfy { $0["seconds"] is Double }, "\(failed)")
  }

  /// A run that is in the situation.
  private func standing(
    _ situation: WaitSituation
  ) async throws -> (scene: Scene, run: RunningCommand) {
    let scene = try Scene()
    for name in ["a", "b", "c"] {
      try scene.directory.write(String(repeating: name, count: 400), to: "files/\(name).txt")
    }
    try scene.directory.write(situation.document, to: "waits.yaml")
    let gate = try await scene.gate(
      to: try await scene.server(), situation.rules + WaitSituation.gate)
    let run = try scene.pipeline.start(
      "run", "waits.yaml", "--input", "server=\(gate.url)", "--progress", "json")
    let end = ContinuousClock.now + RunningCommand.patience
    var seen = ""
    while ContinuousClock.now < end, run.status == nil {
      seen = try await scene.pipeline.run("explain", "--format", "json").output
      guard let entries = try? JSON.object(seen)["entries"] as? [[String: Any]] else { continue }
      let entry = entries.first { $0["name"] as? String == situation.subject }
      if entry?["kind"] as? String == situation.kind { return (scene, run) }
    }
    throw CommandRunner.Failure(
      description: "not in the situation: \(seen)\n\(run.error)\n\(run.output.suffix(2000))")
  }
}
