struct Token: Sendable {
  enum Kind: Hashable, Sendable {
    case int(Int64)
    case uint(UInt64)
    /// 2^63, which is an integer only after a minus sign.
    case minimumMagnitude
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case name(String)
    /// A name between backticks, for fields only.
    case quotedName(String)
    case symbol(Symbol)
    case end
    case invalid
  }

  enum Symbol: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case less = "<"
    case greater = ">"
    case not = "!"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case modulo = "%"
    case question = "?"
    case colon = ":"
    case comma = ","
    case dot = "."
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBracket = "["
    case rightBracket = "]"
    case leftBrace = "{"
    case rightBrace = "}"
  }

  let kind: Kind
  let range: Range<Int>

  var name: String {
    switch kind {
    case .int, .uint, .minimumMagnitude, .double: "number"
    case .string: "string"
    case .bytes: "bytes literal"
    case .name(let name): "'\(name)'"
    case .quotedName(let name): "'`\(name)`'"
    case .symbol(let symbol): "'\(symbol.rawValue)'"
    case .end: "end of expression"
    case .invalid: "invalid text"
    }
  }
}

/// Splits the text of an expression into tokens; invalid characters are reported and skipped.
struct Lexer {
  let scalars: [Unicode.Scalar]
  var position = 0
  var issues: [Issue] = []

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  mutating func tokens() -> [Token] {
    var tokens: [Token] = []
    tokens.reserveCapacity(scalars.count / 3 + 1)
    while true {
      let token = next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    let index = position + distance
    return index < scalars.count ? scalars[index] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  mutating func report(_ code: Issue.Code, _ message: String, from start: Int, to end: Int? = nil) {
    guard issues.count < Issue.maximumCount else { return }
    issues.append(Issue(code, message, at: start..<max(start, end ?? position)))
  }

  private mutating func next() -> Token {
    skipBlanks()
    let start = position
    guard let first = peek() else { return Token(kind: .end, range: start..<start) }
    let kind: Token.Kind
    if let prefix = literalPrefix() {
      kind = string(prefix)
    } else if first.isNameStart {
      kind = .name(take { $0.isNameStart || $0.isDigit })
    } else if first.isDigit || (first == "." && peek(1)?.isDigit == true) {
      kind = number()
    } else if first == "`" {
      kind = quotedName()
    } else if let symbol = symbol() {
      kind = .symbol(symbol)
    } else {
      position += 1
      // Operators of other languages.
      let advice = ["=": "; write '==' to compare", "&": "; write '&&'", "|": "; write '||'"]
      report(.syntax, "unexpected character '\(first)'\(advice[String(first)] ?? "")", from: start)
      kind = .invalid
    }
    return Token(kind: kind, range: start..<position)
  }

  private mutating func skipBlanks() {
    while let scalar = peek() {
      switch scalar {
      case " ", "\t", "\n", "\r", "\u{C}": position += 1
      case "/" where peek(1) == "/": while let next = peek(), next != "\n" { _ = take(next) }
      default: return
      }
    }
  }

  private mutating func symbol() -> Token.Symbol? {
    guard let first = peek(), first.isASCII else { return nil }
    if let second = peek(1), second.isASCII,
      let symbol = Self.symbols[first.value << 8 | second.value]
    {
      position += 2
      return symbol
    }
    guard let symbol = Self.symbols[first.value] else { return nil }
    position += 1
    return symbol
  }

  private static let symbols = Dictionary(
    uniqueKeysWithValues: Token.Symbol.allCases.map { symbol in
      (symbol.rawValue.utf8.reduce(0) { $0 << 8 | UInt32($1) }, symbol)
    })

  private mutating func take(while holds: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let scalar = peek(), holds(scalar) { position += 1 }
    return String(unsafeUninitializedCapacity: position - start) { bytes in
      for index in start..<position { bytes[index - start] = UInt8(scalars[index].value) }
      return position - start
    }
  }

  private mutating func quotedName() -> Token.Kind {
    let start = position
    position += 1
    var name = ""
    while let scalar = peek(), scalar != "`", scalar != "\n" {
      guard scalar.isNameStart || scalar.isDigit || "-./ ".unicodeScalars.contains(scalar)
      else { break }
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard !name.isEmpty, take("`") else {
      report(.syntax, "quoted field name has no closing '`'", from: start)
      return .invalid
    }
    return .quotedName(name)
  }

  private mutating func takeDigits() -> String { take { $0.isDigit } }

  private mutating func number() -> Token.Kind {
    let start = position
    if peek() == "0", peek(1) == "x" || peek(1) == "X", peek(2)?.hexValue != nil {
      position += 2
      return integer(take { $0.hexValue != nil }, radix: 16, from: start)
    }
    var text = takeDigits()
    var isDouble = false
    if peek() == ".", peek(1)?.isDigit == true {
      position += 1
      text += "." + takeDigits()
      isDouble = true
    }
    if let exponent = takeExponent() {
      text += exponent
      isDouble = true
    }
    guard isDouble else { return integer(text, radix: 10, from: start) }
    return .double(Double(text.hasPrefix(".") ? "0" + text : text) ?? .infinity)
  }

  private mutating func takeExponent() -> String? {
    guard peek() == "e" || peek() == "E" else { return nil }
    let isSigned = peek(1) == "+" || peek(1) == "-"
    guard peek(isSigned ? 2 : 1)?.isDigit == true else { return nil }
    let sign = peek(1) == "-" ? "-" : ""
    position += isSigned ? 2 : 1
    return "e" + sign + takeDigits()
  }

  private mutating func integer(_ digits: String, radix: Int, from start: Int) -> Token.Kind {
    let isUnsigned = take("u") || take("U")
    guard let magnitude = UInt64(digits, radix: radix) else {
      report(.invalidLiteral, "integer does not fit in 64 bits", from: start)
      return .int(0)
    }
    if isUnsigned { return .uint(magnitude) }
    if let value = Int64(exactly: magnitude) { return .int(value) }
    if magnitude == Int64.min.magnitude { return .minimumMagnitude }
    report(.invalidLiteral, "integer does not fit in a signed 64-bit int", from: start)
    return .int(0)
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
  var isNameStart: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" }
}

extension Lexer {
  struct LiteralPrefix {
    var isBytes = false
    var isRaw = false
    var isTriple = false
    var quote: Unicode.Scalar
    var length: Int
  }

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
