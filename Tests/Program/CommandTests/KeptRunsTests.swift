import Foundation
import TestSupport
import Testing

/// Runs are listed, removed and kept.
struct KeptRunsTests {
  /// A scene with a server that accepts files, and a pipeline that sends them.
  private func scene() async throws -> (Scene, ServerProcess) {
    let scene = try Scene()
    try scene.files(2)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    return (scene, try await scene.server())
  }

  /// Runs the pipeline to its end, and returns the name of the run.
  @discardableResult
  private func finish(_ scene: Scene, _ url: String, _ more: String...) async throws -> String {
    let outcome = try await scene.pipeline.run(
      ["run", "put.yaml", "--input", "server=\(url)"] + more)
    return try #require(outcome.output.firstMatch(of: /run (\S+):/).map { String($0.output.1) })
  }

  /// Without a server its items pause.
  private static let nowhere = "http://127.0.0.1:9"

  private func names(_ scene: Scene) -> [String] {
    let folder = scene.pipeline.stateFolder + "/runs"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// Makes a run older in its store, as if it had ended that long ago.
  private func age(_ scene: Scene, _ run: String, days: Int) async throws {
    let sql = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      [
        "python3", "-c",
        """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        c.execute("update run set ended = ended - \(days) * 86400000")
        c.commit()
        """, "\(scene.pipeline.stateFolder)/runs/\(run)/run.sqlite",
      ])
    #expect(try await sql.outcome().status == 0)
  }

