import PipelineCore
import PipelineDocument
import PipelineSimulator
import Testing

/// Responses that are derived from a pipeline's reads.
struct InferenceTests {
  private static func pipeline(_ steps: String) -> String {
    """
    pipeline: p
    inputs:
      server: { type: url, default: "http://s" }
      files: { type: files }
    steps:
    \(steps)
    """
  }

  @Test(arguments: [
    #"""
      - id: look
        request: { url: "${{ inputs.server }}" }
        on:
          - { if: '${{ response.status == 200 && response.json.state != "ready" }}', then: poll, after: 5s }
    """#,
    #"""
      - id: look
        request: { url: "${{ inputs.server }}" }
        on:
          - { if: "${{ response.json.error.code != 0 }}", then: fail }
        outputs:
          tag: '${{ response.headers["etag"] }}'
      - id: next
        request: { url: "${{ inputs.server }}", headers: { If-Match: "${{ steps.look.tag }}" } }
    """#,
    #"""
      - id: list
        request: { url: "${{ inputs.server }}" }
        outputs:
          links: "${{ response.json.items.filter(i, i.open && size(i.parts) > 1).map(i, i.url) }}"
      - for_each: link
        in: ${{ steps.list.links }}
        steps:
          - { id: get, request: { url: "${{ link }}" } }
    """#,
    #"""
      - id: list
        request: { url: "${{ inputs.server }}" }
        outputs: { items: "${{ response.json.items }}" }
      - for_each: entry
        in: ${{ steps.list.items }}
        steps:
          - { id: get, request: { url: "${{ entry.href }}", query: { n: "${{ entry.number + 1 }}" } } }
    """#,
    #"""
      - id: token
        request: { url: "${{ inputs.server }}" }
        outputs:
          token:
            value: ${{ response.json.data.token }}
            expires: { at: "${{ timestamp(int(response.json.data.exp)) }}" }
      - { id: use, request: { url: "${{ inputs.server }}", bearer: "${{ steps.token.token }}" } }
    """#,
    #"""
      - id: token
        request: { url: "${{ inputs.server }}" }
        on:
          - { if: "${{ response.status != 202 }}", then: fail }
        outputs:
          where: ${{ response.headers.location }}
      - { id: use, request: { url: "${{ steps.token.where }}" } }
    """#,
    #"""
      - id: look
        request: { url: "${{ inputs.server }}" }
        outputs: { exists: "${{ response.json.exists }}" }
      - id: make
        if: ${{ !steps.look.exists }}
        request: { url: "${{ inputs.server }}" }
        outputs: { id: "${{ response.json.id }}" }
    """#,
    #"""
      - id: look
        request:
          url: ${{ inputs.server }}
          response:
            schema:
              properties:
                state: { enum: [queued, complete] }
                at: { type: string, format: date-time }
                size: { type: integer }
        on:
          - { if: '${{ response.json.state != "complete" }}', then: poll }
        outputs:
          at: { value: "${{ response.json.at }}" }
          half: "${{ response.json.size / 2 }}"
    """#,
    #"""
      - id: open
        request: { method: POST, url: "${{ inputs.server }}" }
        on: [{ if: "${{ has(response.xml.Error) }}", then: retry }]
        effect: repeatable
        outputs:
          id: { value: "${{ response.xml.Result.UploadId }}", expires: { in: "${{ seconds(response.headers.life) }}", sliding: true } }
          parts: ${{ elements(response.xml, "Result/Part").map(p, int(p.Number)) }}
      - { id: put, request: { method: PUT, url: "${{ inputs.server }}/${{ steps.open.id }}/${{ steps.open.parts[0] }}" } }
    """#,
    #"""
      - id: ask
        request: { url: "${{ inputs.server }}" }
        outputs: { url: { value: "${{ response.json.upload_url }}", expires: { url: "${{ response.json.upload_url }}" } } }
      - { id: put, request: { method: PUT, url: "${{ steps.ask.url }}" } }
    """#,
    #"""
      - id: text
        request: { url: "${{ inputs.server }}" }
        on:
          - { if: '${{ !response.text.startsWith("OK") }}', then: retry }
    """#,
  ])
  func `a pipeline finishes with inferred responses`(steps: String) throws {
    let run = try ModelScene(Self.pipeline(steps)).run()
    #expect(
      run.outcome == .rested && run.state?.status == .finished,
      "\(TraceText(run).render(run.trace, limit: 40))")
    for loop in run.state?.loops ?? [] { #expect(loop.counts[.done] == loop.counts.total) }
    #expect(run.journal.commits.count >= run.pipeline.steps.count)
  }

  @Test func `ids are other ones for each commit`() throws {
    let run = try ModelScene(try TestFiles.text("Pipelines/photos.yaml")).run(count: 4)
    let urls = run.trace.exchanges.map(\.request.url).filter { $0.hasSuffix("/content") }
    #expect(Set(urls).count == 4)
  }

  @Test func `if no response can be inferred, the step and the remedy are named`() throws {
    let text = Self.pipeline(
      #"""
        - id: look
          request: { url: "${{ inputs.server }}" }
          on:
            - { if: '${{ size(response.json.a) * 7 != 91 || response.json.b.matches("^[xyz]{9}$") == false }}', then: poll }
      """#)
    let scene = try ModelScene(text)
    let error = #expect(throws: ExampleMissing.self) { try ModelServer(scene.pipeline) }
    #expect(error?.step == StepID("look"))
    #expect(error?.part == .answer)
    #expect(error?.location.line == 6)
    #expect(error?.help.contains("example") == true)
  }

  @Test func `a probe that never reports completion is named`() throws {
    let text = Self.pipeline(
      #"""
        - id: make
          request: { method: POST, url: "${{ inputs.server }}" }
          effect: create
          probe:
            request: { url: "${{ inputs.server }}" }
            took_effect: '${{ response.json.sum * 13 == 1027 * response.json.n + 5 }}'
      """#)
    let scene = try ModelScene(text)
    let error = #expect(throws: ExampleMissing.self) { try ModelServer(scene.pipeline) }
    #expect(error?.part == .tookEffect)
    #expect(error?.message.contains("probe of 'make'") == true)
  }

  @Test func `an example replaces the derived response`() throws {
    let text = Self.pipeline(
      #"""
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - id: make
              request:
                method: POST
                url: ${{ inputs.server }}
                json: { name: "${{ file.name }}" }
                example:
                  status: 201
                  headers: { X-Number: "${{ request.number }}" }
                  json: { id: "${{ request.json.name }}!", at: "${{ string(now + duration('1h')) }}" }
              effect: create
              probe:
                request: { url: "${{ inputs.server }}" }
                took_effect: ${{ response.json.n * 13 == 1027 }}
                example:
                  took_effect: { json: { n: 79, id: "${{ file.name }}!", at: "${{ string(now) }}" } }
                  no_effect: { json: { n: 0 } }
              outputs:
                id:
                  value: ${{ response.json.id }}
                  expires: { at: "${{ timestamp(response.json.at) }}" }
            - { id: use, request: { url: "${{ inputs.server }}/${{ steps.make.id }}" } }
      """#)
    let run = try ModelScene(text).run(count: 2)
    #expect(run.done() == 2, "\(TraceText(run).render(run.trace, limit: 40))")
    #expect(run.trace.exchanges.contains { $0.request.url == "http://server.test/1.jpg!" })
  }

  @Test(arguments: [
    ("request: { url: 'http://s', example: { statsu: 200 } }", "unknown key 'statsu'"),
    ("request: { url: 'http://s', example: { status: 600 } }", "at most 599"),
    ("request: { url: 'http://s', example: { json: { a: '${{ nope }}' } } }", "nope"),
    ("request: { url: 'http://s', example: { json: 1, text: a } }", "at most one of these"),
    (
      "request: { url: 'http://s' }, probe: { request: { url: 'http://s', example: {} }, took_effect: '${{ true }}' }",
      "cannot have a single example response"
    ),
  ])
  func `a wrong example is reported at its place`(action: String, said: String) {
    let text = "pipeline: p\nsteps:\n  - { id: a, \(action) }\n"
    let result = PipelineDocument.load(text: text, file: "p.yaml")
    #expect(result.pipeline == nil)
    #expect(result.diagnostics.contains { $0.message.contains(said) }, "\(result.diagnostics)")
  }

  @Test func `an example uses no output and spends none`() throws {
    let text = """
      pipeline: p
      inputs: { token: { type: secret } }
      steps:
        - id: a
          request: { url: "http://s", bearer: "${{ inputs.token }}" }
          outputs: { id: "${{ response.json.id }}" }
        - { id: b, request: { url: "http://s/${{ steps.a.id }}" } }
        - id: c
          request: { url: "http://s", example: { json: { of: "${{ steps.a.id }}" } } }
      """
    let pipeline = try #require(PipelineDocument.load(text: text, file: "p.yaml").pipeline)
    #expect(pipeline.steps[2].uses.isEmpty)
  }
}
