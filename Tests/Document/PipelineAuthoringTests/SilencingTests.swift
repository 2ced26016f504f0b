import Basics
@testable import PipelineAuthoring
import PipelineDocument
import Testing

/// Comments that ignore a finding, as an editor inserts them.
struct SilencingTests {
  private static func everything(_ text: String) -> TextRange {
    TextRange(
      file: "a.yaml", start: SourcePosition(line: 1, column: 1),
      end: SourcePosition(line: 10_000, column: 1))
  }

  /// The text with the first offered comment inserted.
  private static func silenced(_ text: String, _ code: DiagnosticCode) -> String? {
    let analysis = DocumentAnalysis(text: text, file: "a.yaml")
    return analysis.silencings(in: everything(text)).first { $0.diagnostic.code == code }
      .map { apply($0.fix, to: text) }
  }

  private static func apply(_ fix: Diagnostic.Fix, to text: String) -> String {
    let safe = Diagnostic.Fix(range: fix.range, replacement: fix.replacement, isSafe: true)
    let diagnostic = Diagnostic(.unusedInput, "", at: fix.range, fixes: [safe])
    return FixApplication.apply([diagnostic], to: text).text
  }

  private static func codes(_ text: String) -> [DiagnosticCode] {
    DocumentAnalysis(text: text, file: "a.yaml").diagnostics.map(\.code)
  }

  @Test(arguments: [
    "", "pipeline: a\nstepz: []\n", "pipeline: {\n", "pipeline: a\nsteps: []\n",
    "pipeline: a\nsteps:\n  - id: a\n    request: { url: \"${{ inputs.x }}\" }\n",
  ])
  func `findings that prevent a pipeline cannot be ignored`(text: String) {
    let analysis = DocumentAnalysis(text: text, file: "a.yaml")
    #expect(analysis.silencings(in: Self.everything(text)).isEmpty)
  }

  private static let unused = """
    pipeline: a
    inputs:
      server: { type: url }
      other: { type: url, description: "🙂" }
    steps:
      - id: a
        request: { url: "${{ inputs.server }}" }
    """

  @Test(arguments: ["\n", "\r\n"])
  func `a comment is inserted above the line, indented like it`(end: String) {
    let text = Self.unused.replacing("\n", with: end)
    #expect(Self.codes(text) == [.unusedInput])
    let silenced = Self.silenced(text, .unusedInput)
    #expect(
      silenced?.contains(
        "\(end)  # pipeline: ignore[unused-input] explain why\(end)  other:") == true,
      "\(silenced ?? "none")")
    #expect(silenced.map(Self.codes) == [])
  }

  @Test func `a finding in an element of a list has the comment above the dash`() {
    let text = """
      pipeline: a
      inputs: { server: { type: url } }
      steps:
        - { id: a, request: { url: "http://elsewhere.test/🙂" } }
      """
    #expect(Self.codes(text).contains(.insecureURL))
    let silenced = Self.silenced(text, .insecureURL)
    #expect(silenced?.contains("\n  # pipeline: ignore[insecure-url] explain why") == true)
    #expect(silenced.map(Self.codes)?.contains(.insecureURL) == false)
  }

  @Test func `another code joins the existing comment`() {
    let text = """
      pipeline: a
      steps:
        - id: a
          request:
            # 🙂 pipeline: no
            # pipeline: ignore[secret-in-url] it is public
            url: http://elsewhere.test/a
      """
    let silenced = Self.silenced(text, .insecureURL)
    #expect(
      silenced?.contains("# pipeline: ignore[secret-in-url, insecure-url] it is public\n") == true,
      "\(silenced ?? "none")")
    #expect(silenced.map(Self.codes)?.contains(.insecureURL) == false)
  }

  @Test func `in the middle of a text of several lines no comment fits`() {
    let text = """
      pipeline: a
      inputs: { photos: { type: files } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          if: >-
            ${{ photo.size > 0 ||
            1 == 1 }}
          steps:
            - id: a
              request: { url: "https://a.test" }
      """
    let analysis = DocumentAnalysis(text: text, file: "a.yaml")
    for (diagnostic, fix) in analysis.silencings(in: Self.everything(text)) {
      let silenced = Self.apply(fix, to: text)
      #expect(!Self.codes(silenced).contains(diagnostic.code), "\(silenced)")
      #expect(!Self.codes(silenced).contains(.invalidIgnore), "\(silenced)")
    }
    #expect(!Self.codes(text).isEmpty)
  }
}
