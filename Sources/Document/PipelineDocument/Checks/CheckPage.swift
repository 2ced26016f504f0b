import CEL

/// Renders the explanations of checks as Markdown.
///
/// The output of the examples is not written down anywhere: the checker runs on them.
public enum CheckPage {
  /// The name of the example in messages.
  public static let file = "example.yaml"

  /// The page of `code`; `nil` if there is none.
  public static func markdown(_ code: DiagnosticCode) -> String? {
    Check.page(for: code).map(markdown)
  }

  /// The checker's output for a text, as `pipeline validate` prints it.
  public static func output(of text: String) -> String {
    let diagnostics = PipelineDocument.load(text: text, file: file).diagnostics
    return DiagnosticText(sources: [file: text]).render(diagnostics)
  }

  /// Checks as a JSON array of objects with `code`, `severity`, `family`, `summary`, `explanation`,
  /// and `wrong` and `right` if there are examples.
  public static func json(_ checks: [Check]) -> String {
    let values = checks.map { check -> Value in
      var pairs: [(String, Value)] = [
        ("code", .string(check.code.rawValue)), ("severity", .string(check.severity.rawValue)),
        ("family", .string(check.family.rawValue)), ("summary", .string(check.summary)),
        ("explanation", .string(check.explanation)),
      ]
      if let wrong = check.wrong { pairs.append(("wrong", .string(wrong))) }
      if let right = check.right { pairs.append(("right", .string(right))) }
      return .map(MapValue(pairs))
    }
    return JSONText.render(.list(values)) + "\n"
  }

  private static func markdown(_ check: Check) -> String {
    var text = """
      # \(check.code.rawValue)

      *\(check.severity == .error ? "Error" : "Warning")*: \(check.summary).

      \(check.explanation)

      """
    if let wrong = check.wrong {
      text += "\n```yaml\n\(closed(wrong))```\n\n```text\n\(closed(output(of: wrong)))```\n"
    }
    if let right = check.right { text += "\nCorrect:\n\n```yaml\n\(closed(right))```\n" }
    return text
  }

  private static func closed(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}
