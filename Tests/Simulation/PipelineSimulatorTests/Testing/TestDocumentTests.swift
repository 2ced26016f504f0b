import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

/// Wrong tests, and the findings about them.
struct TestDocumentTests {
  static let pipeline = """
    pipeline: small
    inputs:
      server: { type: url }
      size: { type: size, default: 1 MiB }
      photos: { type: files, default: "*.jpg" }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: allocate
            request: { method: POST, url: "${{ inputs.server }}/allocate/${{ inputs.size }}" }
            effect: create
            probe:
              request: { url: "${{ inputs.server }}/status" }
              took_effect: ${{ response.status == 200 }}
            outputs:
              upload_id: { value: "${{ response.json.id }}" }
          - id: body
            materialize: { file: "${{ photo }}" }
          - id: upload
            upload: { url: "${{ inputs.server }}/${{ steps.allocate.upload_id }}", file: "${{ steps.body.file }}" }
    """

  static func load(
    _ text: String, pipeline: String = pipeline
  ) -> (document: TestDocument?, diagnostics: [Diagnostic]) {
    let result = TestDocument.load(
      bytes: text.utf8, file: "some/a.test.yaml",
      files: DocumentFiles { path in path == "small.yaml" ? Array(pipeline.utf8) : nil })
    return (result.document, result.diagnostics)
  }

  /// A test with one case, whose lines are `lines`.
  static func test(_ lines: String, inputs: String = "") -> String {
    """
    test: t
    pipeline: small.yaml
    inputs: { server: "http://s", photos: [{ name: a.jpg, size: 1 KiB }]\(inputs) }
    cases:
      - name: one

    """ + lines.split(separator: "\n").map { "    \($0)\n" }.joined()
  }

  struct Wrong: Sendable {
    let lines: String
    let said: String
    var inputs = ""
  }

  static let wrong: [Wrong] = [
    Wrong(
      lines: "answers: { alocate: [{ status: 200 }] }\nexpect: { status: done }",
      said:
        "6:16 unknown-step: the pipeline has no step 'alocate' (did you mean 'allocate'?)"
    ),
    Wrong(
      lines: "answers: { allocate: [{ status: 600 }] }\nexpect: { status: done }",
      said: "6:37 out-of-range: 'status' is 600, expected at most 599"),
    Wrong(
      lines: "answers: { allocate: [{ status: 99 }] }\nexpect: { status: done }",
      said: "6:37 out-of-range: 'status' is 99, expected at least 100"),
    Wrong(
      lines: "answers: { allocate: [{ status: ok }] }\nexpect: { status: done }",
      said: "6:37 wrong-type: expected an integer, found text"),
    Wrong(
      lines: "answers: { allocate: [{ statsu: 200 }] }\nexpect: { status: done }",
      said: "6:29 unknown-key: unknown key 'statsu' in a response (did you mean 'status'?)"),
    Wrong(
      lines: "answers: { allocate: [{ error: conection-lost }] }\nexpect: { status: done }",
      said: "6:36 invalid-choice: invalid connection failure 'conection-lost'"),
    Wrong(
      lines: "answers: { allocate: [{ error: interrupted }] }\nexpect: { status: done }",
      said: "6:36 invalid-choice: 'interrupted' is an interruption of the program"),
    Wrong(
      lines: "answers: { allocate: [{ status: 200, error: timeout }] }\nexpect: { status: done }",
      said: "6:42 conflicting-keys: a response has 'status' and 'error'"),
    Wrong(
      lines: "answers: { allocate: [] }\nexpect: { status: done }",
      said: "6:26 empty-collection: the list is empty, expected at least one entry"),
    Wrong(
      lines: "answers: { body: [{ status: 200 }] }\nexpect: { status: done }",
      said: "6:16 useless-key: the step 'body' sends no request, but writes a file"),
    Wrong(
      lines: "probes: { upload: [{ status: 200 }] }\nexpect: { status: done }",
      said: "6:15 useless-key: the step 'upload' has no probe (steps with probes: 'allocate')"),
    Wrong(
      lines:
        "answers:\n  allocate:\n    - json: { id: \"${{ phot.name }}\" }\nexpect: { status: done }",
      said: "8:28 undeclared-reference: undeclared reference 'phot' (did you mean 'photo'?)"),
    Wrong(
      lines: "answers: { allocate: [{ if: \"${{ request.size }}\" }] }\nexpect: { status: done }",
      said: "6:34 expression-type: expected a bool, found int"),
    Wrong(
      lines: "expect: { outputs: { allocate: { uplod_id: x } } }",
      said:
        "6:38 unknown-output: the step 'allocate' has no output 'uplod_id' (did you mean 'upload_id'?)"
    ),
    Wrong(
      lines: "expect: { outputs: { upload: { url: x } } }",
      said: "6:36 unknown-output: the step 'upload' has no output 'url' (it has no outputs)"),
    Wrong(
      lines: "expect: { status: finished }",
      said: "6:23 invalid-choice: invalid run status 'finished'"),
    Wrong(
      lines: "expect: { items: { don: 1 } }",
      said: "6:24 invalid-choice: invalid item status 'don'"),
    Wrong(
      lines: "expect: { items: { done: 2 } }",
      said: "6:30 out-of-range: the case only has 1 item"),
    Wrong(
      lines: "expect: { status: done, items: { failed: 1 } }",
      said: "6:46 conflicting-keys: a run that ends with 'done' has no such items"),
    Wrong(
      lines: "expect: { time: { at_least: 2m, at_most: 1m } }",
      said: "6:46 out-of-range: 'at_most' is less than 'at_least'"),
    Wrong(
      lines: "expect: {}", said: "6:13 empty-collection: 'expect' is empty"),
    Wrong(lines: "seed: 1", said: "5:5 missing-key: a case is missing the key 'expect'"),
    Wrong(
      lines: "start: tomorrow\nexpect: { status: done }",
      said: "6:12 invalid-constant: invalid time 'tomorrow'"),
    Wrong(
      lines: "device: ios8\nexpect: { status: done }",
      said: "6:5 unsupported-key: the key 'device' is reserved and not supported yet"),
    Wrong(
      lines: "expect: { status: done }",
      said:
        "3:71 unknown-input: the pipeline has no input 'srver' (did you mean 'server'?)",
      inputs: ", srver: x"),
    Wrong(
      lines: "expect: { status: done }", said: "3:77 invalid-size: input 'size': unknown unit 'MX'",
      inputs: ", size: 2 MX"),
  ]

