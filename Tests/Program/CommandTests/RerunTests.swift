import Foundation
import TestSupport
import Testing

/// A run starts again with the inputs of an earlier one.
struct RerunTests {
  private func scene(_ definition: String = Definitions.put) async throws -> (Scene, ServerProcess)
  {
    let scene = try Scene()
    try scene.files(3)
    try scene.directory.write(definition, to: "put.yaml")
    return (scene, try await scene.server())
  }

  @discardableResult
  private func first(_ scene: Scene, _ url: String, _ more: String...) async throws -> String {
    let outcome = try await scene.pipeline.run(
      ["run", "put.yaml", "--input", "server=\(url)"] + more)
    return try #require(outcome.output.firstMatch(of: /run (\S+):/).map { String($0.output.1) })
  }

  /// A token for the run, one upload for each file, and the names of both in the server's journal.
  private static let stages = """
    pipeline: stages
    inputs:
      server: { type: url }
      user: { type: string, default: demo }
      password: { type: secret }
      files: { type: files, default: "files/*.bin" }
    steps:
      - id: mark
        request:
          method: PUT
          url: ${{ inputs.server + "/v1/files/mark" }}
          text: one
        outputs:
          label: { value: "${{ response.json.name }}" }
      - id: brief
        request:
          method: PUT
          url: ${{ inputs.server + "/v1/files/brief-" + steps.mark.label }}
          text: two
        outputs:
          label: { value: "${{ response.json.name }}", expires: { in: 1h } }
      - id: hidden
        request:
          method: PUT
          url: ${{ inputs.server + "/v1/files/hidden" }}
          text: three
        outputs:
          label: { value: "${{ response.json.name }}", secret: true }
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: put
            upload:
              url: ${{ inputs.server + "/v1/files/" + steps.mark.label + "-" + urlEscape(file.name) }}
              file: ${{ file }}
          - id: after
            request:
              method: PUT
              url: ${{ inputs.server + "/v1/files/after-" + steps.hidden.label + steps.brief.label }}
              text: four
    """

  @Test func `a rerun sends the files of the earlier run, regardless of current matches`()
    async throws
  {
    let (scene, server) = try await scene()
    let run = try await first(scene, server.url, "--exclude", "file-0001.bin")
    let before = server.journal.count { $0.event == "store_file" }
    #expect(before == 2)
    try scene.files(5)
    let again = try await scene.pipeline.run("rerun", "--name", "again")
    #expect(again.status == 0, "\(again)")
    #expect(again.error.contains("a rerun of '\(run)'\n"), "\(again)")
    #expect(again.output.contains(" 'again': finished in "), "\(again)")
    #expect(again.output.contains(": 2 done, "), "\(again)")
    let names = server.journal.filter { $0.event == "store_file" }.compactMap(\.name)
    #expect(names.sorted() == ["file-0000.bin", "file-0000.bin", "file-0002.bin", "file-0002.bin"])
    // Both runs are there, and the earlier one is as it was.
    let list = try JSON.array(try await scene.pipeline.run("runs", "--format", "json").output)
    #expect(list.map { $0["status"] as? String } == ["finished", "finished"])
    #expect(list.first?["run"] as? String == run)
    // A rerun records its origin, as its predecessor did.
    let third = try await scene.pipeline.run("rerun", "again")
    #expect(third.output.contains(": 2 done, "), "\(third)")
  }

