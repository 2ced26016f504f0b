/// Renders diagnostics as text for terminals and build logs.
///
/// The first line of each is one that `grep` and editors take apart: `file:line:column: error[code]: message`. Below it
/// stand the line of the source with the exact stretch underlined, the notes, and what to do.
public struct DiagnosticText: Sendable {
  private let lines: [String: [String]]

  /// Makes a renderer that shows lines of `sources`, texts by the name of their file.
  public init(sources: [String: String]) {
    lines = sources.mapValues(SourceLines.split)
  }

  /// The text of all `diagnostics`, each ended by a line end.
  public func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(render).joined()
  }

  /// The text of one diagnostic, ended by a line end.
  public func render(_ diagnostic: Diagnostic) -> String {
    let head = "\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]"
    var text = "\(diagnostic.range): \(head): \(diagnostic.message)\n"
    text += excerpt(diagnostic.range)
    for note in diagnostic.notes {
      text += "\(note.range): note: \(note.message)\n"
      text += excerpt(note.range)
    }
    if let help = diagnostic.help { text += "  help: \(help)\n" }
    for property in diagnostic.properties { text += "  \(property.name): \(property.value)\n" }
    return text
  }

  private func excerpt(_ range: TextRange) -> String {
    guard let lines = lines[range.file], lines.indices.contains(range.start.line - 1) else {
      return ""
    }
    let line = Array(lines[range.start.line - 1].unicodeScalars)
    let start = min(range.start.column - 1, line.count)
    // A stretch of several lines is underlined to the end of its first.
    let end =
      range.end.line == range.start.line ? min(range.end.column - 1, line.count) : line.count
    let number = String(range.start.line)
    let gutter = String(repeating: " ", count: max(4, number.count))
    // A tab is kept, so that the carets stand below whatever width the terminal gives it.
    let indent = String(String.UnicodeScalarView(line[..<start].map { $0 == "\t" ? "\t" : " " }))
    return """
      \(gutter.dropFirst(number.count))\(number) | \(String(String.UnicodeScalarView(line)))
      \(gutter) | \(indent)\(String(repeating: "^", count: max(1, end - start)))

      """
  }
}
