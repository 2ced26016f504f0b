import PipelineDocument
import Testing

/// A document, one change to it, and the findings then; none if `said` is empty.
struct Change: CustomTestStringConvertible, Sendable {
  let from: String
  let to: String
  /// As `code: message`, in the order of the text.
  let said: [String]

  init(_ from: String, _ to: String, _ said: String...) {
    self.from = from
    self.to = to
    self.said = said
  }

  var testDescription: String { "\(from) → \(to)" }

  /// The findings about `document` after the change, with their places: as `line:column code: message`.
  func findings(in document: String) throws -> [Diagnostic] {
    let found = from.isEmpty || document.contains(from)
    try #require(found, "the document holds '\(from)'")
    let text = from.isEmpty ? document : document.replacing(from, with: to)
    return PipelineDocument.load(text: text, file: "a.yaml").diagnostics
  }

  /// Compares the findings with the expected ones.
  func check(
    in document: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let found = try findings(in: document).map { "\($0.code.rawValue): \($0.message)" }
    #expect(found == said, sourceLocation: sourceLocation)
  }
}
