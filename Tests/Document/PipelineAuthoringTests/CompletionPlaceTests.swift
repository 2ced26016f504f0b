@testable import PipelineAuthoring
import PipelineDocument
import Testing

/// Completion where editors found it wrong: half-typed marks, missing blanks, turns, parts, tests and new files.
struct CompletionPlaceTests {
  private static let head = """
    pipeline: a
    inputs: { server: { type: url }, files: { type: files } }
    retry: { patient: { attempts: 9 } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:

    """

  @Test(arguments: [
    ("url: \"‸\"", "url: \"${{  }}\""), ("url: \"$‸\"", "url: \"${{  }}\""),
    ("url: \"${‸}\"", "url: \"${{  }}\""), ("url: \"a/${‸}/b\"", "url: \"a/${{  }}/b\""),
    ("url: ${‸", "url: ${{  }}"), ("url: ${‸}", "url: ${{  }}"),
    ("url: \"🙂 ${‸} ${{ now }}\"", "url: \"🙂 ${{  }} ${{ now }}\""),
  ])
  func `the mark of an expression is completed once`(_ rest: String, _ result: String) {
    let start = Self.head + "      - id: a\n        request:\n          "
    #expect(AnalysisText.accept("${{ }}", in: start + rest) == start + result)
  }

  @Test(arguments: [
    ("      - id: a\n        effect:‸", "repeatable", " repeatable"),
    ("      - id: a\n        effect: ‸", "repeatable", "repeatable"),
    ("      -‸", "id", " id: "), ("      - ‸", "id", "id: "),
    ("      - id: a\n        depends_on:\n          -‸", "b", " b"),
    ("      - { id: a, effect:‸ }", "repeatable", " repeatable"),
    ("      - { id: a, retry: ‸ }", "patient", "patient"),
    (
      "      - id: a\n        request:\n          headers:\n            Accept:‸",
      "application/json", " application/json"
    ),
  ])
  func `a blank follows a dash and a colon`(_ rest: String, _ label: String, _ inserted: String) {
    let before = Self.head + "      - id: b\n        request: { url: /b }\n"
    let plain = (before + rest).replacing("‸", with: "")
    let expected = (before + rest).replacing("‸", with: inserted)
    #expect(AnalysisText.accept(label, in: before + rest) == expected, "\(plain)")
  }

  @Test func `each kind of list element is offered once`() {
    let labels = AnalysisText(Self.head + "      ‸").labels.filter { $0.hasPrefix("- ") }
    #expect(Set(labels).count == labels.count, "\(labels)")
    #expect(Set(labels) == ["- id", "- for_each"])
  }

  @Test(arguments: [
    "collect: { etags: \"${{ steps.‸ }}\" }\n", "collect:\n          etags: ${{ steps.‸ }}\n",
  ])
  func `collected expressions see the steps of a part`(_ collect: String) {
    let loop =
      "      - id: parts\n        for_each: part\n        in: ${{ ranges(file.size, 8) }}\n"
    let steps = """
              steps:
                - id: put
                  request: { url: "https://a.test" }
                  outputs: { etag: "${{ response.headers.etag }}" }

      """
    for text in [
      loop + "        " + collect + steps, loop + steps + "        " + collect,
    ] {
      #expect(AnalysisText(Self.head + text).labels.contains("put"), "\(text)")
      let named = text.replacing("steps.‸", with: "steps.put.‸")
      #expect(AnalysisText(Self.head + named).labels == ["etag"], "\(text)")
    }
  }

  @Test(arguments: ["until: ${{ steps.‸ }}", "next: { offset: \"${{ steps.‸ }}\" }"])
  func `the end of a turn sees its steps`(_ rest: String) {
    let text = AnalysisText(
      Self.head + """
              - id: sent
                repeat:
                  from: { offset: 0 }
                  steps:
                    - id: send
                      request: { url: "https://a.test" }
                      outputs: { offset: "${{ 1 }}" }
                  \(rest)
              - id: later
                request: { url: "https://a.test" }
        """)
    #expect(text.labels.contains("send"), "\(text.labels)")
    #expect(text.labels.contains("sent"), "\(text.labels)")
    #expect(!text.labels.contains("later"), "\(text.labels)")
  }

  private static func labels(_ marked: String, file: String, _ files: DocumentFiles) -> [String] {
    let place = AnalysisText(marked)
    return DocumentAnalysis(text: marked.replacing("‸", with: ""), file: file, files: files)
      .completions(at: place.position).map(\.label)
  }

  @Test(arguments: [
    ("a.test.yaml", "cases", "steps"), ("a.test.yml", "test", "budgets"),
    ("a.scenario.yaml", "device", "steps"), ("a.yaml", "steps", "cases"),
  ])
  func `a new file gets the keys of its kind`(file: String, present: String, absent: String) {
    for text in ["‸", "# first\n‸", "‸\n"] {
      let labels = Self.labels(text, file: file, .none)
      #expect(labels.contains(present), "\(labels)")
      #expect(!labels.contains(absent), "\(labels)")
    }
  }

