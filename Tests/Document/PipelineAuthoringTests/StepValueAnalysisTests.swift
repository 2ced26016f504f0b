@testable import PipelineAuthoring
import PipelineDocument
import Testing

/// Values that a step names, its key, and headers as lists: completion, hover and renaming.
struct StepValueAnalysisTests {
  private static func text(_ rest: String) -> AnalysisText {
    AnalysisText(
      """
      pipeline: a
      inputs: { server: { type: url } }
      steps:
        - id: ask
          let: { folder: "${{ 'a' }}", limit: "${{ size(response.text) }}" }
          idempotency: {}
          request:
            method: POST
            \(rest)
      """)
  }

  @Test func `a value of the step and its key are offered`() {
    let labels = Self.text("url: ${{ ‸ }}").labels
    #expect(labels.contains("folder"))
    #expect(labels.contains("idempotency"))
    #expect(Self.text("url: ${{ idempotency.‸ }}").labels == ["key"])
  }

  @Test func `another step does not see it`() {
    let text = Self.text("url: a\n  - id: other\n    request: { url: \"${{ ‸ }}\" }")
    #expect(!text.labels.contains("folder"))
    #expect(!text.labels.contains("idempotency"))
  }

  @Test func `hover shows the type`() {
    #expect(
      Self.text("url: ${{ fol‸der }}").hover == "**folder** · `string` · value of the step `ask`")
  }

  @Test(arguments: [
    ("true", "Secret: not stored, logged or reported."),
    ("sealed", "Secret: stored encrypted, not logged or reported."), ("false", nil),
  ])
  func `hover explains the handling of a secret`(_ secret: String, _ said: String?) {
    let text = Self.text(
      "url: /\n    outputs: { key: { value: \"${{ response.text }}\", secret: \(secret) } }\n"
        + "  - id: other\n    request: { url: \"${{ steps.ask.k‸ey }}\" }")
    let hover = text.hover ?? ""
    #expect(hover.contains("Secret:") == (said != nil), "\(hover)")
    if let said { #expect(hover.contains(said), "\(hover)") }
  }

  @Test func `a value is renamed everywhere, and never to a name in use`() throws {
    let text = Self.text("url: ${{ inputs.server + fol‸der }}/${{ folder }}")
    let edits = try text.analysis.rename(at: text.position, to: "day")
    #expect(edits.count == 3)
    for name in ["limit", "inputs", "in", "ask", "B"] {
      #expect(throws: RenameRefusal.self) {
        try text.analysis.rename(at: text.position, to: name)
      }
    }
  }

  @Test func `names in headers are known, in a mapping, a list and an expression`() {
    for headers in [
      "{ A: \"${{ inputs.ser‸ver }}\" }", "[\"${{ inputs.ser‸ver }}\"]",
      "\"${{ inputs.ser‸ver }}\"",
      "[{ A: a }, { B: \"${{ inputs.ser‸ver }}\" }]",
    ] {
      let hover = Self.text("url: a\n      headers: \(headers)").hover
      #expect(hover?.hasPrefix("**server** · input") == true, "\(headers)")
    }
  }
}
