package import Basics
package import YAMLSyntax

/// Collects the findings of readers and rules in one file; a class, because readers at every depth add to the same list.
package final class DiagnosticCollector {
  package let file: String
  private let name: FileName
  /// The number of findings kept per code; no one reads more, and a file can be made to have millions.
  package static let limit = 100
  private var kept: [Diagnostic] = []
  private var counts: [DiagnosticCode: Int] = [:]
  private var omitted: [DiagnosticCode: Diagnostic] = [:]

  package var diagnostics: [Diagnostic] {
    guard !omitted.isEmpty else { return kept }
    return kept
      + omitted.values.map { first in
        let count = counts[first.code, default: 0] - Self.limit
        return Diagnostic(
          first.code, severity: first.severity, "\(count) more findings of this kind from here on",
          at: first.range)
      }
  }

  package init(file: String) {
    self.file = file
    name = FileName(file)
  }

  private(set) var hasErrors = false
  package var ignores = IgnoreList()
  private var dropped: Set<TextRange> = []

  func dropping(at ranges: Set<TextRange>, _ check: () -> Void) {
    dropped = ranges
    check()
    dropped = []
  }

  package func report(_ diagnostic: Diagnostic) {
    if !ignores.isEmpty, ignores.silences(diagnostic) { return }
    if !dropped.isEmpty, dropped.contains(diagnostic.range) { return }
    keep(diagnostic)
    if diagnostic.severity == .error { hasErrors = true }
  }

  func onlyCounts(_ code: DiagnosticCode) -> Bool { counts[code, default: 0] > Self.limit }

  private func keep(_ diagnostic: Diagnostic) {
    let count = counts[diagnostic.code, default: 0] + 1
    counts[diagnostic.code] = count
    if count <= Self.limit {
      kept.append(diagnostic)
    } else if omitted[diagnostic.code] == nil {
      omitted[diagnostic.code] = diagnostic
    }
  }

  /// Reports what a rule found.
  ///
  /// - Parameters:
  ///   - severity: `nil` for that of the code's page.
  ///   - note: What there is to see at another place, if there is one.
  ///   - nearest: What was probably meant, which is proposed instead of `help`.
  ///   - replacement: The only text to put in place of the range.
  ///   - fix: The only replacement, if its range is another.
  ///   - fixes: Replacements that a person must choose from.
  package func report(
    _ code: DiagnosticCode, severity: Diagnostic.Severity? = nil, _ message: String,
    at range: TextRange, note: (message: String, range: TextRange?)? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, nearest: String? = nil,
    replacement: String? = nil, fix: Diagnostic.Fix? = nil, fixes: [Diagnostic.Fix] = []
  ) {
    var notes = notes
    if let note, let range = note.range {
      notes.append(Diagnostic.Note(message: note.message, range: range))
    }
    let fix = (nearest ?? replacement).map { Diagnostic.Fix(range: range, replacement: $0) } ?? fix
    report(
      Diagnostic(
        code, severity: severity, message, at: range, notes: notes,
        help: nearest.map { "did you mean '\($0)'?" } ?? help, fixes: fix.map { [$0] } ?? fixes))
  }

  /// Reports why a value cannot be read; `nil`, for the reader to return.
  package func refuse<Value>(
    _ code: DiagnosticCode, _ message: String, at range: TextRange,
    note: (message: String, range: TextRange?)? = nil, help: String? = nil, nearest: String? = nil,
    replacement: String? = nil
  ) -> Value? {
    report(
      code, message, at: range, note: note, help: help, nearest: nearest, replacement: replacement)
    return nil
  }

  package func report(_ issue: YAMLIssue) {
    report(
      Diagnostic(
        // The codes of the YAML layer are a subset of ours, as a test ensures.
        DiagnosticCode(rawValue: issue.code.rawValue) ?? .yamlSyntax, issue.message,
        at: range(issue.range),
        notes: issue.notes.map { Diagnostic.Note(message: $0.message, range: range($0.range)) },
        fixes: issue.fix.map {
          [Diagnostic.Fix(range: range($0.range), replacement: $0.replacement, isSafe: true)]
        } ?? []))
  }

  package func range(_ range: SourceRange) -> TextRange {
    TextRange(in: name, start: range.start, end: range.end)
  }
}
