extension XMLReader {
  static func shown(_ name: ArraySlice<UInt8>) -> String { String(decoding: name, as: UTF8.self) }

  func starts(with text: StaticString, at place: Int? = nil) -> Bool {
    let start = place ?? index
    return text.withUTF8Buffer { text in
      text.count <= bytes.count - start && text.indices.allSatisfy { text[$0] == bytes[start + $0] }
    }
  }

  @discardableResult mutating func skipSpace() -> Bool {
    let start = index
    while index < bytes.count, bytes[index].isWhitespace { index += 1 }
    return index > start
  }

  mutating func expect(_ mark: StaticString) throws(XMLSyntaxError) {
    guard starts(with: mark)
    else { throw error("expected '\(mark)', found \(found(at: index))", at: index) }
    index += mark.utf8CodeUnitCount
  }

  /// A name with at most one colon (Namespaces in XML 1.0 §4).
  mutating func name(_ what: String) throws(XMLSyntaxError) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count, !bytes[index].isWhitespace, !"<>/=\"'&".utf8.contains(bytes[index]) {
      index += 1
    }
    let name = bytes[start..<index]
    guard !name.isEmpty
    else { throw error("expected \(what), found \(found(at: start))", at: start) }
    guard XMLText.isName(Self.shown(name))
    else { throw error("expected \(what), found '\(Self.shown(name.prefix(40)))'", at: start) }
    return name
  }

  /// The text with its references replaced (XML 1.0 §4.6: five entities, and characters by number) and its line ends
  /// normalized; white space in attributes becomes blanks (§3.3.3).
  func replaced(_ piece: ArraySlice<UInt8>, isAttribute: Bool) throws(XMLSyntaxError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(piece.count)
    var place = piece.startIndex
    while place < piece.endIndex {
      let byte = piece[place]
      switch byte {
      case UInt8(ascii: "&"):
        let (scalar, end) = try reference(in: piece, at: place)
        result += String(scalar).utf8
        place = end
        continue
      case 0x0D:
        if place + 1 < piece.endIndex, piece[place + 1] == 0x0A { place += 1 }
        result.append(isAttribute ? 0x20 : 0x0A)
      case 0x09, 0x0A: result.append(isAttribute ? 0x20 : byte)
      case UInt8(ascii: ">") where !isAttribute && result.suffix(2).elementsEqual([0x5D, 0x5D]):
        guard !starts(with: "]]>", at: place - 2)
        else { throw error("text cannot contain ']]>'; write ']]&gt;'", at: place - 2) }
        result.append(byte)
      default: result.append(byte)
      }
      place += 1
    }
    return result
  }

  /// Line ends as one line feed (XML 1.0 §2.11).
  static func normalized(_ piece: ArraySlice<UInt8>) -> [UInt8] {
    piece.indices.compactMap { place in
      guard piece[place] == 0x0D else { return piece[place] }
      return place + 1 < piece.endIndex && piece[place + 1] == 0x0A ? nil : 0x0A
    }
  }

  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private func reference(
    in piece: ArraySlice<UInt8>, at start: Int
  ) throws(XMLSyntaxError) -> (Unicode.Scalar, end: Int) {
    let rest = piece[(start + 1)...].prefix(40)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";"))
    else { throw error("'&' does not start a reference; write '&amp;'", at: start) }
    let name = Self.shown(piece[(start + 1)..<end])
    if let scalar = Self.entities[name] { return (scalar, end + 1) }
    guard name.hasPrefix("#") else {
      guard XMLText.isName(name)
      else { throw error("'&' does not start a reference; write '&amp;'", at: start) }
      throw error(
        "unknown entity '&\(name);': only amp, lt, gt, quot and apos are known", at: start)
    }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.first != "+", digits.first != "-",
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number), XMLText.isCharacter(scalar)
    else { throw error("'&\(name);' is not a character", at: start) }
    return (scalar, end + 1)
  }

  func checkCharacters() throws(XMLSyntaxError) {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte < 0x80 {
        guard byte >= 0x20 || byte.isWhitespace else {
          let isUTF16 = byte == 0 || bytes.starts(with: [0xFE, 0xFF])
          throw error(
            isUTF16 ? "expected UTF-8, found UTF-16 or a zero byte" : "a control character",
            at: place)
        }
        place += 1
        continue
      }
      guard let (scalar, length) = bytes.scalar(at: place)
      else { throw error("expected UTF-8, found other bytes", at: place) }
      guard XMLText.isCharacter(scalar) else {
        throw error(
          "U+\(String(scalar.value, radix: 16, uppercase: true)) is not a character of XML",
          at: place)
      }
      place += length
    }
  }

  mutating func readDeclaration() throws(XMLSyntaxError) {
    guard starts(with: "<?xml"), index + 5 < bytes.count, bytes[index + 5].isWhitespace
    else { return }
    let start = index
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")),
      bytes[end - 1] == UInt8(ascii: "?")
    else { throw error("the XML declaration is never closed", at: start) }
    let text = Self.shown(bytes[start..<end])
    if let found = text.firstRange(of: "encoding") {
      let name = text[found.upperBound...].drop { " \t\r\n='\"".contains($0) }
        .prefix { !" \t\r\n'\"?".contains($0) }
      guard ["utf-8", "us-ascii", "utf8"].contains(name.lowercased())
      else { throw error("expected the encoding UTF-8, found '\(name.prefix(40))'", at: start) }
    }
    index = end + 1
  }

  func found(at place: Int) -> String {
    guard place < bytes.count else { return "the end" }
    let scalar = String(decoding: bytes[place...].prefix(4), as: UTF8.self).unicodeScalars.first
    return scalar.map { "'\($0)'" } ?? "the end"
  }

  func error(_ explanation: String, at offset: Int) -> XMLSyntaxError {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return XMLSyntaxError(
      explanation: explanation, position: SourcePosition(line: line, column: column),
      offset: offset)
  }
}
