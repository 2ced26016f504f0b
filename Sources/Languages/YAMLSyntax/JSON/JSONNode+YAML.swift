extension JSONNode {
  /// The JSON value of a YAML tree, aliases followed, with ranges in the YAML text.
  ///
  /// Keys other than strings, `.inf` and `.nan` become strings.
  public init(_ node: YAMLNode) {
    let range = node.range
    let node = node.resolved
    if let entries = node.mapping {
      let members = entries.map { entry in
        JSONNode.Member(
          key: entry.key.scalar?.text ?? "\(entry.key.range)",
          keyRange: entry.key.range, value: JSONNode(entry.value))
      }
      self.init(.object(members), range: range)
    } else if let elements = node.sequence {
      self.init(.array(elements.map { JSONNode($0) }), range: range)
    } else {
      self.init(Self.value(node.scalarValue ?? .null), range: range)
    }
  }

  private static func value(_ scalar: CoreValue) -> Value {
    switch scalar {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .number(JSONNumber(number))
    case .bigInt(let text):
      JSONNumber(text: text.hasPrefix("+") ? String(text.dropFirst()) : text)
        .map { .number($0) } ?? .string(text)
    case .double(let number):
      JSONNumber(text: "\(number)").map { .number($0) } ?? .string("\(number)")
    case .string(let text): .string(text)
    }
  }
}
