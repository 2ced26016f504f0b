/// Parses values of inputs from text, from a command line or the environment.
public enum InputValues {
  /// Why a text is not a valid value of an input: a sentence without a final full stop.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public let code: DiagnosticCode
    /// The problem, with the expected value.
    public let message: String

    public var description: String { message }
  }

  /// The value of the input `declaration` for `text`.
  ///
  /// A size becomes an `int` of bytes, a duration a `duration`, a URL a `string`. The text of a `file` or a `folder` (a path) or of
  /// `files` (a glob) is returned as a `string`, for the caller to resolve.
  /// - Throws: ``Problem`` if the text does not match the type.
  public static func parse(_ declaration: InputDeclaration, _ text: String) throws(Problem) -> Value
  { try parse(text, as: declaration.kind) }

  /// The value of an input that a run does not set: its default, or for an optional input its type's empty value.
  ///
  /// - Returns: `nil` if the run must set a value.
  /// - Throws: ``Problem`` if the default is invalid, which a checked pipeline rules out.
  public static func fallback(_ declaration: InputDeclaration) throws(Problem) -> Value? {
    if let text = declaration.defaultText { return try parse(declaration, text) }
    return declaration.isOptional ? absentValue(of: declaration.kind) : nil
  }

  static func absentValue(of kind: InputDeclaration.Kind) -> Value? {
    switch kind {
    case .string, .url, .secret: ""
    case .files: []
    case .int, .bool, .duration, .size, .file, .folder: nil
    }
  }

  package static func parse(_ text: String, as kind: InputDeclaration.Kind) throws(Problem) -> Value
  {
    switch kind {
    case .string, .secret: return .string(text)
    case .file, .files, .folder:
      guard !text.isEmpty else {
        throw Problem(code: .invalidDefault, message: "expected a path, found an empty text")
      }
      return .string(text)
    case .int:
      guard let number = Int64(text) else {
        throw Problem(code: .invalidDefault, message: "expected a 64-bit integer, found '\(text)'")
      }
      return .int(number)
    case .bool:
      guard text == "true" || text == "false" else {
        throw Problem(code: .invalidDefault, message: "expected 'true' or 'false', found '\(text)'")
      }
      return .bool(text == "true")
    case .url:
      if let problem = URLLiteral.problem(text) {
        throw Problem(code: .invalidURL, message: problem)
      }
      return .string(text)
    case .duration: return .duration(try literal(text, .invalidDuration, DurationLiteral.parse))
    case .size: return .int(try literal(text, .invalidSize, SizeLiteral.parse))
    }
  }

  private static func literal<Literal>(
    _ text: String, _ code: DiagnosticCode, _ parse: (String) throws(LiteralProblem) -> Literal
  ) throws(Problem) -> Literal {
    do throws(LiteralProblem) { return try parse(text) } catch {
      throw Problem(code: code, message: error.message)
    }
  }
}
