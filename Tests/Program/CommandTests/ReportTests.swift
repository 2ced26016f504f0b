import Foundation
import TestSupport
import Testing

struct ReportTests {
  /// A scene with one run that is done and one of which every item failed.
  private func sceneWithRuns() async throws -> Scene {
    let scene = try Scene()
    let done = try await scene.pipeline.run("run", Scene.shipped("photos.yaml"), "--demo")
    #expect(done.status == 0, "\(done)")
    try scene.files(2)
    try scene.directory.write(Self.failing, to: "failing.yaml")
    let server = try await scene.server()
    let failed = try await scene.pipeline.run(
      "run", "failing.yaml", "--input", "server=\(server.url)")
    #expect(failed.status == 1, "\(failed)")
    return scene
  }

  private static let failing = """
    pipeline: failing
    inputs:
      server: { type: url }
      files: { type: files, default: "files/*.bin" }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: put
            upload:
              url: ${{ inputs.server + "/v1/uploads/none-" + file.name + "/content" }}
              file: ${{ file }}
    """

  @Test func `a run that refusals paused continues with retry, not with resume`() async throws {
    var scene = try Scene()
    try scene.files(5)
    let refused =
      Self.failing
      .replacing("files: {", with: "token: { type: secret }\n  files: {")
      .replacing("file: ${{ file }}", with: "file: ${{ file }}\n          bearer: $TOKEN")
      .replacing("$TOKEN", with: "${{ inputs.token }}")
    try scene.directory.write(refused, to: "refused.yaml")
    scene.pipeline.environment["PIPELINE_INPUT_TOKEN"] = "wrong"
    let server = try await scene.server()
    let run = try await scene.pipeline.run(
      "run", "refused.yaml", "--input", "server=\(server.url)", "--concurrency", "1")
    #expect(run.status == 1, "\(run)")
    #expect(run.output.contains("2 pending"), "\(run)")
    #expect(run.output.contains("items in a row were refused in the same way"), "\(run)")
    #expect(run.output.contains("continue with `pipeline retry"), "\(run)")
    let explained = try await scene.pipeline.run("explain")
    #expect(
      explained.output.contains("unblocked by: fix the cause, then `pipeline retry"),
      "\(explained)")
  }

  @Test func `runs are listed oldest first, as text and as JSON`() async throws {
    let scene = try await sceneWithRuns()
    let text = try await scene.pipeline.run("runs")
    let lines = text.output.split(separator: "\n")
    try #require(lines.count == 3, "\(text)")
    #expect(lines[1].contains(/^photos-\S+ +finished .* photos +- +5 done$/), "\(text)")
    #expect(lines[2].contains(/^failing-\S+ +finished .* failing +- +2 failed$/), "\(text)")
    let json = try JSON.array(try await scene.pipeline.run("runs", "--format", "json").output)
    #expect(json.map { $0["status"] as? String } == ["finished", "finished"])
    let items = json.last?["items"] as? [String: Int]
    #expect(items?.filter { $0.value > 0 } == ["failed": 2])
  }

  @Test func `without a run a list succeeds, and a report fails`() async throws {
    let scene = try Scene()
    let list = try await scene.pipeline.run("runs")
    #expect(list.status == 0)
    #expect(list.output == "no runs in '\(scene.pipeline.stateFolder)'\n")
    for command in ["status", "explain", "history", "resume", "retry", "pause", "cancel"] {
      let outcome = try await scene.pipeline.run(command)
      #expect(outcome.status == 2, "\(command) \(outcome)")
      #expect(outcome.error.contains("there are no runs in '\(scene.pipeline.stateFolder)'"))
    }
  }

  @Test func `status, explain and history describe the newest run`() async throws {
    let scene = try await sceneWithRuns()
    let status = try await scene.pipeline.run("status")
    #expect(status.status == 0)
    #expect(
      status.output.contains(/^run failing-\S+: finished in .*: 2 failed, 1001 B\n/), "\(status)")
    #expect(status.output.contains("`pipeline explain failing-"))
    let json = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    #expect((json["items"] as? [String: Int])?["failed"] == 2)

    let explain = try await scene.pipeline.run("explain")
    #expect(explain.output.contains("0/0 files/file-0000.bin: failed: "), "\(explain)")
    #expect(explain.output.contains("unblocked by: `pipeline retry failing-"))
    let item = try await scene.pipeline.run("explain", "0/1")
    #expect(item.output.contains("0/1 files/file-0001.bin: failed: "), "\(item)")
    #expect(item.output.contains("\n  put: "), "\(item)")
    let form = try JSON.object(try await scene.pipeline.run("explain", "--format", "json").output)
    #expect((form["entries"] as? [[String: Any]])?.count == 2)

    let history = try await scene.pipeline.run("history")
    #expect(history.output.contains("run began"), "\(history)")
    #expect(history.output.contains("0/1 put "), "\(history)")
    let one = try await scene.pipeline.run("history", "0/0", "--format", "json")
    let events = try one.output.split(separator: "\n").map { try JSON.object($0) }
    #expect(!events.isEmpty)
    #expect(events.allSatisfy { $0["item"] as? String == "0/0" }, "\(one)")
  }

  @Test func `a run is named by the start of its ID, into the random part`() async throws {
    let scene = try await sceneWithRuns()
    let runs = try await scene.pipeline.run("runs").output
    let id = try #require(runs.firstMatch(of: /photos-\d{8}-\d{6}-[0-9a-z]{4}/)).output
    let status = try await scene.pipeline.run("status", String(id.dropLast(2)))
    #expect(status.status == 0)
    #expect(status.output.contains("5 done"))
    let unknown = try await scene.pipeline.run("status", "photos")
    #expect(unknown.status == 2)
    #expect(unknown.error.contains("no run is called 'photos'"), "\(unknown)")
    let item = try await scene.pipeline.run("explain", "0/99")
    #expect(item.status == 2)
    #expect(item.error.contains("has no item 0/99"), "\(item)")
    let loop = try await scene.pipeline.run("explain", "7/0")
    #expect(loop.status == 2, "\(loop)")
  }

  @Test func `every stamp of the history has milliseconds`() async throws {
    let scene = try await sceneWithRuns()
    let history = try await scene.pipeline.run("history", "photos")
    for line in history.output.split(separator: "\n") {
      #expect(line.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \ \S/), "\(line)")
    }
  }
}
