/// An invalid pattern.
public struct GlobError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position in the pattern, from 1, in Unicode scalars.
  public let position: Int
  /// The problem there, and the expected text.
  public let message: String

  /// `character 3: …`.
  public var description: String { "character \(position): \(message)" }
}

/// Reads a pattern: braces are expanded, then each alternative is split at its slashes.
struct GlobParser {
  enum Atom: Hashable {
    case token(GlobComponent.Token)
    case slash
  }

  static let alternativeLimit = 1024
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private(set) var hasWildcards = false

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  mutating func parse() throws(GlobError) -> [[Atom]] {
    let alternatives = try parseSequence(depth: 0)
    guard index == scalars.count else { throw error("'}' without '{', expected '\\}'") }
    return alternatives
  }

  /// Reads up to the end or, in braces, up to the `,` or `}` that ends the branch.
  private mutating func parseSequence(depth: Int) throws(GlobError) -> [[Atom]] {
    var alternatives: [[Atom]] = [[]]
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar == "}" || (scalar == "," && depth > 0) { return alternatives }
      if scalar == "{" {
        let branches = try parseBraces(depth: depth + 1)
        guard alternatives.count * branches.count <= Self.alternativeLimit
        else { throw error("braces expand to more than \(Self.alternativeLimit) alternatives") }
        alternatives = alternatives.flatMap { head in branches.map { head + $0 } }
      } else {
        let atoms = try parseAtoms()
        for position in alternatives.indices { alternatives[position] += atoms }
      }
    }
    return alternatives
  }

  private mutating func parseBraces(depth: Int) throws(GlobError) -> [[Atom]] {
    let start = index
    guard depth <= 16 else { throw error("braces are nested more than 16 deep") }
    hasWildcards = true
    var branches: [[Atom]] = []
    repeat {
      index += 1
      branches += try parseSequence(depth: depth)
      guard index < scalars.count else { throw error("'{' without '}'", at: start) }
    } while scalars[index] == ","
    index += 1
    return branches
  }

  private mutating func parseAtoms() throws(GlobError) -> [Atom] {
    let scalar = scalars[index]
    switch scalar {
    case "/":
      index += 1
      return [.slash]
    case "*", "?":
      index += 1
      hasWildcards = true
      return [.token(scalar == "*" ? .anything : .anyScalar)]
    case "[":
      hasWildcards = true
      return [.token(try parseClass())]
    default: return try parseLiteral().map { .token(.byte($0)) }
    }
  }

  /// Reads one literal scalar, with or without `\` before it.
  private mutating func parseLiteral() throws(GlobError) -> [UInt8] {
    if scalars[index] == "\\" {
      guard index + 1 < scalars.count
      else { throw error("'\\' at the end, expected the character that it escapes") }
      index += 1
    }
    guard scalars[index] != "\0" else { throw error("a path cannot contain NUL") }
    defer { index += 1 }
    return Array(String(Character(scalars[index])).utf8)
  }

  private mutating func parseClass() throws(GlobError) -> GlobComponent.Token {
    let start = index
    index += 1
    var isNegated = false
    if index < scalars.count, scalars[index] == "!" || scalars[index] == "^" {
      isNegated = true
      index += 1
    }
    var ranges: [ClosedRange<UInt32>] = []
    while index < scalars.count, scalars[index] != "]" || ranges.isEmpty {
      let position = index
      let lower = try parseClassScalar(start)
      var upper = lower
      if index + 1 < scalars.count, scalars[index] == "-", scalars[index + 1] != "]" {
        index += 1
        upper = try parseClassScalar(start)
      }
      guard lower <= upper
      else { throw error("the start of the range is after its end", at: position) }
      ranges.append(lower...upper)
    }
    guard index < scalars.count else { throw error("'[' without ']'", at: start) }
    index += 1
    return .scalar(in: ranges, isNegated: isNegated)
  }

  private mutating func parseClassScalar(_ start: Int) throws(GlobError) -> UInt32 {
    if scalars[index] == "\\" { index += 1 }
    guard index < scalars.count else { throw error("'[' without ']'", at: start) }
    guard scalars[index] != "/" else { throw error("'/' is not allowed between '[' and ']'") }
    defer { index += 1 }
    return scalars[index].value
  }

  private func error(_ message: String, at position: Int? = nil) -> GlobError {
    GlobError(position: (position ?? index) + 1, message: message)
  }
}
