import YAMLSyntax

/// The values of inputs that the command line names.
struct InputSelection {
  /// `NAME=VALUE`.
  let values: [String]
  /// The YAML file with more of them.
  let file: String?
  /// `FILE`, or `NAME=FILE`.
  var lists: [String] = []
  /// For all `files` inputs.
  var rules = InputDeclaration.FileRules()
}

/// Finds the values of inputs: from `--input`, the `--inputs` file, the environment, the default, or a prompt.
struct InputResolver {
  var pipeline: Pipeline
  let selection: InputSelection
  /// Folder of the pipeline's file; defaults are relative to it.
  let definitionFolder: String
  /// Values used where the user sets none, before the defaults: those of `--demo`.
  var presets: [String: String] = [:]
  /// The folder that must contain files matched by a default; `nil` is ``definitionFolder``.
  var root: String?

  init(_ definition: Definition, _ selection: InputSelection, root: String?) {
    (pipeline, self.selection, self.root) = (definition.pipeline, selection, root)
    definitionFolder = definition.folder
  }

  /// Uses the inputs that the embedded server sets, and reports its address.
  mutating func use(_ server: EmbeddedServer?, quiet: Bool) {
    guard let server else { return }
    presets = EmbeddedServer.presets(baseURL: server.baseURL)
    if !quiet { Terminal.error("embedded server: \(server.baseURL)") }
  }

  /// The source of a text, and the folder that its paths are relative to.
  private struct Given {
    /// One text, or the patterns of a `files` input.
    var texts: [String]
    let source, folder: String
    /// The folder that must contain the files; `nil` if the user named them.
    var root: String?
    var text: String { texts.last ?? "" }
  }

  struct Resolved {
    var values: [String: Value] = [:]
    var secrets: [String: Value] = [:]
    var files: [String: FileSources] = [:]

    /// The values to show the user; secrets are replaced by stars.
    func texts(of pipeline: Pipeline) -> [String: String] {
      var texts: [String: String] = [:]
      for input in pipeline.inputs {
        if input.kind == .secret {
          texts[input.name] = "***"
        } else if let sources = files[input.name] {
          texts[input.name] = sources.text.replacing("\n", with: ", ")
        } else {
          texts[input.name] = values[input.name].map { $0.stringValue ?? $0.description }
        }
      }
      return texts
    }
  }

  static var workingFolder: String { FileManager.default.currentDirectoryPath }

  /// Finds all values; the failure's message lists every problem.
  func resolve() throws(CommandFailure) -> Resolved {
    let given = try collect()
    try refuseLists()
    var resolved = Resolved()
    var problems: [String] = []
    for declaration in pipeline.inputs {
      do throws(CommandFailure) {
        try resolve(declaration, given[declaration.name], lists(of: declaration), into: &resolved)
      } catch { problems.append(error.message ?? "") }
    }
    if let failure = CommandFailure(problems: problems) { throw failure }
    return resolved
  }

  /// Only the secrets, for a run that is resumed: everything else is in its store.
  func resolveSecrets() throws(CommandFailure) -> [String: Value] {
    let given = try collect()
    var resolved = Resolved()
    for declaration in pipeline.inputs where declaration.kind == .secret {
      try resolve(declaration, given[declaration.name], [], into: &resolved)
    }
    return resolved.secrets
  }

  /// Rejects values from the command line that differ from the run's, because they would have no effect.
  func refuseOthers(than known: [String: Value], patterns: [String: String]?) throws(CommandFailure)
  {
    var given = try fileValues()
    try addCommandLine(to: &given)
    var problems: [String] = []
    for declaration in pipeline.inputs where declaration.kind != .secret {
      guard let text = given[declaration.name] else { continue }
      var resolved = Resolved()
      try accept(declaration, text, into: &resolved)
      let name = declaration.name
      let (ours, theirs): (String?, String?)
      if let sources = resolved.files[name] {
        // A folder that has lost its patterns leaves nothing to compare.
        guard let patterns else { continue }
        (ours, theirs) = (patterns[name], sources.wholeText)
      } else {
        (ours, theirs) = (known[name].map(Self.text), resolved.values[name].map(Self.text))
      }
      guard ours != theirs else { continue }
      problems.append(
        "input '\(name)' is '\(ours ?? "")' in this run, but \(text.source) is '\(theirs ?? "")'; a run "
          + "keeps the inputs that it started with: omit it, or start a new run")
    }
    if let failure = CommandFailure(problems: problems) { throw failure }
  }

  private static func text(_ value: Value) -> String {
    if let file = FileValue(value) { return file.path }
    return value.stringValue ?? value.description
  }

