import Synchronization

/// Caches the scalar reread last, because a text with many expressions is looked up many times.
final class ScalarOffsetCache: Sendable {
  private let last = Mutex<(node: YAMLNode, offsets: [Int])?>(nil)

  func offsets(of node: YAMLNode, _ read: () -> [Int]) -> [Int] {
    last.withLock { last in
      if let last, last.node === node { return last.offsets }
      let offsets = read()
      last = (node, offsets)
      return offsets
    }
  }
}

/// The position in the file of each Unicode scalar of a scalar's text.
///
/// The text is reread by the rules of its style, because libyaml only reports where a scalar
/// starts and ends. This costs nothing until a diagnostic needs it.
struct ScalarPositions {
  private(set) var offsets: [Int] = []
  private let source: SourceText
  private let text: [Unicode.Scalar]

  init(of scalar: YAMLScalar, at range: SourceRange, in source: SourceText) {
    self.source = source
    text = Array(scalar.text.unicodeScalars)
    offsets.reserveCapacity(text.count + 1)
    let properties = NodeProperties(at: range.start.offset, in: source)
    let start = min(properties.contentStart, range.end.offset)
    let end: Int
    switch scalar.style {
    case .plain:
      end = range.end.offset
      readFlow(start..<end, style: .plain)
    case .singleQuoted, .doubleQuoted:
      end = max(start, range.end.offset - 1)
      readFlow(min(start + 1, end)..<end, style: scalar.style)
    case .literal, .folded:
      end = range.end.offset
      readBlock(from: start, isFolded: scalar.style == .folded)
    }
    complete(end: end)
  }

  /// Even a reading that disagrees with libyaml (about breaks of YAML 1.1) assigns a position to each scalar.
  private mutating func complete(end: Int) {
    if offsets.count > text.count { offsets.removeLast(offsets.count - text.count) }
    while offsets.count <= text.count { offsets.append(end) }
  }

  private func isBreak(_ offset: Int) -> Bool {
    source.byte(offset) == 0x0A || source.byte(offset) == 0x0D
  }

  private func isBlank(_ offset: Int) -> Bool {
    source.byte(offset) == 0x20 || source.byte(offset) == 0x09
  }

  private func afterBreak(_ offset: Int) -> Int {
    source.byte(offset) == 0x0D && source.byte(offset + 1) == 0x0A ? offset + 2 : offset + 1
  }

  private func length(at offset: Int) -> Int { source.byte(offset).map(SourceText.length) ?? 1 }

  /// Plain and quoted text: line breaks fold, white space around them is dropped (YAML 1.2.2 §7.3).
  private mutating func readFlow(_ bounds: Range<Int>, style: YAMLScalar.Style) {
    var offset = bounds.lowerBound
    while offset < bounds.upperBound {
      if isBreak(offset) {
        offset = fold(from: offset, to: bounds.upperBound, isEscaped: false)
      } else if isBlank(offset) {
        var next = offset
        while next < bounds.upperBound, isBlank(next) { next += 1 }
        if next < bounds.upperBound, isBreak(next) {
          offset = next
        } else {
          offsets.append(contentsOf: offset..<next)
          offset = next
        }
      } else if style == .doubleQuoted, source.byte(offset) == UInt8(ascii: "\\") {
        if isBreak(offset + 1) {
          offset = fold(from: offset + 1, to: bounds.upperBound, isEscaped: true)
        } else {
          offsets.append(offset)
          offset += escapeLength(source.byte(offset + 1))
        }
      } else if style == .singleQuoted, source.byte(offset) == UInt8(ascii: "'") {
        offsets.append(offset)
        offset += 2
      } else {
        offsets.append(offset)
        offset += length(at: offset)
      }
    }
  }

  /// Folds line breaks: one becomes a space, n become n - 1 line feeds, an escaped one becomes nothing.
  private mutating func fold(from start: Int, to end: Int, isEscaped: Bool) -> Int {
    var breaks: [Int] = []
    var offset = start
    while offset < end, isBreak(offset) {
      breaks.append(offset)
      offset = afterBreak(offset)
      while offset < end, isBlank(offset) { offset += 1 }
    }
    if breaks.count == 1, !isEscaped {
      offsets.append(contentsOf: breaks)
    } else {
      offsets.append(contentsOf: breaks.dropFirst())
    }
    return offset
  }

  private func escapeLength(_ code: UInt8?) -> Int {
    switch code {
    case UInt8(ascii: "x"): 4
    case UInt8(ascii: "u"): 6
    case UInt8(ascii: "U"): 10
    case let code?: 1 + SourceText.length(ofLead: code)
    case nil: 1
    }
  }

  /// Literal and folded text (YAML 1.2.2 §8.1): the indentation of each line is not content.
  private mutating func readBlock(from start: Int, isFolded: Bool) {
    var offset = start
    while offset < source.bytes.count, !isBreak(offset) { offset += 1 }
    offset = afterBreak(offset)
    let indentation = blockIndentation(from: offset)
    offset = skipIndentation(from: offset, indentation)
    while offset < source.bytes.count, offsets.count < text.count {
      while offset < source.bytes.count, !isBreak(offset), offsets.count < text.count {
        offsets.append(offset)
        offset += length(at: offset)
      }
      guard isBreak(offset), offsets.count < text.count else { return }
      if isFolded {
        offset = foldBlock(from: offset, indentation)
      } else {
        offsets.append(offset)
        offset = skipIndentation(from: afterBreak(offset), indentation)
      }
    }
  }

