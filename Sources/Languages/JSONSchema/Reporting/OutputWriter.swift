/// Writes units in the forms of the specification (core §12.4).
enum OutputWriter {
  static func flag(_ isValid: Bool) -> JSONNode { object([("valid", JSONNode(.bool(isValid)))]) }

  static func basic(_ root: OutputUnit) -> JSONNode {
    var units: [JSONNode] = []
    func visit(_ unit: OutputUnit) {
      if unit.message != nil || unit.annotation != nil { units.append(object(fields(unit))) }
      for child in unit.children { visit(child) }
    }
    visit(root)
    return object([
      ("valid", JSONNode(.bool(root.isValid))),
      (root.isValid ? "annotations" : "errors", JSONNode(.array(units))),
    ])
  }

  static func detailed(_ root: OutputUnit) -> JSONNode {
    condensed(root).map { node(of: $0) } ?? object([("valid", JSONNode(.bool(root.isValid)))])
  }

  /// The unit without empty descendants; a single child replaces its parent.
  private static func condensed(_ unit: OutputUnit) -> OutputUnit? {
    let children = unit.children.compactMap(condensed)
    if children.count == 1, unit.annotation == nil { return children[0] }
    let message = children.isEmpty ? unit.message : nil
    return message == nil && unit.annotation == nil && children.isEmpty
      ? nil : unit.replacing(message: message, cause: unit.cause, children: children)
  }

  private static func node(of unit: OutputUnit) -> JSONNode {
    var fields = [("valid", JSONNode(.bool(unit.isValid)))] + self.fields(unit)
    if !unit.children.isEmpty {
      let children = JSONNode(.array(unit.children.map { node(of: $0) }))
      fields.append((unit.isValid ? "annotations" : "errors", children))
    }
    return object(fields)
  }

  private static func fields(_ unit: OutputUnit) -> [(String, JSONNode)] {
    var fields = [
      ("keywordLocation", JSONNode(.string(unit.keywordLocation))),
      ("absoluteKeywordLocation", JSONNode(.string(unit.absoluteLocation))),
      ("instanceLocation", JSONNode(.string(unit.instancePointer.description))),
    ]
    if let message = unit.message { fields.append(("error", JSONNode(.string(message)))) }
    if let annotation = unit.annotation { fields.append(("annotation", annotation)) }
    return fields
  }

  private static func object(_ fields: [(String, JSONNode)]) -> JSONNode {
    JSONNode(.object(fields.map { JSONNode.Member(key: $0.0, value: $0.1) }))
  }
}
