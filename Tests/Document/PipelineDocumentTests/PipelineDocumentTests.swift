import CEL
import PipelineCore
import PipelineDocument
import Testing
import YAMLSyntax

struct PipelineDocumentTests {
  /// The pipeline of a text that is in order.
  private func pipeline(
    _ text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> Pipeline {
    let result = PipelineDocument.load(text: text, file: "a.yaml")
    let report = DiagnosticText(sources: ["a.yaml": text]).render(result.diagnostics)
    return try #require(result.pipeline, "\(report)", sourceLocation: sourceLocation)
  }

  private func codes(_ bytes: some Sequence<UInt8>) -> [DiagnosticCode] {
    PipelineDocument.load(bytes: bytes, file: "a.yaml").diagnostics.map(\.code)
  }

  @Test func `text in another language is refused with one diagnostic`() {
    #expect(codes("".utf8) == [.emptyDocument])
    #expect(codes([0x61, 0xFF]) == [.invalidUTF8])
    #expect(codes("a: \u{1}".utf8) == [.invalidCharacter])
    #expect(codes(String(repeating: "[", count: 200).utf8) == [.tooDeep])
  }

  @Test func `each code of the YAML layer is one of ours`() {
    for code in YAMLIssue.Code.allCases {
      #expect(DiagnosticCode(rawValue: code.rawValue) != nil, "\(code)")
    }
  }

  private static let chain = """
    pipeline: chain
    description: A chain.
    inputs:
      server: { type: url, description: Root., default: "https://example.com" }
      key: { type: secret }
      all: { type: files, required: false }
    budgets: { disk: 1 MiB, transfers: 5 }
    retry:
      standard: { attempts: 2 }
      slow: { attempts: 9, backoff: { initial: 10m } }
    steps:
      - id: sign_in
        request: { url: "${{ inputs.server }}/login", headers: { X-Api-Key: "${{ inputs.key }}" } }
        outputs:
          token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h, skew: 1m } }
          user: ${{ response.json.user }}
      - for_each: photo
        in: ${{ inputs.all }}
        concurrency: 3
        steps:
          - id: allocate
            request:
              method: POST
              url: "${{ inputs.server }}/${{ steps.sign_in.user }}"
              headers: { authorization: "Bearer ${{ steps.sign_in.token }}" }
            retry: slow
            on: [{ if: "${{ response.status == 401 }}", expired: sign_in }]
            effect: repeatable
            outputs: { id: "${{ response.json.id }}" }
          - id: body
            materialize: { file: "${{ photo }}" }
          - id: send
            upload:
              url: "${{ inputs.server }}/${{ steps.allocate.id }}"
              bearer: ${{ steps.sign_in.token }}
              file: ${{ steps.body.file }}
            depends_on: [allocate]
            on: [{ if: "${{ response.status == 401 }}", expired: sign_in }]
            probe:
              request: { url: "${{ inputs.server }}/${{ steps.allocate.id }}", bearer: "${{ steps.sign_in.token }}" }
              took_effect: ${{ response.status == 200 }}
          - id: both
            request:
              url: "${{ inputs.server }}/${{ steps.sign_in.token }}"
              bearer: ${{ steps.sign_in.token }}
        on_abandon:
          - request: { method: DELETE, url: "${{ inputs.server }}/${{ steps.allocate.id }}", bearer: "${{ steps.sign_in.token }}" }
      - for_each: n
        in: ${{ [1, 2] }}
        steps:
          - id: count
            request: { url: "${{ inputs.server }}/${{ n }}" }
      - id: last
        request: { url: "${{ inputs.server }}" }
        retry: { exhausted: fail }
    """

  @Test func `declarations keep the order of the file`() throws {
    let pipeline = try pipeline(Self.chain)
    #expect(pipeline.name == "chain")
    #expect(pipeline.description == "A chain.")
    #expect(pipeline.inputs.map(\.name) == ["server", "key", "all"])
    #expect(pipeline.inputs.map(\.kind) == [.url, .secret, .files])
    #expect(pipeline.inputs.map(\.defaultText) == ["https://example.com", nil, nil])
    #expect(pipeline.inputs.map(\.isOptional) == [false, false, true])
    #expect(pipeline.inputs.first?.location.description == "a.yaml:4:3")
    #expect(pipeline.budgets == Budgets(diskBytes: 1_048_576, transfers: 5))
    #expect(pipeline.nodes == [.step(0), .loop(0), .loop(1), .step(6)])
    #expect(
      pipeline.steps.map(\.id.rawValue)
        == ["sign_in", "allocate", "body", "send", "both", "count", "last"])
    #expect(pipeline.steps.map(\.loop) == [nil, 0, 0, 0, 0, 1, nil])
    #expect(pipeline.steps.map(\.position) == [0, 0, 1, 2, 3, 0, 1])
    #expect(pipeline.loops.map(\.steps) == [[1, 2, 3, 4], [5]])
    #expect(pipeline.loops.map(\.variable) == ["photo", "n"])
    #expect(pipeline.loops.map(\.filesInput) == ["all", nil])
    #expect(pipeline.loops.map(\.concurrency) == [3, 8])
  }

