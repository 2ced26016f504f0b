import Basics

/// Reads the syntax of ECMA-262 §22.2.1 with the `u` flag.
struct RegexParser {
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

  func failure(_ message: String) -> RegularExpression.SyntaxError {
    RegularExpression.SyntaxError(message: message, offset: index)
  }

  mutating func parse() throws(RegularExpression.SyntaxError) -> RegexNode {
    guard input.count <= Self.maximumScalars else { throw failure("the expression is too long") }
    try findGroups()
    let tree = try alternatives()
    if current == ")" { throw failure("\")\" without \"(\"") }
    return tree
  }

  /// Numbers the groups in advance.
  private mutating func findGroups() throws(RegularExpression.SyntaxError) {
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
          guard groupNames.updateValue(totalGroups, forKey: name) == nil else {
            throw failure("duplicate group name \"\(name)\"")
          }
        } else {
          totalGroups += 1
        }
      default: break
      }
      place += 1
    }
    index = 0
  }

  private mutating func alternatives() throws(RegularExpression.SyntaxError) -> RegexNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw failure("groups are nested deeper than \(Self.maximumDepth)")
    }
    var branches = [try sequence()]
    while current == "|" {
      index += 1
      branches.append(try sequence())
    }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(RegularExpression.SyntaxError) -> RegexNode {
    var terms: [RegexNode] = []
    while let scalar = current, scalar != "|", scalar != ")" { terms.append(try term()) }
    return terms.isEmpty ? .empty : terms.count == 1 ? terms[0] : .sequence(terms)
  }

  private mutating func term() throws(RegularExpression.SyntaxError) -> RegexNode {
    let firstGroup = groupCount + 1
    let (atom, isRepeatable) = try atom()
    guard let (minimum, maximum) = try quantifier() else { return atom }
    guard isRepeatable else { throw failure("an assertion cannot be repeated") }
    var isLazy = false
    if current == "?" {
      isLazy = true
      index += 1
    }
    return .repetition(
      atom, minimum: minimum, maximum: maximum, isLazy: isLazy,
      groups: firstGroup..<(groupCount + 1))
  }

  private mutating func quantifier()
    throws(RegularExpression.SyntaxError) -> (minimum: Int, maximum: Int?)?
  {
    switch current {
    case "*": index += 1; return (0, nil)
    case "+": index += 1; return (1, nil)
    case "?": index += 1; return (0, 1)
    case "{": return try counts()
    default: return nil
    }
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`; any other brace is literal.
  private mutating func counts()
    throws(RegularExpression.SyntaxError) -> (minimum: Int, maximum: Int?)?
  {
    let start = index
    index += 1
    guard let minimum = number() else {
      index = start
      return nil
    }
    var maximum: Int? = minimum
    if current == "," {
      index += 1
      maximum = number()
    }
    guard current == "}" else {
      index = start
      return nil
    }
    index += 1
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

  private mutating func atom()
    throws(RegularExpression.SyntaxError) -> (node: RegexNode, isRepeatable: Bool)
  {
    guard let scalar = current else { return (.empty, false) }
    switch scalar {
    case "^":
      index += 1
      return (.start, false)
    case "$":
      index += 1
      return (.end, false)
    case "(": return try group()
    case ".":
      index += 1
      return (.set(.dot), true)
    case "[": return (.set(try characterClass()), true)
    case "\\": return try atomEscape()
    case "*", "+", "?": throw failure("nothing to repeat before \"\(scalar)\"")
    case "{":
      if try counts() != nil { throw failure("nothing to repeat before the counts") }
      fallthrough
    default:
      index += 1
      return (.set(ScalarSet(scalar: scalar.value)), true)
    }
  }

  private mutating func group()
    throws(RegularExpression.SyntaxError) -> (node: RegexNode, isRepeatable: Bool)
  {
    index += 1
    guard current == "?" else {
      groupCount += 1
      let number = groupCount
      return (.capture(try closed(), group: number), true)
    }
    index += 1
    switch current {
    case ":":
      index += 1
      return (try closed(), true)
    case "=", "!":
      let isNegated = current == "!"
      index += 1
      return (.look(try closed(), isAhead: true, isNegated: isNegated), false)
    case "<":
      if index + 1 < input.count, input[index + 1] == "=" || input[index + 1] == "!" {
        let isNegated = input[index + 1] == "!"
        index += 2
        return (.look(try closed(), isAhead: false, isNegated: isNegated), false)
      }
      _ = try groupName()
      groupCount += 1
      let number = groupCount
      return (.capture(try closed(), group: number), true)
    default: throw failure("unknown kind of group")
    }
  }

  /// The inside of a group, up to and including its closing parenthesis.
  private mutating func closed() throws(RegularExpression.SyntaxError) -> RegexNode {
    let inner = try alternatives()
    guard current == ")" else { throw failure("\"(\" without \")\"") }
    index += 1
    return inner
  }

  /// Reads `<name>`.
  private mutating func groupName() throws(RegularExpression.SyntaxError) -> String {
    guard current == "<" else { throw failure("a group name in \"<…>\" is missing") }
    index += 1
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

  private mutating func atomEscape()
    throws(RegularExpression.SyntaxError) -> (node: RegexNode, isRepeatable: Bool)
  {
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
      guard let group = number(), group <= totalGroups else {
        throw failure("unknown group number")
      }
      return (.backreference(group: group), true)
    default: return (.set(try escape(inClass: false)), true)
    }
  }
}
