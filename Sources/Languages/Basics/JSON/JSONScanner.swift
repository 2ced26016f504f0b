package enum JSONToken {
  case object, array, string, number, null
  case bool(Bool)
}

/// The state of one reading: splits a text by the grammar of RFC 8259, independent of the use of the pieces.
///
/// A reader requests a ``token()`` and then the rest of the value that it starts.
package struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private let maximumDepth, maximumNumberLength: Int
  var index = 0
  private var line = 1
  private var lineStart = 0
  /// UTF-8 continuation bytes since the line started; they do not count as columns.
  var continuations = 0
  private var depth = 0
  /// Whether an array or an object was opened and nothing of it was read.
  private var isFresh = false

  package init(
    bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumNumberLength: Int = .max,
    skipsByteOrderMark: Bool = false
  ) {
    (self.bytes, self.maximumDepth) = (bytes, maximumDepth)
    self.maximumNumberLength = maximumNumberLength
    if skipsByteOrderMark, bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      index = 3
      lineStart = 3
    }
  }

  package var position: SourcePosition {
    SourcePosition(line: line, column: index - lineStart - continuations + 1)
  }

  @inline(never) func failure(_ explanation: String, _ message: String) -> JSONSyntaxError {
    JSONSyntaxError(message: message, offset: index, explanation: explanation, position: position)
  }

  package func beyondRange(_ message: String) -> JSONSyntaxError {
    var error = failure(message, message)
    error.kind = .number
    return error
  }

  /// Consumes the blanks that may follow the document, and nothing else.
  package mutating func end() throws(JSONSyntaxError) {
    skipSpace()
    guard index == bytes.count else {
      throw failure(
        "unexpected \(found) after the end of the value", "expected the end of the document")
    }
  }

  /// Consumes blanks; the document starts after them.
  package mutating func begin() throws(JSONSyntaxError) {
    skipSpace()
    guard index < bytes.count else { throw failure("the text is empty", "expected a value") }
  }

  @inline(__always) private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0D: index += 1
      case 0x0A:
        index += 1
        line += 1
        lineStart = index
        continuations = 0
      default: return
      }
    }
  }

  var found: String {
    guard index < bytes.count else { return "end of the text" }
    let byte = bytes[index]
    if byte < 0x20 || byte == 0x7F {
      return "control character U+00" + Hexadecimal.text([byte]).uppercased()
    }
    if byte < 0x80 { return "\"\(Character(Unicode.Scalar(byte)))\"" }
    return "character outside a string"
  }

  /// The kind of value that starts here; a word also ends here.
  package mutating func token() throws(JSONSyntaxError) -> JSONToken {
    guard index < bytes.count
    else { throw failure("a value is missing at the end of the text", "expected a value") }
    switch bytes[index] {
    case 0x7B: return .object
    case 0x5B: return .array
    case 0x22: return .string
    case 0x2D, 0x30...0x39: return .number
    case 0x74: return try word("true", .bool(true))
    case 0x66: return try word("false", .bool(false))
    case 0x6E: return try word("null", .null)
    default: throw failure("expected a value, found \(found)", "expected a value")
    }
  }

  @inline(never)
  private mutating func word(
    _ word: StaticString, _ token: JSONToken
  ) throws(JSONSyntaxError) -> JSONToken {
    let length = word.utf8CodeUnitCount
    guard index + length <= bytes.count,
      (0..<length).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
    else {
      throw failure(
        "expected a value, found \(found); a string needs double quotes", "expected a value")
    }
    index += length
    return token
  }

  /// Consumes a number; returns its text, and whether that has neither a fraction nor an exponent.
  @inline(never)
  package mutating func number() throws(JSONSyntaxError) -> (text: String, isInteger: Bool) {
    let first = index
    var isInteger = true
    if bytes[index] == 0x2D { index += 1 }
    let integer = index
    try digits("a digit must follow the minus sign")
    if bytes[integer] == 0x30, index > integer + 1 {
      index = integer
      throw failure(
        "a number must not start with a zero", "expected a number without a leading zero")
    }
    if index < bytes.count, bytes[index] == 0x2E {
      isInteger = false
      index += 1
      try digits("a digit must follow the decimal point")
    }
    if index < bytes.count, bytes[index] | 0x20 == 0x65 {
      isInteger = false
      index += 1
      if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
      try digits("a digit must follow the exponent sign")
    }
    guard index - first <= maximumNumberLength else {
      index = first
      let message = "the number is longer than \(maximumNumberLength) characters"
      throw failure(message, message)
    }
    let text = UnsafeBufferPointer(rebasing: bytes[first..<index])
    return (String(decoding: text, as: UTF8.self), isInteger)
  }

  private mutating func digits(_ explanation: String) throws(JSONSyntaxError) {
    let start = index
    while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
    if index == start { throw failure(explanation, "expected a digit") }
  }

  package mutating func open() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= maximumDepth else {
      throw failure(
        "arrays and objects are nested deeper than \(maximumDepth)",
        "nested deeper than \(maximumDepth) levels")
    }
    index += 1
    isFresh = true
  }

  /// Goes to the next element of the array that started at `start`, or past its end.
  package mutating func element(from start: SourcePosition) throws(JSONSyntaxError) -> Bool {
    try continues(closing: 0x5D, in: "array", from: start, "expected a value")
  }

  /// Goes to the value of the next member of the object that started at `start`, or past its end.
  @inline(never)
  package mutating func key(
    from start: SourcePosition
  ) throws(JSONSyntaxError) -> (text: String, range: SourceRange)? {
    guard try continues(closing: 0x7D, in: "object", from: start, "expected a member's name")
    else { return nil }
    guard index < bytes.count, bytes[index] == 0x22 else {
      throw failure("expected a key in double quotes, found \(found)", "expected a member's name")
    }
    let start = position
    let key = try string()
    let range = SourceRange(start: start, end: position)
    skipSpace()
    guard index < bytes.count, bytes[index] == 0x3A
    else { throw failure("expected \":\" after the key, found \(found)", "expected ':'") }
    index += 1
    skipSpace()
    return (key, range)
  }

  /// Consumes a comma and the blanks around it (true), or the closing bracket (false).
  private mutating func continues(
    closing: UInt8, in kind: String, from start: SourcePosition, _ message: String
  ) throws(JSONSyntaxError) -> Bool {
    skipSpace()
    let wasFresh = isFresh
    isFresh = false
    if index < bytes.count, bytes[index] == closing {
      index += 1
      depth -= 1
      return false
    }
    if wasFresh { return true }
    let bracket = Character(Unicode.Scalar(closing))
    guard index < bytes.count else {
      throw failure(
        "the \(kind) that starts at \(start) is not closed", "expected ',' or '\(bracket)'")
    }
    guard bytes[index] == 0x2C else {
      throw failure(
        "expected \",\" or \"\(bracket)\", found \(found)", "expected ',' or '\(bracket)'")
    }
    index += 1
    skipSpace()
    if index < bytes.count, bytes[index] == closing {
      throw failure("comma before \"\(bracket)\"", message)
    }
    return true
  }

  @inline(never) package mutating func string() throws(JSONSyntaxError) -> String {
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
    throw failure("the string that starts at \(opening) is not closed", "expected '\"'")
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
    guard let text = String(validating: slice, as: UTF8.self)
    else { throw failure("the string that ends here is not valid UTF-8", "expected UTF-8") }
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
    throw failure("the string that starts at \(opening) is not closed", "expected '\"'")
  }

  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard index + 1 < bytes.count
    else { throw failure("the text ends inside an escape", "expected an escape sequence") }
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
    guard index + 6 <= bytes.count
    else { throw failure("the text ends inside an escape", "expected four hexadecimal digits") }
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
