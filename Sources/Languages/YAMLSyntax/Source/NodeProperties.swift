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
    while let byte = source.byte(offset) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        offset += 1
      default: return offset
      }
    }
    return offset
  }

  private static func tokenEnd(from start: Int, in source: SourceText) -> Int {
    // Inside `!<…>` a comma or bracket belongs to the tag.
    let isVerbatim = source.byte(start + 1) == UInt8(ascii: "<")
    var offset = start
    while let byte = source.byte(offset), !isSpace(byte) {
      if !isVerbatim, [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(byte) {
        break
      }
      offset += 1
    }
    return offset
  }

  private static func separationEnd(from start: Int, in source: SourceText) -> Int {
    var offset = start
    while let byte = source.byte(offset) {
      if isSpace(byte) {
        offset += 1
      } else if byte == UInt8(ascii: "#"), offset > start {
        while let next = source.byte(offset), next != 0x0A, next != 0x0D { offset += 1 }
      } else {
        break
      }
    }
    return offset
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
