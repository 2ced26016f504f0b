import Foundation
import TestSupport
import Testing

struct HelpTests {
  static let commands = [
    "run", "resume", "retry", "rerun", "pause", "cancel", "runs", "status", "items", "explain",
    "history",
    "validate", "test", "simulate", "verify", "rule", "new", "graph", "eval", "schema", "lsp",
    "demo-server", "service", "credentials",
  ]

  /// Commands below others.
  static let subcommands = [
    "runs list", "runs rm", "runs prune", "credentials list", "credentials rm",
    "credentials sign-in",
  ]

  @Test(arguments: commands + subcommands)
  func `the help of every command has examples and exit statuses`(command: String) async throws {
    let help = try await Scene().pipeline.run(
      command.split(separator: " ").map(String.init) + ["--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("EXAMPLES\n"), "\(help)")
    #expect(help.output.contains("  pipeline \(command)"), "\(help)")
    #expect(help.output.contains("EXIT STATUS\n  0    "), "\(help)")
    #expect(help.output.contains("\n  64   invalid command line"), "\(help)")
  }

  @Test func `the program's help names every command and every status`() async throws {
    let help = try await Scene().pipeline.run("--help")
    #expect(help.status == 0)
    for command in Self.commands { #expect(help.output.contains("\n  \(command) "), "\(command)") }
    for status in ["0", "1", "2", "3", "64", "130"] {
      #expect(
        help.output.contains("\n  \(status.padding(toLength: 5, withPad: " ", startingAt: 0))"))
    }
  }

  @Test(arguments: ["run", "resume", "retry", "rerun", "cancel"])
  func `each option of a command that works on runs is on its page`(command: String) async throws {
    let help = try await Scene().pipeline.run(command, "--help")
    let page = try String(
      contentsOf: CommandRunner.packageRoot.appending(path: "docs/cli.md"), encoding: .utf8)
    let options = help.output.matches(of: /\n  (?:-\w, )?(--[a-z-]+)/).map { String($0.output.1) }
    #expect(options.count > 10, "\(help)")
    for option in options where !["--help", "--version"].contains(option) {
      #expect(page.contains("`\(option)"), "\(option)")
    }
  }

  @Test func `completion and help cover the display of exchanges`() async throws {
    let scene = try Scene()
    for shell in ["bash", "zsh", "fish"] {
      let script = try await scene.pipeline.run("--generate-completion-script", shell)
      for option in ["trace", "verbose", "log"] { #expect(script.output.contains(option)) }
    }
    let help = try await scene.pipeline.run("run", "--help")
    #expect(help.output.contains("-v --trace run.har"), "\(help)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a shell gets a completion script with the commands`(shell: String) async throws {
    let script = try await Scene().pipeline.run("--generate-completion-script", shell)
    #expect(script.status == 0)
    for command in Self.commands { #expect(script.output.contains(command), "\(command)") }
  }

  @Test func `the version is printed`() async throws {
    let version = try await Scene().pipeline.run("--version")
    #expect(version.status == 0)
    #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(version)")
  }

  @Test(arguments: [
    [], ["bogus"], ["run"], ["run", "a.yaml", "--speed", "0"], ["run", "a.yaml", "--bogus"],
    ["run", "a.yaml", "--format", "xml"], ["status", "--format", "xml"],
    ["items", "--status", "xml"],
    ["retry", "0/1", "--failed"], ["runs", "prune"], ["runs", "rm"],
    ["runs", "--older-than", "soon"], ["runs", "prune", "--keep", "-1"],
    ["run", "a.yaml", "--name", "a/b"], ["rerun", "--name", ".a"],
    ["demo-server", "--fault", "nonsense=1"], ["demo-server", "--fault", "gone=2"],
    ["demo-server", "--latency", "soon"], ["demo-server", "--port", "99999"],
    ["demo-server", "--body-rate", "0B"], ["demo-server", "--body-rate", "5"], ["validate"],
    ["run", "a.yaml", "--bandwidth", "5"], ["run", "a.yaml", "--max-transfer", "5"],
    ["items", "--limit=-1"],
    ["validate", "--format-assertion", "a.yaml"],
    ["eval", "1", "--let", "x"], ["graph", "a.yaml", "--as", "svg"],
  ])
  func `wrong usage ends with 64 and words on standard error`(arguments: [String]) async throws {
    let outcome = try await Scene().pipeline.run(arguments)
    // Without any argument the program prints its help, which is not an error.
    #expect(outcome.status == (arguments.isEmpty ? 0 : 64), "\(outcome)")
    #expect((arguments.isEmpty ? outcome.output : outcome.error).isEmpty == false)
    if !arguments.isEmpty { #expect(outcome.output.isEmpty) }
  }

  @Test(arguments: [("rnu", "did you mean 'run'?"), ("uplaod", "`pipeline --help` lists them")])
  func `a command that is not there names the nearest`(_ name: String, _ hint: String) async throws
  {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run(name, "a.yaml")
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.error.contains("no command is called '\(name)'"), "\(outcome)")
    #expect(outcome.error.contains(hint), "\(outcome)")
  }

  @Test(arguments: [
    (["status"], []), (["runs", "prune"], ["--keep", "1"]), (["validate"], ["a.yaml"]),
  ])
  func `an option that is not there leads to the command's help`(
    _ words: [String], _ others: [String]
  ) async throws {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run(words + others + ["--nope"])
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.error.hasPrefix("pipeline: error: unknown option '--nope'"), "\(outcome)")
    #expect(
      outcome.error.contains("`pipeline \(words.joined(separator: " ")) --help`"), "\(outcome)")
  }

  @Test(arguments: ["run", "validate", "graph"])
  func `a missing argument is named without the whole help`(command: String) async throws {
    let outcome = try await Scene().pipeline.run(command)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.error.hasPrefix("pipeline: error: missing expected argument"), "\(outcome)")
    #expect(outcome.error.split(separator: "\n").count == 2, "\(outcome)")
  }
}
