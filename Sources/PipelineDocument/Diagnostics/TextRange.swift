/// A position in a text, for people: 1-based, columns in Unicode scalars.
public struct TextPosition: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Line, from 1; LF, CR LF or CR ends a line.
  public let line: Int
  /// Column in Unicode scalars, from 1.
  public let column: Int

  /// Names a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `line:column`.
  public var description: String { "\(line):\(column)" }

  /// Orders by line, then by column.
  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A half-open range of a file: ``end`` is the position just after the last character.
public struct TextRange: Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it.
  public var file: String { name.text }
  private let name: FileName
  /// The position of the first character.
  public let start: TextPosition
  /// The position just after the last character; equal to ``start`` if the range is empty.
  public let end: TextPosition

  /// Names a stretch of `file`.
  public init(file: String, start: TextPosition, end: TextPosition) {
    self.init(in: FileName(file), start: start, end: end)
  }

  package init(in name: FileName, start: TextPosition, end: TextPosition) {
    self.name = name
    self.start = start
    self.end = end
  }

  /// Whether both are in one file, without comparing names.
  func isInFile(of other: TextRange) -> Bool { name == other.name }

  /// A range with the same start, and so many columns.
  func prefix(_ columns: Int) -> TextRange {
    TextRange(
      in: name, start: start,
      end: TextPosition(line: start.line, column: start.column + columns))
  }

  /// `file:line:column`, of the start.
  public var description: String { "\(file):\(start)" }
}
