/// Renders diagnostics as text for terminals and build logs.
///
/// The first line of each has a form that `grep` and editors can parse: `file:line:column: error[code]: message`. Below it
/// are the source line with the exact range underlined, the notes, and the help. A secret in the source is not shown.
public struct DiagnosticText: Sendable {
  private let sources: [String: String]

  /// Makes a renderer that shows lines of `sources`, the texts by file name.
  public init(sources: [String: String]) { self.sources = sources }

  /// The text of all `diagnostics`, each with a final line break.
  public func render(_ diagnostics: [Diagnostic]) -> String {
    render(diagnostics, hiding: diagnostics)
  }

  package func render(_ diagnostics: [Diagnostic], hiding all: [Diagnostic]) -> String {
    guard !diagnostics.isEmpty else { return "" }
    // A file is split into lines only if there is a finding in it.
    let named = Set(diagnostics.flatMap { [$0.range.file] + $0.notes.map(\.range.file) })
    var lines = sources.filter { named.contains($0.key) }.mapValues(SourceLines.split)
    for secret in all where secret.code == .hardcodedSecret { Self.hide(secret.range, in: &lines) }
    return diagnostics.map { render($0, lines) }.joined()
  }

  /// The text of one diagnostic, with a final line break.
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

  /// Replaces each character of a range with a star, so that all others keep their columns.
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

  private static let widthLimit = 400

  private func excerpt(_ range: TextRange, _ lines: [String: [String]]) -> String {
    guard let lines = lines[range.file], lines.indices.contains(range.start.line - 1)
    else { return "" }
    let whole = lines[range.start.line - 1].unicodeScalars
    // Of a very long line, only the part around the position is shown.
    let first = whole.count > Self.widthLimit ? max(range.start.column - 81, 0) : 0
    let line = Array(whole.dropFirst(first).prefix(Self.widthLimit))
    let start = min(range.start.column - 1 - first, line.count)
    // A range of several lines is underlined to the end of its first line.
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

  /// How each character of a source line is shown; tabs are kept, so that a file full of them stays readable.
  private static func shown(_ line: [Unicode.Scalar]) -> [String] {
    line.indices.map { index in
      let scalar = line[index]
      if scalar == "#" {
        // `visibleLine` recognizes two of them that would start a build server's command.
        let rest = String(String.UnicodeScalarView(line[index...]))
        return rest.visibleLine.hasPrefix(scalar.escape) ? scalar.escape : "#"
      }
      return scalar.isInvisible && scalar != "\t" ? scalar.escape : String(scalar)
    }
  }

  /// As much space as a range occupies on screen; a tab stays a tab, regardless of its width in the terminal.
  private static func blank(below shown: ArraySlice<String>) -> String {
    shown.map { piece in
      piece == "\t" ? "\t" : String(repeating: " ", count: piece.unicodeScalars.count)
    }.joined()
  }
}
