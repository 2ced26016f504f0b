import CEL

/// Writes values as JSON (RFC 8259), indented by two spaces, with maps in their own order.
enum JSONText {
  static func render(_ value: Value) -> String {
    var text = ""
    write(value, indent: 0, to: &text)
    return text
  }

  private static func write(_ value: Value, indent: Int, to text: inout String) {
    switch value {
    case .bool(let flag): text += flag ? "true" : "false"
    case .int(let number): text += String(number)
    case .uint(let number): text += String(number)
    case .double(let number):
      text +=
        number == number.rounded() && abs(number) < 1e15
        ? String(Int64(number)) : "\(number)"
    case .string(let string): quote(string, to: &text)
    case .list(let elements):
      write(elements, open: "[", close: "]", indent: indent, to: &text) { element, text in
        write(element, indent: indent + 1, to: &text)
      }
    case .map(let map):
      write(Array(map), open: "{", close: "}", indent: indent, to: &text) { entry, text in
        quote(entry.key.stringValue ?? "", to: &text)
        text += ": "
        write(entry.value, indent: indent + 1, to: &text)
      }
    default: text += "null"
    }
  }

  private static func write<Element>(
    _ elements: [Element], open: String, close: String, indent: Int, to text: inout String,
    each: (Element, inout String) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      text += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
      each(element, &text)
    }
    if !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  private static func quote(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{00}"..."\u{1F}":
        let code = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
