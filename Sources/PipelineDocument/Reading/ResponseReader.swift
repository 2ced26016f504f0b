package import CEL
package import YAMLSyntax

extension DocumentReader {
  package func response(_ node: YAMLNode) -> DraftResponse? {
    guard let schema = fields(node, .response)?["schema"] else { return nil }
    guard schema.mapping != nil else {
      return refuse(schema, expected: "a JSON Schema as a mapping")
    }
    checkTypes(in: schema)
    var words: [String: [String]] = [:]
    let closed = SchemaType(isOpen: false).type(of: schema, at: "response.json", &words)
    let open = SchemaType(isOpen: true).type(of: schema, at: "response.json", &words)
    return DraftResponse(closed: closed, open: open, words: words, schema: Self.value(of: schema))
  }

  /// The value of a YAML tree; scalars that JSON does not have become text.
  private static func value(of node: YAMLNode) -> Value {
    let node = node.resolved
    if let entries = node.mapping {
      return .map(MapValue(entries.map { ($0.name ?? "", value(of: $0.value)) }))
    }
    if let elements = node.sequence { return .list(elements.map(value)) }
    switch node.scalarValue {
    case nil, .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .double(let number): return .double(number)
    case .bigInt(let text), .string(let text): return .string(text)
    }
  }

  /// Reports unknown JSON Schema types (2020-12, Validation §6.1.1).
  private func checkTypes(in schema: YAMLNode) {
    if let types = schema["type"] {
      for type in types.sequence ?? [types] {
        guard let word = type.string, !Self.typeWords.contains(word) else { continue }
        collector.report(
          .invalidChoice,
          "invalid JSON Schema type '\(word)', expected \(quotedList(Self.typeWords, joinedBy: "or"))",
          at: range(type), nearest: nearestName(to: word, among: Self.typeWords))
      }
    }
    for property in schema["properties"]?.mapping ?? [] { checkTypes(in: property.value) }
    for key in ["items", "additionalProperties"] { schema[key].map(checkTypes) }
  }

  private static let typeWords = [
    "object", "array", "string", "integer", "number", "boolean", "null",
  ]
}

/// Derives expression types from a JSON Schema.
///
/// Where a schema leaves a type open, or uses keywords that are not interpreted here, the type is `dyn`, so that nothing
/// correct is rejected.
package struct SchemaType {
  package let isOpen: Bool

  package init(isOpen: Bool) { self.isOpen = isOpen }

  package func type(
    of schema: YAMLNode, at path: String, _ words: inout [String: [String]]
  ) -> ValueType {
    guard let entries = schema.mapping else { return .dyn }
    let unread: Set<String> = [
      "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
      "patternProperties", "dependentSchemas", "prefixItems", "unevaluatedProperties",
    ]
    guard !entries.contains(where: { $0.name.map(unread.contains) ?? true }) else { return .dyn }
    let choices = schema["enum"]?.sequence?.map(\.string)
    if let choices, choices.allSatisfy({ $0 != nil }), !choices.isEmpty {
      words[path] = choices.compactMap { $0 }
      return .string
    }
    let kind = schema["type"]
    let name = kind?.sequence?.count == 1 ? kind?.sequence?.first?.string : kind?.string
    switch name {
    case "string": return .string
    case "integer": return .int
    case "boolean": return .bool
    case "array":
      return .list(schema["items"].map { type(of: $0, at: path + "[]", &words) } ?? .dyn)
    case "object": return object(schema, at: path, &words)
    case nil where kind == nil && schema["properties"] != nil:
      return object(schema, at: path, &words)
    // A JSON number becomes an int or a double, depending on its value.
    default: return .dyn
    }
  }

  private func object(
    _ schema: YAMLNode, at path: String, _ words: inout [String: [String]]
  ) -> ValueType {
    let additional = schema["additionalProperties"]
    guard let properties = schema["properties"]?.mapping else {
      return .map(.string, additional.map { type(of: $0, at: path + ".*", &words) } ?? .dyn)
    }
    var seen: Set<String> = []
    let fields = properties.compactMap { entry -> ObjectType.Field? in
      guard let name = entry.name, seen.insert(name).inserted else { return nil }
      return ObjectType.Field(name, type(of: entry.value, at: "\(path).\(name)", &words))
    }
    // JSON Schema allows undeclared fields by default, but an expression should only read declared ones.
    let allowsOthers = additional.map { $0.scalarValue != .bool(false) } ?? isOpen
    return .object(ObjectType(name: path, fields: fields, isOpen: allowsOthers || isOpen))
  }
}
