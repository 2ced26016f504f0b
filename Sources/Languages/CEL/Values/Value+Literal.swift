extension Value: CustomStringConvertible {
  /// The value as an expression of the language, for example `{"a": [1, 2u]}`.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .uint(let value): text += String(value) + "u"
    case .double(let value):
      text += value.isFinite ? value.description : "double(\"\(doubleText(value))\")"
    case .string(let value): text += quoted(value)
    case .bytes(let value): text += Self.literal(of: value)
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.write(to: &text)
      }
      text += "]"
    case .map(let map):
      text += "{"
      for (index, entry) in map.entries.enumerated() {
        if index > 0 { text += ", " }
        entry.key.write(to: &text)
        text += ": "
        entry.value.write(to: &text)
      }
      text += "}"
    case .timestamp(let value): text += "timestamp(\"\(value.rfc3339)\")"
    case .duration(let value): text += "duration(\"\(durationText(value))\")"
    case .type(let value): text += value.name
    case .optional(nil): text += "optional.none()"
    case .optional(let wrapped?):
      text += "optional.of("
      wrapped.write(to: &text)
      text += ")"
    }
  }

  private static func literal(of bytes: [UInt8]) -> String {
    var text = "b\""
    for byte in bytes {
      switch byte {
      case 0x22, 0x5C: text += "\\" + String(Unicode.Scalar(byte))
      case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "\\x" + Hexadecimal.text([byte])
      }
    }
    return text + "\""
  }
}

func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\u{7}": result += "\\a"
    case "\u{8}": result += "\\b"
    case "\u{C}": result += "\\f"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case "\u{B}": result += "\\v"
    case "\\": result += "\\\\"
    case "\"": result += "\\\""
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
