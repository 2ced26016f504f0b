/// A checked UTF-8 text with the tables that turn libyaml's marks into positions.
struct SourceText: Sendable {
  let bytes: [UInt8]
  /// The start of the text: 3 after a byte order mark, otherwise 0.
  let start: Int
  /// The byte offset of the start of each line.
  private(set) var lineStarts: [Int]
  /// The byte offset of every 16th Unicode scalar; empty while the text is ASCII.
  private var scalarOffsets: [Int] = []
  /// The Unicode scalar, and its byte, from which all is ASCII.
  private var asciiTail = (scalar: 0, byte: 0)
  /// Whether the text has NEL, LS or PS, which end a line for libyaml (YAML 1.1) but not in YAML 1.2.
  private(set) var hasForeignBreaks = false
  private static let stride = 16

  /// Reads `bytes` up to the first thing that YAML does not allow.
  static func scan(_ bytes: [UInt8]) -> (text: SourceText, issue: YAMLIssue?) {
    var text = SourceText(bytes)
    if let flaw = text.index() { return (text, text.issue(for: flaw)) }
    return (text, nil)
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    lineStarts = [start]
  }

  /// A character that YAML does not allow, or a byte that is not UTF-8.
  private typealias Flaw = (offset: Int, character: Unicode.Scalar?)

  private mutating func index() -> Flaw? {
    var lines = [start]
    lines.reserveCapacity(bytes.count / 24 + 1)
    var offsets: [Int] = []
    var foreign = false
    var tail = (scalar: 0, byte: start)
    let flaw: Flaw? = bytes.withUnsafeBufferPointer { buffer in
      var offset = start
      var scalars = 0
      var ascii = true
      while offset < buffer.count {
        let run = Self.printable(in: buffer, from: offset)
        if !ascii { offsets += Self.entries(in: run, after: scalars) }
        offset = run.upperBound
        scalars += run.count
        guard offset < buffer.count else { break }
        let byte = buffer[offset]
        if !ascii, scalars % Self.stride == 0 { offsets.append(offset) }
        if byte < 0x80 {
          if byte < 0x20 || byte == 0x7F {
            switch byte {
            case 0x0A: lines.append(offset + 1)
            case 0x0D:
              if offset + 1 == buffer.count || buffer[offset + 1] != 0x0A {
                lines.append(offset + 1)
              }
            case 0x09: break
            default: return (offset, Unicode.Scalar(byte))
            }
          }
          offset += 1
        } else {
          if ascii {
            ascii = false
            offsets = Swift.stride(from: start, through: offset, by: Self.stride).map { $0 }
          }
          guard let (scalar, length) = buffer.scalar(at: offset)
          else { return (offset, nil) }
          switch scalar.value {
          case 0x85, 0x2028, 0x2029: foreign = true
          case 0x80...0x9F, 0xFFFE, 0xFFFF: return (offset, scalar)
          default: break
          }
          offset += length
          tail = (scalars + 1, offset)
        }
        scalars += 1
      }
      return nil
    }
    lineStarts = lines
    scalarOffsets = offsets
    asciiTail = tail
    hasForeignBreaks = foreign
    return flaw
  }

