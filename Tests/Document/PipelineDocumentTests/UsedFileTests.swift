import CEL
import PipelineCore
import PipelineDocument
import Testing

/// Steps that are done by the steps of other files, and definitions that files share.
struct UsedFileTests {
  private static let signIn = """
    pipeline: sign-in
    inputs:
      server: { type: url }
      user: { type: string, default: demo }
    steps:
      - id: sign_in
        request:
          method: POST
          url: ${{ inputs.server + "/login" }}
          json: { user: "${{ inputs.user }}" }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.token }}", secret: true }
    outputs:
      token: ${{ steps.sign_in.token }}
      header: ${{ "Bearer " + steps.sign_in.token }}
    """

  private func load(_ text: String, _ files: [String: String]) -> PipelineDocument.Result {
    PipelineDocument.load(
      text: text, file: "flows/main.yaml",
      files: DocumentFiles { path in files[path].map { Array($0.utf8) } })
  }

  private func main(
    _ use: String = "sign-in.yaml", with values: String = "server: \"${{ inputs.server }}\"",
    rest: String =
      "request: { url: \"${{ inputs.server }}\", bearer: \"${{ steps.session.token }}\" }"
  ) -> String {
    """
    pipeline: main
    inputs:
      server: { type: url }
    steps:
      - id: session
        use: \(use)
        with: { \(values) }
      - id: ping
        \(rest)
    """
  }

  private func codes(_ result: PipelineDocument.Result) -> [String] {
    result.diagnostics.map { "\($0.range) \($0.code.rawValue)" }
  }

  // MARK: What goes wrong

  @Test func `a file that is not there is named with its path`() {
    let result = load(main(), [:])
    #expect(codes(result) == ["flows/main.yaml:6:10 unreadable-use"])
    #expect(result.diagnostics.first?.message.contains("'flows/sign-in.yaml'") == true)
    #expect(result.pipeline == nil)
  }

