import Basics
import PipelineCore
import PipelineDocument
import Testing

struct DiagnosticTextTests {
  private func range(_ start: (Int, Int), _ end: (Int, Int)) -> TextRange {
    TextRange(
      file: "a.yaml", start: SourcePosition(line: start.0, column: start.1),
      end: SourcePosition(line: end.0, column: end.1))
  }

  private func render(_ text: String, _ range: TextRange) -> String {
    DiagnosticText(sources: ["a.yaml": text])
      .render(Diagnostic(.wrongType, "expected text", at: range))
  }

  @Test func `the exact stretch is underlined, counted in scalars`() {
    let text = render("a: 1\nb: né🙂 x\n", range((2, 4), (2, 7)))
    #expect(
      text == """
        a.yaml:2:4: error[wrong-type]: expected text
           2 | b: né🙂 x
             |    ^^^

        """)
  }

  @Test func `a secret written in the file is not shown`() {
    let text = """
      pipeline: p
      steps:
        - { id: a, request: { url: "http://example.com/", bearer: hunter22 } }
        - { id: b, request: { url: "https://example.com/", basic: { user: u, password: "hun\\u0074er22" } } }

      """
    let found = PipelineDocument.load(text: text, file: "p.yaml").diagnostics
    #expect(found.count { $0.code == .hardcodedSecret } == 2)
    #expect(found.count > 2)
    let sources = ["p.yaml": text]
    let reports = [
      DiagnosticText(sources: sources).render(found),
      DiagnosticJUnit(suite: "s", sources: sources).render(found, files: ["p.yaml"]),
      DiagnosticSARIF(version: "1").render(found), DiagnosticGitHub().render(found),
    ]
    for report in reports { #expect(!report.contains("er22"), "\(report)") }
    #expect(reports[0].contains("bearer: ******** }"))
  }

  @Test func `tabs before the stretch are kept`() {
    #expect(render("\tb\n", range((1, 2), (1, 3))).contains("     | \t^\n"))
  }

  @Test func `invisible characters are shown as escapes, and the carets stay below the right text`()
  {
    let text = render("a: \u{202E}x\u{200B}y\u{1B} z\n", range((1, 6), (1, 7)))
    #expect(text.contains("   1 | a: \\u202ex\\u200by\\u001b z\n     |           ^^^^^^\n"))
  }

  /// Found by `make fuzz`, seed 20268266.
  @Test func `a snippet contains no command of a build server, and the carets match its width`() {
    let text = render("a: ###[error] x\n", range((1, 15), (1, 16)))
    #expect(text.contains("   1 | a: #\\u0023#[error] x\n     |                    ^\n"))
  }

  @Test func `a line of the report is one line, even with odd names and messages`() {
    let range = TextRange(
      file: "a\n::error::b.yaml", start: SourcePosition(line: 1, column: 1),
      end: SourcePosition(line: 1, column: 2))
    let diagnostic = Diagnostic(
      .wrongType, "no '\u{1B}[2J\n'", at: range,
      notes: [Diagnostic.Note(message: "\u{202E}", range: range)], help: "\r")
    #expect(
      DiagnosticText(sources: [:]).render(diagnostic) == #"""
        a\n::error::b.yaml:1:1: error[wrong-type]: no '\u001b[2J\n'
        a\n::error::b.yaml:1:1: note: \u202e
          help: \r

        """#)
    #expect(
      DiagnosticGitHub().render([diagnostic]) == #"""
        ::error file=a%0A%3A%3Aerror%3A%3Ab.yaml,line=1,col=1,endLine=1,endColumn=2,\#
        title=wrong-type::no '\u001b[2J\n'%0Ahelp: \r

        """#)
    let report = DiagnosticJUnit(suite: "x", sources: [:])
      .render([diagnostic], files: [range.file])
    #expect(report.contains(#"name="a\n::error::b.yaml""#))
    #expect(report.contains(#"message="no '\u001b[2J\n'""#))
    #expect(report.unicodeScalars.allSatisfy { !$0.isInvisible || $0 == "\n" })
  }

  @Test func `a stretch of several lines is underlined to the end of its first`() {
    #expect(render("a: [1,\n  2]\n", range((1, 4), (2, 5))).contains("     |    ^^^\n"))
  }

  @Test func `an empty stretch and one beyond the text get one caret`() {
    #expect(render("a:\n", range((1, 3), (1, 3))).contains("     |   ^\n"))
    #expect(render("a:\n", range((1, 9), (1, 9))).contains("     |   ^\n"))
    #expect(
      render("a:\n", range((7, 1), (7, 1))) == "a.yaml:7:1: error[wrong-type]: expected text\n")
  }

  @Test func `carriage returns and a byte order mark do not shift lines`() {
    #expect(render("\u{FEFF}a: 1\r\nb: 2\r\n", range((2, 4), (2, 5))).contains("   2 | b: 2\n"))
    #expect(render("\u{FEFF}a: 1\r\n", range((1, 1), (1, 2))).contains("   1 | a: 1\n     | ^\n"))
  }

  @Test func `notes and help follow`() {
    let diagnostic = Diagnostic(
      .duplicateKey, severity: .warning, "duplicate key 'a'", at: range((2, 1), (2, 2)),
      notes: [Diagnostic.Note(message: "first used here", range: range((1, 1), (1, 2)))],
      help: "remove one")
    #expect(
      DiagnosticText(sources: ["a.yaml": "a: 1\na: 2\n"]).render(diagnostic) == """
        a.yaml:2:1: warning[duplicate-key]: duplicate key 'a'
           2 | a: 2
             | ^
        a.yaml:1:1: note: first used here
           1 | a: 1
             | ^
          help: remove one

        """)
  }

  @Test func `diagnostics are sorted by place, each once`() {
    let late = Diagnostic(.unknownKey, "b", at: range((3, 1), (3, 2)))
    let early = Diagnostic(.wrongType, "a", at: range((1, 5), (1, 6)))
    let earlier = Diagnostic(.missingKey, "a", at: range((1, 5), (1, 6)))
    #expect([late, early, late, earlier].sortedByPlace() == [earlier, early, late])
  }
}
