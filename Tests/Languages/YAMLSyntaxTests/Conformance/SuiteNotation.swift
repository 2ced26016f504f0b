import YAMLSyntax

/// Prints events as the YAML test suite writes them.
enum SuiteNotation {
  static func print(_ events: [YAMLEvent]) -> String {
    var depth = 0
    var lines: [String] = []
    for event in events {
      let text = print(event.kind)
      if text.hasPrefix("-") { depth -= 1 }
      lines.append(String(repeating: " ", count: depth) + text + "\n")
      if text.hasPrefix("+") { depth += 1 }
    }
    return lines.joined()
  }

  private static func print(_ kind: YAMLEvent.Kind) -> String {
    switch kind {
    case .streamStart: "+STR"
    case .streamEnd: "-STR"
    case .documentStart(let isExplicit): isExplicit ? "+DOC ---" : "+DOC"
    case .documentEnd(let isExplicit): isExplicit ? "-DOC ..." : "-DOC"
    case .alias(let name): "=ALI *\(name)"
    case .scalar(let scalar, let anchor):
      "=VAL" + properties(anchor, scalar.tag) + " " + mark(scalar.style) + escape(scalar.text)
    case .sequenceStart(let anchor, let tag, let isFlow):
      "+SEQ" + (isFlow ? " []" : "") + properties(anchor, tag)
    case .sequenceEnd: "-SEQ"
    case .mappingStart(let anchor, let tag, let isFlow):
      "+MAP" + (isFlow ? " {}" : "") + properties(anchor, tag)
    case .mappingEnd: "-MAP"
    }
  }

  private static func properties(_ anchor: String?, _ tag: String?) -> String {
    (anchor.map { " &\($0)" } ?? "") + (tag.map { " <\($0)>" } ?? "")
  }

  private static func mark(_ style: YAMLScalar.Style) -> String {
    switch style {
    case .plain: ":"
    case .singleQuoted: "'"
    case .doubleQuoted: "\""
    case .literal: "|"
    case .folded: ">"
    }
  }

  private static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\t": escaped += "\\t"
      case "\r": escaped += "\\r"
      case "\u{8}": escaped += "\\b"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
