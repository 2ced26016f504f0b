import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  package func inputs(_ node: YAMLNode) -> [DraftInput] {
    (map(node, of: "inputs by name") ?? []).map { name, value in
      if check(name: name, of: "an input name") { checkReserved(name, of: "an input") }
      return input(name, value)
    }
  }

  private func input(_ name: Located<String>, _ node: YAMLNode) -> DraftInput {
    let fields = fields(node, .input)
    let kind = fields?.choice("type", of: InputDeclaration.Kind.self, what: "type")
    let defaultText = fields?["default"].flatMap { node in
      scalarText(node, expected: "a default value")
    }
    if let defaultText, defaultText.value.holds("${{") {
      collector.report(
        .expressionNotAllowed, "a default must be constant text, not an expression",
        at: defaultText.range)
    }
    let fileKeys = ["exclude", "hidden", "follow_links"].compactMap { key in
      fields?[key].map { Located(key, at: range($0)) }
    }
    return DraftInput(
      name: name, kind: kind, description: fields?["description"].flatMap { text($0)?.value },
      defaultText: defaultText, isRequired: fields?["required"].flatMap(flag),
      exclude: fields?["exclude"].flatMap { list($0, of: "patterns such as '*.tmp'") }?
        .compactMap { text($0, expected: "a pattern such as '*.tmp'") } ?? [],
      isHidden: fields?["hidden"].flatMap(flag),
      followsLinks: fields?["follow_links"].flatMap(flag),
      firstFileKey: fileKeys.first)
  }

  /// Reports a name that expressions cannot use because CEL reserves it.
  func checkReserved(_ name: Located<String>, of what: String) {
    guard Self.wordsOfCEL.contains(name.value) else { return }
    collector.report(
      .reservedName, "'\(name.value)' is a reserved word in expressions and cannot name \(what)",
      at: name.range)
  }

  /// The reserved words of the CEL specification ("Syntax", RESERVED) and its keywords.
  package static let wordsOfCEL: Set<String> = [
    "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in",
    "let", "loop", "namespace", "null", "package", "return", "true", "var", "void", "while",
  ]
}
