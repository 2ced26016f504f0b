import Basics
import PipelineCommands
import PipelineDocument
import Testing

/// Findings as JSON: the form defines both the output and the schema.
struct FindingFormTests {
  private static func range(_ line: Int, _ column: Int) -> TextRange {
    TextRange(
      file: "a.yaml", start: SourcePosition(line: line, column: column),
      end: SourcePosition(line: line, column: column + 1))
  }

  @Test func `a finding contains everything, in lines`() {
    let place = Self.range(2, 1)
    let text = EncodedJSON.lines([
      FindingForm(
        Diagnostic(
          .unknownKey, "unknown key \"ur\tl\"", at: place, help: "did you mean 'url'?",
          fixes: [Diagnostic.Fix(range: place, replacement: "url")]))
    ])
    #expect(
      text == #"""
        [
          {
            "code": "unknown-key",
            "fixes": [
              {
                "range": {
                  "end": { "column": 2, "line": 2 },
                  "file": "a.yaml",
                  "start": { "column": 1, "line": 2 }
                },
                "replacement": "url",
                "safe": false
              }
            ],
            "help": "did you mean 'url'?",
            "message": "unknown key \"ur\tl\"",
            "notes": [],
            "range": {
              "end": { "column": 2, "line": 2 },
              "file": "a.yaml",
              "start": { "column": 1, "line": 2 }
            },
            "severity": "error"
          }
        ]

        """#)
    #expect(EncodedJSON.lines([FindingForm]()) == "[]\n")
  }

  @Test func `no finding contains a secret of the file`() {
    let text = """
      pipeline: p
      steps:
        - id: a
          request: { url: "https://h/x", bearer: hunter22 }
      """
    let found = PipelineDocument.load(text: text, file: "p.yaml").diagnostics
    #expect(found.contains { $0.code == .hardcodedSecret })
    #expect(!EncodedJSON.lines(found.map(FindingForm.init)).contains("er22"))
  }
}
