import PipelineDocument
import CEL

extension Key {
  func detail(isNeeded: Bool) -> String { (isNeeded ? "required, " : "") + shape.phrase }

  /// The key's documentation in Markdown, with its default and examples.
  var documentation: String {
    var parts = [summary]
    if case .choice(let words) = shape {
      parts.append("One of " + words.map { "`\($0)`" }.joined(separator: ", ") + ".")
    }
    if let defaultValue { parts.append("Default: `\(Self.text(defaultValue))`") }
    if !examples.isEmpty {
      parts.append(
        "For example: " + examples.map { "`\(name): \(Self.text($0))`" }.joined(separator: ", "))
    }
    return parts.joined(separator: "\n\n")
  }

  private static func text(_ value: Value) -> String {
    if let text = value.stringValue { return text }
    return JSONText.render(value).split(separator: "\n").map { Substring($0).trimmed }
      .joined(separator: " ")
  }

  func snippet(isFlow: Bool) -> String {
    let quote = isFlow ? "\"" : ""
    var shape = shape
    if case .either(let shapes) = shape, case .map? = shapes.first { shape = shapes[0] }
    switch shape {
    case .expression: return "\(name): \(quote)\\${{ $1 \\}\\}\(quote)$0"
    case .flag: return "\(name): ${1|true,false|}$0"
    case .choice(let words): return "\(name): ${1|\(words.joined(separator: ","))|}$0"
    case .construct, .map: return isFlow ? "\(name): { $1 }$0" : "\(name):\n  $0"
    case .list, .filledList: return isFlow ? "\(name): [$1]$0" : "\(name):\n  - $0"
    default: return "\(name): $0"
    }
  }
}

extension ValueShape {
  var phrase: String {
    switch self {
    case .text: "text"
    case .pattern: "name"
    case .template, .optionalTemplate: "text with expressions"
    case .expression: "expression"
    case .duration: "duration"
    case .durationOrExpression: "duration or expression"
    case .size: "size"
    case .rate: "bytes per second"
    case .requestRate: "requests in a time"
    case .integer: "integer"
    case .number: "number"
    case .fraction: "number from 0 to 1"
    case .flag: "true or false"
    case .choice: "choice"
    case .scalar: "value"
    case .json: "JSON value"
    case .map: "mapping from names"
    case .list, .filledList: "list"
    case .construct: "mapping"
    case .either(let shapes): shapes.map(\.phrase).joined(separator: " or ")
    }
  }
}
