import PipelineDocument
import PipelineScenarios
import CEL
import PipelineCore

/// What the tables of the readers add to `language.md`, by the word between the braces.
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

  /// What `values.md` says of a name.
  private static func text(of name: String, in section: String) -> String {
    let entry = EmbeddedTexts.values.lazy.flatMap { DescriptionList.entries($0.text) }
      .first { $0.section == section && $0.name == name }
    let kinds = TransportFailure.Kind.shown.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    return (entry?.text ?? "").replacing("{{failures}}", with: kinds)
  }
}