  private func resolve(
    _ declaration: InputDeclaration, _ given: Given?, _ lists: [FileList],
    into resolved: inout Resolved
  ) throws(CommandFailure) {
    var given = given
    if !lists.isEmpty {
      resolved.files[declaration.name] = FileSources(
        lists: lists, options: try rules(of: declaration))
      // Like --input, a list has precedence over everything that is not on the command line.
      guard given?.source == Self.option else { return }
    }
    if given == nil, let text = presets[declaration.name] {
      given = Given(texts: [text], source: "--demo", folder: definitionFolder)
    }
    if given == nil, let text = declaration.defaultText {
      given = Given(
        texts: [text], source: "the default", folder: definitionFolder,
        root: root ?? definitionFolder)
    }
    if given == nil, declaration.kind == .secret, !declaration.isOptional,
      let answer = Terminal.askSecret("\(declaration.name): "), !answer.isEmpty
    {
      given = Given(texts: [answer], source: "the prompt", folder: definitionFolder)
    }
    guard let given else {
      if declaration.isOptional {
        if let value = try? InputValues.fallback(declaration) {
          resolved.values[declaration.name] = value
        }
        return
      }
      throw CommandFailure.invalid(Self.missing(declaration))
    }
    try accept(declaration, given, into: &resolved)
  }

  private func accept(
    _ declaration: InputDeclaration, _ given: Given, into resolved: inout Resolved
  ) throws(CommandFailure) {
    let name = declaration.name
    let isGiven = given.root == nil && [.file, .files, .folder].contains(declaration.kind)
    let texts = isGiven ? given.texts.map(FileContents.withHome) : given.texts
    var text = texts.last ?? ""
    do {
      let value = try InputValues.parse(declaration, text)
      switch declaration.kind {
      case .secret: resolved.secrets[name] = value
      case .file:
        if let root = given.root {
          try FilePattern.check(text.hasPrefix("/") ? text : given.folder + "/" + text, below: root)
        }
        resolved.values[name] = try SourceFile.describe(text, in: given.folder).value
      case .files:
        var sources = try resolved.files[name] ?? FileSources(options: rules(of: declaration))
        for pattern in texts {
          text = pattern
          _ = try InputValues.parse(declaration, pattern)
          sources.patterns.append(try FilePattern(pattern, in: given.folder, below: given.root))
        }
        resolved.files[name] = sources
      case .folder:
        resolved.values[name] = .string(
          try FolderPath.resolve(text, in: given.folder, below: given.root))
      case .string, .int, .bool, .url, .duration, .size: resolved.values[name] = value
      }
    } catch {
      let reason: String =
        switch error {
        case let failure as FileFailure: failure.message
        case let failure as GlobError: "'\(text)', \(failure)"
        case let failure as FilePattern.Outside: failure.description
        case let failure as FolderPath.Problem: failure.description
        case let failure as CommandFailure: failure.message ?? ""
        default: "\(error)"
        }
      throw CommandFailure.invalid("input '\(name)' from \(given.source): \(reason)")
    }
  }

  private static func missing(_ declaration: InputDeclaration) -> String {
    let variable = environmentName(declaration.name)
    if declaration.kind == .secret {
      return
        "secret '\(declaration.name)' has no value; set \(variable) in the environment, or pass "
        + "--input \(declaration.name)=@FILE"
    }
    return "input '\(declaration.name)' has no value; pass --input \(declaration.name)=VALUE "
      + "or set \(variable) in the environment"
  }

  static func environmentName(_ name: String) -> String { "PIPELINE_INPUT_\(name.uppercased())" }

  // MARK: Sources

  private func collect() throws(CommandFailure) -> [String: Given] {
    var given = try settingsValues()
    for declaration in pipeline.inputs {
      let variable = Self.environmentName(declaration.name)
      if let text = Terminal.environment(variable) {
        given[declaration.name] = Given(texts: [text], source: variable, folder: Self.workingFolder)
      }
    }
    for (name, value) in try fileValues() { given[name] = value }
    try addCommandLine(to: &given)
    return given
  }

  /// The settings of inputs that the pipeline has.
  private func settingsValues() throws(CommandFailure) -> [String: Given] {
    let settings = Settings.current
    guard let path = settings.file else { return [:] }
    var values: [String: Given] = [:]
    let folder = URL(filePath: StateFolder.absolute(path)).deletingLastPathComponent().path
    for declaration in pipeline.inputs {
      guard var texts = settings.inputs[declaration.name] else { continue }
      if declaration.kind == .secret {
        guard texts.count == 1, texts[0].hasPrefix("@") else {
          throw CommandFailure.invalid(
            "\(path): secret '\(declaration.name)' must not be in the settings; write it to a file, and "
              + "'\(declaration.name): \"@FILE\"'")
        }
        texts = [try fileText(String(texts[0].dropFirst()), declaration)]
      }
      try Self.refuseList(texts, declaration, at: path)
      values[declaration.name] = Given(texts: texts, source: path, folder: folder)
    }
    return values
  }

  private static let option = "--input"

