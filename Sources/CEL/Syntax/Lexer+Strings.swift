extension Lexer {
  struct LiteralPrefix {
    var isBytes = false
    var isRaw = false
    var isTriple = false
    var quote: Unicode.Scalar
    var length: Int
  }

  /// The prefix and the opening quotes, if a literal starts here.
  func literalPrefix() -> LiteralPrefix? {
    var prefix = LiteralPrefix(quote: "\"", length: 0)
    if let scalar = peek(), scalar == "b" || scalar == "B" {
      prefix.isBytes = true
      prefix.length += 1
    }
    if let scalar = peek(prefix.length), scalar == "r" || scalar == "R" {
      prefix.isRaw = true
      prefix.length += 1
    }
    guard let quote = peek(prefix.length), quote == "\"" || quote == "'" else { return nil }
    prefix.quote = quote
    prefix.length += 1
    if peek(prefix.length) == quote, peek(prefix.length + 1) == quote {
      prefix.isTriple = true
      prefix.length += 2
    }
    return prefix
  }

  mutating func string(_ prefix: LiteralPrefix) -> Token.Kind {
    let start = position
    position += prefix.length
    var text = String.UnicodeScalarView()
    var bytes: [UInt8] = []
    while let scalar = peek() {
      if closes(prefix) {
        position += prefix.isTriple ? 3 : 1
        return prefix.isBytes ? .bytes(bytes) : .string(String(text))
      }
      if !prefix.isTriple, scalar == "\n" || scalar == "\r" { break }
      if scalar == "\\", !prefix.isRaw {
        escape(prefix, &text, &bytes)
      } else {
        position += 1
        append(scalar, prefix, &text, &bytes)
      }
    }
    report(.syntax, "string has no closing quote", from: start)
    return .invalid
  }

  private func closes(_ prefix: LiteralPrefix) -> Bool {
    guard peek() == prefix.quote else { return false }
    return !prefix.isTriple || (peek(1) == prefix.quote && peek(2) == prefix.quote)
  }

  private func append(
    _ scalar: Unicode.Scalar, _ prefix: LiteralPrefix, _ text: inout String.UnicodeScalarView,
    _ bytes: inout [UInt8]
  ) {
    if prefix.isBytes {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    } else {
      text.append(scalar)
    }
  }

  private mutating func escape(
    _ prefix: LiteralPrefix, _ text: inout String.UnicodeScalarView, _ bytes: inout [UInt8]
  ) {
    let start = position
    position += 1
    guard let kind = peek() else { return }
    position += 1
    let code: UInt32?
    switch kind {
    case "a": code = 7
    case "b": code = 8
    case "f": code = 12
    case "n": code = 10
    case "r": code = 13
    case "t": code = 9
    case "v": code = 11
    case "\\", "?", "\"", "'", "`": code = kind.value
    case "x", "X": code = digits(2, radix: 16)
    case "u" where !prefix.isBytes: code = digits(4, radix: 16)
    case "U" where !prefix.isBytes: code = digits(8, radix: 16)
    case "0"..."3":
      position -= 1
      code = digits(3, radix: 8)
    default: code = nil
    }
    guard let code else {
      report(.invalidLiteral, "unknown escape sequence in a string", from: start)
      return
    }
    if prefix.isBytes {
      bytes.append(UInt8(truncatingIfNeeded: code))
    } else if let scalar = Unicode.Scalar(code) {
      text.append(scalar)
    } else {
      report(.invalidLiteral, "escape sequence is not a Unicode code point", from: start)
    }
  }

  private mutating func digits(_ count: Int, radix: UInt32) -> UInt32? {
    var result: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek()?.hexValue, digit < radix else { return nil }
      result = result * radix + digit
      position += 1
    }
    return result
  }
}