  private static let tested = DocumentFiles { path in
    let text = """
      pipeline: a
      inputs: { server: { type: url }, files: { type: files } }
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - id: allocate
              request: { method: POST, url: "${{ inputs.server }}/${{ file.name }}" }
              effect: repeatable
              outputs: { upload_id: "${{ response.json.id }}" }
            - id: send
              upload: { url: "${{ inputs.server + steps.allocate.upload_id }}", file: "${{ file }}" }
              effect: repeatable
      """
    return path == "a.yaml" ? Array(text.utf8) : nil
  }

  @Test(arguments: [
    (
      "answers: { send: [{ if: \"${{ ‸ }}\" }] }",
      ["request", "item", "file", "inputs", "steps"], []
    ),
    ("answers: { send: [{ if: \"${{ steps.‸ }}\" }] }", ["allocate"], []),
    ("answers: { send: [{ if: \"${{ steps.allocate.‸ }}\" }] }", ["upload_id"], []),
    ("answers:\n  send:\n    - if: ${{ request.‸ }}", ["number", "method", "json"], []),
    ("answers: { none: [{ if: \"${{ ‸ }}\" }] }", ["request", "inputs"], ["item"]),
    (
      "cases:\n  - name: b\n    answers: { send: [{ json: { a: \"${{ inputs.‸ }}\" } }] }",
      ["server", "files"], []
    ),
    ("on_abandon: [{ if: \"${{ ‸ }}\" }]", ["request"], ["item"]),
    (
      "cases:\n  - name: b\n    expect:\n      requests:\n        - if: ${{ ‸ }}", ["request"],
      ["response"]
    ),
    (
      "cases:\n  - name: b\n    expect:\n      outputs: { allocate: { upload_id: \"${{ ‸ }}\" } }",
      ["inputs"], ["request"]
    ),
  ])
  func `expressions of a test see its pipeline`(
    rest: String, present: [String], absent: [String]
  ) {
    let text = "test: b\npipeline: a.yaml\n" + rest
    let labels = Self.labels(text, file: "b.test.yaml", Self.tested)
    #expect(Set(present).isSubset(of: labels), "\(rest): \(labels)")
    #expect(Set(absent).isDisjoint(with: labels), "\(rest)")
  }

  @Test func `a test of a pipeline that cannot be read still has functions`() {
    let labels = Self.labels(
      "test: b\npipeline: none.yaml\nanswers: { a: [{ if: \"${{ ‸ }}\" }] }",
      file: "b.test.yaml", .none)
    #expect(labels.contains("size"))
    #expect(!labels.contains("response"))
  }

  @Test func `the steps of turns and of parts are children in the outline`() throws {
    let text =
      Self.head + """
              - id: sent
                repeat:
                  from: { offset: 0 }
                  until: ${{ true }}
                  steps:
                    - id: send
                      request: { url: "https://a.test" }
                  next: { offset: 1 }
              - id: parts
                for_each: part
                in: ${{ [1] }}
                steps:
                  - id: put
                    request: { url: "https://a.test" }
                  - id: check
                    request: { url: "https://a.test" }
                collect: { all: "${{ 1 }}" }
              - id: last
                request: { url: "https://a.test" }
        """
    let loop = try #require(
      DocumentAnalysis(text: text, file: "a.yaml").documentSymbols.last)
    #expect(loop.children.map(\.name) == ["sent", "parts", "last"])
    #expect(loop.children[0].children.map(\.name) == ["offset", "send"])
    #expect(loop.children[1].children.map(\.name) == ["put", "check", "all"])
  }

  @Test(arguments: [
    "services:\n  web: { image: a }\n", "version: '3'\nservices: {}\n",
    "test:\n  script: [make]\n", "pipeline:\n  build: { image: a }\n",
    "steps:\n  - uses: actions/checkout@v4\nname: CI\n", "- a\n- b\n", "{ a: 1, b: [",
    "# yaml-language-server: $schema=https://a.test/compose.schema.json\nservices: [\n",
  ])
  func `another YAML file has no findings`(text: String) {
    let analysis = DocumentAnalysis(text: text, file: "/home/a/docker-compose.yml")
    #expect(analysis.diagnostics == [])
    #expect(analysis.documentSymbols == [])
  }

  @Test func `in another YAML file nothing is offered`() {
    #expect(AnalysisText("services:\n  a: {}\n‸").labels == [])
    #expect(AnalysisText("inputs: {}\n‸").labels.contains("pipeline"))
    #expect(AnalysisText("inputs: {}\npi‸: a\n").labels.contains("pipeline"))
    #expect(AnalysisText("pipeline: a\nservices: {}\n‸").labels.contains("steps"))
  }

  @Test(arguments: [
    ("services: {}\n", "/home/a/Pipelines/b.yaml"), ("services: {}\n", "a.pipeline.yml"),
    ("services: {}\n", "a.test.yaml"), ("services: {}\n", "a.scenario.yaml"),
    ("pipeline: a\nsteps: [\n", "a.yaml"), ("pipelin: a\n", "a.yaml"),
    ("{ pipeline: a, services: 1 }", "a.yaml"),
    ("services: {}\nscenario: a\n", "a.yaml"), ("definitions: a\nretri: {}\n", "a.yaml"),
    ("# yaml-language-server: $schema=../Schemas/pipeline.schema.json\na: 1\n", "a.yaml"),
  ])
  func `a file that a name, a key or a schema makes ours has findings`(text: String, file: String) {
    #expect(DocumentAnalysis(text: text, file: file).diagnostics != [])
  }
}
