import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  package func use(_ fields: FieldReader) -> DraftUse? {
    guard let node = fields["use"], let path = text(node, expected: "the path of a file")
    else { return nil }
    let values = fields["with"].flatMap { map($0, of: "values by input name") } ?? []
    for key in Self.keysOfOwnActions {
      guard let range = fields.keyRange(key) else { continue }
      collector.report(
        .uselessKey,
        "'\(key)' has no effect in a step that uses a file; set it in the file's own steps",
        at: range)
    }
    return DraftUse(
      path: path, values: values.map { ($0.name, template($0.value, expected: "an input value")) },
      file: used.pipeline(path, for: self))
  }

  private static let keysOfOwnActions = [
    "let", "on", "success_if", "outputs", "retry", "effect", "idempotency", "probe", "max_reissues",
    "max_stalled_turns", "depends_on",
  ]

  package func outputs(of use: DraftUse) -> [DraftOutput] {
    (use.file?.outputs ?? []).map { output in
      DraftOutput(
        name: Located(output.name, at: use.path.range), value: nil, isSecret: output.isSecret,
        lifetime: nil)
    }
  }

  /// The definitions of a file, and those of the files listed under its `use`.
  package func definitions(_ fields: FieldReader) -> Definitions {
    var definitions = Definitions(policies: fields["retry"].map(policies) ?? [:], credentials: [:])
    if let node = fields["credentials"] { addCredentials(node, to: &definitions) }
    for node in fields["use"].flatMap({ list($0, of: "files") }) ?? [] {
      guard let path = text(node, expected: "the path of a file"),
        let other = used.definitions(path, for: self)
      else { continue }
      definitions.add(other)
    }
    return definitions
  }

  private func addCredentials(_ node: YAMLNode, to definitions: inout Definitions) {
    for (name, value) in map(node, of: "credentials by name") ?? [] {
      _ = check(name: name, of: "a credentials name", allowsHyphen: true)
      if value["oauth2"] != nil || value["challenge"] != nil {
        guard let (authorization, steps) = requestedCredential(name, value) else { continue }
        definitions.credentials[name.value] = authorization
        definitions.credentialSteps[name.value] = steps
      } else if let authorization = credential(name.value, value) {
        definitions.credentials[name.value] = authorization.placed
      }
    }
  }

  /// A file of definitions only, without a pipeline.
  package func definitions(_ root: YAMLNode) -> Definitions? {
    guard let fields = fields(root, .definitions) else { return nil }
    checkVersion(fields)
    return definitions(fields)
  }
}

extension DraftRequest.Authorization {
  /// The same with each expression located as a whole: it is compiled in other files, where ranges inside its text mean
  /// nothing.
  fileprivate var placed: Self { mapped { $0?.placed } }
}

extension DraftTemplate {
  var placed: DraftTemplate {
    DraftTemplate(
      parts: parts.map { part in
        guard case .expression(let expression) = part else { return part }
        return .expression(
          DraftExpression(source: expression.source, origin: .constant, range: expression.range))
      }, range: range)
  }
}
