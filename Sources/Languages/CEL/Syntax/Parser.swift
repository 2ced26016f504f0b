/// Parses an expression by recursive descent; invalid parts are reported and become `.invalid`.
struct Parser {
  /// Bounds that keep the stack and the memory of the parser, the checker and the evaluator small.
  static let maximumLength = 100_000
  static let maximumDepth = 200
  let macros: Set<Macro>
  var tokens: [Token]
  var position = 0
  var issues: [Issue]
  private var nesting = 0
  private var count = 0
  private var isTooDeep = false

  init(_ source: String, macros: Set<Macro>) {
    self.macros = macros
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(min(source.utf8.count, Self.maximumLength + 1))
    for scalar in source.unicodeScalars {
      scalars.append(scalar)
      if scalars.count > Self.maximumLength { break }
    }
    var lexer = Lexer(scalars)
    if lexer.scalars.count > Self.maximumLength {
      let message = "expression is longer than \(Self.maximumLength) characters"
      issues = [Issue(.tooComplex, message, at: Self.maximumLength..<lexer.scalars.count)]
      tokens = [Token(kind: .end, range: 0..<0)]
      isTooDeep = true
    } else {
      tokens = lexer.tokens()
      issues = lexer.issues
    }
  }

  /// The expression; `.invalid` parts are explained by ``issues``.
  mutating func parse() -> Syntax {
    let syntax = expression()
    if token.kind != .end { expected("an operator or the end of the expression") }
    return syntax
  }

  var token: Token { tokens[position] }
  mutating func advance() { if position < tokens.count - 1 { position += 1 } }
  func at(_ symbol: Token.Symbol) -> Bool { token.kind == .symbol(symbol) }

  mutating func take(_ symbol: Token.Symbol) -> Bool {
    guard at(symbol) else { return false }
    advance()
    return true
  }

  var previousEnd: Int { position > 0 ? tokens[position - 1].range.upperBound : 0 }

  mutating func report(_ code: Issue.Code, _ message: String, at range: Range<Int>) {
    guard !isTooDeep, issues.count < 2 * Issue.maximumCount else { return }
    // Report only the first error at a position; further errors there would be noise.
    if issues.contains(where: { $0.range.lowerBound == range.lowerBound }) { return }
    issues.append(Issue(code, message, at: range))
  }

  mutating func expected(_ what: String) {
    if token.kind != .invalid {
      let meant = [Token.Kind.name("and"): "&&", .name("or"): "||"][token.kind]
      report(
        .syntax, "unexpected \(token.name); \(meant.map { "write '\($0)'" } ?? "expected \(what)")",
        at: token.range)
    }
  }

  /// Reads `symbol`, or reports that it is missing and skips to the closing symbol.
  mutating func close(_ symbol: Token.Symbol, opening: Range<Int>) {
    if take(symbol) { return }
    expected("',' or '\(symbol.rawValue)'")
    skip()
    _ = take(symbol)
  }

  /// Skips to a comma or a closing bracket of this level, or to the end.
  mutating func skip() {
    var depth = 0
    while true {
      switch token.kind {
      case .end: return
      case .symbol(.leftParenthesis), .symbol(.leftBracket), .symbol(.leftBrace): depth += 1
      case .symbol(.rightParenthesis), .symbol(.rightBracket), .symbol(.rightBrace):
        if depth == 0 { return }
        depth -= 1
      case .symbol(.comma) where depth == 0: return
      default: break
      }
      advance()
    }
  }

  mutating func make(_ kind: Syntax.Kind, at range: Range<Int>, parts: [Syntax] = []) -> Syntax {
    count += 1
    let depth = 1 + (parts.lazy.map(\.depth).max() ?? 0)
    if depth > Self.maximumDepth { tooDeep(range) }
    return Syntax(id: count, range: range, depth: depth, kind: kind)
  }

  private mutating func tooDeep(_ range: Range<Int>) {
    report(.tooComplex, "expression is nested deeper than \(Self.maximumDepth) levels", at: range)
    isTooDeep = true
    position = tokens.count - 1
  }