  @Test func `a list has start, duration, size, pipeline, state and counts of each run`()
    async throws
  {
    let (scene, server) = try await scene()
    let run = try await finish(scene, server.url)
    let list = try await scene.pipeline.run("runs")
    let lines = list.output.split(separator: "\n")
    try #require(lines.count == 2, "\(list)")
    #expect(
      lines[0].contains(/^RUN +STATE +BEGAN +TIME +SIZE +PIPELINE +NAME +ITEMS OR REASON$/),
      "\(list)")
    let row = lines[1].split(separator: /[ ][ ]+/)
    #expect(row[0] == run)
    #expect(row[1] == "finished")
    #expect(row[2].contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/))
    #expect(row[3].contains(/^\d+\.\d s$/))
    #expect(row[4].contains(/^\d+(\.\d+)? KiB$/))
    #expect(row[5] == "put")
    #expect(row[6] == "-")
    #expect(row[7] == "2 done")
    let json = try JSON.array(try await scene.pipeline.run("runs", "--format", "json").output)
    #expect(json.first?["pipeline"] as? String == "put")
    #expect(json.first?["unfinished"] as? Bool == false)
    // The list's sizes match the disk's, in units of half a KiB.
    let sum = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      [
        "sh", "-c",
        "find \"$0\" -mindepth 1 -printf '%b\\n' | awk '{ sum += $1 } END { print sum }'",
        "\(scene.pipeline.stateFolder)/runs/\(run)",
      ])
    let blocks = try #require(Int(try await sum.outcome().output.dropLast()))
    #expect(json.first?["bytes_on_disk"] as? Int == blocks * 512)
  }

  @Test func `a list shows runs by state, by pipeline and by age`() async throws {
    let (scene, server) = try await scene()
    let old = try await finish(scene, server.url)
    let paused = try await finish(scene, Self.nowhere)
    try scene.directory.write(
      Definitions.put.replacingOccurrences(of: "pipeline: put", with: "pipeline: other"),
      to: "put.yaml")
    let other = try await finish(scene, server.url)
    try await age(scene, old, days: 31)
    func listed(_ arguments: String...) async throws -> [String] {
      let list = try await scene.pipeline.run(["runs", "list", "--format", "json"] + arguments)
      return try JSON.array(list.output).compactMap { $0["run"] as? String }
    }
    #expect(try await listed() == [old, paused, other])
    #expect(try await listed("--pipeline", "other") == [other])
    #expect(try await listed("--older-than", "30d") == [old])
    #expect(try await listed("--older-than", "32d") == [])
    #expect(try await listed("--status", "finished") == [old, paused, other])
    #expect(try await listed("--status", "unfinished") == [paused])
    #expect(try await listed("--status", "unfinished", "--status", "paused") == [paused])
    let none = try await scene.pipeline.run("runs", "--status", "paused")
    #expect(none.output == "no such runs in '\(scene.pipeline.stateFolder)'\n")
  }

  @Test func `rm removes a finished run, and an unfinished one only with --force`() async throws {
    let (scene, server) = try await scene()
    let done = try await finish(scene, server.url)
    let paused = try await finish(scene, Self.nowhere)
    // All or none: the first could be removed by itself.
    let refused = try await scene.pipeline.run("runs", "rm", done, paused)
    #expect(refused.status == 2, "\(refused)")
    #expect(
      refused.error.contains(
        "run '\(paused)' is not complete (2 paused): `pipeline retry \(paused)` retries the other items"
      ),
      "\(refused)")
    #expect(names(scene) == [done, paused].sorted())

    let removed = try await scene.pipeline.run("runs", "rm", done)
    #expect(removed.status == 0, "\(removed)")
    #expect(removed.output.hasPrefix("run '\(done)' removed ("), "\(removed)")
    #expect(names(scene) == [paused])
    let forced = try await scene.pipeline.run("runs", "rm", paused, "--force")
    #expect(forced.status == 0, "\(forced)")
    #expect(names(scene).isEmpty)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: scene.pipeline.stateFolder + "/removed")
    #expect(left.isEmpty)
    let unknown = try await scene.pipeline.run("runs", "rm", done)
    #expect(unknown.status == 2, "\(unknown)")
  }

  @Test func `no run that a process works on is removed, not even with --force`() async throws {
    let (scene, server) = try await scene()
    server.process.signal(SIGSTOP)
    let run = try scene.pipeline.start("run", "put.yaml", "--input", "server=\(server.url)")
    try await run.wait("the run") {
      let name = names(scene).first ?? ""
      return FileManager.default.fileExists(
        atPath: "\(scene.pipeline.stateFolder)/runs/\(name)/pipeline.yaml")
    }
    let name = try scene.runName()
    for command in [["rm", name, "--force"], ["prune", "--keep", "0", "--force"]] {
      let outcome = try await scene.pipeline.run(["runs"] + command)
      #expect(command[0] == "rm" ? outcome.status == 3 : outcome.status == 0, "\(outcome)")
      #expect(names(scene) == [name])
    }
    #expect(run.status == nil)
  }

  @Test func `files that a killed removal left are deleted by the next one`() async throws {
    let (scene, server) = try await scene()
    let run = try await finish(scene, server.url)
    let removed = scene.pipeline.stateFolder + "/removed"
    try FileManager.default.createDirectory(
      atPath: removed + "/put-1/files", withIntermediateDirectories: true)
    try await finish(scene, server.url)
    #expect(try await scene.pipeline.run("runs", "rm", run).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: removed).isEmpty)
  }

  @Test func `prune removes runs that are both old and not among the newest`() async throws {
    let (scene, server) = try await scene()
    var runs: [String] = []
    for _ in 0..<3 { runs.append(try await finish(scene, server.url)) }
    let paused = try await finish(scene, Self.nowhere)
    for run in [runs[0], runs[1], paused] { try await age(scene, run, days: 31) }

    let plan = try await scene.pipeline.run(
      "runs", "prune", "--older-than", "30d", "--keep", "1", "--dry-run")
    #expect(plan.status == 0, "\(plan)")
    #expect(plan.output.contains("\n2 runs would be removed, "), "\(plan)")
    #expect(names(scene).count == 4)
    let kept = try await scene.pipeline.run("runs", "prune", "--older-than", "30d", "--keep", "2")
    #expect(kept.output.contains("1 run removed, "), "\(kept)")
    #expect(names(scene) == [runs[1], runs[2], paused].sorted())
    let young = try await scene.pipeline.run("runs", "prune", "--older-than", "30d")
    #expect(young.output.contains("1 run removed, "), "\(young)")
    #expect(names(scene) == [runs[2], paused].sorted())
    let forced = try await scene.pipeline.run(
      "runs", "prune", "--older-than", "30d", "--force", "--pipeline", "put")
    #expect(forced.output.hasPrefix("\(paused)  "), "\(forced)")
    #expect(names(scene) == [runs[2]])
    let idle = try await scene.pipeline.run("runs", "prune", "--keep", "1")
    #expect(idle.output == "0 runs removed, 0 B\n")
    let everything = try await scene.pipeline.run("runs", "prune")
    #expect(everything.status == 64, "\(everything)")
  }

  @Test func `a run tidies up at its end, if the environment requests it`() async throws {
    var (scene, server) = try await scene()
    let old = try await finish(scene, server.url)
    let paused = try await finish(scene, Self.nowhere)
    let newer = try await finish(scene, server.url)
    #expect(names(scene) == [old, paused, newer].sorted())
    scene.pipeline.environment["PIPELINE_KEEP_RUNS"] = "1"
    let outcome = try await scene.pipeline.run("run", "put.yaml", "--input", "server=\(server.url)")
    #expect(
      outcome.error.contains(/1 finished run removed \(\S+ KiB\), as PIPELINE_KEEP_RUNS specifies/),
      "\(outcome)")
    #expect(!names(scene).contains(old))
    #expect(Set(names(scene)).isSuperset(of: [paused, newer]))
    scene.pipeline.environment["PIPELINE_KEEP_RUNS"] = "30d,1"
    let count = names(scene).count
    try await finish(scene, server.url)
    #expect(names(scene).count == count + 1)
    scene.pipeline.environment["PIPELINE_KEEP_RUNS"] = "some"
    let wrong = try await scene.pipeline.run("run", "put.yaml", "--input", "server=\(server.url)")
    #expect(wrong.status == 64, "\(wrong)")
    #expect(wrong.error.contains("PIPELINE_KEEP_RUNS"))
    #expect(names(scene).count == count + 1)
  }

  @Test func `run mentions an unfinished run of the same file, and how to continue it`()
    async throws
  {
    let (scene, server) = try await scene()
    let paused = try await finish(scene, Self.nowhere)
    let arguments = ["run", "put.yaml", "--input", "server=\(server.url)"]
    let next = try await scene.pipeline.run(arguments)
    #expect(
      next.error.contains(
        "note: run '\(paused)' of this file is not complete (2 paused): `pipeline retry \(paused)` retries the other items\n"
      ), "\(next)")
    let quiet = try await scene.pipeline.run(arguments + ["--progress", "none"])
    #expect(!quiet.error.contains("not complete"))
    try scene.directory.write(Definitions.put, to: "copy.yaml")
    let other = try await scene.pipeline.run("run", "copy.yaml", "--input", "server=\(server.url)")
    #expect(!other.error.contains("not complete"), "\(other)")
    #expect(try await scene.pipeline.run("runs", "rm", "--force", paused).status == 0)
    let last = try await scene.pipeline.run(arguments)
    #expect(!last.error.contains("not complete"), "\(last)")
  }

  @Test func `a line reports when finished runs occupy more than 1 GiB`() async throws {
    let (scene, server) = try await scene()
    let run = try await finish(scene, server.url)
    #expect(!(try await scene.pipeline.run("runs")).error.contains("finished runs occupy"))
    let path = "\(scene.pipeline.stateFolder)/runs/\(run)/files/large"
    let fill = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["fallocate", "-l", "1100M", path])
    try #require(try await fill.outcome().status == 0)
    let line = "finished runs occupy 1.07 GiB: `pipeline runs prune --keep 20` removes"
    let list = try await scene.pipeline.run("runs")
    #expect(list.error.contains(line), "\(list)")
    #expect(list.output.contains("  1.07 GiB  put  "), "\(list)")
    let next = try await scene.pipeline.run("run", "put.yaml", "--input", "server=\(server.url)")
    #expect(next.error.contains(line), "\(next)")
  }
}