  /// The text shows how the breaks were folded; only the rules for more-indented lines could predict it.
  private mutating func foldBlock(from start: Int, _ indentation: Int) -> Int {
    var breaks: [Int] = []
    var offset = start
    while isBreak(offset) {
      breaks.append(offset)
      offset = skipIndentation(from: afterBreak(offset), indentation)
    }
    if text[offsets.count] == " " {
      offsets.append(start)
      return offset
    }
    var lineFeeds = 0
    while offsets.count + lineFeeds < text.count, text[offsets.count + lineFeeds] == "\n" {
      lineFeeds += 1
    }
    offsets.append(contentsOf: breaks.suffix(lineFeeds))
    return offset
  }

  private func skipIndentation(from start: Int, _ indentation: Int) -> Int {
    var offset = start
    while offset - start < indentation, source.byte(offset) == 0x20 { offset += 1 }
    return offset
  }

  /// The indentation of the first non-blank line that is not part of its text.
  private func blockIndentation(from start: Int) -> Int {
    var lineStart = start
    var offset = start
    while let byte = source.byte(offset), byte == 0x20 || isBreak(offset) {
      offset = isBreak(offset) ? afterBreak(offset) : offset + 1
      if byte != 0x20 { lineStart = offset }
    }
    var kept = 0
    for scalar in text {
      if scalar == " " { kept += 1 } else if scalar == "\n" { kept = 0 } else { break }
    }
    return max(0, offset - lineStart - kept)
  }
}

extension YAMLDocument {
  /// The position in the file of a scalar of a scalar's text, aliases followed; `nil` for a collection.
  public func position(ofScalarOffset valueOffset: Int, in node: YAMLNode) -> SourcePosition? {
    range(ofScalarOffsets: valueOffset..<valueOffset, in: node)?.start
  }

  /// The range in the file of a part of a scalar's text; it ends just after the last character.
  public func range(ofScalarOffsets valueOffsets: Range<Int>, in node: YAMLNode) -> SourceRange? {
    let node = node.resolved
    guard case .scalar(let scalar) = node.content else { return nil }
    if let start = start(ofVerbatim: scalar, at: node.range) {
      return range(valueOffsets.clamped(to: 0..<scalar.text.utf8.count), from: start)
    }
    return ranges(ofScalarOffsets: [valueOffsets], in: node).first
  }

  /// The ranges of several parts, which cost little more than one; none for a collection.
  public func ranges(ofScalarOffsets parts: [Range<Int>], in node: YAMLNode) -> [SourceRange] {
    let node = node.resolved
    guard !parts.isEmpty, case .scalar(let scalar) = node.content else { return [] }
    if let start = start(ofVerbatim: scalar, at: node.range) {
      return parts.map { range($0.clamped(to: 0..<scalar.text.utf8.count), from: start) }
    }
    let offsets = scalarOffsets.offsets(of: node) {
      ScalarPositions(of: scalar, at: node.range, in: source).offsets
    }
    return parts.map { range($0, by: offsets, scalar.style) }
  }

  /// The start of a text that is verbatim, on one line and ASCII: most need no second reading.
  private func start(ofVerbatim scalar: YAMLScalar, at range: SourceRange) -> SourcePosition? {
    guard !scalar.style.isBlock else { return nil }
    let quote = scalar.style == .plain ? 0 : 1
    let start = range.start.offset + quote
    var text = scalar.text
    let isVerbatim = text.withUTF8 { text in
      guard start + text.count + quote == range.end.offset else { return false }
      return source.bytes.withUnsafeBytes { bytes in
        UnsafeRawBufferPointer(text).isASCII(equalTo: bytes, from: start)
      }
    }
    guard isVerbatim else { return nil }
    return SourcePosition(line: range.start.line, column: range.start.column + quote, offset: start)
  }

  private func range(_ offsets: Range<Int>, from start: SourcePosition) -> SourceRange {
    func position(_ offset: Int) -> SourcePosition {
      SourcePosition(line: start.line, column: start.column + offset, offset: start.offset + offset)
    }
    return SourceRange(start: position(offsets.lowerBound), end: position(offsets.upperBound))
  }

  private func range(
    _ valueOffsets: Range<Int>, by offsets: [Int], _ style: YAMLScalar.Style
  ) -> SourceRange {
    let last = offsets.count - 1
    let start = offsets[min(max(valueOffsets.lowerBound, 0), last)]
    guard !valueOffsets.isEmpty, valueOffsets.lowerBound < last
    else { return source.range(start..<start) }
    let final = offsets[min(max(valueOffsets.upperBound - 1, 0), last)]
    let next = offsets[min(max(valueOffsets.upperBound, 0), last)]
    // An escape is one character of text but several of the file; a fold leaves a gap after it.
    let isEscape = style == .doubleQuoted && source.byte(final) == UInt8(ascii: "\\")
    let isDoubled = style == .singleQuoted && source.byte(final) == UInt8(ascii: "'")
    let length = source.byte(final).map(SourceText.length) ?? 0
    let end = isEscape || isDoubled ? next : min(final + length, max(next, final))
    return source.range(start..<max(start, end))
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func isASCII(equalTo bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var index = 0
    while index + 8 <= count {
      let word = loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0,
        word == bytes.loadUnaligned(fromByteOffset: start + index, as: UInt64.self)
      else { return false }
      index += 8
    }
    while index < count {
      guard self[index] < 0x80, self[index] == bytes[start + index] else { return false }
      index += 1
    }
    return true
  }
}
