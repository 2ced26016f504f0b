public import Basics

/// A half-open range of a file: ``end`` is the position just after the last character.
public struct TextRange: Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it.
  public var file: String { name.text }
  private let name: FileName
  /// The position of the first character.
  public let start: SourcePosition
  /// The position just after the last character; equal to ``start`` if the range is empty.
  public let end: SourcePosition

  /// Names a stretch of `file`.
  public init(file: String, start: SourcePosition, end: SourcePosition) {
    self.init(in: FileName(file), start: start, end: end)
  }

  package init(in name: FileName, start: SourcePosition, end: SourcePosition) {
    self.name = name
    self.start = start
    self.end = end
  }

  /// Whether both are in one file, without comparing names.
  func isInFile(of other: TextRange) -> Bool { name == other.name }

  func prefix(_ columns: Int) -> TextRange {
    TextRange(
      in: name, start: start, end: SourcePosition(line: start.line, column: start.column + columns))
  }

  /// `file:line:column`, of the start.
  public var description: String { "\(file):\(start)" }
}
