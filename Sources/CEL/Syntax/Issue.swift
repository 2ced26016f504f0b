/// An error in the text of an expression.
public struct Issue: Error, Hashable, Sendable {
  /// A stable name of the kind of issue, in kebab case.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, such as `undeclared-reference`.
    public let name: String

    /// The name.
    public var description: String { name }

    /// The text is not an expression.
    public static let syntax = Code(name: "syntax")
    /// A literal has no value: an integer too large, an unknown escape.
    public static let invalidLiteral = Code(name: "invalid-literal")
    /// A reserved word is used as a name.
    public static let reservedWord = Code(name: "reserved-word")
    /// A macro is used with invalid arguments.
    public static let invalidMacro = Code(name: "invalid-macro")
    /// The text is longer, or nested deeper, than allowed.
    public static let tooComplex = Code(name: "too-complex")
    /// A name that is not declared.
    public static let undeclaredReference = Code(name: "undeclared-reference")
    /// A function that is not declared.
    public static let undeclaredFunction = Code(name: "undeclared-function")
    /// A field that its type does not have.
    public static let noSuchField = Code(name: "no-such-field")
    /// A function or an operator that does not accept these types.
    public static let noSuchOverload = Code(name: "no-such-overload")
    /// A type that has no fields, elements or keys.
    public static let typeMismatch = Code(name: "type-mismatch")
    /// An invalid regular expression.
    public static let invalidPattern = Code(name: "invalid-pattern")
  }

  /// The maximum number of issues that each pass over one expression reports.
  static let maximumCount = 50

  /// The kind of issue.
  public let code: Code
  /// What is wrong: lower case, without a final full stop.
  public let message: String
  /// Where, in Unicode scalars from the start of the source.
  public let range: Range<Int>
  /// The replacement for ``range``, if there is a similar name.
  public let suggestion: String?

  init(_ code: Code, _ message: String, at range: Range<Int>, suggestion: String? = nil) {
    self.code = code
    self.message = message
    self.range = range
    self.suggestion = suggestion
  }
}
