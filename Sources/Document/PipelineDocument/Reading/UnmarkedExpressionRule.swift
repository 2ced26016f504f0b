/// Text that was most likely meant as an expression, with the marks of other tools or none at all.
enum UnmarkedExpressionRule {
  /// The parts of a text that look like expressions, and the corrected form of each.
  static func find(in text: String) -> [(range: Range<Int>, replacement: String)] {
    // Nearly every text ends here.
    guard hasForeignMarks(text) || hasRoot(text) else { return [] }
    let scalars = Array(text.unicodeScalars)
    if isReference(scalars[...]) { return [(0..<scalars.count, "${{ \(text) }}")] }
    var found: [(range: Range<Int>, replacement: String)] = []
    var index = 0
    while index + 1 < scalars.count {
      let isMarked = index > 0 && scalars[index - 1] == "$"
      let braces = scalars[index] == "{" && scalars[index + 1] == "{" && !isMarked ? 2 : 0
      let isShell =
        scalars[index] == "$" && scalars[index + 1] == "{"
        && !(index + 2 < scalars.count && scalars[index + 2] == "{") && !isMarked
      guard braces == 2 || isShell,
        let end = (index + 2..<scalars.count).first(where: { scalars[$0] == "}" }),
        isShell || (end + 1 < scalars.count && scalars[end + 1] == "}")
      else {
        index += 1
        continue
      }
      let inner = String(String.UnicodeScalarView(scalars[(index + 2)..<end]))
      let after = end + (isShell ? 1 : 2)
      if isReference(Array(Substring(inner).trimmed.unicodeScalars)[...], inMarks: true) {
        found.append((index..<after, "${{ \(Substring(inner).trimmed) }}"))
      }
      index = after
    }
    return found
  }

  private static func hasRoot(_ text: String) -> Bool {
    switch text.utf8.first {
    case UInt8(ascii: "i"): text.hasPrefix("inputs.")
    case UInt8(ascii: "s"): text.hasPrefix("steps.")
    case UInt8(ascii: "r"): text.hasPrefix("response.")
    default: false
    }
  }

  /// Whether a text contains `{{` without `$` before it, or `${` without `{` after it.
  fileprivate static func hasForeignMarks(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      for index in bytes.indices.dropFirst() where bytes[index - 1] == UInt8(ascii: "{") {
        let isDouble = bytes[index] == UInt8(ascii: "{")
        let isMarked = index > 1 && bytes[index - 2] == UInt8(ascii: "$")
        if isDouble != isMarked { return true }
      }
      return false
    }
  }

  /// The text of a plain `{{ text }}`, which YAML reads as a mapping whose key is a mapping.
  static func bracedText(in node: YAMLNode) -> String? {
    guard let outer = node.mapping, outer.count == 1, outer[0].value.scalarValue == .null,
      let inner = outer[0].key.mapping, inner.count == 1, inner[0].value.scalarValue == .null,
      let text = inner[0].name, !text.contains("\"")
    else { return nil }
    return text
  }

  /// Whether a text is a path such as `inputs.server`, and nothing else; between marks, any path with a dot counts.
  private static func isReference(
    _ scalars: ArraySlice<Unicode.Scalar>, inMarks: Bool = false
  ) -> Bool {
    let names = scalars.split(separator: ".", omittingEmptySubsequences: false)
    let isPath = names.allSatisfy { name in !name.isEmpty && name.allSatisfy(\.isIdentifierPart) }
    guard isPath, let root = names.first else { return false }
    if inMarks, names.count > 1, root.first.map({ !("0"..."9").contains($0) }) == true {
      return true
    }
    switch String(String.UnicodeScalarView(root)) {
    case "inputs": return names.count == 2
    case "steps": return names.count >= 3
    case "response":
      let fields = ["status", "headers", "json", "text", "url", "error"]
      return names.count >= 2
        && fields.contains(String(String.UnicodeScalarView(names[names.startIndex + 1])))
    default: return false
    }
  }
}

extension DocumentReader {
  func noteUnmarked(_ text: String, at node: YAMLNode) {
    for (offsets, replacement) in UnmarkedExpressionRule.find(in: text) {
      let whole = offsets == 0..<text.unicodeScalars.count
      let range = whole ? range(node) : range(offsets, in: node)
      let isMarked = UnmarkedExpressionRule.hasForeignMarks(text)
      let written = whole ? "\"\(replacement)\"" : replacement
      collector.report(
        .unmarkedExpression, severity: isMarked ? .error : .warning,
        "this text looks like an expression, but is sent literally", at: range,
        help: "write \(written)", replacement: written)
    }
  }
}
