/// A text split into lines by LF, CR LF or CR; columns are Unicode scalars from 0, after a byte order mark.
struct LineTable: Sendable {
  let bytes: [UInt8]
  let starts: [Int]

  init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  init(bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    bytes.withUnsafeBufferPointer { buffer in
      for index in buffer.indices {
        let next = index + 1
        if buffer[index] == 0x0A {
          starts.append(next)
        } else if buffer[index] == 0x0D, next == buffer.count || buffer[next] != 0x0A {
          starts.append(next)
        }
      }
    }
    self.starts = starts
  }

  var count: Int { starts.count }

  /// The bytes of a line without its line break; empty outside the text.
  func byteRange(_ line: Int) -> Range<Int> {
    guard starts.indices.contains(line) else { return bytes.count..<bytes.count }
    let start = starts[line]
    var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  func scalars(_ line: Int) -> [Unicode.Scalar] {
    Array(String(decoding: bytes[byteRange(line)], as: UTF8.self).unicodeScalars)
  }

  func clamped(_ position: SourcePosition) -> SourcePosition {
    let line = min(max(position.line, 1), count)
    let column = min(max(position.column, 1), scalars(line - 1).count + 1)
    return SourcePosition(line: line, column: column)
  }

  /// The text with a line shortened to its first `kept` bytes; all other lines keep their positions.
  func blanking(_ line: Int, keeping kept: Int) -> LineTable {
    var bytes = bytes
    let range = byteRange(line)
    for index in range.dropFirst(kept) { bytes[index] = 0x20 }
    return LineTable(bytes: bytes, starts: starts)
  }

  private init(bytes: [UInt8], starts: [Int]) { (self.bytes, self.starts) = (bytes, starts) }
}

enum TolerantParser {
  private static let budget = 16 << 20
  private static let maximumAttempts = 24

  /// The tree of the text, or of its readable part; all its positions are positions of the text.
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

  /// The 0-based lines that may have the error: where the parse ended, where an open bracket is, and the line before.
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
