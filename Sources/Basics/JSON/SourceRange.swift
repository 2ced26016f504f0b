/// A position in a text: a line and a column, both counted from 1.
///
/// The column counts Unicode scalars, as libyaml does, not bytes and not grapheme clusters.
public struct SourcePosition: Hashable, Comparable, Sendable {
  private let storedLine: UInt32
  private let storedColumn: UInt32

  /// The line, from 1.
  public var line: Int { Int(storedLine) }
  /// The column in Unicode scalars, from 1.
  public var column: Int { Int(storedColumn) }

  /// A position from its 1-based line and column; both saturate at the 32-bit range.
  public init(line: Int, column: Int) {
    storedLine = UInt32(clamping: line)
    storedColumn = UInt32(clamping: column)
  }

  /// Orders by line, then by column.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.storedLine, left.storedColumn) < (right.storedLine, right.storedColumn)
  }
}

/// A range of a text; `end` is the position after the last scalar.
public struct SourceRange: Hashable, Comparable, Sendable {
  /// The position of the first scalar.
  public let start: SourcePosition
  /// The position after the last scalar.
  public let end: SourcePosition

  /// A range from `start` up to but not including `end`.
  public init(start: SourcePosition, end: SourcePosition) {
    self.start = start
    self.end = end
  }

  /// Orders by start, then by end.
  public static func < (left: SourceRange, right: SourceRange) -> Bool {
    (left.start, left.end) < (right.start, right.end)
  }
}

extension SourcePosition: CustomStringConvertible {
  /// `line:column`.
  public var description: String { "\(line):\(column)" }
}

extension SourceRange: CustomStringConvertible {
  /// `line:column-line:column`.
  public var description: String { "\(start)-\(end)" }
}
