extension JSONNode {
  /// The value as JSON text on one line, with numbers as written.
  public var compactText: String {
    var text = ""
    JSONWriter.write(self, indent: nil, into: &text)
    return text
  }

  /// The value as JSON text, indented by two spaces per level.
  public var indentedText: String {
    var text = ""
    JSONWriter.write(self, indent: 0, into: &text)
    return text
  }
}

/// Writes nodes as JSON text.
enum JSONWriter {
  static func write(_ node: JSONNode, indent: Int?, into text: inout String) {
    switch node.value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let number): text += number.text
    case .string(let string): quote(string, into: &text)
    case .array(let items):
      list("[", "]", count: items.count, indent: indent, into: &text) { place, inner, text in
        write(items[place], indent: inner, into: &text)
      }
    case .object(let members):
      list("{", "}", count: members.count, indent: indent, into: &text) { place, inner, text in
        quote(members[place].key, into: &text)
        text += inner == nil ? ":" : ": "
        write(members[place].value, indent: inner, into: &text)
      }
    }
  }

  private static func list(
    _ open: String, _ close: String, count: Int, indent: Int?, into text: inout String,
    element: (Int, Int?, inout String) -> Void
  ) {
    text += open
    for place in 0..<count {
      if place > 0 { text += "," }
      if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
      element(place, indent.map { $0 + 1 }, &text)
    }
    if let indent, count > 0 { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  static func quote(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
