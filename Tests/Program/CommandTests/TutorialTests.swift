import Foundation
import TestSupport
import Testing

/// A newcomer's way through docs/writing-pipelines.md, typed as it stands.
struct TutorialTests {
  /// The page as one script: commands as they are, whole pipelines written to the file that the page names.
  private static func script() throws -> String {
    let page = try String(
      contentsOf: CommandRunner.packageRoot.appending(path: "docs/writing-pipelines.md"),
      encoding: .utf8)
    var script = "set -eu\n"
    var fence: Substring?
    var block = ""
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let open = fence {
          if open == "sh" { script += block }
          if open == "yaml", block.hasPrefix("pipeline:") || block.contains("\npipeline:") {
            script += "cat > photos.yaml <<'END'\n\(block)END\n"
          }
          fence = nil
        } else {
          fence = line.dropFirst(3)
          block = ""
        }
      } else {
        block += line + "\n"
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
