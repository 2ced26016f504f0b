/// An error in the text of an expression.
public struct Issue: Error, Hashable, Sendable {
  /// A stable name of the kind of issue, in kebab case.
  public enum Code: String, Sendable, CustomStringConvertible {
    /// The name, such as `undeclared-reference`.
    public var name: String { rawValue }
    /// The name.
    public var description: String { rawValue }

    case syntax = "syntax"
    /// A literal has no value: an integer too large, an unknown escape.
    case invalidLiteral = "invalid-literal"
    case reservedWord = "reserved-word"
    case invalidMacro = "invalid-macro"
    /// The text is longer, or nested deeper, than allowed.
    case tooComplex = "too-complex"
    case undeclaredReference = "undeclared-reference"
    case undeclaredFunction = "undeclared-function"
    case noSuchField = "no-such-field"
    /// A function or an operator that does not accept these types.
    case noSuchOverload = "no-such-overload"
    /// A type that has no fields, elements or keys.
    case typeMismatch = "type-mismatch"
    case invalidPattern = "invalid-pattern"
  }

  /// The maximum number of issues that each pass over one expression reports.
  static let maximumCount = 50
  /// The kind of issue.
  public let code: Code
  /// The problem: lower case, without a final full stop.
  public let message: String
  /// Where, in Unicode scalars from the start of the source.
  public let range: Range<Int>
  /// The replacement for ``range``, if there is a similar name.
  public let suggestion: String?

  init(_ code: Code, _ message: String, at range: Range<Int>, suggestion: String? = nil) {
    (self.code, self.message, self.range, self.suggestion) = (code, message, range, suggestion)
  }
}
