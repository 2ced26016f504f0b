import Foundation
import TestSupport
import Testing

/// The notification about a run that has stopped: `--on-finish`, and `on_finish` of the settings.
struct FinishTests {
  private func scene(_ settings: String = "") async throws -> (
    scene: Scene, words: [String], server: ServerProcess
  ) {
    var scene = try Scene()
    try scene.files(2)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server()
    try scene.directory.write(settings.replacing("SERVER", with: server.url), to: "config.yaml")
    scene.pipeline.environment["PIPELINE_CONFIG"] = scene.directory.path("config.yaml")
    return (
      scene, ["run", "put.yaml", "--input", "server=\(server.url)"], server
    )
  }

  @Test(arguments: [
    ("exit 7", "the command ended with status 7"), ("kill -9 $$", "was ended by signal 9"),
    ("sleep 600 & sleep 600", "took longer than 0.5 s and was ended"),
  ])
  func `a command that fails is a warning, unless it is required`(
    _ command: String, _ message: String
  ) async throws {
    let (scene, words, _) = try await scene()
    let timeout = command.contains("sleep") ? "500ms" : "1h"
    let options = ["--on-finish", command, "--on-finish-timeout", timeout]
    let run = try await scene.pipeline.run(words + options)
    #expect(run.status == 0, "\(run)")
    #expect(run.error.contains("warning: on_finish: "), "\(run)")
    #expect(run.error.contains(message), "\(run)")
    let required = try await scene.pipeline.run(words + options + ["--require-on-finish"])
    #expect(required.status == 1, "\(required)")
    #expect(required.output.contains("2 done"), "\(required)")
  }

  @Test func `a command gets the report, and its output is not part of ours`() async throws {
    let (scene, words, _) = try await scene()
    let command = #"cat > report.json; echo "$PIPELINE_RUN $PIPELINE_STATUS $PIPELINE_NAME""#
    let run = try await scene.pipeline.run(
      words + ["--format", "json", "--name", "mine", "--on-finish", command])
    #expect(run.status == 0, "\(run)")
    let name = try scene.runName()
    let written = try String(
      contentsOf: URL(filePath: scene.directory.path("report.json")), encoding: .utf8)
    #expect(written == run.output)
    #expect(try JSON.object(written)["run"] as? String == name)
    #expect(run.error.contains("\(name) finished mine\n"), "\(run)")
    // A run that pauses has stopped as well, and a command that reads nothing does not fail.
    let paused = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=http://127.0.0.1:9", "--on-finish",
      "echo told $PIPELINE_STATUS >&2")
    #expect(paused.status == 1, "\(paused)")
    #expect(paused.error.contains("told finished"), "\(paused)")
    #expect(!paused.error.contains("warning: on_finish"), "\(paused)")
  }

  @Test func `a request has the report as its body, and a header from a file`() async throws {
    let (scene, words, server) = try await scene(
      """
      on_finish:
        request:
          url: SERVER/v1/files/hook
          method: PUT
          headers: { X-Token: "@token.txt" }
      """)
    let missing = try await scene.pipeline.run(words)
    #expect(missing.status == 0, "\(missing)")
    #expect(missing.error.contains("token.txt' for header 'X-Token'"), "\(missing)")
    try scene.directory.write("hunter2\n", to: "token.txt")
    let run = try await scene.pipeline.run(words + ["--format", "json"])
    #expect(!run.error.contains("warning: on_finish"), "\(run)")
    let line = try #require(server.journal.last { $0.path.hasSuffix("/hook") })
    #expect(line.method == "PUT")
    let report = Data(run.output.trimmingCharacters(in: .newlines).utf8)
    #expect(line.sha256 == SHA256Sum.of(report))
  }

  @Test func `a request that is refused, and one to nowhere, are warnings`() async throws {
    let (scene, words, _) = try await scene("on_finish: { request: { url: SERVER/none } }")
    let refused = try await scene.pipeline.run(words)
    #expect(refused.status == 0, "\(refused)")
    #expect(refused.error.contains("on_finish: POST returned 404"), "\(refused)")
    try scene.directory.write(
      "on_finish: { request: { url: \"http://127.0.0.1:9\" }, required: true, timeout: 2s }",
      to: "config.yaml")
    let nowhere = try await scene.pipeline.run(words)
    #expect(nowhere.status == 1, "\(nowhere)")
    #expect(nowhere.error.contains("127.0.0.1:9: connection refused"), "\(nowhere)")
  }
}
