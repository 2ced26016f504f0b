public import CEL
public import PipelineCore

/// Reads values of inputs from text, as a command line or an environment gives it.
public enum InputValues {
  /// Why a text is no value of an input: a sentence without a final stop.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public let code: DiagnosticCode
    /// What is wrong, and what was expected.
    public let message: String

    /// The message.
    public var description: String { message }
  }

  /// The value that `text` gives to the input `declaration`.
  ///
  /// A size becomes an `int` of bytes, a duration a `duration`, a URL a `string`. The text of a `file` (a path) or of
  /// `files` (a glob) is given back as a `string`, for whoever has files to resolve.
  /// - Throws: ``Problem`` where the text does not fit the type.
  public static func parse(
    _ declaration: InputDeclaration, _ text: String
  ) throws(Problem) -> Value {
    try parse(text, as: declaration.kind)
  }

  /// The value of an input for which a run gives none: its default, or where it need not have one, its type's empty value.
  ///
  /// - Returns: `nil` where the run must give a value.
  /// - Throws: ``Problem`` where the default does not fit, which a checked pipeline rules out.
  public static func fallback(_ declaration: InputDeclaration) throws(Problem) -> Value? {
    if let text = declaration.defaultText { return try parse(declaration, text) }
    return declaration.isOptional ? absentValue(of: declaration.kind) : nil
  }

  /// What expressions see of an input that is left out; `nil` for types without an empty value.
  static func absentValue(of kind: InputDeclaration.Kind) -> Value? {
    switch kind {
    case .string, .url, .secret: ""
    case .files: []
    case .int, .bool, .duration, .size, .file: nil
    }
  }

  package static func parse(
    _ text: String, as kind: InputDeclaration.Kind
  ) throws(Problem) -> Value {
    switch kind {
    case .string, .secret: return .string(text)
    case .file, .files:
      guard !text.isEmpty else {
        throw Problem(code: .invalidDefault, message: "expected a path, found nothing")
      }
      return .string(text)
    case .int:
      guard let number = Int64(text) else {
        throw Problem(
          code: .invalidDefault, message: "expected a whole number within 64 bits, found '\(text)'")
      }
      return .int(number)
    case .bool:
      guard text == "true" || text == "false" else {
        throw Problem(
          code: .invalidDefault, message: "expected 'true' or 'false', found '\(text)'")
      }
      return .bool(text == "true")
    case .url:
      if let problem = URLLiteral.problem(text) {
        throw Problem(code: .invalidURL, message: problem)
      }
      return .string(text)
    case .duration: return .duration(try duration(text))
    case .size: return .int(try size(text))
    }
  }

  private static func duration(_ text: String) throws(Problem) -> Duration {
    do throws(DurationLiteral.Problem) {
      return try DurationLiteral.parse(text)
    } catch {
      throw Problem(code: .invalidDuration, message: error.message)
    }
  }

  private static func size(_ text: String) throws(Problem) -> Int64 {
    do throws(SizeLiteral.Problem) {
      return try SizeLiteral.parse(text)
    } catch {
      throw Problem(code: .invalidSize, message: error.message)
    }
  }
}
