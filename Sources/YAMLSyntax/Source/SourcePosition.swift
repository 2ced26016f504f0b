/// A position in a YAML text.
///
/// Lines end at LF, CR LF or CR, as editors count them. A column counts Unicode scalars (not bytes,
/// UTF-16 units or grapheme clusters). A byte order mark occupies no column but its three bytes count
/// in ``offset``.
public struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int
  /// The byte offset from the start of the file, from 0.
  public let offset: Int

  /// Makes a position; nothing is checked against a text.
  public init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }

  /// The order of appearance in one text.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    left.offset < right.offset
  }

  /// `line:column`.
  public var description: String { "\(line):\(column)" }
}

/// A half-open range of a YAML text: ``end`` is the position just after the last character.
public struct SourceRange: Hashable, Sendable, CustomStringConvertible {
  /// The position of the first character.
  public let start: SourcePosition
  /// The position just after the last character; equal to ``start`` for an empty value.
  public let end: SourcePosition

  /// Makes a range; `end` must not be before `start`.
  public init(start: SourcePosition, end: SourcePosition) {
    self.start = start
    self.end = end
  }

  /// `line:column-line:column`.
  public var description: String { "\(start)-\(end)" }
}
