import Basics
@testable import PipelineAuthoring
import PipelineDocument
import Testing

/// A text in which `‸` marks a place.
struct AnalysisText {
  let analysis: DocumentAnalysis
  let position: SourcePosition

  init(_ marked: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let pieces = marked.split(separator: "‸", omittingEmptySubsequences: false)
    #expect(pieces.count == 2, "one place is marked", sourceLocation: sourceLocation)
    let before = pieces.first ?? ""
    let last = before.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    position = SourcePosition(
      line: before.unicodeScalars.count { $0 == "\n" } + 1,
      column: last.unicodeScalars.count + 1)
    analysis = DocumentAnalysis(text: pieces.joined(), file: "marked.yaml")
  }

  var labels: [String] {
    analysis.completions(at: position).sorted { $0.sortText < $1.sortText }.map(\.label)
  }

  func completion(_ label: String) -> Completion? {
    analysis.completions(at: position).first { $0.label == label }
  }

  var hover: String? { analysis.hover(at: position)?.markdown }

  /// The text with the completion `label` applied.
  static func accept(_ label: String, in marked: String) -> String? {
    let text = AnalysisText(marked)
    guard let completion = text.completion(label) else { return nil }
    let plain = marked.split(separator: "‸", omittingEmptySubsequences: false).joined()
    return replace([(completion.range, completion.text)], in: plain)
  }

  /// The text with stretches of single lines replaced.
  static func replace(_ edits: [(range: TextRange, text: String)], in text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Array($0.unicodeScalars) }
    for edit in edits.sorted(by: { $0.range.start > $1.range.start }) {
      lines[edit.range.start.line - 1].replaceSubrange(
        (edit.range.start.column - 1)..<(edit.range.end.column - 1),
        with: Array(edit.text.unicodeScalars))
    }
    return lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
  }
}
