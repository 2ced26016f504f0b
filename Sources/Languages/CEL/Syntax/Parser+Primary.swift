extension Parser {
  private static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "package", "namespace", "return", "var", "void", "while",
  ]

  mutating func primary() -> Syntax {
    let start = token
    switch start.kind {
    case .int(let value): return literal(.int(value))
    case .uint(let value): return literal(.uint(value))
    case .double(let value): return literal(.double(value))
    case .string(let value): return literal(.string(value))
    case .bytes(let value): return literal(.bytes(value))
    case .minimumMagnitude:
      report(.invalidLiteral, "integer does not fit in a signed 64-bit int", at: start.range)
      return literal(.int(0))
    case .name("true"): return literal(.bool(true))
    case .name("false"): return literal(.bool(false))
    case .name("null"): return literal(.null)
    case .name(let name): return self.name(name, isAbsolute: false, from: start.range.lowerBound)
    case .symbol(.dot):
      advance()
      guard case .name(let name) = token.kind else { return missing("a name") }
      return self.name(name, isAbsolute: true, from: start.range.lowerBound)
    case .symbol(.leftParenthesis):
      advance()
      let inner = expression()
      close(.rightParenthesis, opening: start.range)
      return inner
    case .symbol(.leftBracket): return list()
    case .symbol(.leftBrace): return map()
    default: return missing("an expression")
    }
  }

  private mutating func literal(_ value: Value) -> Syntax {
    let range = token.range
    advance()
    return make(.literal(value), at: range)
  }

  private mutating func missing(_ what: String) -> Syntax {
    expected(what)
    let range = token.range
    if token.kind == .invalid { advance() }
    return make(.invalid, at: range)
  }

  private mutating func name(_ name: String, isAbsolute: Bool, from start: Int) -> Syntax {
    let field = Syntax.Field(name: name, range: start..<token.range.upperBound)
    if name == "in" { return missing("an expression") }
    if Self.reserved.contains(name) {
      report(.reservedWord, "'\(name)' is a reserved word and cannot be a name", at: token.range)
    }
    advance()
    guard at(.leftParenthesis)
    else { return make(.name(name, isAbsolute: isAbsolute), at: field.range) }
    let arguments = self.arguments()
    if !isAbsolute, let expanded = expand(field, target: nil, arguments) { return expanded }
    let function = isAbsolute ? Syntax.Field(name: "." + name, range: field.range) : field
    return make(
      .call(function, target: nil, arguments: arguments), at: start..<previousEnd, parts: arguments)
  }

  mutating func postfix(_ primary: Syntax) -> Syntax {
    var operand = primary
    while true {
      if at(.dot) {
        advance()
        operand = member(of: operand)
      } else if at(.leftBracket) {
        let opening = token.range
        advance()
        let isOptional = take(.question)
        let key = expression()
        close(.rightBracket, opening: opening)
        operand = make(
          .index(operand, key, isOptional: isOptional),
          at: operand.range.lowerBound..<previousEnd, parts: [operand, key])
      } else if at(.leftBrace), operand.path != nil {
        return messageLiteral(operand)
      } else {
        return operand
      }
    }
  }

  private mutating func member(of operand: Syntax) -> Syntax {
    let isOptional = take(.question)
    let field: Syntax.Field
    switch token.kind {
    case .name(let name): field = .init(name: name, range: token.range)
    case .quotedName(let name): field = .init(name: name, range: token.range)
    default:
      expected("a field name")
      if token.kind == .invalid { advance() }
      return make(.invalid, at: operand.range.lowerBound..<previousEnd, parts: [operand])
    }
    var isName = false
    if case .name = token.kind { isName = true }
    advance()
    if isName, !isOptional, at(.leftParenthesis) {
      let arguments = self.arguments()
      if let expanded = expand(field, target: operand, arguments) { return expanded }
      return make(
        .call(field, target: operand, arguments: arguments),
        at: operand.range.lowerBound..<previousEnd, parts: [operand] + arguments)
    }
    return make(
      .select(operand, field, isOptional: isOptional),
      at: operand.range.lowerBound..<field.range.upperBound, parts: [operand])
  }

  mutating func arguments() -> [Syntax] {
    let opening = token.range
    advance()
    var arguments: [Syntax] = []
    while !at(.rightParenthesis), token.kind != .end {
      arguments.append(expression())
      if !at(.rightParenthesis), !take(.comma) { break }
    }
    close(.rightParenthesis, opening: opening)
    return arguments
  }

  private mutating func list() -> Syntax {
    let opening = token.range
    advance()
    var elements: [Syntax.ListElement] = []
    while !at(.rightBracket), token.kind != .end {
      let isOptional = take(.question)
      elements.append(.init(value: expression(), isOptional: isOptional))
      recoverElement(before: .rightBracket)
      if !take(.comma) { break }
    }
    close(.rightBracket, opening: opening)
    return make(.list(elements), at: opening.lowerBound..<previousEnd, parts: elements.map(\.value))
  }

  private mutating func map() -> Syntax {
    let opening = token.range
    advance()
    var entries: [Syntax.MapEntry] = []
    while !at(.rightBrace), token.kind != .end {
      let isOptional = take(.question)
      let key = expression()
      if take(.colon) {
        entries.append(.init(key: key, value: expression(), isOptional: isOptional))
      } else {
        expected("':' and the value of the key")
      }
      recoverElement(before: .rightBrace)
      if !take(.comma) { break }
    }
    close(.rightBrace, opening: opening)
    return make(
      .map(entries), at: opening.lowerBound..<previousEnd,
      parts: entries.flatMap { [$0.key, $0.value] })
  }

  /// Continues with the next element if one could not be parsed completely.
  private mutating func recoverElement(before closing: Token.Symbol) {
    if at(.comma) || at(closing) || token.kind == .end { return }
    expected("',' or '\(closing.rawValue)'")
    skip()
  }

  private mutating func messageLiteral(_ type: Syntax) -> Syntax {
    report(
      .syntax, "message literals are not supported; expected an operator or the end",
      at: token.range)
    let opening = token.range
    advance()
    while !at(.rightBrace), token.kind != .end {
      skip()
      if !take(.comma) { break }
    }
    close(.rightBrace, opening: opening)
    return make(.invalid, at: type.range.lowerBound..<previousEnd)
  }
}