  @Test func `a circle of files is found, and shown`() {
    let other = main("../flows/main.yaml", with: "server: \"${{ inputs.server }}\"")
    let result = load(main("other.yaml"), ["other.yaml": other, "../flows/main.yaml": main()])
    // The way back leads out of the folder, where nothing is read.
    #expect(result.diagnostics.map(\.code) == [.brokenUse, .unreadableUse, .brokenUse])
    let direct = load(main("main.yaml"), ["main.yaml": main("main.yaml")])
    #expect(codes(direct) == ["flows/main.yaml:6:10 recursive-use"])
    let pair = ["a.yaml": main("b.yaml"), "b.yaml": main("a.yaml")]
    let circle = load(main("a.yaml"), pair)
    #expect(
      circle.diagnostics.contains {
        $0.message == "a file cannot use itself: 'a.yaml' → 'b.yaml' → 'a.yaml'"
      },
      "\(circle.diagnostics.map(\.message))")
  }

  @Test func `errors of a used file are reported at their places in that file`() {
    let broken = Self.signIn.replacing("inputs.user }", with: "inputs.usr }")
    let result = load(main(), ["sign-in.yaml": broken])
    #expect(
      codes(result) == [
        "flows/main.yaml:6:10 broken-use", "flows/sign-in.yaml:10:33 unknown-input",
      ])
  }

  @Test(arguments: [
    ("user: x", "flows/main.yaml:6:10 missing-key"),
    (
      "servr: \"${{ inputs.server }}\", server: \"${{ inputs.server }}\"",
      "flows/main.yaml:7:13 unknown-input"
    ),
    ("server: ftp:x", "flows/main.yaml:7:21 invalid-url"),
    ("server: \"${{ 1 + 1 }}\"", "flows/main.yaml:7:26 expression-type"),
    (
      "server: \"${{ inputs.server }}\", user: \"${{ steps.ping.status }}\"",
      "flows/main.yaml:7:62 used-before-made"
    ),
  ])
  func `passed values must fit the inputs`(_ values: String, _ expected: String) {
    let found = codes(load(main(with: values), ["sign-in.yaml": Self.signIn]))
    #expect(found.contains(expected), "\(found)")
  }

  @Test func `an output that the file does not have is unknown`() {
    let rest = "request: { url: \"${{ inputs.server + steps.session.tokn }}\" }"
    let result = load(main(rest: rest), ["sign-in.yaml": Self.signIn])
    #expect(codes(result) == ["flows/main.yaml:9:56 unknown-output"])
    #expect(result.diagnostics.first?.help == "did you mean 'token'?")
  }

  @Test func `keys of responses have no effect together with a file`() {
    let text = main().replacing("    with:", with: "    retry: { attempts: 2 }\n    with:")
    let result = load(text, ["sign-in.yaml": Self.signIn])
    #expect(codes(result) == ["flows/main.yaml:7:5 useless-key"])
  }

  @Test func `a used file with a loop cannot be used in a loop`() {
    let inner = """
      pipeline: inner
      inputs: { photos: { type: files } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: put
              upload: { url: "https://example.com/${{ item.index }}", file: "${{ photo }}" }
      """
    let outer = """
      pipeline: outer
      inputs: { photos: { type: files } }
      steps:
        - for_each: n
          in: ${{ [1, 2] }}
          steps:
            - id: all
              use: inner.yaml
              with: { photos: "${{ inputs.photos }}" }
            - id: count
              request: { url: "https://example.com/${{ n }}" }
      """
    #expect(codes(load(outer, ["inner.yaml": inner])) == ["flows/main.yaml:8:14 unsupported-key"])
  }

  // MARK: Results

  @Test func `the steps of a used file replace the step`() throws {
    let result = load(main(), ["sign-in.yaml": Self.signIn])
    let pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    #expect(pipeline.steps.map(\.id.rawValue) == ["session.sign_in", "ping"])
    #expect(pipeline.runSteps == [0, 1])
    #expect(pipeline.steps.map(\.position) == [0, 1])
    // The token authorizes only, wherever it was created.
    #expect(pipeline.steps[1].uses == [OutputUse(step: 0, output: 0, isCredential: true)])
    #expect(result.usedFiles.keys.sorted() == ["sign-in.yaml"])
  }

  @Test func `expressions of a used file read the values that the user of the file passes`()
    throws
  {
    let rest =
      "request: { url: \"${{ inputs.server }}\", headers: { X: \"${{ steps.session.header }}\" } }"
    let result = load(
      main(with: "server: \"${{ inputs.server + '/v1' }}\", user: ann", rest: rest),
      ["sign-in.yaml": Self.signIn])
    let pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    let evaluator = Evaluator(pipeline)
    let start = Instant(milliseconds: 0)
    let state = RunState(
      id: RunID("r"), pipeline: pipeline, inputs: ["server": "https://example.com"], secrets: [:],
      seed: 1, began: start)
    let scope = Scope(state, item: nil, now: start)
    guard case .request(let request) = pipeline.steps[0].action else {
      Issue.record("expected a request")
      return
    }
    #expect(try evaluator.text(request.url, scope) == "https://example.com/v1/login")
    guard case .json(let body)? = request.body else {
      Issue.record("expected a body")
      return
    }
    #expect(try evaluator.value(body, scope) == ["user": "ann"])
  }

  @Test func `an expired output of a used file expires the step that makes it`() throws {
    let rest = """
      request: { url: "${{ inputs.server }}", bearer: "${{ steps.session.token }}" }
          on: [{ if: "${{ response.status == 401 }}", expired: session }]
      """
    let pipeline = try #require(
      load(main(rest: rest), ["sign-in.yaml": Self.signIn]).pipeline)
    #expect(pipeline.steps[1].matchers.map(\.outcome) == [.expired(0)])
  }

  @Test func `a condition of the step holds for all steps of the file`() throws {
    let text = main().replacing("    use:", with: "    if: ${{ inputs.server != \"\" }}\n    use:")
      .replacing("      - id: ping", with: "  - id: ping")
    let pipeline = load(text, ["sign-in.yaml": Self.signIn]).pipeline
    let condition = try #require(pipeline?.steps[0].condition)
    #expect(condition.compiled.references.map(\.variable) == ["inputs.server"])
  }

  @Test func `a used file may use others, each relative to itself`() throws {
    let middle = """
      pipeline: middle
      inputs: { server: { type: url } }
      steps:
        - id: inner
          use: ../auth/sign-in.yaml
          with: { server: "${{ inputs.server }}" }
      outputs: { token: "${{ steps.inner.token }}" }
      """
    let result = load(
      main("lib/middle.yaml"), ["lib/middle.yaml": middle, "auth/sign-in.yaml": Self.signIn])
    let pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    #expect(pipeline.steps.map(\.id.rawValue) == ["session.inner.sign_in", "ping"])
    #expect(pipeline.steps[1].uses == [OutputUse(step: 0, output: 0, isCredential: true)])
  }

  @Test func `definitions are shared, and a file's own come first`() throws {
    let shared = """
      definitions: company
      retry:
        patient: { attempts: 9 }
        standard: { attempts: 8 }
      credentials:
        api: { bearer: "${{ inputs.token }}" }
      """
    let text = """
      pipeline: main
      use: [lib/company.yaml]
      inputs: { token: { type: secret } }
      retry: { standard: { attempts: 2 } }
      steps:
        - id: ping
          request: { url: "https://example.com", credentials: api }
          retry: patient
        - id: pong
          request: { url: "https://example.com", credentials: api }
      """
    let result = load(text, ["lib/company.yaml": shared])
    let pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    #expect(pipeline.steps.map(\.retry.attempts) == [9, 2])
    let alone = PipelineDocument.validate(bytes: shared.utf8, file: "company.yaml")
    #expect(alone.diagnostics.isEmpty)
    let broken = load(text.replacing("token: {", with: "tokn: {"), ["lib/company.yaml": shared])
    #expect(
      codes(broken).filter { $0.hasSuffix("unknown-input") }
        == ["flows/lib/company.yaml:6:19 unknown-input"], "\(codes(broken))")
  }

  @Test func `a secret stays secret through a file's outputs`() {
    let rest = "request: { url: \"${{ inputs.server + '/' + steps.session.token }}\" }"
    let result = load(main(rest: rest), ["sign-in.yaml": Self.signIn])
    #expect(
      result.diagnostics.map(\.code.rawValue).contains { $0.contains("secret") }, "\(codes(result))"
    )
  }
}
