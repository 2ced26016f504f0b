import Foundation
import TestSupport

/// A terminal of a certain size in which the program runs: tmux, which keeps a screen as an emulator does.
struct TerminalWindow {
  private let runner: CommandRunner
  private let socket: String

  /// Opens a window and runs a shell command in it; the window stays when the command has ended.
  ///
  /// - Parameter arguments: Of the program.
  init(
    _ scene: Scene, columns: Int, rows: Int, _ arguments: [String],
    variables: [String: String] = [:]
  ) async throws {
    runner = scene.pipeline
    socket = scene.directory.path("terminal-\(UUID().uuidString.prefix(8))")
    let words = ([CommandRunner.binary.path(percentEncoded: false)] + arguments)
      .map { "'\($0)'" }.joined(separator: " ")
    let settings = variables.map { "\($0.key)='\($0.value)' " }.joined()
    try scene.directory.write(
      "trap : INT\n\(settings)\(words)\necho \"ended with $?\"\nsleep 600\n", to: "window.sh")
    _ = try await tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh window.sh",
    ])
  }

  /// The server of tmux stays, and must not hold open the descriptor that shows that
  /// its first client has ended.
  private static let start =
    "import os, sys; os.closerange(3, 256); os.execvp('tmux', ['tmux'] + sys.argv[1:])"

  @discardableResult
  private func tmux(_ arguments: [String]) async throws -> CommandRunner.Outcome {
    let process = try runner.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["TERM=xterm-256color", "LC_ALL=C.UTF-8", "python3", "-c", Self.start, "-u", "-S", socket]
        + arguments)
    let outcome = try await process.outcome()
    guard outcome.status == 0 else {
      throw CommandRunner.Failure(description: "tmux \(arguments): \(outcome)")
    }
    return outcome
  }

  /// The lines on the screen, without empty ones at its end.
  ///
  /// - Parameter colored: Whether colors are shown as escape sequences.
  func screen(colored: Bool = false) async throws -> [String] {
    let text = try await tmux(["capture-pane", "-p"] + (colored ? ["-e"] : [])).output
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Waits until the screen shows something.
  @discardableResult
  func wait(
    _ what: String, until isShown: ([String]) -> Bool
  ) async throws -> [String] {
    var lines: [String] = []
    let end = ContinuousClock.now + RunningCommand.patience
    while ContinuousClock.now < end {
      lines = try await screen()
      if isShown(lines) { return lines }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw CommandRunner.Failure(
      description: "waited for \(what), saw\n\(lines.joined(separator: "\n"))")
  }

  func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Types keys, as tmux names them.
  func type(_ keys: String) async throws { try await tmux(["send-keys", keys]) }

  func close() async { _ = try? await tmux(["kill-server"]) }
}
