extension JSONScanner {
  /// Reads a string; `index` is on its opening quote.
  @inline(never)
  package mutating func string() throws(JSONSyntaxError) -> String {
    let opening = position
    index += 1
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x22 {
        let text = try decoded(start..<index)
        index += 1
        return text
      }
      if byte == 0x5C { return try escapedString(from: start, opening: opening) }
      if byte < 0x20 { throw controlCharacter() }
      if byte & 0xC0 == 0x80 { continuations += 1 }
      index += 1
    }
    throw failure("the string that begins at \(opening) is not closed", "expected '\"'")
  }

  private func controlCharacter() -> JSONSyntaxError {
    failure(
      bytes[index] == 0x0A
        ? "a string must not contain a line break; write \\n"
        : "a string must not contain a raw \(found); write it as an escape",
      "expected an escape sequence for a control character")
  }

  private func decoded(_ range: Range<Int>) throws(JSONSyntaxError) -> String {
    let slice = UnsafeBufferPointer(rebasing: bytes[range])
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw failure("the string that ends here is not valid UTF-8", "expected UTF-8")
    }
    return text
  }

  private mutating func escapedString(
    from start: Int, opening: SourcePosition
  ) throws(JSONSyntaxError) -> String {
    var text = try decoded(start..<index)
    var plain = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x22 {
        text += try decoded(plain..<index)
        index += 1
        return text
      }
      if byte == 0x5C {
        text += try decoded(plain..<index)
        text.unicodeScalars.append(try escape())
        plain = index
        continue
      }
      if byte < 0x20 { throw controlCharacter() }
      if byte & 0xC0 == 0x80 { continuations += 1 }
      index += 1
    }
    throw failure("the string that begins at \(opening) is not closed", "expected '\"'")
  }

  /// Reads one escape; `index` is on its backslash.
  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard index + 1 < bytes.count else {
      throw failure("the text ends inside an escape", "expected an escape sequence")
    }
    let letter = bytes[index + 1]
    let simple: Unicode.Scalar
    switch letter {
    case 0x22, 0x5C, 0x2F: simple = Unicode.Scalar(letter)
    case 0x62: simple = "\u{8}"
    case 0x66: simple = "\u{C}"
    case 0x6E: simple = "\n"
    case 0x72: simple = "\r"
    case 0x74: simple = "\t"
    case 0x75: return try unicodeEscape()
    default:
      throw failure(
        "unknown escape in a string; a backslash itself is written \\\\",
        "expected an escape sequence")
    }
    index += 2
    return simple
  }

  private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = index
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, index + 1 < bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75 {
      let second = try codeUnit()
      let value = 0x10000 + ((UInt32(first) - 0xD800) << 10) + (UInt32(second) & 0x3FF)
      if (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(value) { return scalar }
    }
    index = start
    throw failure("the escape is half of a surrogate pair", "expected a pair of surrogates")
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
    guard index + 6 <= bytes.count else {
      throw failure("the text ends inside an escape", "expected four hexadecimal digits")
    }
    var value: UInt16 = 0
    for place in (index + 2)..<(index + 6) {
      guard let digit = Hexadecimal.value(bytes[place]) else {
        throw failure("four hexadecimal digits must follow \\u", "expected four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
    }
    index += 6
    return value
  }
}
