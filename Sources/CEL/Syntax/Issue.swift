/// Something wrong with the text of an expression.
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
    /// A word that the language keeps for itself is used as a name.
    public static let reservedWord = Code(name: "reserved-word")
    /// A macro is used with other arguments than it takes.
    public static let invalidMacro = Code(name: "invalid-macro")
    /// The text is longer, or nested deeper, than is accepted.
    public static let tooComplex = Code(name: "too-complex")
    /// A name that is not declared.
    public static let undeclaredReference = Code(name: "undeclared-reference")
    /// A function that is not declared.
    public static let undeclaredFunction = Code(name: "undeclared-function")
    /// A field that its type does not have.
    public static let noSuchField = Code(name: "no-such-field")
    /// A function or an operator that does not take these types.
    public static let noSuchOverload = Code(name: "no-such-overload")
    /// A type that has no fields, elements or keys.
    public static let typeMismatch = Code(name: "type-mismatch")
    /// A regular expression that cannot be used.
    public static let invalidPattern = Code(name: "invalid-pattern")
  }

  /// The most issues that each pass over one expression looks for.
  static let maximumCount = 50

  /// What kind of issue it is.
  public let code: Code
  /// What is wrong: lower case, without a final stop.
  public let message: String
  /// Where, in Unicode scalars from the start of the source.
  public let range: Range<Int>
  /// What could stand at ``range`` instead, if something near is known.
  public let suggestion: String?

  init(_ code: Code, _ message: String, at range: Range<Int>, suggestion: String? = nil) {
    self.code = code
    self.message = message
    self.range = range
    self.suggestion = suggestion
  }
}
