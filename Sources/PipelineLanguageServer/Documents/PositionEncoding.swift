import CEL

/// The unit of a position's character (LSP 3.17 "PositionEncodingKind").
public enum PositionEncoding: String, Hashable, Sendable, CaseIterable {
  /// UTF-16 code units, which every client understands.
  case utf16 = "utf-16"
  /// UTF-8 code units, bytes.
  case utf8 = "utf-8"
  case utf32 = "utf-32"
}

/// A position in a document as clients write it: both from 0, the character in units of the encoding.
struct ProtocolPosition: Hashable {
  var line: Int
  var character: Int

  init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  init?(_ value: Value?) {
    guard let line = value?["line"]?.int, let character = value?["character"]?.int, line >= 0,
      character >= 0
    else { return nil }
    self.init(line: line, character: character)
  }

  var json: Value { ["line": Value(line), "character": Value(character)] }
}
