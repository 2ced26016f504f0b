import Foundation
import TestSupport
import Testing

/// docs/items.md: what the commands print there is what they print, but for names of runs, times and ports.
///
/// `UPDATE_GENERATED=1` writes the output again.
struct CommandPageTests {
  private static let page = CommandRunner.packageRoot.appending(path: "docs/items.md")

  @Test func `the commands of the page print what it shows`() async throws {
    let scene = try Scene()
    var runner = scene.pipeline
    let programs = CommandRunner.binary.deletingLastPathComponent().path(percentEncoded: false)
    runner.environment["PATH"] = "\(programs):/usr/bin:/bin"
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    var made: [Substring] = []
    var fence: Substring?
    var block: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        if fence == "console" {
          // The output is made again by its command.
          if line.hasPrefix("$ ") {
            made.append(line)
            let output = try await Self.output(of: line.dropFirst(2), runner)
            made += output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
          }
        } else {
          if fence != nil { block.append(line) }
          made.append(line)
        }
        continue
      }
      made.append(line)
      if fence == nil {
        fence = line.dropFirst(3)
        block = []
        continue
      }
      if fence == "yaml", block.first == "pipeline: upload" {
        try scene.directory.write(block.joined(separator: "\n") + "\n", to: "upload.yaml")
      }
      fence = nil
    }
    let again = made.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
      try again.write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(again == text, "`UPDATE_GENERATED=1` writes docs/items.md again")
    }
  }

  private static func output(
    of command: Substring, _ runner: CommandRunner
  ) async throws -> Substring {
    let process = try runner.start(
      executable: URL(filePath: "/bin/sh"), ["-c", "exec 2>&1\n\(command)"])
    let outcome = try await process.outcome(within: .seconds(60))
    var text = outcome.output
    // Where the runs are stored.
    text.replace(/'[^']*\/state\/pipeline'/, with: "'~/.local/state/pipeline'")
    // The milliseconds of a CSV file, before the reason.
    text.replace(/(\n\d+\/\d+,[^,\n]*,[a-z]+,\d*,\d+,\d+,)\d+,/) { "\($0.output.1)12," }
    text.replace(/-\d{8}-\d{6}-[0-9a-z]{4}/, with: "-20260314-101502-k3f9")
    text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "2026-03-14T10:15:02.100Z")
    text.replace(/\b\d+\.\d s\b/, with: "0.1 s")
    text.replace(/("?milliseconds"?[:=])\d+/) { "\($0.output.1)12" }
    text.replace(/127\.0\.0\.1:\d+/, with: "127.0.0.1:8080")
    return text[...]
  }
}
