/// Why text is not JSON.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// What was expected: lower case, without a final full stop.
  ///
  /// Never contains text of the document.
  public let message: String
  /// The byte offset from the start.
  public let offset: Int
  /// The error.
  public var kind = Kind.syntax

  /// The kinds of errors.
  public enum Kind: Hashable, Sendable {
    /// It is not JSON.
    case syntax
    /// It is JSON, but contains a number that no value represents well enough.
    case number
  }
}

extension Value {
  /// Reads a JSON document, RFC 8259.
  ///
  /// Unlike in the specification's mapping, where every number is a double, a number without a fraction
  /// or an exponent becomes an `int` if it fits in 64 bits with a sign, and a `uint` if it fits without
  /// one; others become doubles. An integer beyond 64 bits would lose digits, and a number beyond the
  /// range of doubles would become infinite, so both are errors. The members of an object keep their
  /// order; for a repeated name the last value is kept.
  /// Lists and objects may be nested 200 deep.
  ///
  /// - Throws: ``JSONSyntaxError`` for anything else than one document in UTF-8.
  public init(json bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    var parser = JSONParser(Array(bytes))
    self = try parser.parse()
  }

  /// Parses a JSON document, with the same rules as from bytes.
  public init(json text: String) throws(JSONSyntaxError) {
    try self.init(json: text.utf8)
  }

  /// The value as JSON text without white space.
  ///
  /// Integers are numbers of any size; a double that is not finite is the string `NaN`,
  /// `Infinity` or `-Infinity`; bytes are base64, timestamps RFC 3339, durations seconds as in
  /// `"3.5s"`; an absent optional is `null`; a type is its name. Keys that are not strings become
  /// their text.
  ///
  /// - Parameter escapingNonASCII: whether every code point beyond ASCII becomes `\u` and its
  ///   UTF-16 code units, as a header field needs it.
  public func jsonText(escapingNonASCII: Bool = false) -> String {
    var writer = JSONWriter(escapesNonASCII: escapingNonASCII)
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0
  private static let maximumDepth = 200

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func parse() throws(JSONSyntaxError) -> Value {
    let value = try value(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw expected("the end of the document") }
    return value
  }

  private func expected(_ what: String) -> JSONSyntaxError {
    JSONSyntaxError(message: "expected \(what)", offset: position)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> Value {
    guard depth <= Self.maximumDepth else {
      throw JSONSyntaxError(
        message: "nested deeper than \(Self.maximumDepth) levels", offset: position)
    }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
      return try number()
    default: throw expected("a value")
    }
  }

  private mutating func word(_ word: String, _ value: Value) throws(JSONSyntaxError) -> Value {
    guard bytes[position...].starts(with: word.utf8) else { throw expected("a value") }
    position += word.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> Value {
    position += 1
    var elements: [Value] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return .list(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw expected("',' or ']'") }
    return .list(elements)
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> Value {
    position += 1
    var map = MapValue()
    skipBlanks()
    if take(UInt8(ascii: "}")) { return .map(map) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw expected("a member's name") }
      let name = try string()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw expected("':'") }
      map[name] = try value(depth: depth + 1)
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw expected("',' or '}'") }
    return .map(map)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func number() throws(JSONSyntaxError) -> Value {
    let start = position
    var isInteger = true
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")), digits() == 0 { throw expected("a digit") }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      if digits() == 0 { throw expected("a digit") }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      if digits() == 0 { throw expected("a digit") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      if let integer = Int64(text) { return .int(integer) }
      if let integer = UInt64(text) { return .uint(integer) }
      throw JSONSyntaxError(
        message: "an integer does not fit in 64 bits", offset: start, kind: .number)
    }
    guard let number = Double(text), number.isFinite else {
      throw JSONSyntaxError(message: "a number is beyond 1.8e308", offset: start, kind: .number)
    }
    return .double(number)
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    var text: [UInt8] = []
    let start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw JSONSyntaxError(message: "expected UTF-8", offset: start)
        }
        return string
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &text)
      case 0..<0x20: throw expected("an escape sequence for a control character")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw expected("'\"'")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    guard let kind = next else { throw expected("an escape sequence") }
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = try codeUnit()
      if (0xD800..<0xDC00).contains(code), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
        let low = try codeUnit()
        guard (0xDC00..<0xE000).contains(low) else { throw expected("a low surrogate") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw expected("a pair of surrogates") }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: throw expected("an escape sequence")
    }
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
    var result: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Unicode.Scalar($0).hexValue }) else {
        throw expected("four hexadecimal digits")
      }
      result = result << 4 + digit
      position += 1
    }
    return result
  }
}

private struct JSONWriter {
  let escapesNonASCII: Bool
  private(set) var bytes: [UInt8] = []

  init(escapesNonASCII: Bool) {
    self.escapesNonASCII = escapesNonASCII
  }

  mutating func write(_ value: Value) {
    switch value {
    case .null, .optional(nil): bytes += "null".utf8
    case .bool(let truth): bytes += (truth ? "true" : "false").utf8
    case .int(let number): bytes += String(number).utf8
    case .uint(let number): bytes += String(number).utf8
    case .double(let number):
      if number.isFinite { bytes += doubleText(number).utf8 } else { write(doubleText(number)) }
    case .string(let text): write(text)
    case .bytes(let octets): write(base64Text(octets))
    case .timestamp(let time): write(time.rfc3339)
    case .duration(let span): write(durationText(span))
    case .type(let type): write(type.name)
    case .optional(let wrapped?): write(wrapped)
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .map(let map):
      bytes.append(UInt8(ascii: "{"))
      for (index, entry) in map.entries.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(name(entry.key))
        bytes.append(UInt8(ascii: ":"))
        write(entry.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private func name(_ key: Value) -> String {
    switch key {
    case .string(let text): text
    case .int(let number): String(number)
    case .uint(let number): String(number)
    default: key.description
    }
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      case "\u{0}"..<" ", "\u{7F}": escape(scalar)
      default:
        if escapesNonASCII, scalar.value > 0x7E {
          escape(scalar)
        } else {
          bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
      let digits = String(unit, radix: 16)
      bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
  }
}
