/// Lines that an editor can hide behind the first of them.
public struct FoldingRange: Hashable, Sendable {
  /// What an editor folds together: all comments, or all regions.
  public enum Kind: String, Hashable, Sendable, CaseIterable { case comment, region }

  /// The first line, from 1, which stays visible.
  public let start: Int
  /// The last line.
  public let end: Int
  public let kind: Kind
}

extension DocumentAnalysis {
  /// The ranges that can be folded, by their first lines; only indentation decides, so that invalid YAML folds too.
  public var foldingRanges: [FoldingRange] {
    var reader = FoldingReader(count: lines.count)
    for line in 0..<lines.count { reader.take(OutlineLine(lines.scalars(line)), line: line + 1) }
    return reader.finish()
  }
}

private struct FoldingReader {
  private struct Open {
    let line, column: Int
    /// Whether a list at the same column belongs to it: YAML lets dashes start below their key.
    let takesDashes: Bool
  }

  private var ranges: [FoldingRange] = []
  private var open: [Open] = []
  private var lastSolid = 0
  private var comments: (first: Int, last: Int)?
  private var textColumn: Int?

  init(count: Int) { ranges.reserveCapacity(count / 4) }

  mutating func take(_ line: OutlineLine, line number: Int) {
    let blanks = line.scalars.prefix { $0 == " " }.count
    let isBlank = line.scalars.allSatisfy { $0 == " " || $0 == "\t" }
    if let column = textColumn {
      if isBlank { return }
      if blanks > column {
        lastSolid = number
        return
      }
      textColumn = nil
    }
    if isBlank {
      endComments()
    } else if line.isEmpty {
      comments = (comments?.first ?? number, number)
    } else {
      endComments()
      close(before: line)
      lastSolid = number
      open.append(
        Open(
          line: number, column: line.start,
          takesDashes: line.dashes.isEmpty && line.key != nil && line.value.isEmpty))
      if let first = text(of: line).first, first == "|" || first == ">" {
        textColumn = line.key == nil ? line.dashes.last ?? -1 : line.column
      }
    }
  }

  private func text(of line: OutlineLine) -> ArraySlice<Unicode.Scalar> {
    line.key == nil ? line.scalars[min(line.column, line.scalars.count)...] : line.value
  }

  private mutating func close(before line: OutlineLine) {
    while let last = open.last {
      let isInside =
        line.start > last.column
        || line.start == last.column && last.takesDashes && !line.dashes.isEmpty
      if isInside { return }
      end(last)
      open.removeLast()
    }
  }

  private mutating func end(_ last: Open) {
    if lastSolid > last.line {
      ranges.append(FoldingRange(start: last.line, end: lastSolid, kind: .region))
    }
  }

  private mutating func endComments() {
    if let comments, comments.last > comments.first {
      ranges.append(FoldingRange(start: comments.first, end: comments.last, kind: .comment))
    }
    comments = nil
  }

  mutating func finish() -> [FoldingRange] {
    endComments()
    for last in open.reversed() { end(last) }
    open = []
    return ranges.sorted { ($0.start, $1.end) < ($1.start, $0.end) }
  }
}