  /// Adds the values of `--input`; several values of a `files` input add up.
  private func addCommandLine(to given: inout [String: Given]) throws(CommandFailure) {
    for text in selection.values {
      let (name, value) = try commandLineValue(text)
      let isFiles = pipeline.inputs.contains { $0.name == name && $0.kind == .files }
      if isFiles, given[name]?.source == Self.option {
        given[name]?.texts += value.texts
      } else {
        given[name] = value
      }
    }
  }

  private func commandLineValue(_ text: String) throws(CommandFailure) -> (String, Given) {
    guard let equals = text.firstIndex(of: "=") else {
      throw CommandFailure(.usage, "--input '\(text)': expected name=value")
    }
    let declaration = try self.declaration(String(text[..<equals]), from: "--input")
    var value = String(text[text.index(after: equals)...])
    if value.hasPrefix("@@") {
      value.removeFirst()
    } else if value.hasPrefix("@") {
      value = try fileText(String(value.dropFirst()), declaration)
    } else if declaration.kind == .secret {
      throw CommandFailure(
        .usage,
        "secret '\(declaration.name)' must not be passed on the command line, where every process can "
          + "read it; set \(Self.environmentName(declaration.name)) in the environment, or write it "
          + "to a file and pass --input \(declaration.name)=@FILE")
    }
    return (
      declaration.name, Given(texts: [value], source: Self.option, folder: Self.workingFolder)
    )
  }

  /// The text of the file that `@FILE` names as the value of an input of any type.
  private func fileText(_ path: String, _ declaration: InputDeclaration) throws(CommandFailure)
    -> String
  {
    let name = "\(declaration.kind == .secret ? "secret" : "input") '\(declaration.name)'"
    let bytes: [UInt8]
    do throws(FileContents.Problem) { bytes = try FileContents.bytes(path) } catch {
      throw CommandFailure.invalid(
        "cannot read the file '\(path)' of \(name): \(error.reason)"
          + (declaration.kind == .secret ? "" : "; write '@@' for a value that starts with '@'"))
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure.invalid("the file '\(path)' of \(name) is not UTF-8 text")
    }
    // Editors end a file with a line break, which is not part of the value.
    if text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  private func fileValues() throws(CommandFailure) -> [String: Given] {
    guard let path = selection.file else { return [:] }
    let data: Data
    do throws(FileContents.Problem) { data = Data(try FileContents.bytes(path)) } catch {
      throw CommandFailure.invalid("cannot read the inputs file '\(path)': \(error.reason)")
    }
    let document = YAMLDocument.parse(data)
    if let issue = document.issues.first(where: { $0.severity == .error }) {
      throw CommandFailure.invalid("\(path):\(issue.range.start): \(issue.message)")
    }
    guard let entries = document.root?.mapping else {
      throw CommandFailure.invalid("\(path): expected a mapping of input names to values")
    }
    var values: [String: Given] = [:]
    let folder = URL(filePath: StateFolder.absolute(path)).deletingLastPathComponent().path
    for entry in entries {
      guard let key = entry.key.scalar, let texts = Self.texts(entry.value) else {
        throw CommandFailure.invalid(
          "\(path):\(entry.key.range.start): expected 'name: value', or a list of patterns")
      }
      let declaration = try self.declaration(key.text, from: path)
      guard declaration.kind != .secret else {
        throw CommandFailure.invalid(
          "\(path):\(entry.key.range.start): secret '\(key.text)' must not be in an inputs file; "
            + "set \(Self.environmentName(key.text)) in the environment, or pass --input "
            + "\(key.text)=@FILE")
      }
      try Self.refuseList(texts, declaration, at: "\(path):\(entry.key.range.start)")
      values[key.text] = Given(texts: texts, source: path, folder: folder)
    }
    return values
  }

  private static func refuseList(
    _ texts: [String], _ declaration: InputDeclaration, at place: String
  ) throws(CommandFailure) {
    guard texts.count > 1, declaration.kind != .files else { return }
    throw CommandFailure.invalid(
      "\(place): only an input of the type 'files' accepts a list, and '\(declaration.name)' is of the type "
        + "'\(declaration.kind.rawValue)'")
  }

  private static func texts(_ node: YAMLNode) -> [String]? {
    if let scalar = node.scalar { return [scalar.text] }
    guard let elements = node.sequence, !elements.isEmpty else { return nil }
    let texts = elements.compactMap { $0.scalar?.text }
    return texts.count == elements.count ? texts : nil
  }

  private func declaration(_ name: String, from source: String) throws(CommandFailure)
    -> InputDeclaration
  {
    if let declaration = pipeline.inputs.first(where: { $0.name == name }) { return declaration }
    let names = pipeline.inputs.map { "'\($0.name)'" }.joined(separator: ", ")
    throw CommandFailure.invalid(
      "\(source): pipeline '\(pipeline.name)' has no input '\(name)'; "
        + (nearestName(to: name, among: pipeline.inputs.map(\.name)).map { "did you mean '\($0)'?" }
          ?? (names.isEmpty ? "it has no inputs" : "expected one of \(names)")))
  }
}
