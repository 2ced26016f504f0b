import CEL

/// Renders the explanations of checks as Markdown.
///
/// The output of the examples is not written down anywhere: the checker runs on them.
public enum CheckPage {
  /// The name of the example in messages.
  public static let file = "example.yaml"

  /// The page of `code`, under a heading of `level`; `nil` if there is none.
  public static func markdown(_ code: DiagnosticCode, level: Int = 1) -> String? {
    Check.page(for: code).map { markdown($0, level: level) }
  }

  /// All pages by family, the content of `docs/checks.md`.
  public static func document() -> String {
    var text = """
      # Checks

      This page lists the checks of `pipeline validate`. Each check has a code, shown in brackets after the severity. To ignore \
      a finding, write a comment at the end of its line or on the line above: `# pipeline: ignore[code] reason`. A pipeline with \
      errors cannot run. One with warnings can, unless warnings are denied. `pipeline rule CODE` prints a page in the terminal.

      This file is generated from the checks. The messages in it are the checker's output for the examples.


      """
    let chapters = Check.Family.allCases.map { family in
      (family, Check.all.filter { $0.family == family })
    }.filter { !$0.1.isEmpty }
    for (family, checks) in chapters {
      text += "**\(family.title)**: "
      text += checks.map { "[`\($0.code.rawValue)`](#\($0.code.rawValue))" }.joined(separator: " ")
      text += "\n\n"
    }
    for (family, checks) in chapters {
      text += "## \(family.title)\n\n"
      for check in checks { text += markdown(check, level: 3) + "\n" }
    }
    return String(text.dropLast())
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

  private static func markdown(_ check: Check, level: Int) -> String {
    var text = """
      \(String(repeating: "#", count: level)) \(check.code.rawValue)

      *\(check.severity == .error ? "Error" : "Warning")*: \(check.summary).

      \(check.explanation)

      """
    if let wrong = check.wrong {
      text += "\n```yaml\n\(closed(wrong))```\n\n```text\n\(closed(output(of: wrong)))```\n"
    }
    if let right = check.right { text += "\nCorrect:\n\n```yaml\n\(closed(right))```\n" }
    return text
  }

  private static func closed(_ text: String) -> String {
    text.hasSuffix("\n") ? text : text + "\n"
  }
}
