// Every file of this module and of the program sees it; a house test lets only commands use it.
@_exported import ArgumentParser

/// The entry and exit of every command, so that each end has a documented status and a plain message.
package enum Program {
  /// Runs `arguments`, or the process's own, as a command line of `root`, and exits; `explain` converts errors of outer layers.
  package static func run(
    _ root: any ParsableCommand.Type, _ arguments: [String]? = nil,
    explain: @Sendable (any Error) -> CommandFailure? = { $0 as? CommandFailure }
  ) async -> Never {
    do {
      var command = try root.parseAsRoot(arguments)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      end(nil)
    } catch {
      guard let failure = explain(error) else { end(root, error) }
      end(failure)
    }
  }

  /// Exits the way the argument parser asks: with help, a version, a script, or an error in an argument.
  private static func end(_ root: any ParsableCommand.Type, _ error: any Error) -> Never {
    let text = root.fullMessage(for: error)
    let status = root.exitCode(for: error)
    guard !status.isSuccess else {
      if !text.isEmpty { Terminal.write(text + "\n", to: STDOUT_FILENO) }
      exit(status.rawValue)
    }
    // The library prints the whole help for some mistakes, which would hide the error.
    var command = root.configuration.commandName ?? "pipeline"
    if let usage = text.firstMatch(of: /(?i)\busage: ([a-z -]*[a-z])/) { command = String(usage.1) }
    if let parent = root.configuration._superCommandName, !command.hasPrefix(parent) {
      command = "\(parent) \(command)"
    }
    var message = root.message(for: error)
    if message.hasSuffix(".") { message.removeLast() }
    // A word in capitals is a name.
    if message.dropFirst().first?.isLowercase == true {
      message = message.prefix(1).lowercased() + message.dropFirst()
    }
    Terminal.error("pipeline: error: \(message)")
    Terminal.error("  help: `\(command) --help` lists its arguments and options")
    exit(status.rawValue)
  }

  package static func end(_ failure: CommandFailure?) -> Never {
    if let message = failure?.message { Terminal.error("pipeline: error: \(message)") }
    for line in failure?.details ?? [] { Terminal.error(line) }
    if let note = failure?.note { Terminal.print(note) }
    exit((failure?.status ?? .done).rawValue)
  }
}

extension CommandConfiguration {
  /// The configuration of a command of `pipeline`, or of one that has commands itself; its help is a file in `Commands/Help`.
  package init(
    _ name: String, of parent: String? = nil, _ abstract: String, status: String,
    subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    let file = parent.map { "\($0)-\(name)" } ?? name
    let help = EmbeddedTexts.help.first { $0.name == file }?.text ?? ""
    self.init(
      commandName: name, abstract: abstract, discussion: "\(help)\n\(status)",
      subcommands: subcommands, defaultSubcommand: defaultSubcommand)
    if parent == nil { _superCommandName = "pipeline" }
  }
}

extension ArgumentHelp {
  /// The help of an option whose value is called `name`.
  package static func help(_ text: String, _ name: String) -> ArgumentHelp {
    ArgumentHelp(text, valueName: name)
  }
}
