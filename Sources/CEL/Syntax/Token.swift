/// A token of the language.
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
    /// Text that the lexer has already reported.
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

  /// How a message names the token.
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
