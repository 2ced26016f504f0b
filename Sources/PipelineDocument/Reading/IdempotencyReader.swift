import PipelineCore
import YAMLSyntax

extension DocumentReader {
  /// Where the key of an `idempotency` is sent, and whether the author names the place; by default the usual header.
  func keyPlace(
    _ node: YAMLNode, _ fields: FieldReader?, _ action: StepAction<Draft>?
  ) -> (place: IdempotencyKeyPlace<Located<String>>, isNamed: Bool)? {
    guard let fields else { return nil }
    if let node = fields["header"] {
      return text(node, expected: "a header name").map { (.header($0), true) }
    }
    if let node = fields["query"] {
      return text(node, expected: "the name of a query item").map { (.query($0), true) }
    }
    if let node = fields["field"] {
      guard let name = text(node, expected: "the name of a field") else { return nil }
      if let action { checkField(name, action) }
      return (.field(name), true)
    }
    return (.header(Located(Grammar.idempotencyHeader, at: range(node))), false)
  }

  /// A field needs a body that has fields.
  private func checkField(_ name: Located<String>, _ action: StepAction<Draft>) {
    var members: [String]?
    switch action.request?.body {
    case .json(.object(let object))?: members = object.map(\.key)
    // A single expression tells what it is when it is evaluated.
    case .json(.template)?: members = []
    case .form(let fields)?: members = fields.map(\.name.value)
    case .json?, .text?, .xml?, nil: break
    }
    guard let members else {
      collector.report(
        .uselessKey,
        "the idempotency key is a field, but the request has neither a 'json' object nor a 'form'",
        at: name.range, help: "send it in a header or as a query item")
      return
    }
    if members.contains(name.value) {
      collector.report(
        .conflictingKeys, "the body already has the field '\(name.value)'", at: name.range,
        help: "remove it from the body, where the key is added")
    }
  }

  func values(_ node: YAMLNode) -> [DraftField] {
    (map(node, of: "values by name") ?? []).compactMap { name, value in
      guard check(name: name, of: "the name of a value") else { return nil }
      checkReserved(name, of: "a value")
      guard !Self.rootNames.contains(name.value) else {
        return collector.refuse(
          .reservedName,
          "'\(name.value)' cannot name a value: it already has a meaning in expressions",
          at: name.range)
      }
      return DraftField(name: name, value: template(value, expected: "a value"))
    }
  }
}