  /// The run of printable ASCII at `start`; nearly all of a text consists of such runs.
  private static func printable(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>
  {
    var end = start
    let raw = UnsafeRawBufferPointer(bytes)
    while end + 8 <= bytes.count {
      // Eight bytes at a time: a byte below a space, above `~` or outside ASCII sets a highest bit.
      let word = raw.loadUnaligned(fromByteOffset: end, as: UInt64.self)
      let marks = word | (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101)
      guard marks & 0x8080_8080_8080_8080 == 0 else { break }
      end += 8
    }
    while end < bytes.count, bytes[end] >= 0x20, bytes[end] < 0x7F { end += 1 }
    return start..<end
  }

  /// The offset table entries for a run of ASCII with this many Unicode scalars before it.
  private static func entries(in bytes: Range<Int>, after scalars: Int) -> StrideTo<Int> {
    let distance = (stride - scalars % stride) % stride
    return Swift.stride(from: bytes.lowerBound + distance, to: bytes.upperBound, by: stride)
  }

  private func issue(for flaw: Flaw) -> YAMLIssue {
    let (offset, character) = flaw
    let place = position(atOffset: offset)
    guard let character else {
      let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      let byte = Self.hexadecimal(UInt32(bytes[offset]), digits: 2)
      return YAMLIssue(
        .invalidUTF8,
        isUTF16
          ? "the file is UTF-16; save it as UTF-8"
          : "byte 0x\(byte) at byte offset \(offset) is not valid UTF-8",
        at: SourceRange(start: place, end: place))
    }
    let after = SourcePosition(
      line: place.line, column: place.column + 1, offset: offset + UTF8.width(character))
    let code = Self.hexadecimal(character.value, digits: 4)
    let name = character.value == 0 ? "NUL" : "control character U+\(code)"
    return YAMLIssue(
      .invalidCharacter, "\(name) at byte offset \(offset) is not allowed in YAML",
      at: SourceRange(start: place, end: after))
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// The position of a libyaml mark; `scalarIndex` counts Unicode scalars after the byte order mark.
  func position(scalarIndex: Int, line: Int, column: Int) -> SourcePosition {
    let offset = byteOffset(scalarIndex: scalarIndex)
    // If the last line has no line break, libyaml counts one more.
    if offset == bytes.count { return position(atOffset: offset) }
    return SourcePosition(line: line + 1, column: column + 1, offset: offset)
  }

  private func byteOffset(scalarIndex: Int) -> Int {
    if scalarIndex >= asciiTail.scalar {
      return min(asciiTail.byte + scalarIndex - asciiTail.scalar, bytes.count)
    }
    let entry = min(scalarIndex / Self.stride, scalarOffsets.count - 1)
    var offset = scalarOffsets[entry]
    var remaining = scalarIndex - entry * Self.stride
    while remaining > 0, offset < bytes.count {
      offset += Self.length(ofLead: bytes[offset])
      remaining -= 1
    }
    return min(offset, bytes.count)
  }

  /// The position of the byte at `offset`, which must start a character or be the end of the file.
  func position(atOffset offset: Int) -> SourcePosition {
    let line = max(lineStarts.partitionPoint { $0 > offset }, 1)
    let end = min(offset, bytes.count)
    let column = max(0, scalarIndex(ofByte: end) - scalarIndex(ofByte: lineStarts[line - 1])) + 1
    return SourcePosition(line: line, column: column, offset: offset)
  }

  /// Number of Unicode scalars between the byte order mark and the byte at `offset`.
  private func scalarIndex(ofByte offset: Int) -> Int {
    guard let first = scalarOffsets.first, first <= offset else { return offset - start }
    let entry = scalarOffsets.partitionPoint { $0 > offset } - 1
    var cursor = scalarOffsets[entry]
    var index = entry * Self.stride
    while cursor < offset {
      cursor += Self.length(ofLead: bytes[cursor])
      index += 1
    }
    return index
  }

  func range(_ offsets: Range<Int>) -> SourceRange {
    SourceRange(
      start: position(atOffset: offsets.lowerBound), end: position(atOffset: offsets.upperBound))
  }

  /// The number of bytes of the character that starts with `lead`.
  static func length(ofLead lead: UInt8) -> Int {
    switch lead {
    case 0x00...0xBF: 1
    case 0xC0...0xDF: 2
    case 0xE0...0xEF: 3
    default: 4
    }
  }

  func string(_ offsets: Range<Int>) -> String { String(decoding: bytes[offsets], as: UTF8.self) }
  func byte(_ offset: Int) -> UInt8? { offset >= 0 && offset < bytes.count ? bytes[offset] : nil }

  func has(_ text: String, at offset: Int) -> Bool {
    text.utf8.enumerated().allSatisfy { byte(offset + $0) == $1 }
  }

  /// Where YAML ends the quoted scalar that starts at `start`, and whether it has several lines; `nil` if it has no end.
  func closingQuote(from start: Int) -> (offset: Int, hasLines: Bool)? {
    let quote = byte(start)
    var hasLines = false
    var index = start + 1
    while let byte = byte(index) {
      if byte.isLineBreak { hasLines = true }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 1
      } else if byte == quote {
        guard quote == UInt8(ascii: "'"), self.byte(index + 1) == quote
        else { return (index, hasLines) }
        index += 1
      }
      index += 1
    }
    return nil
  }

  /// The range of the one character at `position`; empty at the end of a line or of the file.
  func character(at position: SourcePosition) -> SourceRange {
    guard let lead = byte(position.offset), !lead.isLineBreak
    else { return SourceRange(start: position, end: position) }
    let end = SourcePosition(
      line: position.line, column: position.column + 1,
      offset: position.offset + Self.length(ofLead: lead))
    return SourceRange(start: position, end: end)
  }
}
