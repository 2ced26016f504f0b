/// Renders diagnostics as a JUnit report, one test case per file.
public struct DiagnosticJUnit: Sendable {
  private let suite: String
  private let text: DiagnosticText
  private let deniesWarnings: Bool

  /// Makes a renderer of a report named `suite`; failures show lines of `sources`, and warnings are failures if they are
  /// denied.
  public init(suite: String, sources: [String: String], deniesWarnings: Bool = false) {
    (self.suite, self.deniesWarnings) = (suite, deniesWarnings)
    text = DiagnosticText(sources: sources)
  }

  private func fails(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.severity == .error || deniesWarnings
  }

  /// The report on `files`; a file fails if a diagnostic is an error, or a denied warning.
  public func render(_ diagnostics: [Diagnostic], files: [String]) -> String {
    let found = Dictionary(grouping: diagnostics, by: \.range.file)
    let failed = files.count { file in found[file]?.contains(where: fails) == true }
    let counts = "tests=\"\(files.count)\" failures=\"\(failed)\" errors=\"0\" skipped=\"0\""
    var report = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(Self.escape(suite))" \(counts)>
        <testsuite name="\(Self.escape(suite))" \(counts)>

      """
    for file in files { report += testCase(file, found[file] ?? []) }
    return report + "  </testsuite>\n</testsuites>\n"
  }

  private func testCase(_ file: String, _ diagnostics: [Diagnostic]) -> String {
    let name = Self.escape(file.visibleLine)
    guard !diagnostics.isEmpty
    else { return "    <testcase classname=\"\(Self.escape(suite))\" name=\"\(name)\"/>\n" }
    var lines = "    <testcase classname=\"\(Self.escape(suite))\" name=\"\(name)\">\n"
    let errors = diagnostics.filter(fails)
    if let first = errors.first {
      lines += """
              <failure type="\(first.code.rawValue)" message="\(Self.escape(first.message.visibleLine))">\
        \(Self.escape(text.render(errors, hiding: diagnostics)))</failure>

        """
    }
    let warnings = diagnostics.filter { !fails($0) }
    if !warnings.isEmpty {
      lines +=
        "      <system-out>\(Self.escape(text.render(warnings, hiding: diagnostics)))</system-out>\n"
    }
    return lines + "    </testcase>\n"
  }

  /// Text escaped for XML; controls and the two other characters that XML 1.0 does not allow become U+FFFD.
  private static func escape(_ text: String) -> String {
    text.visible.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "&#10;"
      case "\t": "&#9;"
      case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: String(scalar)
      }
    }.joined()
  }
}
