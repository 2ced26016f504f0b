/// Reads the draft from a YAML tree; related constructs share a file.
///
/// A class, because the field reader of every mapping refers to it.
package final class DocumentReader {
  package let document: YAMLDocument
  package let collector: DiagnosticCollector
  package let used: UsedFiles
  package let path: String
  package let definitions: Definitions
  private(set) var defaults = DraftDefaults()

  package init(
    document: YAMLDocument, collector: DiagnosticCollector, used: UsedFiles = UsedFiles(),
    path: String = "", definitions: Definitions = Definitions()
  ) {
    (self.document, self.collector, self.used, self.path) = (document, collector, used, path)
    self.definitions = definitions
  }

  /// Parses a file; reports what the YAML layer found in it.
  ///
  /// - Parameter path: Its path as a used file; `nil` for the file that the user loads.
  package convenience init(
    bytes: [UInt8], file: String, used: UsedFiles = UsedFiles(), path: String? = nil
  ) {
    let collector = DiagnosticCollector(file: file, budget: used.budget)
    let nodes = used.budget.spent.limit(.nodes)
    let document = YAMLDocument.parse(bytes, limits: YAMLLimits(expandedNodes: nodes))
    collector.ignores = IgnoreList(
      IgnoreCommentReader(file: file, bytes: bytes, root: document.root).comments())
    for issue in document.issues { collector.report(issue) }
    self.init(
      document: document, collector: collector, used: used,
      path: path ?? DocumentPath.lastName(of: file))
  }

  /// Reports the errors in the file's comments, once all checks have run.
  package func finished<Found>(_ found: Found?) -> Found? {
    for finding in collector.ignores.findings(isComplete: found != nil) {
      collector.report(finding)
    }
    return found
  }

  func reader(defaults node: YAMLNode?) -> DocumentReader {
    guard let node else { return self }
    let reader = DocumentReader(
      document: document, collector: collector, used: used, path: path, definitions: definitions)
    reader.defaults = self.defaults(node, on: defaults)
    return reader
  }

  package func range(_ node: YAMLNode) -> TextRange { collector.range(node.range) }

  package func range(_ offsets: Range<Int>, in node: YAMLNode) -> TextRange {
    collector.range(document.range(ofScalarOffsets: offsets, in: node) ?? node.range)
  }

  package func range(_ offsets: Range<Int>, of expression: DraftExpression) -> TextRange {
    switch expression.origin {
    case .scalar(let node, let offset):
      range((offsets.lowerBound + offset)..<(offsets.upperBound + offset), in: node)
    case .constant: expression.range
    }
  }

  package func kind(_ node: YAMLNode) -> String {
    switch node.resolved.content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .alias: "an alias without an anchor"
    case .scalar(let scalar):
      switch scalar.value {
      case .null: "nothing"
      case .bool(let flag): "the bool \(flag)"
      case .int, .bigInt, .double: "the number \(scalar.text)"
      case .string: "text"
      }
    }
  }

  /// Whether `node` is an alias without a target, which the YAML layer has reported.
  func isBroken(_ node: YAMLNode) -> Bool {
    if case .alias = node.resolved.content { true } else { false }
  }

  package func wrongType(_ node: YAMLNode, expected: String) {
    guard !isBroken(node) else { return }
    if let inner = UnmarkedExpressionRule.bracedText(in: node) {
      let replacement = "\"${{ \(inner) }}\""
      collector.report(
        .unmarkedExpression,
        "YAML reads '{{ … }}' as a mapping inside a mapping, not as an expression", at: range(node),
        help: "write \(replacement)", replacement: replacement)
      return
    }
    collector.report(.wrongType, "expected \(expected), found \(kind(node))", at: range(node))
  }
  /// Reports a value of the wrong type; `nil`, for the reader to return.
  package func refuse<Value>(_ node: YAMLNode, expected: String) -> Value? {
    wrongType(node, expected: expected)
    return nil
  }
}
