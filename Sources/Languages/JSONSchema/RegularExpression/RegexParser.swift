/// Reads the syntax of ECMA-262 §22.2.1 with the `u` flag.
struct RegexParser {
  typealias SyntaxError = RegularExpression.SyntaxError
  typealias Bounds = (minimum: Int, maximum: Int?)
  typealias Atom = (node: RegexNode, isRepeatable: Bool)
  private static let maximumDepth = 200
  private static let maximumScalars = 100_000
  var input: [Unicode.Scalar]
  var index = 0
  /// Groups opened so far; group 0 is the whole match.
  private(set) var groupCount = 0
  /// The name of each named group, found before parsing since references may come first.
  private var groupNames: [String: Int] = [:]
  private var totalGroups = 0
  private var depth = 0

  init(_ source: String) { input = Array(source.unicodeScalars) }
  var current: Unicode.Scalar? { index < input.count ? input[index] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    index += 1
    return true
  }

  func failure(_ message: String) -> SyntaxError { SyntaxError(message: message, offset: index) }

  mutating func parse() throws(SyntaxError) -> RegexNode {
    guard input.count <= Self.maximumScalars else { throw failure("the expression is too long") }
    try findGroups()
    let tree = try alternatives()
    if current == ")" { throw failure("\")\" without \"(\"") }
    return tree
  }

  private mutating func findGroups() throws(SyntaxError) {
    var place = 0
    var inClass = false
    while place < input.count {
      switch input[place] {
      case "\\": place += 1
      case "[": inClass = true
      case "]": inClass = false
      case "(" where !inClass:
        if place + 1 < input.count, input[place + 1] == "?" {
          guard place + 3 < input.count, input[place + 2] == "<", input[place + 3] != "=",
            input[place + 3] != "!"
          else { break }
          totalGroups += 1
          index = place + 2
          let name = try groupName()
          guard groupNames.updateValue(totalGroups, forKey: name) == nil
          else { throw failure("duplicate group name \"\(name)\"") }
        } else {
          totalGroups += 1
        }
      default: break
      }
      place += 1
    }
    index = 0
  }

  private mutating func alternatives() throws(SyntaxError) -> RegexNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth
    else { throw failure("groups are nested deeper than \(Self.maximumDepth)") }
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(SyntaxError) -> RegexNode {
    var terms: [RegexNode] = []
    while let scalar = current, scalar != "|", scalar != ")" { terms.append(try term()) }
    return terms.isEmpty ? .empty : terms.count == 1 ? terms[0] : .sequence(terms)
  }

  private mutating func term() throws(SyntaxError) -> RegexNode {
    let firstGroup = groupCount + 1
    let (atom, isRepeatable) = try atom()
    guard let (minimum, maximum) = try quantifier() else { return atom }
    guard isRepeatable else { throw failure("an assertion cannot be repeated") }
    return .repetition(
      atom, minimum: minimum, maximum: maximum, isLazy: take("?"),
      groups: firstGroup..<(groupCount + 1))
  }

  private mutating func quantifier() throws(SyntaxError) -> Bounds? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    return current == "{" ? try counts() : nil
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`; any other brace is literal.
  private mutating func counts() throws(SyntaxError) -> Bounds? {
    let start = index
    index += 1
    guard let minimum = number() else {
      index = start
      return nil
    }
    var maximum: Int? = minimum
    if take(",") { maximum = number() }
    guard take("}") else {
      index = start
      return nil
    }
    if let maximum, maximum < minimum { throw failure("the repetition counts are out of order") }
    return (minimum, maximum)
  }

  private mutating func number() -> Int? {
    let start = index
    var value = 0
    while let scalar = current, ("0"..."9").contains(scalar) {
      value = min(value * 10 + Int(scalar.value - 0x30), 1_000_000_000)
      index += 1
    }
    return index > start ? value : nil
  }

  private mutating func atom() throws(SyntaxError) -> Atom {
    guard let scalar = current else { return (.empty, false) }
    switch scalar {
    case "(": return try group()
    case "[": return (.set(try characterClass()), true)
    case "\\": return try atomEscape()
    case "*", "+", "?": throw failure("nothing to repeat before \"\(scalar)\"")
    case "{": if try counts() != nil { throw failure("nothing to repeat before the counts") }
    default: break
    }
    index += 1
    switch scalar {
    case "^": return (.start, false)
    case "$": return (.end, false)
    case ".": return (.set(.dot), true)
    default: return (.set(ScalarSet(scalar: scalar.value)), true)
    }
  }

  private mutating func group() throws(SyntaxError) -> Atom {
    index += 1
    guard take("?") else { return try capture() }
    if take(":") { return (try closed(), true) }
    let isAhead = current != "<"
    let mark = isAhead ? current : index + 1 < input.count ? input[index + 1] : nil
    if mark == "=" || mark == "!" {
      index += isAhead ? 1 : 2
      return (.look(try closed(), isAhead: isAhead, isNegated: mark == "!"), false)
    }
    guard !isAhead else { throw failure("unknown kind of group") }
    _ = try groupName()
    return try capture()
  }

  private mutating func capture() throws(SyntaxError) -> Atom {
    groupCount += 1
    let number = groupCount
    return (.capture(try closed(), group: number), true)
  }

  /// The inside of a group, up to and including its closing parenthesis.
  private mutating func closed() throws(SyntaxError) -> RegexNode {
    let inner = try alternatives()
    guard take(")") else { throw failure("\"(\" without \")\"") }
    return inner
  }

  private mutating func groupName() throws(SyntaxError) -> String {
    guard take("<") else { throw failure("a group name in \"<…>\" is missing") }
    var name = String.UnicodeScalarView()
    while let scalar = current, scalar != ">" {
      let isAllowed =
        scalar == "$" || scalar == "_"
        || (name.isEmpty ? scalar.properties.isIDStart : scalar.properties.isIDContinue)
        || (!name.isEmpty && scalar.properties.isJoinControl)
      guard isAllowed else { throw failure("a group name cannot contain \"\(scalar)\"") }
      name.append(scalar)
      index += 1
    }
    guard current == ">", !name.isEmpty else { throw failure("the group name is not closed") }
    index += 1
    return String(name)
  }

  private mutating func atomEscape() throws(SyntaxError) -> Atom {
    guard index + 1 < input.count else { throw failure("the expression ends in \"\\\"") }
    switch input[index + 1] {
    case "b", "B":
      let isNegated = input[index + 1] == "B"
      index += 2
      return (.wordBoundary(isNegated: isNegated), false)
    case "k":
      index += 2
      let name = try groupName()
      guard let group = groupNames[name] else { throw failure("unknown group \"\(name)\"") }
      return (.backreference(group: group), true)
    case "1"..."9":
      index += 1
      guard let group = number(), group <= totalGroups
      else { throw failure("unknown group number") }
      return (.backreference(group: group), true)
    default: return (.set(try escape(inClass: false)), true)
    }
  }
}
