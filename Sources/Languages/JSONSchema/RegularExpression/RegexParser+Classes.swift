extension RegexParser {
  mutating func characterClass() throws(SyntaxError) -> ScalarSet {
    index += 1
    let isNegated = take("^")
    var set = ScalarSet()
    while let scalar = current, scalar != "]" {
      let first = try classAtom()
      guard current == "-", index + 1 < input.count, input[index + 1] != "]", let low = first.single
      else {
        set.insert(first)
        continue
      }
      let dash = index
      index += 1
      let second = try classAtom()
      guard let high = second.single else {
        // A class such as \d cannot end a range, so the hyphen is literal (annex B).
        set.insert(first)
        set.insert(0x2D...0x2D)
        set.insert(second)
        continue
      }
      guard low <= high else {
        index = dash
        throw failure("the range in the class is out of order")
      }
      set.insert(low...high)
    }
    guard take("]") else { throw failure("\"[\" without \"]\"") }
    set.seal()
    return isNegated ? set.inverted : set
  }

  private mutating func classAtom() throws(SyntaxError) -> ScalarSet {
    guard let scalar = current else { throw failure("\"[\" without \"]\"") }
    if scalar == "\\" { return try escape(inClass: true) }
    index += 1
    return ScalarSet(scalar: scalar.value)
  }

  /// Reads an escape for one scalar or a set; `index` is on its backslash.
  mutating func escape(inClass: Bool) throws(SyntaxError) -> ScalarSet {
    guard index + 1 < input.count else { throw failure("the expression ends in \"\\\"") }
    let letter = input[index + 1]
    index += 2
    switch letter {
    case "d": return .digits
    case "D": return ScalarSet.digits.inverted
    case "w": return .word
    case "W": return ScalarSet.word.inverted
    case "s": return .space
    case "S": return ScalarSet.space.inverted
    case "p", "P": return try property(isNegated: letter == "P")
    default: return ScalarSet(scalar: try character(letter, inClass: inClass))
    }
  }

  private mutating func property(isNegated: Bool) throws(SyntaxError) -> ScalarSet {
    guard current == "{", let end = input[index...].firstIndex(of: "}")
    else { throw failure("a property in \"{…}\" is missing") }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: input[(index + 1)..<end])
    guard let property = UnicodeProperty(String(name))
    else { throw failure("unknown Unicode property \"\(String(name))\"") }
    index = end + 1
    return ScalarSet(property: property, isNegated: isNegated)
  }

  private mutating func character(
    _ letter: Unicode.Scalar, inClass: Bool
  ) throws(SyntaxError) -> UInt32 {
    switch letter {
    case "t": return 0x09
    case "n": return 0x0A
    case "v": return 0x0B
    case "f": return 0x0C
    case "r": return 0x0D
    case "b" where inClass: return 0x08
    case "0":
      if let next = current, ("0"..."9").contains(next) {
        throw failure("octal escapes are not allowed")
      }
      return 0
    case "c":
      guard let next = current, next.isASCII, next.properties.isAlphabetic
      else { throw failure("a letter must follow \\c") }
      index += 1
      return next.value & 0x1F
    case "x": return try hexadecimal(digits: 2)
    case "u": return try unicodeEscape()
    default:
      let isPunctuation = letter.isASCII && letter.value > 0x20 && letter.value < 0x7F
      guard isPunctuation, !ScalarSet.word.contains(letter.value) || letter == "_" else {
        index -= 2
        throw failure("unknown escape \"\\\(letter)\"")
      }
      return letter.value
    }
  }

  private mutating func hexadecimal(digits: Int) throws(SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = current?.hexValue
      else { throw failure("\(digits) hexadecimal digits must follow") }
      value = value << 4 | digit
      index += 1
    }
    return value
  }

  private mutating func unicodeEscape() throws(SyntaxError) -> UInt32 {
    guard take("{") else { return try surrogates() }
    var value: UInt32 = 0
    let start = index
    while let scalar = current, scalar != "}" {
      guard let digit = scalar.hexValue
      else { throw failure("hexadecimal digits must follow \\u{") }
      value = value << 4 | digit
      guard value <= 0x10FFFF else { throw failure("the code point is larger than 10FFFF") }
      index += 1
    }
    guard current == "}", index > start else { throw failure("\\u{ without \"}\"") }
    index += 1
    return value
  }

  /// Reads the four digits after `\u`, and the second half of a surrogate pair when it follows.
  private mutating func surrogates() throws(SyntaxError) -> UInt32 {
    let first = try hexadecimal(digits: 4)
    guard (0xD800...0xDBFF).contains(first), index + 1 < input.count, input[index] == "\\",
      input[index + 1] == "u"
    else { return first }
    let start = index
    index += 2
    if current != "{", let second = try? hexadecimal(digits: 4), (0xDC00...0xDFFF).contains(second)
    {
      return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
    }
    index = start
    return first
  }
}

extension ScalarSet {
  /// The only scalar of the set, when it was created from one.
  fileprivate var single: UInt32? {
    guard properties.isEmpty, !isNegated, ranges.count == 1,
      ranges[0].lowerBound == ranges[0].upperBound
    else { return nil }
    return ranges[0].lowerBound
  }
}