  @Test(arguments: wrong)
  func `a mistake is reported at its place`(wrong: Wrong) {
    let (document, diagnostics) = Self.load(Self.test(wrong.lines, inputs: wrong.inputs))
    #expect(document == nil)
    let said = diagnostics.filter { $0.severity == .error }.map { diagnostic in
      "\(diagnostic.range.start) \(diagnostic.code.rawValue): \(diagnostic.message)"
        + (diagnostic.help.map { " (\($0))" } ?? "")
    }
    #expect(said.contains { $0.hasPrefix(wrong.said) }, "\(said)")
    #expect(diagnostics.allSatisfy { $0.range.file == "some/a.test.yaml" })
  }

  @Test func `a missing value is asked for`() {
    let text = "test: t\npipeline: small.yaml\ncases: [{ name: one, expect: { status: done } }]\n"
    let messages = Self.load(text).diagnostics.map(\.message)
    #expect(
      messages == [
        "the case sets no value for the input 'photos'",
        "the case sets no value for the input 'server'",
      ])
  }

  @Test func `two cases have two names`() {
    let text = """
      test: t
      pipeline: small.yaml
      inputs: { server: "http://s", photos: [] }
      cases:
        - { name: one, expect: { status: done } }
        - { name: one, expect: { status: done } }
      """
    #expect(Self.load(text).diagnostics.map(\.code) == [.duplicateID])
  }

  @Test func `a missing pipeline is reported where it is named`() {
    let text = Self.test("expect: { status: done }").replacing("small.yaml", with: "smal.yaml")
    let diagnostics = Self.load(text).diagnostics
    #expect(diagnostics.map(\.code) == [.unknownFile])
    #expect(
      diagnostics[0].message
        == "the pipeline 'some/smal.yaml' cannot be read"
    )
    #expect("\(diagnostics[0].range)" == "some/a.test.yaml:2:11")
  }

  @Test func `errors of the pipeline are reported at their place in it`() {
    let broken = Self.pipeline.replacing("steps.body.file", with: "steps.bdy.file")
    let diagnostics = Self.load(
      Self.test("expect: { status: done }"), pipeline: broken
    ).diagnostics
    #expect(diagnostics.map(\.range.file) == ["some/small.yaml"])
    #expect(diagnostics.map(\.code) == [.unknownStep])
  }
}
