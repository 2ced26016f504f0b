import PipelineCore

/// Renders diagnostics as text for terminals and build logs.
///
/// The first line of each is one that `grep` and editors take apart: `file:line:column: error[code]: message`. Below it
/// stand the line of the source with the exact stretch underlined, the notes, and what to do. A secret that stands in the
/// source is not shown.
public struct DiagnosticText: Sendable {
  private let sources: [String: String]

  /// Makes a renderer that shows lines of `sources`, texts by the name of their file.
  public init(sources: [String: String]) {
    self.sources = sources
  }

  /// The text of all `diagnostics`, each ended by a line end.
  public func render(_ diagnostics: [Diagnostic]) -> String {
    render(diagnostics, hiding: diagnostics)
  }

  /// The text of `diagnostics`, without the secrets that `all` of them together report.
  package func render(_ diagnostics: [Diagnostic], hiding all: [Diagnostic]) -> String {
    // A file is taken apart only where something is said about it.
    let named = Set(diagnostics.flatMap { [$0.range.file] + $0.notes.map(\.range.file) })
    var lines = sources.filter { named.contains($0.key) }.mapValues(SourceLines.split)
    for secret in all where secret.code == .hardcodedSecret { Self.hide(secret.range, in: &lines) }
    return diagnostics.map { render($0, lines) }.joined()
  }

  /// The text of one diagnostic, ended by a line end.
  public func render(_ diagnostic: Diagnostic) -> String { render([diagnostic]) }

  private func render(_ diagnostic: Diagnostic, _ lines: [String: [String]]) -> String {
    let head = "\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]"
    var text = "\(diagnostic.range): \(head): \(diagnostic.message)".visibleLine + "\n"
    text += excerpt(diagnostic.range, lines)
    for note in diagnostic.notes {
      text += "\(note.range): note: \(note.message)".visibleLine + "\n"
      text += excerpt(note.range, lines)
    }
    if let help = diagnostic.help { text += "  help: \(help)".visibleLine + "\n" }
    for property in diagnostic.properties {
      text += "  \(property.name): \(property.value)".visibleLine + "\n"
    }
    return text
  }

  /// Puts stars in place of the characters of a stretch, as many, so that all others stay in their columns.
  private static func hide(_ range: TextRange, in lines: inout [String: [String]]) {
    guard var text = lines[range.file] else { return }
    for number in range.start.line...max(range.start.line, range.end.line)
    where text.indices.contains(number - 1) {
      var line = Array(text[number - 1].unicodeScalars)
      let start = number == range.start.line ? min(range.start.column - 1, line.count) : 0
      let end = number == range.end.line ? min(range.end.column - 1, line.count) : line.count
      for place in start..<max(start, end) { line[place] = "*" }
      text[number - 1] = String(String.UnicodeScalarView(line))
    }
    lines[range.file] = text
  }

  /// Characters of a line that are shown at most.
  private static let widthLimit = 400

  private func excerpt(_ range: TextRange, _ lines: [String: [String]]) -> String {
    guard let lines = lines[range.file], lines.indices.contains(range.start.line - 1) else {
      return ""
    }
    let whole = lines[range.start.line - 1].unicodeScalars
    // Of a line that nobody could read as a whole what is around the place is shown.
    let first = whole.count > Self.widthLimit ? max(range.start.column - 81, 0) : 0
    let line = Array(whole.dropFirst(first).prefix(Self.widthLimit))
    let start = min(range.start.column - 1 - first, line.count)
    // A stretch of several lines is underlined to the end of its first.
    let end =
      range.end.line == range.start.line
      ? min(range.end.column - 1 - first, line.count) : line.count
    let number = String(range.start.line)
    let gutter = String(repeating: " ", count: max(4, number.count))
    let shown = Self.shown(line)
    let indent = Self.blank(below: shown[..<start])
    let width = start < end ? Self.blank(below: shown[start..<end]).count : 1
    return """
      \(gutter.dropFirst(number.count))\(number) | \(shown.joined())
      \(gutter) | \(indent)\(String(repeating: "^", count: width))

      """
  }

  /// What each character of a line of the source looks like.
  ///
  /// A tab is kept: a file full of them stays readable.
  private static func shown(_ line: [Unicode.Scalar]) -> [String] {
    line.indices.map { index in
      let scalar = line[index]
      if scalar == "#" {
        // Where two of them begin what a build server takes for a command, `visibleLine` knows.
        let rest = String(String.UnicodeScalarView(line[index...]))
        return rest.visibleLine.hasPrefix(scalar.escape) ? scalar.escape : "#"
      }
      return scalar.isInvisible && scalar != "\t" ? scalar.escape : String(scalar)
    }
  }

  /// As much space as a stretch takes as it is shown; below a tab is a tab, whatever width the terminal gives it.
  private static func blank(below shown: ArraySlice<String>) -> String {
    shown.map { piece in
      piece == "\t" ? "\t" : String(repeating: " ", count: piece.unicodeScalars.count)
    }.joined()
  }
}
