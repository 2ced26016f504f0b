import Foundation
import TestSupport
import Testing

/// Requests to cancel a run or to pause it: kept until they are honored, and leftovers are reported.
struct GivingUpTests {
  private func status(_ scene: Scene) async throws -> String? {
    let report = try await scene.pipeline.run("status", "--format", "json")
    return try JSON.object(report.output)["status"] as? String
  }

  @Test func `a run that is cancelled and paused at once stays cancelled`() async throws {
    let (scene, server, _, run) = try await Scene.uploading(6)
    let cancel = try await scene.pipeline.run("cancel")
    #expect(cancel.status == 0, "\(cancel)")
    let pause = try await scene.pipeline.run("pause")
    #expect(!pause.output.contains("is paused"), "\(pause)")
    _ = try await run.outcome()
    #expect(try await status(scene) == "cancelled")
    let deleted = server.journal.filter { $0.method == "DELETE" }.count
    #expect(deleted == server.journal.count { $0.event == "allocate" })
  }

  @Test(arguments: ["cancel", "pause"])
  func `a request is kept for a process that has not handled it yet`(command: String) async throws {
    let (scene, _, gate, run) = try await Scene.uploading(6)
    try await run.killed()
    let lock = try scene.runFolder() + "/lock"
    // It holds the run as one does that waits for a password.
    let holder = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["flock", "--no-fork", lock, "sh", "-c", "echo held; exec tail -f /dev/null"])
    try await holder.wait(for: "held")
    let asked = try await scene.pipeline.run(command)
    #expect(asked.status == (command == "cancel" ? 0 : 3), "\(asked)")
    #expect(asked.description.contains("as soon as "), "\(asked)")
    try await holder.killed()
    let before = gate.held
    let resumed = try await scene.pipeline.run("resume")
    #expect(resumed.status == (command == "cancel" ? 0 : 1), "\(resumed)")
    #expect(
      try await status(scene) == (command == "cancel" ? "cancelled" : "paused"), "\(resumed)")
    #expect(gate.held == before, "the run went on")
    let names = try FileManager.default.contentsOfDirectory(atPath: try scene.runFolder())
    #expect(!names.contains { $0.hasPrefix("request") }, "\(names)")
  }

  @Test func `every report shows leftovers, and another cancel undoes them`() async throws {
    let quick = ExpiryTests.definition.replacingOccurrences(of: "attempts: 10", with: "attempts: 3")
    let (scene, server, _, run) = try await Scene.uploading(4, quick, "--store", "store")
    try await run.killed()
    try await server.process.killed()

    let away = try await scene.pipeline.run("cancel")
    #expect(away.status == 1, "\(away)")
    #expect(away.output.contains("4 items left something at the server"), "\(away)")
    let name = try scene.runName()
    let report = try JSON.object(
      try await scene.pipeline.run("status", "--format", "json").output)
    #expect(report["status"] as? String == "cancelled")
    #expect(report["left_at_server"] as? Int == 4)
    let explained = try await scene.pipeline.run("explain")
    #expect(
      explained.output.contains("not undone at the server: step 'sign_in' gives no credential"),
      "\(explained)")
    #expect(explained.output.contains("`pipeline cancel \(name)`"), "\(explained)")
    let history = try await scene.pipeline.run("history", "0/1")
    #expect(history.output.contains("not undone"), "\(history)")
    let retry = try await scene.pipeline.run("retry")
    #expect(retry.status == 2, "\(retry)")

    let port = try #require(server.url.split(separator: ":").last)
    let journal = scene.directory.path("journal-back.ndjson")
    let back = try scene.pipeline.start(
      "demo-server", "--port", String(port), "--store", "store", "--journal", journal)
    try await back.wait(for: "listening")
    let again = try await scene.pipeline.run("cancel")
    #expect(again.status == 0, "\(again)")
    let deletions = try String(contentsOfFile: journal, encoding: .utf8)
      .split(separator: "\n").count { $0.contains("\"DELETE\"") }
    #expect(deletions == 4)
    let end = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    #expect(end["left_at_server"] as? Int == 0)
    #expect((end["items"] as? [String: Int])?["cancelled"] == 4, "\(end)")
    let once = try await scene.pipeline.run("cancel")
    #expect(once.status == 0 && once.output.contains("nothing to cancel"), "\(once)")
  }

  @Test func `runs that start at one moment have folders and keys of their own`() async throws {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(1)
    try scene.directory.write(ExpiryTests.definition, to: "slow.yaml")
    let server = try await scene.server()
    let runs = try (0..<30).map { _ in
      try scene.pipeline.start("run", "slow.yaml", "--input", "server=\(server.url)")
    }
    for run in runs {
      let outcome = try await run.outcome()
      #expect(outcome.status == 0, "\(outcome)")
    }
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: scene.pipeline.stateFolder + "/runs")
    #expect(folders.count == 30)
    let allocated = server.journal.filter { $0.event == "allocate" }
    #expect(Set(allocated.compactMap(\.upload_id)).count == 30)
    let seeds = Set(allocated.compactMap { $0.idempotency_key?.prefix { $0 != "-" } })
    #expect(seeds.count == 30)
    #expect(seeds.allSatisfy { $0.count == 20 }, "100 bits in base 32: \(seeds)")
  }

  @Test func `a run's files are readable by its user only, and a crash does not leave a core file`()
    async throws
  {
    let (scene, _, _, run) = try await Scene.uploading(6)
    let folder = try scene.runFolder()
    for path in [scene.pipeline.stateFolder + "/runs", folder, folder + "/files"] {
      #expect(try mode(path) == 0o700, "\(path)")
    }
    for name in ["lock", "run.sqlite", "run.sqlite-wal", "pipeline.yaml", "origin.json"] {
      #expect(try mode(folder + "/" + name) == 0o600, "\(name)")
    }
    let limits = try String(contentsOfFile: "/proc/\(run.id)/limits", encoding: .utf8)
    #expect(limits.contains(/Max core file size +0 +0\b/), "\(limits)")
    let filter = try String(contentsOfFile: "/proc/\(run.id)/coredump_filter", encoding: .utf8)
    #expect(filter.contains(/^0+\n/), "\(filter)")
    try await run.killed()
    // Work that an earlier version left open is closed.
    chmod(folder, 0o755)
    chmod(folder + "/lock", 0o644)
    _ = try await scene.pipeline.run("cancel")
    #expect(try mode(folder) == 0o700)
    #expect(try mode(folder + "/lock") == 0o600)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  @Test func `another value of an input is refused, and both are named`() async throws {
    let (scene, _, gate, run) = try await Scene.uploading(6)
    try await run.killed()
    for command in ["resume", "retry", "cancel"] {
      let other = try await scene.pipeline.run(command, "--input", "server=http://127.0.0.1:9")
      #expect(other.status == 2, "\(other)")
      #expect(other.error.contains("'\(gate.url)'"), "\(other)")
      #expect(other.error.contains("'http://127.0.0.1:9'"), "\(other)")
    }
    let files = try await scene.pipeline.run("resume", "--input", "files=other/*.bin")
    #expect(files.status == 2 && files.error.contains("other/*.bin"), "\(files)")
    let same = try await scene.pipeline.run(
      "cancel", "--input", "server=\(gate.url)", "--input", "files=files/*.bin")
    #expect(same.status == 0, "\(same)")
  }

  @Test func `resume chooses the newest run that is not finished`() async throws {
    let (scene, server, _, run) = try await Scene.uploading(6)
    try await run.killed()
    let name = try scene.runName()
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let other = try await scene.server()
    let later = try await scene.pipeline.run("run", "put.yaml", "--input", "server=\(other.url)")
    #expect(later.status == 0, "\(later)")
    let resumed = try scene.pipeline.start("resume")
    try await resumed.wait(for: name)
    #expect(!server.journal.isEmpty)
    let missing = try await scene.pipeline.run("history", name, "0/999")
    #expect(missing.status == 2, "\(missing)")
    try await resumed.killed()
  }

  @Test func `a changed file is reported as changed, and can be accepted`() async throws {
    let scene = try Scene()
    try scene.files(2)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let away = try await scene.server("--store", scene.directory.path("store"))
    try await away.process.killed()
    let first = try await scene.pipeline.run("run", "put.yaml", "--input", "server=\(away.url)")
    #expect(first.status == 1, "\(first)")
    let step = try await scene.pipeline.run("explain", "0/1")
    #expect(step.output.contains("put: paused, generation 1"), "\(step)")
    try scene.directory.write("another content", to: "files/file-0001.bin")
    let port = try #require(away.url.split(separator: ":").last)
    let journal = scene.directory.path("journal-back.ndjson")
    let back = try scene.pipeline.start("demo-server", "--port", String(port), "--journal", journal)
    try await back.wait(for: "listening")
    let plain = try await scene.pipeline.run("retry")
    #expect(plain.status == 1, "\(plain)")
    let explained = try await scene.pipeline.run("explain")
    #expect(explained.output.contains("0/1 --accept-changed-files`"), "\(explained)")
    #expect(!explained.output.contains("1970"), "\(explained)")
    let accepted = try await scene.pipeline.run("retry", "0/1", "--accept-changed-files")
    #expect(accepted.status == 0, "\(accepted)")
    let sum = SHA256Sum.of(Data("another content".utf8))
    let sent = try String(contentsOfFile: journal, encoding: .utf8)
    #expect(sent.contains(sum), "\(sent)")
  }
}
