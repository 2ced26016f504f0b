/// A position in a text: a line and a column from 1, and an offset where the reader counts it.
///
/// Lines end at LF, CR LF or CR. A column counts Unicode scalars. Positions with equal lines and columns are equal.
public struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let storedLine, storedColumn, storedOffset: UInt32

  /// The line, from 1.
  public var line: Int { Int(storedLine) }
  /// The column in Unicode scalars, from 1.
  public var column: Int { Int(storedColumn) }
  /// The bytes before it, a byte order mark included; 0 if they were not counted.
  public var offset: Int { Int(storedOffset) }

  /// A position; numbers beyond 32 bits become the greatest.
  public init(line: Int, column: Int, offset: Int = 0) {
    storedLine = UInt32(clamping: line)
    storedColumn = UInt32(clamping: column)
    storedOffset = UInt32(clamping: offset)
  }

  /// Whether both are the same line and column.
  public static func == (left: Self, right: Self) -> Bool {
    left.storedLine == right.storedLine && left.storedColumn == right.storedColumn
  }

  /// Hashes the line and the column.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(storedLine) << 32 | UInt64(storedColumn))
  }

  /// Orders by line, then by column.
  public static func < (left: Self, right: Self) -> Bool {
    (left.storedLine, left.storedColumn) < (right.storedLine, right.storedColumn)
  }

  /// `line:column`.
  public var description: String { "\(line):\(column)" }
}

/// A half-open range of a text: ``end`` is the position just after the last character.
public struct SourceRange: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The position of the first character.
  public let start: SourcePosition
  /// The position just after the last character; equal to ``start`` if the range is empty.
  public let end: SourcePosition

  /// A range from `start` up to but not including `end`.
  public init(start: SourcePosition, end: SourcePosition) { (self.start, self.end) = (start, end) }

  /// Orders by start, then by end.
  public static func < (left: Self, right: Self) -> Bool {
    (left.start, left.end) < (right.start, right.end)
  }

  /// `line:column-line:column`.
  public var description: String { "\(start)-\(end)" }
}