  @Test
  func `a file that changed is sent as it is now, one that is gone fails, and both are named`()
    async throws
  {
    let (scene, server) = try await scene()
    let run = try await first(scene, server.url)
    try scene.directory.write("changed", to: "files/file-0001.bin")
    try FileManager.default.removeItem(atPath: scene.directory.path("files/file-0002.bin"))
    let again = try await scene.pipeline.run("rerun", run)
    #expect(again.status == 1, "\(again)")
    #expect(
      again.error.contains(
        "warning: 1 of 3 files is changed since the earlier run started: 'file-0001.bin'\n"),
      "\(again)")
    #expect(
      again.error.contains(
        "warning: 1 of 3 files is gone since the earlier run started: 'file-0002.bin'\n"),
      "\(again)")
    #expect(again.output.contains(": 2 done, 1 "), "\(again)")
    let sums = server.journal.filter { $0.name == "file-0001.bin" }.compactMap(\.sha256)
    #expect(Set(sums).count == 2)
  }

  @Test func `a rerun has the inputs of its run, and refuses others`() async throws {
    let (scene, server) = try await scene()
    let run = try await first(scene, server.url)
    let other = try await scene.pipeline.run("rerun", run, "--input", "server=http://127.0.0.1:9")
    #expect(other.status == 2, "\(other)")
    #expect(other.error.contains("a run keeps the inputs that it started with"), "\(other)")
    let unknown = try await scene.pipeline.run("rerun", "nothing")
    #expect(unknown.status == 2, "\(unknown)")
    _ = try scene.runName()
  }

  @Test func `a rerun of a demonstration has a separate server`() async throws {
    let scene = try Scene()
    let demo = try await scene.pipeline.run("run", Scene.shipped("photos.yaml"), "--demo")
    #expect(demo.status == 0, "\(demo)")
    let again = try await scene.pipeline.run("rerun")
    #expect(again.status == 0, "\(again)")
    #expect(again.output.contains("5 done"), "\(again)")
  }

  @Test func `from a step on, results before it are kept unless they are secret or have expired`()
    async throws
  {
    let (scene, server) = try await scene(Self.stages)
    let run = try await first(scene, server.url)
    func names() -> [String: Int] {
      let names = server.journal.filter { $0.event == "store_file" }.compactMap(\.name)
      return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }
    let before = names()
    #expect(before["mark"] == 1, "\(before)")
    #expect(before["hidden"] == 1)
    #expect(before["brief-mark"] == 1)
    try await expire(scene)
    let again = try await scene.pipeline.run("rerun", run, "--from", "put")
    #expect(again.status == 0, "\(again)")
    #expect(again.error.contains("a rerun of '\(run)' from step 'put'\n"), "\(again)")
    let after = names()
    #expect(after["mark"] == 1, "\(again)")
    #expect(after["brief-mark"] == 2)
    #expect(after["hidden"] == 2)
    #expect(after["mark-file-0000.bin"] == 2)
    let all = try await scene.pipeline.run("rerun", run)
    #expect(all.status == 0, "\(all)")
    #expect(names()["mark"] == 2)
  }

  /// Makes the results of the only run two hours older in its store.
  private func expire(_ scene: Scene) async throws {
    let sql = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      [
        "python3", "-c",
        #"""
        import re, sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        state = c.execute("select state from frame").fetchone()[0].decode()
        older, count = re.subn(r'"(expires|stale)":(\d+)', lambda m: '"%s":%d' % (m[1], int(m[2]) - 7200000), state)
        assert count, state
        c.execute("update frame set state = ?", (older.encode(),))
        c.commit()
        """#, "\(scene.runFolder())/run.sqlite",
      ])
    let outcome = try await sql.outcome()
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test func `a rerun cannot start at a step that needs results which are not kept`() async throws {
    let (scene, server) = try await scene(Self.stages)
    let run = try await first(scene, server.url)
    let inside = try await scene.pipeline.run("rerun", run, "--from", "after")
    #expect(inside.status == 2, "\(inside)")
    #expect(inside.error.contains("a run cannot start at step 'after'"), "\(inside)")
    #expect(inside.error.contains("--from put does that"), "\(inside)")
    let unknown = try await scene.pipeline.run("rerun", run, "--from", "none")
    #expect(unknown.status == 2, "\(unknown)")
    #expect(unknown.error.contains("expected one of 'mark', 'brief', 'hidden', 'put', 'after'"))
    _ = try scene.runName()
  }

  @Test func `a run that a process works on can be done again, but not from a step on`()
    async throws
  {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(12)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server("--suspend-at", "3")
    let busy = try scene.pipeline.start("run", "put.yaml", "--input", "server=\(server.url)")
    try await server.waitUntilSuspended()
    let run = try scene.runName()
    // It stays busy during the rest.
    busy.signal(SIGSTOP)
    server.goOn()
    let refused = try await scene.pipeline.run("rerun", "--from", "put")
    #expect(refused.status == 3, "\(refused)")
    #expect(refused.error.contains("is being worked on by another process"), "\(refused)")
    let again = try await scene.pipeline.run("rerun", run)
    #expect(again.status == 0, "\(again)")
    #expect(
      again.error.contains("note: a process still works on '\(run)', which sends the same items"),
      "\(again)")
    #expect(again.output.contains(": 12 done, "), "\(again)")
    busy.signal(SIGCONT)
    let first = try await busy.outcome()
    #expect(first.output.contains(": 12 done, "), "\(first)")
  }

  @Test func `results of an unfinished run are its own`() async throws {
    let (scene, server) = try await scene()
    let run = try await first(scene, "http://127.0.0.1:9")
    let from = try await scene.pipeline.run("rerun", run, "--from", "put")
    #expect(from.status == 2, "\(from)")
    #expect(from.error.contains("run '\(run)' is unfinished"), "\(from)")
    _ = try scene.runName()
    _ = server
  }
}
