/// The commands that do not work on a run; editors and CI call them many times a second.
package enum AuthoringCommands {
  package static var all: [any ParsableCommand.Type] { named.map(\.type) }

  // Asking the types for their configuration would build all of them.
  private static let named: [(name: String, type: any ParsableCommand.Type)] = [
    ("validate", ValidateCommand.self), ("test", TestCommand.self),
    ("simulate", SimulateCommand.self), ("verify", VerifyCommand.self), ("rule", RuleCommand.self),
    ("schema", SchemaCommand.self), ("new", NewCommand.self), ("lsp", LanguageServerCommand.self),
  ]

  /// Handles `validate` with files and no options, which needs no parser, and exits; returns for any other command line.
  package static func validateFiles(_ arguments: [String]) {
    let files = Array(arguments.dropFirst())
    guard arguments.first == "validate", !files.isEmpty,
      files.allSatisfy({ $0 == "-" || !$0.hasPrefix("-") })
    else { return }
    do throws(CommandFailure) {
      try ValidateCommand.check(files)
      Program.end(nil)
    } catch { Program.end(error) }
  }

  package static func named(_ name: String) -> (any ParsableCommand.Type)? {
    named.first { $0.name == name }?.type
  }
}
