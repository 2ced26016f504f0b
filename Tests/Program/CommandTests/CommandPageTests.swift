import Foundation
import TestSupport
import Testing

/// docs/items.md, docs/cli.md and docs/json.md: the printed output is the commands' output, except for names of runs, times, rates and ports.
///
/// `UPDATE_GENERATED=1` writes the output again.
struct CommandPageTests {
  private static let docs = CommandRunner.packageRoot.appending(path: "docs")

  @Test(arguments: ["items.md", "cli.md", "json.md"])
  func `the commands of the page print the documented output`(name: String) async throws {
    let scene = try Scene()
    try scene.directory.write(try Self.pipeline(), to: "upload.yaml")
    let page = Self.docs.appending(path: name)
    let text = try String(contentsOf: page, encoding: .utf8)
    var made: [Substring] = []
    var fence: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        made.append(line)
        fence = fence == nil ? line.dropFirst(3) : nil
        continue
      }
      let isMade = fence == "console" || fence?.hasPrefix("console title=") == true
      guard isMade else {
        made.append(line)
        continue
      }
      // The output is reproduced by its command.
      guard line.hasPrefix("$ "), let fence else { continue }
      made.append(line)
      let command = line.dropFirst(2)
      if fence == "console" {
        made += try await output(of: command, scene)
      } else {
        made += try await screen(fence, of: command)
      }
    }
    let again = made.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
      try again.write(to: page, atomically: true, encoding: .utf8)
    } else {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let changes = made.difference(from: lines)
      #expect(changes.isEmpty, "`UPDATE_GENERATED=1` writes docs/\(name) again")
    }
  }

  /// The pipeline that docs/items.md starts with.
  private static func pipeline() throws -> String {
    let page = try String(contentsOf: docs.appending(path: "items.md"), encoding: .utf8)
    let block = try #require(page.firstMatch(of: /(?s)```yaml\n(pipeline: upload\n.*?)```/))
    return String(block.output.1)
  }

  private func output(of command: Substring, _ scene: Scene) async throws -> [Substring] {
    var runner = scene.pipeline
    let programs = CommandRunner.binary.deletingLastPathComponent().path(percentEncoded: false)
    runner.environment["PATH"] = "\(programs):/usr/bin:/bin"
    let process = try runner.start(
      executable: URL(filePath: "/bin/sh"), ["-c", "exec 2>&1\n\(command)"])
    let outcome = try await process.outcome()
    return Self.without(chance: outcome.output)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  private static func without(chance output: String) -> Substring {
    var text = output
    // Where the runs are stored.
    text.replace(/'[^']*\/state\/pipeline'/, with: "'~/.local/state/pipeline'")
    // The seconds of a CSV file, before the reason.
    text.replace(/(\n\d+\/\d+,[^,\n]*,[a-z]+,\d*,\d+,\d+,)[\d.]+,/) { "\($0.output.1)0.012," }
    text.replace(/("seconds":)[\d.]+/) { "\($0.output.1)0.012" }
    text.replace(/-\d{8}-\d{6}-[0-9a-z]{4}/, with: "-20260314-101502-k3f9")
    // One moment in a thousand has no fraction.
    text.replace(/since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "since 2026-03-14T10:15:02.100Z")
    text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "2026-03-14T10:15:02Z")
    text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/, with: "2026-03-14T10:15:02.100Z")
    text.replace(/\b\d+\.\d s\b/, with: "0.1 s")
    text.replace(/, \d+ ms,/, with: ", 12 ms,")
    text.replace(/\(process \d+\)/, with: "(process 4711)")
    text.replace(/\b\d{2}\.\d KiB\b/, with: "92.0 KiB")
    text.replace(/\b\d{3} KiB\b/, with: "156 KiB")
    text.replace(/(milliseconds=)\d+/) { "\($0.output.1)12" }
    text.replace(/127\.0\.0\.1:\d+/, with: "127.0.0.1:8080")
    return text[...]
  }

  /// The terminal in the middle of a run of four films against a slow server.
  private func screen(_ fence: Substring, of command: Substring) async throws -> [Substring] {
    var scene = try Scene()
    try scene.directory.write(
      try Self.pipeline().replacing(
        "steps:\n  - for_each: file", with: "steps:\n  - for_each: file\n    concurrency: 3"),
      to: "upload.yaml")
    for number in 1...4 {
      try scene.directory.write(
        Data(repeating: 7, count: 3_000_000), to: "Films/MOV_000\(number).mov")
    }
    // Whole films would take half an hour, so that the run is in the middle however slow the machine is.
    try scene.directory.write("bandwidth: 5 KB/s\n", to: "config.yaml")
    scene.pipeline.environment["PIPELINE_CONFIG"] = scene.directory.path("config.yaml")
    let server = try await scene.server()
    // The title of the block is COLUMNS by ROWS.
    let size = fence.split { !$0.isNumber }.compactMap { Int($0) }
    let words = command.replacing("http://127.0.0.1:8080", with: server.url)
      .split(separator: " ").dropFirst().map(String.init)
    let window = try await TerminalWindow(scene, columns: size[0], rows: size[1], words)
    let lines = try await window.wait("a rate") { lines in
      lines.contains { $0.contains(/iB\/s .* left/) }
    }
    await window.close()
    let view = lines.drop { !$0.hasPrefix("run upload-") }.joined(separator: "\n")
    return Self.without(progress: String(Self.without(chance: view))).split(separator: "\n")
  }

  /// The same view with the same progress, and with the films in the order of their names.
  private static func without(progress view: String) -> Substring {
    var text = view
    var number = 0
    text.replace(/MOV_\d+/) { _ in
      number += 1
      return "MOV_000\(number)"
    }
    text.replace(/[━─]{10,}/) { match in
      let width = match.output.count
      return String(repeating: "━", count: width / 3)
        + String(repeating: "─", count: width - width / 3)
    }
    text.replace(/\b\d+ %/, with: "33 %")
    text.replace(/\b[\d.]+ [KM]iB of/, with: "977 KiB of")
    text.replace(/\b[\d.]+ [KM]iB\/s/, with: "1.17 MiB/s")
    text.replace(/\b(\d+ min )?[\d.]+ s left/, with: "0.1 s left")
    return text[...]
  }
}