  @Test func `retry policies are named, inline, standard by default`() throws {
    let steps = try pipeline(Self.chain).steps
    #expect(steps[0].retry == RetryPolicy(attempts: 2))
    #expect(
      steps[1].retry == RetryPolicy(attempts: 9, initial: .seconds(600), maximum: .seconds(600)))
    #expect(steps[6].retry == RetryPolicy(exhausted: .fail))
  }

  @Test func `a value that only authorizes is a credential, in a header too`() throws {
    let steps = try pipeline(Self.chain).steps
    #expect(steps[0].uses == [])
    #expect(
      steps[1].uses == [
        OutputUse(step: 0, output: 1), OutputUse(step: 0, output: 0, isCredential: true),
      ])
  }

  @Test func `a file and a need are uses without an output, a probe has uses of its own`() throws {
    let send = try pipeline(Self.chain).steps[3]
    #expect(
      send.uses == [
        OutputUse(step: 1, output: 0), OutputUse(step: 0, output: 0, isCredential: true),
        OutputUse(step: 2, output: nil), OutputUse(step: 1, output: nil),
      ])
    #expect(
      send.probe?.uses == [
        OutputUse(step: 1, output: 0), OutputUse(step: 0, output: 0, isCredential: true),
      ])
  }

  @Test func `a value that is read both ways is identifying`() throws {
    #expect(try pipeline(Self.chain).steps[4].uses == [OutputUse(step: 0, output: 0)])
  }

  @Test func `a compensation records its reads`() throws {
    let pipeline = try pipeline(Self.chain)
    #expect(
      pipeline.loops[0].onAbandon.map(\.uses) == [
        [OutputUse(step: 1, output: 0), OutputUse(step: 0, output: 0, isCredential: true)]
      ])
  }

  @Test func `outputs keep secrecy and lifetime, a constant one as an expression`() throws {
    let outputs = try pipeline(Self.chain).steps[0].outputs
    #expect(outputs.map(\.name) == ["token", "user"])
    #expect(outputs.map(\.isSecret) == [true, false])
    #expect(outputs[0].lifetime?.skew == .seconds(60))
    guard case .after(let duration)? = outputs[0].lifetime?.end else {
      Issue.record("expected a lifetime from the answer on")
      return
    }
    let value = try duration.compiled.evaluate()
    #expect(value == .duration(.seconds(3600)))
    #expect(duration.location.description == "a.yaml:15:82")
  }

  @Test func `matchers name their target by index`() throws {
    let matchers = try pipeline(Self.chain).steps[1].matchers
    #expect(matchers.map(\.outcome) == [.expired(0)])
    #expect(matchers.first?.condition?.location.description == "a.yaml:27:25")
  }

  @Test func `an upload has its own defaults`() throws {
    let steps = try pipeline(Self.chain).steps
    guard case .upload(let upload) = steps[3].action, case .request(let request) = steps[6].action
    else {
      Issue.record("expected an upload and a request")
      return
    }
    #expect(upload.request.method == "PUT")
    #expect(upload.transfer == TransferPolicy())
    #expect(request.method == "GET")
    #expect(request.timeout == .seconds(30))
    #expect(steps[6].reissueLimit == 10)
  }

  @Test func `a broken expression does not make its neighbours suspect`() {
    let text = """
      pipeline: example
      steps:
        - id: a
          request: { url: "https://example.com/${{ 1 + }}" }
          outputs: { id: "${{ response.nothing }}" }
        - id: b
          request: { url: "https://example.com/${{ steps.a.id }}" }
      """
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
    #expect(found == [.expressionSyntax, .undeclaredReference])
  }

  @Test func `line ends of other systems and a byte order mark change nothing`() throws {
    let text = "\u{FEFF}" + Self.chain.split(separator: "\n").joined(separator: "\r\n")
    let result = PipelineDocument.load(text: text, file: "a.yaml")
    let expected = try pipeline(Self.chain)
    let plain = PipelineDocument.load(text: Self.chain, file: "a.yaml")
    #expect(result.diagnostics == plain.diagnostics)
    #expect(result.pipeline?.steps.map(\.location) == expected.steps.map(\.location))
  }
}
