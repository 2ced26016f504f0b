import PipelineCore
import PipelineDocument
import Testing

/// What the engine takes for a secret, without being told.
struct SecrecyTests {
  private static let text = """
    pipeline: p
    inputs: { key: { type: secret }, server: { type: url }, photo: { type: file } }
    steps:
      - id: a
        request: { url: "${{ inputs.server + '/a' }}" }
        outputs:
          plain: "${{ response.text }}"
          made: "${{ response.text + inputs.key }}"
      - id: b
        request: { url: "${{ inputs.server + '/b' }}", headers: { X-A: "${{ steps.a.made }}" } }
        outputs: { again: "${{ [steps.a.made] }}", other: "${{ steps.a.plain }}" }
      - id: body
        materialize: { json: { k: "${{ steps.b.again }}" } }
      - id: outer
        materialize: { multipart: [{ name: f, file: "${{ steps.body.file }}" }] }
      - id: free
        materialize: { json: { size: "${{ steps.body.file.size }}", o: "${{ steps.b.other }}" } }
      - id: send
        upload: { url: "${{ inputs.server + '/c' }}", file: "${{ steps.outer.file }}" }

    """

  @Test func `what is made of a secret is one, from step to step`() throws {
    let pipeline = try #require(PipelineDocument.load(text: Self.text, file: "p.yaml").pipeline)
    #expect(pipeline.secretNames == ["inputs.key", "steps.a.made", "steps.b.again"])
    let secret = pipeline.steps.flatMap { step in
      step.outputs.filter(\.isSecret).map { "\(step.id).\($0.name)" }
    }
    #expect(secret == ["a.made", "b.again"])
    #expect(pipeline.secretBodies.sorted().map { "\(pipeline.steps[$0].id)" } == ["body", "outer"])
  }

  @Test func `what a step of a used file makes of a secret is one`() throws {
    let used = """
      pipeline: session
      inputs: { key: { type: string } }
      steps:
        - id: sign
          request: { url: "https://example.com/s" }
          outputs: { mark: "${{ response.text + inputs.key }}" }
      outputs: { mark: "${{ steps.sign.mark }}" }

      """
    let text = """
      pipeline: p
      inputs: { key: { type: secret } }
      steps:
        - id: session
          use: session.yaml
          with: { key: "${{ inputs.key }}" }
        - id: go
          request: { url: "https://example.com/g", headers: { X: "${{ steps.session.mark }}" } }

      """
    let result = PipelineDocument.load(
      text: text, file: "p.yaml",
      files: DocumentFiles { $0 == "session.yaml" ? Array(used.utf8) : nil })
    let pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    #expect(pipeline.secretNames.contains("steps.session.sign.mark"))
  }
}
