import Basics
import PipelineDocument
import YAMLSyntax

enum TolerantParser {
  private static let budget = 16 << 20
  private static let maximumAttempts = 24

  /// The tree of the text, or of what is left of it; all its positions are positions of the text.
  static func parse(_ lines: LineTable) -> (document: YAMLDocument?, isExact: Bool) {
    let document = YAMLDocument.parse(lines.bytes)
    if document.root != nil {
      return (document, !document.issues.contains { $0.severity == .error })
    }
    var attempts = min(maximumAttempts, budget / max(1, lines.bytes.count))
    var text = lines
    var failure = document
    while attempts > 0, let issue = failure.issues.last(where: { $0.severity == .error }) {
      guard let next = repair(text, issue, &attempts) else { return (nil, false) }
      (text, failure) = next
      if failure.root != nil { return (failure, false) }
    }
    return (nil, false)
  }

  private static func repair(
    _ text: LineTable, _ issue: YAMLIssue, _ attempts: inout Int
  ) -> (LineTable, YAMLDocument)? {
    for line in candidates(text, issue) {
      for kept in lengths(text.scalars(line)) where attempts > 0 {
        let shorter = text.blanking(line, keeping: kept)
        guard shorter.bytes != text.bytes else { continue }
        attempts -= 1
        let document = YAMLDocument.parse(shorter.bytes)
        let next = document.issues.last { $0.severity == .error }
        if document.root != nil { return (shorter, document) }
        // An open bracket may have hidden an earlier error, but none before its own line.
        if let next, next.range.start.line - 1 > line, next.range != issue.range {
          return (shorter, document)
        }
      }
    }
    return nil
  }

  /// The 0-based lines that may have the error: where the parse ended, where an open bracket began, and the line before.
  private static func candidates(_ text: LineTable, _ issue: YAMLIssue) -> [Int] {
    var lines = [issue.range.start.line - 1]
    lines += issue.notes.map { $0.range.start.line - 1 }
    var previous = issue.range.start.line - 2
    while previous >= 0, OutlineLine(text.scalars(previous)).isEmpty { previous -= 1 }
    lines.append(previous)
    var seen: Set<Int> = []
    return lines.filter { text.starts.indices.contains($0) && seen.insert($0).inserted }
  }

  private static func lengths(_ scalars: [Unicode.Scalar]) -> [Int] {
    let line = OutlineLine(scalars)
    var columns: [Int] = []
    if line.key != nil, let valueStart = line.valueStart { columns.append(valueStart) }
    columns.append(line.column)
    columns.append(0)
    return columns.map { scalars.prefix($0).reduce(0) { $0 + UTF8.width($1) } }
  }
}
