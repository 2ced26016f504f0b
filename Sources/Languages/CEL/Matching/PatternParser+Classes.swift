extension PatternParser {
  mutating func escape() throws(PatternError) -> RegexNode {
    if let ranges = classEscape() { return .set(ScalarSet(ranges: ranges)) }
    if let property = try propertyEscape() {
      return .set(
        ScalarSet(
          property: property.property, isNegated: property.isNegated,
          ignoresCase: flags.ignoresCase))
    }
    let assertions: [(String, RegexNode)] = [
      ("\\A", .start), ("\\z", .end), ("\\b", .wordBoundary(isNegated: false)),
      ("\\B", .wordBoundary(isNegated: true)),
    ]
    for (text, assertion) in assertions where take(text) { return assertion }
    return scalar(try scalarEscape())
  }

  private mutating func classEscape() -> [ClosedRange<UInt32>]? {
    if take("\\d") { return RE2Class.digit }
    if take("\\D") { return ScalarSet.complement(RE2Class.digit) }
    if take("\\s") { return RE2Class.space }
    if take("\\S") { return ScalarSet.complement(RE2Class.space) }
    if take("\\w") { return RE2Class.word }
    if take("\\W") { return ScalarSet.complement(RE2Class.word) }
    return nil
  }

  private mutating func propertyEscape()
    throws(PatternError) -> (property: UnicodeProperty, isNegated: Bool)?
  {
    var isNegated = take("\\P")
    guard isNegated || take("\\p") else { return nil }
    var name = ""
    if take("{") {
      if take("^") { isNegated.toggle() }
      while let scalar = next, scalar != "}" {
        name.unicodeScalars.append(scalar)
        position += 1
      }
      guard take("}") else { throw failure("has '\\p{' without '}'") }
    } else if let scalar = next {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard let property = UnicodeProperty(re2: name)
    else { throw failure("has an unknown Unicode class") }
    return (property, isNegated)
  }

  private mutating func scalarEscape() throws(PatternError) -> UInt32 {
    position += 1
    guard let kind = next else { throw failure("ends with '\\'") }
    position += 1
    switch kind {
    case "a": return 0x07
    case "f": return 0x0C
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "v": return 0x0B
    case "x": return try hexadecimal()
    case "0"..."7":
      // A digit from 1 on is an octal number only with another one after it.
      guard kind == "0" || next.map({ ("0"..."7").contains($0) }) == true
      else { throw failure("has a back reference, which cannot be matched in linear time") }
      var value = kind.value - 0x30
      for _ in 0..<2 {
        guard let digit = next, ("0"..."7").contains(digit) else { break }
        value = value * 8 + digit.value - 0x30
        position += 1
      }
      return value
    default:
      // Every other ASCII punctuation mark is literal; letters and digits are reserved.
      guard kind.value < 0x80, !kind.isNameStart, !kind.isDigit else {
        if kind == "_" { return kind.value }
        throw failure("has an unknown escape sequence '\\\(kind)'")
      }
      return kind.value
    }
  }

  private mutating func hexadecimal() throws(PatternError) -> UInt32 {
    let isBraced = take("{")
    var (value, count): (UInt32, Int) = (0, 0)
    while let digit = next?.hexValue, isBraced || count < 2 {
      value = min(value * 16 + digit, 0x110000)
      count += 1
      position += 1
    }
    guard isBraced ? count > 0 && take("}") : count == 2, value <= 0x10FFFF
    else { throw failure("has an invalid '\\x' escape sequence") }
    return value
  }

  mutating func bracketed() throws(PatternError) -> ScalarSet {
    position += 1
    var set = ScalarSet(ranges: [], ignoresCase: flags.ignoresCase)
    let isNegated = take("^")
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      if scalar == "[", try posixClass(into: &set) { continue }
      if scalar == "\\" {
        if let ranges = classEscape() {
          for range in ranges { set.insert(range) }
          continue
        }
        if let property = try propertyEscape() {
          set.insert(ScalarSet(property: property.property, isNegated: property.isNegated))
          continue
        }
      }
      let lower = try bracketedScalar()
      var upper = lower
      if next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
        position += 1
        upper = try bracketedScalar()
      }
      guard lower <= upper else { throw failure("has a range whose end is before its start") }
      set.insert(lower...upper)
    }
    guard take("]") else { throw failure("has '[' without ']'") }
    set.seal()
    return isNegated ? set.inverted : set
  }

  private mutating func bracketedScalar() throws(PatternError) -> UInt32 {
    guard let scalar = next else { throw failure("has '[' without ']'") }
    if scalar == "\\" { return try scalarEscape() }
    position += 1
    return scalar.value
  }

  /// `[:alpha:]` or `[:^alpha:]`.
  private mutating func posixClass(into set: inout ScalarSet) throws(PatternError) -> Bool {
    let start = position
    guard take("[:") else { return false }
    let isNegated = take("^")
    var name = ""
    while let scalar = next, scalar.isNameStart {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard take(":]") else {
      position = start
      return false
    }
    guard let ranges = RE2Class.named[name] else { throw failure("has an unknown class '\(name)'") }
    for range in isNegated ? ScalarSet.complement(ranges) : ranges { set.insert(range) }
    return true
  }
}

private enum RE2Class {
  static let digit: [ClosedRange<UInt32>] = [0x30...0x39]
  static let space: [ClosedRange<UInt32>] = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
  static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]

  static let named: [String: [ClosedRange<UInt32>]] = [
    "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A], "alpha": [0x41...0x5A, 0x61...0x7A],
    "ascii": [0...0x7F], "blank": [0x09...0x09, 0x20...0x20], "cntrl": [0...0x1F, 0x7F...0x7F],
    "digit": digit, "graph": [0x21...0x7E], "lower": [0x61...0x7A], "print": [0x20...0x7E],
    "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
    "space": [0x09...0x0D, 0x20...0x20], "upper": [0x41...0x5A], "word": word,
    "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
  ]
}
