enum FindingFormat: String, CaseIterable { case text, json, sarif, github, junit }

struct FindingReport {
  let files: [String]
  var sources: [String: String] = [:]
  var diagnostics: [Diagnostic] = []
  var fixes = 0

  var errors: Int { diagnostics.count { $0.severity == .error } }
  var warnings: Int { diagnostics.count { $0.severity == .warning } }

  func print(as format: FindingFormat, deniesWarnings: Bool = false) {
    let text = text(format, deniesWarnings)
    // Its lines are commands; their contents have been escaped for that.
    switch format {
    case .github: Terminal.send(text, to: 1)
    case .text where Terminal.hasColor(on: 1): Terminal.send(Self.painted(text.visible), to: 1)
    case .text, .json, .sarif, .junit: Terminal.write(text, to: 1)
    }
    if format == .text && (!diagnostics.isEmpty || fixes > 0) { Terminal.error(summary) }
  }

  private func text(_ format: FindingFormat, _ deniesWarnings: Bool) -> String {
    switch format {
    case .text: DiagnosticText(sources: sources).render(diagnostics)
    case .json: EncodedJSON.lines(diagnostics.map(FindingForm.init))
    case .sarif: DiagnosticSARIF(version: Version.current, pages: .published).render(diagnostics)
    case .github: DiagnosticGitHub().render(diagnostics)
    case .junit:
      DiagnosticJUnit(suite: "pipeline validate", sources: sources, deniesWarnings: deniesWarnings)
        .render(diagnostics, files: files)
    }
  }

  /// The text with the severities of findings in color; they follow a place, `FILE:LINE:COLUMN: `.
  private static func painted(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard
        let found = line.firstMatch(of: /^(\S.*?:\d+:\d+: )(error|warning|note)(\[[a-z-]+\])?(: )/)
      else { return String(line) }
      let paint: Terminal.Paint =
        switch found.output.2 {
        case "error": .red
        case "warning": .yellow
        default: .dim
        }
      let head = Terminal.painted("\(found.output.2)\(found.output.3 ?? "")", paint, on: 1)
      return "\(found.output.1)\(head)\(found.output.4)\(line[found.range.upperBound...])"
    }.joined(separator: "\n")
  }

  /// Such as "3 files, 1 fix applied: 2 errors, 1 warning".
  private var summary: String {
    let fixed = fixes > 0 ? ", \(Self.count(fixes, "fix", "fixes")) applied" : ""
    return "\(Self.count(files.count, "file", "files"))\(fixed): "
      + "\(Self.count(errors, "error", "errors")), \(Self.count(warnings, "warning", "warnings"))"
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
