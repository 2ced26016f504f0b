import Foundation
import TestSupport
import Testing

/// A newcomer's way through docs/writing-pipelines.md, typed as it stands.
struct TutorialTests {
  /// The page as one script: commands as they are, whole pipelines written to the file that the page names.
  private static func script() throws -> String {
    var script = "set -eu\n"
    for block in try FencedBlock.all(of: "docs/writing-pipelines.md") {
      if block.kind == "sh" { script += block.text }
      if block.kind == "yaml", block.isPipeline {
        script += "cat > photos.yaml <<'END'\n\(block.text)END\n"
      }
    }
    return script + "pipeline status\n"
  }

  @Test func `the commands of the tutorial work as described`() async throws {
    let scene = try Scene()
    var runner = scene.pipeline
    let programs = CommandRunner.binary.deletingLastPathComponent().path(percentEncoded: false)
    let path = runner.environment["PATH"] ?? "/usr/bin:/bin"
    runner.environment["PATH"] = "\(programs):\(path)"
    runner.environment["PIPELINE_INPUT_PASSWORD"] = "demo"
    let script = try Self.script()
    #expect(script.contains("kill -9") && script.contains("pipeline resume"))
    let process = try runner.start(executable: URL(filePath: "/bin/sh"), ["-c", script])
    let outcome = try await process.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("5 done"), "\(outcome)")
  }
}
