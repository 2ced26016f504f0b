enum Messages {
  static func quoted(_ text: String) -> String { JSONNode(.string(text)).compactText }

  /// A value in a message: JSON text, shortened.
  static func shown(_ node: JSONNode) -> String {
    switch node.value {
    case .array: return "an array"
    case .object: return "an object"
    default:
      let text = node.compactText
      return text.unicodeScalars.count <= 60
        ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(57))) + "…\""
    }
  }

  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  static func article(_ type: String) -> String {
    switch type {
    case "null": "null"
    case "array", "integer", "object": "an " + type
    default: "a " + type
    }
  }

  static func type(_ types: TypeSet, found node: JSONNode) -> String {
    let found = article(TypeSet(of: node) == .fraction ? "number" : TypeSet(of: node).words[0])
    return "must be \(list(types.words.map(article))), not \(found)"
  }

  static func values(_ values: [JSONNode]) -> String {
    guard !values.isEmpty else { return "no value is allowed here" }
    let shown = values.prefix(12).map(shown)
    let rest = values.count - shown.count
    if values.count == 1 { return "must be \(shown[0])" }
    return "must be one of \(shown.joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
  }

  static func bound(_ bound: Bound, _ limit: JSONNumber) -> String {
    switch bound {
    case .maximum: "must be at most \(limit)"
    case .exclusiveMaximum: "must be less than \(limit)"
    case .minimum: "must be at least \(limit)"
    case .exclusiveMinimum: "must be greater than \(limit)"
    }
  }

  private static func side(_ limit: Limit) -> String { limit == .atLeast ? "at least" : "at most" }

  static func size(
    _ limit: Limit, _ count: Int, _ one: String, _ many: String? = nil, found: Int? = nil
  ) -> String {
    if limit == .atLeast, count == 1 { return "must not be empty" }
    let unit = count == 1 ? one : many ?? one + "s"
    return "must have \(side(limit)) \(count) \(unit)" + (found.map { ", has \($0)" } ?? "")
  }

  static func contains(_ limit: Limit, _ count: Int, _ found: Int) -> String {
    let unit = count == 1 ? "item" : "items"
    return "must have \(side(limit)) \(count) \(unit) that match contains, has \(found)"
  }
}
