/// Reads the syntax of RE2.
struct PatternParser {
  typealias PatternError = RegularExpression.PatternError

  struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesNewline = false
    var isUngreedy = false
  }

  let scalars: [Unicode.Scalar]
  var position = 0
  var flags = Flags()
  private(set) var groupCount = 0
  private var depth = 0
  /// Deeper groups would need a deeper stack.
  private static let maximumDepth = 100
  /// The maximum count of a repetition, as in RE2.
  private static let maximumRepetition = 1000

  init(_ pattern: String) {
    scalars = Array(pattern.unicodeScalars.prefix(RegularExpression.maximumLength + 1))
  }

  mutating func parse() throws(PatternError) -> RegexNode {
    guard scalars.count <= RegularExpression.maximumLength else { throw failure("is too long") }
    let tree = try choice()
    if position < scalars.count { throw failure("has ')' without '('") }
    return tree
  }

  func failure(_ what: String) -> PatternError {
    PatternError(message: "regular expression \(what)")
  }

  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  mutating func take(_ text: String) -> Bool {
    let expected = text.unicodeScalars
    guard scalars[position...].starts(with: expected) else { return false }
    position += expected.count
    return true
  }

  private mutating func choice() throws(PatternError) -> RegexNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw failure("is nested too deep") }
    var options = [try sequence()]
    while take("|") { options.append(try sequence()) }
    return options.count == 1 ? options[0] : .alternatives(options)
  }

  private mutating func sequence() throws(PatternError) -> RegexNode {
    var parts: [RegexNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      if take("\\Q") {
        while let literal = next, !take("\\E") {
          position += 1
          parts.append(self.scalar(literal.value))
        }
        // A repetition after the quotation repeats its last character.
        if let last = parts.popLast() { parts.append(try repetitions(of: last)) }
        continue
      }
      guard let part = try atom() else { continue }
      parts.append(try repetitions(of: part))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func repetitions(of part: RegexNode) throws(PatternError) -> RegexNode {
    guard let (minimum, maximum) = try bounds() else { return part }
    let isLazy = take("?") != flags.isUngreedy
    if try bounds() != nil { throw failure("has a repetition of a repetition") }
    return .repetition(part, minimum: minimum, maximum: maximum, isLazy: isLazy, groups: 0..<0)
  }

  /// The bounds of `*`, `+`, `?` or `{n,m}`; any other brace is literal.
  private mutating func bounds() throws(PatternError) -> (minimum: Int, maximum: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = position
    guard take("{"), let minimum = number() else {
      position = start
      return nil
    }
    var maximum: Int? = minimum
    if take(",") { maximum = next == "}" ? nil : number() ?? -1 }
    guard take("}"), maximum != -1 else {
      position = start
      return nil
    }
    guard minimum <= Self.maximumRepetition, maximum ?? minimum <= Self.maximumRepetition,
      minimum <= maximum ?? minimum
    else { throw failure("has a repetition count that is out of range") }
    return (minimum, maximum)
  }

  private mutating func number() -> Int? {
    var result: Int?
    while let scalar = next, scalar.isDigit {
      result = min((result ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
      position += 1
    }
    return result
  }

  /// `nil` for a group that only sets flags.
  private mutating func atom() throws(PatternError) -> RegexNode? {
    guard let scalar = next else { return nil }
    switch scalar {
    case "(": return try group()
    case "[": return .set(try bracketed())
    case "\\": return try escape()
    case "*", "+", "?": throw failure("has '\(scalar)' with nothing to repeat")
    default: break
    }
    if scalar == "{" {
      let start = position
      if try bounds() != nil { throw failure("has a repetition with nothing to repeat") }
      position = start
    }
    position += 1
    switch scalar {
    case ".": return .set(flags.dotMatchesNewline ? .all : ScalarSet(scalar: 0x0A).inverted)
    case "^": return flags.isMultiline ? .lineStart : .start
    case "$": return flags.isMultiline ? .lineEnd : .end
    default: return self.scalar(scalar.value)
    }
  }

  func scalar(_ value: UInt32) -> RegexNode {
    let canonical = value.canonicalCase
    return .set(
      flags.ignoresCase
        ? ScalarSet(ranges: [canonical...canonical], ignoresCase: true) : ScalarSet(scalar: value))
  }

  private mutating func group() throws(PatternError) -> RegexNode? {
    position += 1
    let outer = flags
    let before = groupCount
    if take("?") {
      if take("P<") || take("<") {
        try groupName()
        groupCount += 1
      } else if try groupFlags() {
        return nil
      }
    } else {
      groupCount += 1
    }
    let isCapturing = groupCount > before
    let body = try choice()
    guard take(")") else { throw failure("has '(' without ')'") }
    flags = outer
    // Inner groups are counted later, so that the number is that of the parenthesis.
    return isCapturing ? .capture(body, group: before + 1) : body
  }

  private mutating func groupName() throws(PatternError) {
    var length = 0
    while let scalar = next, scalar.isNameStart || scalar.isDigit {
      position += 1
      length += 1
    }
    guard length > 0, take(">") else { throw failure("has a group without a proper name") }
  }

  private mutating func groupFlags() throws(PatternError) -> Bool {
    var value = true
    while let flag = next {
      position += 1
      switch flag {
      case "i": flags.ignoresCase = value
      case "m": flags.isMultiline = value
      case "s": flags.dotMatchesNewline = value
      case "U": flags.isUngreedy = value
      case "-" where value: value = false
      case ":": return false
      case ")": return true
      default: throw failure("has '(?' with an unknown flag '\(flag)'")
      }
    }
    throw failure("has '(' without ')'")
  }
}
