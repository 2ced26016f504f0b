import Basics

/// Makes expressions: most of them well formed, many of them without a type, some broken.
struct ExpressionGenerator {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func source() -> String {
    let text = expression(depth: Int.random(in: 1...5, using: &random))
    guard chance(5) else { return text }
    return broken(text)
  }

  private mutating func chance(_ one: Int) -> Bool {
    Int.random(in: 0..<one, using: &random) == 0
  }

  private mutating func pick(_ options: [String]) -> String {
    options[Int.random(in: options.indices, using: &random)]
  }

  /// A text with something removed, doubled or put in.
  private mutating func broken(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<Int.random(in: 1...3, using: &random) where !scalars.isEmpty {
      let place = Int.random(in: scalars.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: scalars.remove(at: place)
      case 1: scalars.insert(scalars[place], at: place)
      default:
        let stray = pick(["(", ")", "[", "]", "{", "}", "'", "\"", "\\", "?", ".", "\u{301}", "\0"])
        scalars.insert(contentsOf: stray.unicodeScalars, at: place)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static let atoms = [
    "0", "1", "-1", "42u", "1.5", "1e308", "-0.0", "9223372036854775807", "-9223372036854775808",
    "18446744073709551615u", "true", "false", "null", "''", "'abc'", "'é😀'", "b'\\xff'", "[]", "{}",
    "'(a+)+b'", "'%s %d %x'", "timestamp('9999-12-31T23:59:59Z')", "timestamp(0)", "duration('1h')",
    "duration('-315576000000s')", "optional.none()", "int", "a", "b.c", "list", "m", "x",
    "'[a-z]*'",
    "'Europe/Berlin'", "double('NaN')",
  ]
  private static let operators = [
    "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||",
  ]
  private static let functions = [
    "size", "string", "int", "uint", "double", "bool", "bytes", "timestamp", "duration", "type",
    "dyn", "math.abs", "math.greatest", "math.round", "base64.encode", "base64.decode",
    "optional.of", "optional.ofNonZeroValue", "strings.quote", "math.bitShiftLeft", "matches",
  ]
  private static let methods = [
    "size", "contains", "startsWith", "endsWith", "matches", "getHours", "getFullYear", "charAt",
    "indexOf", "lastIndexOf", "join", "replace", "split", "substring", "trim", "reverse", "format",
    "lowerAscii", "hasValue", "value", "or", "orValue", "first", "last", "getMilliseconds",
  ]
  private static let macros = [
    "all", "exists", "exists_one", "map", "filter", "optMap", "optFlatMap", "transformList",
    "transformMap", "transformMapEntry",
  ]

  /// Half of the parts are `dyn`, or most of the expressions would not come past the checker.
  private mutating func expression(depth: Int) -> String {
    let part = typed(depth: depth)
    return chance(2) ? "dyn(\(part))" : part
  }

  private mutating func typed(depth: Int) -> String {
    guard depth > 0 else { return pick(Self.atoms) }
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3:
      return
        "(\(expression(depth: depth - 1)) \(pick(Self.operators)) \(expression(depth: depth - 1)))"
    case 4: return pick(["!", "-"]) + expression(depth: depth - 1)
    case 5:
      return
        "(\(expression(depth: depth - 1)) ? \(expression(depth: depth - 1)) : \(expression(depth: depth - 1)))"
    case 6: return "\(pick(Self.functions))(\(expressions(depth)))"
    case 7, 8: return "\(expression(depth: depth - 1)).\(pick(Self.methods))(\(expressions(depth)))"
    case 9: return "[\(expressions(depth))]"
    case 10: return "{\(expression(depth: 0)): \(expression(depth: depth - 1))}"
    case 11:
      return expression(depth: depth - 1) + pick([".a", ".?a", "['a']", "[0]", "[?1]", "[x]"])
    case 12:
      return "cel.bind(x, \(expression(depth: depth - 1)), \(expression(depth: depth - 1)))"
    default: return macro(depth: depth)
    }
  }

  private mutating func expressions(_ depth: Int) -> String {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in expression(depth: depth - 1) }
      .joined(separator: ", ")
  }

  private mutating func macro(depth: Int) -> String {
    let names = chance(2) ? "x" : "x, y"
    return
      "\(expression(depth: depth - 1)).\(pick(Self.macros))(\(names), \(expression(depth: depth - 1)))"
  }
}
