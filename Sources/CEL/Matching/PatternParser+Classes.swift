extension PatternParser {
  /// An escape sequence outside of brackets.
  mutating func escape() throws(PatternError) -> PatternTree {
    if let ranges = classEscape() {
      return .set(ScalarSet(ranges: ranges))
    }
    if let property = try propertyEscape() {
      return .set(ScalarSet(properties: [property], ignoresCase: flags.ignoresCase))
    }
    let assertions: [(String, PatternAssertion)] = [
      ("\\A", .textStart), ("\\z", .textEnd), ("\\b", .wordBoundary), ("\\B", .noWordBoundary),
    ]
    for (text, assertion) in assertions where take(text) { return .assertion(assertion) }
    return .scalar(try scalarEscape(), ignoresCase: flags.ignoresCase)
  }

  /// `\d`, `\s`, `\w` and their opposites, all of ASCII.
  private mutating func classEscape() -> [ClosedRange<UInt32>]? {
    if take("\\d") { return ScalarSet.digit }
    if take("\\D") { return ScalarSet.complement(ScalarSet.digit) }
    if take("\\s") { return ScalarSet.space }
    if take("\\S") { return ScalarSet.complement(ScalarSet.space) }
    if take("\\w") { return ScalarSet.word }
    if take("\\W") { return ScalarSet.complement(ScalarSet.word) }
    return nil
  }

  /// `\p{Name}`, `\pN`, `\P{Name}`, `\p{^Name}`.
  private mutating func propertyEscape() throws(PatternError) -> ScalarSet.Property? {
    var isNegated = false
    if take("\\P") {
      isNegated = true
    } else if !take("\\p") {
      return nil
    }
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
    guard let contains = unicodeProperty(name) else {
      throw failure("has an unknown Unicode class")
    }
    return ScalarSet.Property(name: name, isNegated: isNegated, contains: contains)
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
      guard kind == "0" || next.map({ ("0"..."7").contains($0) }) == true else {
        throw failure("has a back reference, which cannot be matched in linear time")
      }
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
    guard isBraced ? count > 0 && take("}") : count == 2, value <= 0x10FFFF else {
      throw failure("has an invalid '\\x' escape sequence")
    }
    return value
  }

  /// `[...]`.
  mutating func bracketed() throws(PatternError) -> ScalarSet {
    position += 1
    var set = ScalarSet(ignoresCase: flags.ignoresCase)
    set.isNegated = take("^")
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      if scalar == "[", try posixClass(into: &set) { continue }
      if scalar == "\\" {
        if let ranges = classEscape() {
          set.ranges += ranges
          continue
        }
        if let property = try propertyEscape() {
          set.properties.append(property)
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
      set.ranges.append(lower...upper)
    }
    guard take("]") else { throw failure("has '[' without ']'") }
    set.normalize()
    return set
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
    guard let ranges = ScalarSet.named[name] else {
      throw failure("has an unknown class '\(name)'")
    }
    set.ranges += isNegated ? ScalarSet.complement(ranges) : ranges
    return true
  }
}

/// The test of a general category of Unicode, of a group of them, or of a script; `nil` for another
/// name.
private func unicodeProperty(_ name: String) -> (@Sendable (Unicode.Scalar) -> Bool)? {
  if name == "Any" { return { _ in true } }
  if let categories = generalCategories[name] {
    return { categories.contains($0.properties.generalCategory) }
  }
  guard let ranges = ScriptTable.ranges[name] else { return nil }
  return { scalar in ranges.contains { $0.contains(scalar.value) } }
}

private let generalCategories: [String: [Unicode.GeneralCategory]] = [
  "L": [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter],
  "Lu": [.uppercaseLetter], "Ll": [.lowercaseLetter], "Lt": [.titlecaseLetter],
  "Lm": [.modifierLetter], "Lo": [.otherLetter],
  "M": [.nonspacingMark, .spacingMark, .enclosingMark],
  "Mn": [.nonspacingMark], "Mc": [.spacingMark], "Me": [.enclosingMark],
  "N": [.decimalNumber, .letterNumber, .otherNumber],
  "Nd": [.decimalNumber], "Nl": [.letterNumber], "No": [.otherNumber],
  "P": [
    .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
    .initialPunctuation, .finalPunctuation, .otherPunctuation,
  ],
  "Pc": [.connectorPunctuation], "Pd": [.dashPunctuation], "Ps": [.openPunctuation],
  "Pe": [.closePunctuation], "Pi": [.initialPunctuation], "Pf": [.finalPunctuation],
  "Po": [.otherPunctuation],
  "S": [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol],
  "Sm": [.mathSymbol], "Sc": [.currencySymbol], "Sk": [.modifierSymbol], "So": [.otherSymbol],
  "Z": [.spaceSeparator, .lineSeparator, .paragraphSeparator],
  "Zs": [.spaceSeparator], "Zl": [.lineSeparator], "Zp": [.paragraphSeparator],
  "C": [.control, .format, .surrogate, .privateUse],
  "Cc": [.control], "Cf": [.format], "Cs": [.surrogate], "Co": [.privateUse],
]
