/// The anchor and the tag before a node, found in the text because libyaml does not report their positions.
struct NodeProperties {
  private(set) var anchor: Range<Int>?
  /// The start of the node's own text.
  private(set) var contentStart: Int

  init(at offset: Int, in source: SourceText) {
    contentStart = offset
    var hasTag = false
    while let byte = source.byte(contentStart) {
      switch byte {
      case UInt8(ascii: "&") where anchor == nil:
        let end = Self.nameEnd(from: contentStart + 1, in: source)
        anchor = contentStart..<end
        contentStart = end
      case UInt8(ascii: "!") where !hasTag:
        hasTag = true
        contentStart = Self.tokenEnd(from: contentStart, in: source)
      default: return
      }
      contentStart = Self.separationEnd(from: contentStart, in: source)
    }
  }

  /// libyaml ends an anchor's name at anything but ASCII letters, digits, `-` and `_`.
  private static func nameEnd(from start: Int, in source: SourceText) -> Int {
    var offset = start
    while let byte = source.byte(offset), byte.isAlphanumeric || "-_".utf8.contains(byte) {
      offset += 1
    }
    return offset
  }

  private static func tokenEnd(from start: Int, in source: SourceText) -> Int {
    // Inside `!<…>` a comma or bracket belongs to the tag.
    let isVerbatim = source.byte(start + 1) == UInt8(ascii: "<")
    var offset = start
    while let byte = source.byte(offset), !byte.isWhitespace,
      isVerbatim || !",]}".utf8.contains(byte)
    {
      offset += 1
    }
    return offset
  }

  private static func separationEnd(from start: Int, in source: SourceText) -> Int {
    var offset = start
    while let byte = source.byte(offset) {
      if byte.isWhitespace {
        offset += 1
      } else if byte == UInt8(ascii: "#"), offset > start {
        while let next = source.byte(offset), !next.isLineBreak { offset += 1 }
      } else {
        break
      }
    }
    return offset
  }
}
