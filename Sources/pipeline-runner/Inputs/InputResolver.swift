import CEL
import Foundation
import PipelineCommands
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineFiles
import YAMLSyntax

/// Finds the values of a pipeline's inputs: from `--input`, the `--inputs` file, the environment,
/// the default, or a prompt.
struct InputResolver {
  let pipeline: Pipeline
  let options: InputOptions
  /// Folder of the pipeline's file; defaults are relative to it.
  let definitionFolder: String
  /// Values used where the user gives none, before the defaults: those of `--demo`.
  var presets: [String: String] = [:]
  /// The folder that must contain files matched by a default; `nil` is ``definitionFolder``.
  var root: String?

  /// The source of a text, and the folder that its paths are relative to.
  private struct Given {
    let text: String
    let source: String
    let folder: String
    /// The folder that must contain the files; `nil` if a person named them.
    var root: String?
  }

  /// All inputs of a run.
  struct Resolved {
    var values: [String: Value] = [:]
    var secrets: [String: Value] = [:]
    /// Patterns of `files` inputs, with the folders they start in.
    var patterns: [String: FilePattern] = [:]

    /// The values to show people; secrets are replaced by stars.
    func texts(of pipeline: Pipeline) -> [String: String] {
      var texts: [String: String] = [:]
      for input in pipeline.inputs {
        if input.kind == .secret {
          texts[input.name] = "***"
        } else if let pattern = patterns[input.name] {
          texts[input.name] = pattern.glob.pattern
        } else {
          texts[input.name] = values[input.name].map { $0.stringValue ?? $0.description }
        }
      }
      return texts
    }
  }

  private static var workingFolder: String { FileManager.default.currentDirectoryPath }

  /// Finds all values; the failure's message lists every problem.
  func resolve() throws(CommandFailure) -> Resolved {
    let given = try collect()
    var resolved = Resolved()
    var problems: [String] = []
    for declaration in pipeline.inputs {
      do throws(CommandFailure) {
        try resolve(declaration, given[declaration.name], into: &resolved)
      } catch {
        problems.append(error.message ?? "")
      }
    }
    try Self.refuse(problems)
    return resolved
  }

  /// Only the secrets, for a run that is resumed: everything else is in its store.
  func resolveSecrets() throws(CommandFailure) -> [String: Value] {
    let given = try collect()
    var resolved = Resolved()
    for declaration in pipeline.inputs where declaration.kind == .secret {
      try resolve(declaration, given[declaration.name], into: &resolved)
    }
    return resolved.secrets
  }

  /// Rejects values given on the command line that differ from the run's, because they would have no effect.
  func refuseOthers(
    than known: [String: Value], patterns: [String: String]?
  ) throws(CommandFailure) {
    var given = try fileValues()
    for text in options.values {
      let (name, value) = try commandLineValue(text)
      given[name] = value
    }
    var problems: [String] = []
    for declaration in pipeline.inputs where declaration.kind != .secret {
      guard let text = given[declaration.name] else { continue }
      var resolved = Resolved()
      try accept(declaration, text, into: &resolved)
      let name = declaration.name
      let (ours, theirs): (String?, String?)
      if let pattern = resolved.patterns[name] {
        // Runs created before patterns were stored cannot be compared.
        guard let patterns else { continue }
        (ours, theirs) = (patterns[name], Self.text(pattern))
      } else {
        (ours, theirs) = (known[name].map(Self.text), resolved.values[name].map(Self.text))
      }
      guard ours != theirs else { continue }
      problems.append(
        "input '\(name)' is '\(ours ?? "")' in this run, but \(text.source) is '\(theirs ?? "")'; a run "
          + "keeps the inputs that it began with: omit it, or start a new run")
    }
    try Self.refuse(problems)
  }

  private static func refuse(_ problems: [String]) throws(CommandFailure) {
    guard let first = problems.first else { return }
    throw CommandFailure(
      .invalid, first, details: problems.dropFirst().map { "pipeline: error: " + $0 })
  }

  /// A pattern with the folder that it starts in.
  static func text(_ pattern: FilePattern) -> String {
    pattern.glob.pattern.hasPrefix("/")
      ? pattern.glob.pattern : pattern.folder + "/" + pattern.glob.pattern
  }

  private static func text(_ value: Value) -> String {
    if let file = FileValue(value) { return file.path }
    return value.stringValue ?? value.description
  }

  private func resolve(
    _ declaration: InputDeclaration, _ given: Given?, into resolved: inout Resolved
  ) throws(CommandFailure) {
    var given = given
    if given == nil, let text = presets[declaration.name] {
      given = Given(text: text, source: "--demo", folder: definitionFolder)
    }
    if given == nil, let text = declaration.defaultText {
      given = Given(
        text: text, source: "the default", folder: definitionFolder,
        root: root ?? definitionFolder)
    }
    if given == nil, declaration.kind == .secret, !declaration.isOptional,
      let answer = Terminal.askSecret("\(declaration.name): "), !answer.isEmpty
    {
      given = Given(text: answer, source: "the prompt", folder: definitionFolder)
    }
    guard let given else {
      if declaration.isOptional {
        if let value = try? InputValues.fallback(declaration) {
          resolved.values[declaration.name] = value
        }
        return
      }
      throw CommandFailure(.invalid, Self.missing(declaration))
    }
    try accept(declaration, given, into: &resolved)
  }

