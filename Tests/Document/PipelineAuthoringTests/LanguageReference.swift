@testable import PipelineAuthoring
import PipelineDocument
import PipelineScenarios
import CEL
import PipelineCore

/// Writes the language reference from the same key tables that the readers and the JSON Schema use.
enum LanguageReference {
  /// The page in Markdown, the content of `docs/language.md`.
  static func pageText() -> String {
    let sections = constructs.map(section).joined(separator: "\n\n")
    return insertions.reduce(EmbeddedTexts.reference.map(\.text).joined()) {
      $0.replacing("{{\($1.key)}}", with: $1.value)
    }.replacing("{{constructs}}", with: sections)
  }

  // MARK: Constructs

  private static let constructs = Construct.ofPipelines + Construct.ofTests + Construct.ofScenarios

  private static func section(_ construct: Construct) -> String {
    var lines = ["## \(construct.name)", "", construct.summary]
    let places = uses(of: construct)
    if !places.isEmpty { lines += ["", "Used in \(places.joined(separator: ", "))."] }
    lines += ["", "| key | value | default | description |", "|---|---|---|---|"]
    lines += construct.keys.map(row)
    for alternatives in construct.alternatives {
      let keys = alternatives.keys.map { "`\($0)`" }.joined(separator: ", ")
      lines += [
        "",
        "\(alternatives.isRequired ? "Exactly one of \(keys) is required." : "At most one of \(keys) is allowed.")",
      ]
    }
    if !construct.reserved.isEmpty {
      let keys = construct.reserved.sorted().map { "`\($0)`" }.joined(separator: ", ")
      lines += ["", "Reserved: \(keys)."]
    }
    return lines.joined(separator: "\n")
  }

  private static func row(_ key: Key) -> String {
    var presence = key.isRequired ? "required" : "optional"
    if let value = key.defaultValue { presence = code(value) }
    var text = key.summary
    if !key.examples.isEmpty {
      text += " Example: \(key.examples.map(code).joined(separator: " or "))"
    }
    return "| `\(key.name)` | \(cell(words(key.shape))) | \(presence) | \(cell(text)) |"
  }

  private static func uses(of construct: Construct) -> [String] {
    constructs.flatMap { owner in
      owner.keys.filter { mentions(construct, in: $0.shape) }
        .map { "[`\(owner.name).\($0.name)`](#\(owner.name))" }
    }
  }

  private static func mentions(_ construct: Construct, in shape: ValueShape) -> Bool {
    switch shape {
    case .construct(let other): other() == construct
    case .map(let value, _): mentions(construct, in: value)
    case .list(let element), .filledList(let element): mentions(construct, in: element)
    case .either(let shapes): shapes.contains { mentions(construct, in: $0) }
    default: false
    }
  }

  // MARK: Shapes

  private static func words(_ shape: ValueShape) -> String {
    switch shape {
    case .text: "text"
    case .pattern(let pattern): words(pattern: pattern)
    case .template: "a [template](#expressions)"
    case .optionalTemplate: "a [template](#expressions) or `null`"
    case .expression: "an [expression](#expressions)"
    case .duration: "a [duration](#values)"
    case .durationOrExpression:
      "a [duration](#values), or an [expression](#expressions) of that type"
    case .size: "a [size](#values)"
    case .rate: "a [rate](#values)"
    case .requestRate: "a [request rate](#values)"
    case .integer(let minimum): "an integer, at least \(minimum)"
    case .number(let minimum): "a number, at least \(JSONText.render(.double(minimum)))"
    case .fraction: "a number from 0 to 1"
    case .flag: "`true` or `false`"
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .scalar: "text, a number or a Boolean"
    case .json: "any JSON value"
    case .map(let value, let names):
      "a mapping from \(names.map(plural) ?? "names") to \(words(value))"
    case .list(let element): "a list, each \(words(element))"
    case .filledList(let element): "a list of one or more, each \(words(element))"
    case .construct(let construct): "[\(construct().name)](#\(construct().name))"
    case .either(let shapes): shapes.map(words).joined(separator: " or ")
    }
  }

  private static func words(pattern: String) -> String {
    switch pattern {
    case Construct.identifierPattern: "an [identifier](#names)"
    case Construct.namePattern: "a [name](#names)"
    case Construct.methodPattern: "a [method](#names)"
    case Construct.headerPattern: "a [header name](#names)"
    default: "text like `\(pattern)`"
    }
  }

  private static func plural(pattern: String) -> String {
    switch pattern {
    case Construct.identifierPattern: "[identifiers](#names)"
    case Construct.headerPattern: "[header names](#names)"
    default: "[names](#names)"
    }
  }

  // MARK: Markdown

  /// A value written as YAML on one line.
  static func code(_ value: Value) -> String {
    if let text = value.stringValue { return "`\(text)`" }
    return "`\(flow(value))`"
  }

  private static func flow(_ value: Value) -> String {
    switch value {
    case .list(let elements): "[\(elements.map(flow).joined(separator: ", "))]"
    case .map(let map):
      "{ " + map.map { "\($0.key.stringValue ?? ""): \(flow($0.value))" }.joined(separator: ", ")
        + " }"
    case .string(let text):
      if text.allSatisfy({ $0.isLetter || $0.isNumber || "_- ".contains($0) }) {
        text
      } else if text.contains(where: { "\"\\".contains($0) }) {
        // Only single quotes keep every character literal.
        "'\(text.replacing("'", with: "''"))'"
      } else {
        "\"\(text)\""
      }
    default: JSONText.render(value)
    }
  }

  /// Text escaped so that it does not end a cell.
  static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

/// The texts that the readers' tables add to `language.md`, by the word between the braces.
extension LanguageReference {
  static let insertions: KeyValuePairs = [
    "durations": rows(
      DurationLiteral.units.map { ["`\($0.name)`", "\(Int64($0.milliseconds)) milliseconds"] }),
    "sizes": rows(SizeLiteral.units.map { ["`\($0.name)`", "\(Int64($0.bytes)) bytes"] }),
    "inputs": rows(
      InputDeclaration.Kind.allCases.map {
        ["`\($0.rawValue)`", text(of: $0.rawValue, in: "inputs"), "`\(Variables.type(of: $0))`"]
      }),
    "variables": rows(
      (Variables.always + Variables.item + Variables.response).map {
        ["`\($0.name)`", "`\($0.type)`", text(of: $0.name, in: "variables")]
      }),
    "file": rows(Variables.file.fields.map { ["`\($0.name)`", "`\($0.type)`"] }),
    "outcomes": rows(
      MatcherWord.allCases.map {
        ["`then: \($0.rawValue)`", text(of: $0.rawValue, in: "outcomes")]
      }),
    "identifier": cell(Construct.identifierPattern), "name": cell(Construct.namePattern),
    "method": cell(Construct.methodPattern), "header": cell(Construct.headerPattern),
    "reserved": list(DocumentReader.wordsOfCEL), "roots": list(DocumentReader.rootNames),
  ]

  private static func rows(_ rows: [[String]]) -> String {
    rows.map { "| \($0.map(cell).joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  private static func list(_ words: Set<String>) -> String {
    words.sorted().map { "`\($0)`" }.joined(separator: ", ")
  }

  /// The text of a name in `values.md`.
  private static func text(of name: String, in section: String) -> String {
    let entry = EmbeddedTexts.values.lazy.flatMap { DescriptionList.entries($0.text) }
      .first { $0.section == section && $0.name == name }
    let kinds = TransportFailure.Kind.shown.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    return (entry?.text ?? "").replacing("{{failures}}", with: kinds)
  }
}
