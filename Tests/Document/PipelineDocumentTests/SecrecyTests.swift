import PipelineCore
import PipelineDocument
import Testing

/// Values that the engine treats as secret without a declaration.
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

  @Test func `values made from a secret are secret, from step to step`() throws {
    let pipeline = try #require(PipelineDocument.load(text: Self.text, file: "p.yaml").pipeline)
    #expect(pipeline.secretNames == ["inputs.key", "steps.a.made", "steps.b.again"])
    let secret = pipeline.steps.flatMap { step in
      step.outputs.filter(\.isSecret).map { "\(step.id).\($0.name)" }
    }
    #expect(secret == ["a.made", "b.again"])
    #expect(pipeline.secretBodies.sorted().map { "\(pipeline.steps[$0].id)" } == ["body", "outer"])
  }

  @Test func `a step with an output derived from a secret keeps the author's key`() throws {
    let text = """
      pipeline: p
      inputs: { key: { type: secret }, order: { type: string } }
      steps:
        - id: pay
          request: { method: POST, url: "https://example.com/pay" }
          effect: create
          idempotency: { key: "order-${{ inputs.order }}" }
          outputs: { made: "${{ response.text + inputs.key }}" }

      """
    let pipeline = try #require(PipelineDocument.load(text: text, file: "p.yaml").pipeline)
    #expect(pipeline.steps[0].outputs[0].isSecret)
    #expect(pipeline.steps[0].idempotencyKey != nil)
  }

  @Test func `an output that a used file's step makes from a secret is secret`() throws {
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

  @Test
  func `a loop over a value made from a secret is refused, and no comment silences it`() {
    let result = PipelineDocument.load(
      text: """
        pipeline: p
        inputs: { pw: { type: secret } }
        steps:
          - for_each: x
            in: ${{ [inputs.pw] }} # pipeline: ignore[secret-element] it is mine
            steps:
              - id: a
                request: { url: "https://example.com/", headers: { X-K: "${{ x }}" } }

        """, file: "p.yaml")
    #expect(result.pipeline == nil)
    #expect(result.diagnostics.contains { $0.code == .secretElement && $0.severity == .error })
  }

  @Test(arguments: [
    #"materialize: { multipart: [{ name: f, file: "${{ inputs.photo }}", filename: "${{ inputs.pw }}" }] }"#,
    #"download: { url: "https://example.com/a", to: "${{ inputs.pw }}" }"#,
  ])
  func `a file cannot be named after a secret`(_ action: String) {
    let result = PipelineDocument.load(
      text: """
        pipeline: p
        inputs: { pw: { type: secret }, photo: { type: file } }
        steps:
          - id: a # pipeline: ignore[secret-in-file-name] it is mine
            \(action) # pipeline: ignore[secret-in-file-name] it is mine

        """, file: "p.yaml")
    #expect(result.pipeline == nil)
    #expect(
      result.diagnostics.contains { $0.code == .secretInFileName && $0.severity == .error },
      "\(result.diagnostics)")
  }

  @Test func `an entry of a batch that reads a secret is secret, and so is the probed URL`()
    throws
  {
    let result = PipelineDocument.load(
      text: """
        pipeline: p
        inputs: { pw: { type: secret }, photos: { type: files } }
        steps:
          - id: ask
            request: { url: "https://example.com/a", query: { k: "${{ inputs.pw }}" } }
            outputs: { from: "${{ response.url }}", status: "${{ response.status }}" }
          - for_each: photo
            in: ${{ inputs.photos }}
            steps:
              - id: send
                batch: { items: 5, within: 60s, entry: { a: "${{ inputs.pw }}" } }
                request:
                  method: POST
                  url: "https://example.com/b"
                  json: { all: "${{ batch.entries }}" }
                results: { each: "${{ response.json.all[batch.index] }}", on: [{ then: success }] }
                effect: repeatable
                outputs: { own: "${{ batch.entry.a }}", code: "${{ response.status }}" }

        """, file: "p.yaml")
    let pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    #expect(pipeline.secretNames == ["inputs.pw", "steps.ask.from", "steps.send.own"])
    #expect(pipeline.secretBatches == [1])
  }
}
