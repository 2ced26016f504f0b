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