  mutating func expression() -> Syntax {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumDepth else {
      tooDeep(token.range)
      return make(.invalid, at: token.range)
    }
    let condition = binary(minimum: 1)
    guard take(.question) else { return condition }
    let first = binary(minimum: 1)
    guard take(.colon) else {
      expected("':' and the value of the other branch")
      return make(.invalid, at: condition.range)
    }
    let second = expression()
    return make(
      .conditional(condition, first, second),
      at: condition.range.lowerBound..<second.range.upperBound, parts: [condition, first, second])
  }

  private func infix() -> (strength: Int, function: String)? {
    switch token.kind {
    case .symbol(.or): (1, "_||_")
    case .symbol(.and): (2, "_&&_")
    case .symbol(.equal): (3, "_==_")
    case .symbol(.notEqual): (3, "_!=_")
    case .symbol(.less): (3, "_<_")
    case .symbol(.lessOrEqual): (3, "_<=_")
    case .symbol(.greater): (3, "_>_")
    case .symbol(.greaterOrEqual): (3, "_>=_")
    case .name("in"): (3, "@in")
    case .symbol(.plus): (4, "_+_")
    case .symbol(.minus): (4, "_-_")
    case .symbol(.times): (5, "_*_")
    case .symbol(.divide): (5, "_/_")
    case .symbol(.modulo): (5, "_%_")
    default: nil
    }
  }

  /// Operators of at least this precedence, by precedence climbing; all are left-associative.
  private mutating func binary(minimum: Int) -> Syntax {
    var left = unary()
    while let (strength, function) = infix(), strength >= minimum {
      let operatorRange = token.range
      advance()
      if strength <= 2 {
        left = logical(left, strength: strength)
        continue
      }
      let right = binary(minimum: strength + 1)
      left = make(
        .call(.init(name: function, range: operatorRange), target: nil, arguments: [left, right]),
        at: left.range.lowerBound..<right.range.upperBound, parts: [left, right])
    }
    return left
  }

  /// A chain of one logical operator becomes one node, so that a long chain is not a deep one.
  private mutating func logical(_ first: Syntax, strength: Int) -> Syntax {
    let symbol: Token.Symbol = strength == 1 ? .or : .and
    var operands = [first]
    repeat { operands.append(binary(minimum: strength + 1)) } while take(symbol)
    let end = operands.last?.range.upperBound ?? first.range.upperBound
    return make(
      strength == 1 ? .or(operands) : .and(operands), at: first.range.lowerBound..<end,
      parts: operands)
  }

  private mutating func unary() -> Syntax {
    if at(.not) { return prefix(.not, function: "!_") }
    if at(.minus) { return prefix(.minus, function: "-_") }
    return postfix(primary())
  }

  /// A run of one prefix operator; pairs cancel out to keep the nesting small, and a minus belongs to a number.
  private mutating func prefix(_ symbol: Token.Symbol, function: String) -> Syntax {
    var places: [Range<Int>] = []
    while at(symbol) {
      places.append(token.range)
      advance()
    }
    var operand: Syntax
    if symbol == .minus, let last = places.last, let number = negativeNumber(from: last.lowerBound)
    {
      places.removeLast()
      operand = postfix(number)
    } else {
      operand = postfix(primary())
    }
    if places.count > 2 { places.removeFirst((places.count - 1) / 2 * 2) }
    for place in places.reversed() {
      operand = make(
        .call(.init(name: function, range: place), target: nil, arguments: [operand]),
        at: place.lowerBound..<operand.range.upperBound, parts: [operand])
    }
    return operand
  }

  private mutating func negativeNumber(from start: Int) -> Syntax? {
    let value: Value
    switch token.kind {
    case .int(let magnitude): value = .int(-magnitude)
    case .minimumMagnitude: value = .int(.min)
    case .double(let magnitude): value = .double(-magnitude)
    default: return nil
    }
    advance()
    return make(.literal(value), at: start..<previousEnd)
  }
}