  private func accept(
    _ declaration: InputDeclaration, _ given: Given, into resolved: inout Resolved
  ) throws(CommandFailure) {
    let name = declaration.name
    do {
      let value = try InputValues.parse(declaration, given.text)
      switch declaration.kind {
      case .secret: resolved.secrets[name] = value
      case .file:
        let file = try SourceFile.describe(given.text, in: given.folder)
        if let root = given.root { try FilePattern.check(file, below: root) }
        resolved.values[name] = file.value
      case .files:
        resolved.patterns[name] = FilePattern(
          glob: try FileGlob(given.text), folder: given.folder, root: given.root)
      case .folder:
        resolved.values[name] = .string(
          try FolderPath.resolve(given.text, in: given.folder, below: given.root))
      case .string, .int, .bool, .url, .duration, .size: resolved.values[name] = value
      }
    } catch {
      let reason: String =
        switch error {
        case let failure as FileFailure: failure.message
        case let failure as GlobError: "'\(given.text)', \(failure)"
        case let failure as FilePattern.Outside: failure.description
        case let failure as FolderPath.Problem: failure.description
        default: "\(error)"
        }
      throw CommandFailure(.invalid, "input '\(name)' from \(given.source): \(reason)")
    }
  }

  private static func missing(_ declaration: InputDeclaration) -> String {
    let variable = environmentName(declaration.name)
    if declaration.kind == .secret {
      return
        "secret '\(declaration.name)' has no value; set \(variable) in the environment, or pass "
        + "--input \(declaration.name)=@FILE"
    }
    return
      "input '\(declaration.name)' has no value; pass --input \(declaration.name)=VALUE "
      + "or set \(variable) in the environment"
  }

  static func environmentName(_ name: String) -> String { "PIPELINE_INPUT_\(name.uppercased())" }

  // MARK: Sources

  private func collect() throws(CommandFailure) -> [String: Given] {
    var given: [String: Given] = [:]
    for declaration in pipeline.inputs {
      let variable = Self.environmentName(declaration.name)
      if let text = Terminal.environment(variable) {
        given[declaration.name] = Given(text: text, source: variable, folder: Self.workingFolder)
      }
    }
    for (name, value) in try fileValues() { given[name] = value }
    for text in options.values {
      let (name, value) = try commandLineValue(text)
      given[name] = value
    }
    return given
  }

  private func commandLineValue(_ text: String) throws(CommandFailure) -> (String, Given) {
    guard let equals = text.firstIndex(of: "=") else {
      throw CommandFailure(.usage, "--input '\(text)': expected name=value")
    }
    let declaration = try self.declaration(String(text[..<equals]), from: "--input")
    var value = String(text[text.index(after: equals)...])
    if declaration.kind == .secret {
      guard value.hasPrefix("@") else {
        throw CommandFailure(
          .usage,
          "secret '\(declaration.name)' must not be given on the command line, where every process can "
            + "read it; set \(Self.environmentName(declaration.name)) in the environment, or write it "
            + "to a file and pass --input \(declaration.name)=@FILE")
      }
      value = try secretFile(String(value.dropFirst()), declaration.name)
    }
    return (
      declaration.name, Given(text: value, source: "--input", folder: Self.workingFolder)
    )
  }

  private func secretFile(_ path: String, _ name: String) throws(CommandFailure) -> String {
    let bytes: [UInt8]
    do throws(FileContents.Problem) {
      bytes = try FileContents.bytes(path)
    } catch {
      throw CommandFailure(
        .invalid, "cannot read the file '\(path)' of secret '\(name)': \(error.reason)")
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.invalid, "the file '\(path)' of secret '\(name)' is not UTF-8 text")
    }
    // Editors end a file with a line break, which is not part of the secret.
    if text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  private func fileValues() throws(CommandFailure) -> [String: Given] {
    guard let path = options.file else { return [:] }
    let data: Data
    do throws(FileContents.Problem) {
      data = Data(try FileContents.bytes(path))
    } catch {
      throw CommandFailure(.invalid, "cannot read the inputs file '\(path)': \(error.reason)")
    }
    let document = YAMLDocument.parse(data)
    if let issue = document.issues.first(where: { $0.severity == .error }) {
      throw CommandFailure(.invalid, "\(path):\(issue.range.start): \(issue.message)")
    }
    guard let entries = document.root?.mapping else {
      throw CommandFailure(.invalid, "\(path): expected a mapping of input names to values")
    }
    var values: [String: Given] = [:]
    let folder = URL(filePath: StateFolder.absolute(path)).deletingLastPathComponent().path
    for entry in entries {
      guard let key = entry.key.scalar, let value = entry.value.scalar else {
        throw CommandFailure(.invalid, "\(path):\(entry.key.range.start): expected 'name: value'")
      }
      let declaration = try self.declaration(key.text, from: path)
      guard declaration.kind != .secret else {
        throw CommandFailure(
          .invalid,
          "\(path):\(entry.key.range.start): secret '\(key.text)' must not be in an inputs file; "
            + "set \(Self.environmentName(key.text)) in the environment, or pass --input "
            + "\(key.text)=@FILE")
      }
      values[key.text] = Given(text: value.text, source: path, folder: folder)
    }
    return values
  }

  private func declaration(
    _ name: String, from source: String
  ) throws(CommandFailure) -> InputDeclaration {
    if let declaration = pipeline.inputs.first(where: { $0.name == name }) { return declaration }
    let names = pipeline.inputs.map { "'\($0.name)'" }.joined(separator: ", ")
    throw CommandFailure(
      .invalid,
      "\(source): pipeline '\(pipeline.name)' has no input '\(name)'; "
        + (names.isEmpty ? "it has no inputs" : "expected one of \(names)"))
  }
}
