import Basics
@testable import PipelineAuthoring
import PipelineDocument
import Testing

struct AnalysisCompletionTests {
  private static let head = """
    pipeline: photos
    inputs:
      server: { type: url, description: Root of the API. }
      photos: { type: files, default: "*.jpg" }
      password: { type: secret }
    retry:
      patient: { attempts: 9 }
    steps:
      - id: sign_in
        request:
          url: ${{ inputs.server + "/login" }}
        outputs:
          token: { value: "${{ response.json.token }}", expires: { in: 1h }, secret: true }
          count: ${{ size(response.text) }}
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: allocate
            request:
              url: ${{ inputs.server }}
            outputs:
              upload_id: ${{ string(response.json.id) }}
          - id: body
            materialize:
              file: ${{ photo }}

    """

  private static func labels(_ rest: String) -> [String] { AnalysisText(head + rest).labels }

  @Test func `an empty file offers the keys of a pipeline, needed ones first`() {
    let text = AnalysisText("‸")
    #expect(text.labels.prefix(2) == ["pipeline", "steps"])
    #expect(
      Set(text.labels)
        == [
          "pipeline", "steps", "description", "inputs", "budgets", "background_session", "retry",
          "version",
          "defaults", "credentials", "use", "outputs",
        ])
    #expect(text.completion("pipeline")?.detail == "required, name")
    #expect(text.completion("pipeline")?.text == "pipeline: ")
  }

  @Test func `existing keys are left out, above and below`() {
    let labels = AnalysisText("pipeline: a\nde‸\nsteps: []\n").labels
    #expect(
      labels == [
        "version", "description", "inputs", "budgets", "background_session", "retry", "defaults",
        "credentials", "use", "outputs",
      ])
  }

  @Test(arguments: [
    ("      - id: x\n        re‸", "request"),
    ("      - id: x\n        request:\n          ‸", "url"),
    ("      - id: x\n        request:\n          url: a\n          me‸\n", "method"),
    ("      - ‸", "id"),
    ("      - id: x\n        request: { url: a, ‸", "method"),
    ("      - id: x\n        request: { url: a, ‸ }", "timeout"),
    ("      - id: x\n        outputs:\n          a:\n            ‸", "value"),
    ("      - id: x\n        outputs:\n          a: { value: x, expires: { ‸ } }", "in"),
    ("      - id: x\n        on:\n          - ‸", "then"),
    ("      - id: x\n        on:\n          - { ‸ }", "then"),
    ("    on_abandon:\n      - request:\n          ‸", "url"),
    ("    ‸", "on_abandon"),
    ("  - ‸", "for_each"),
    ("defaults:\n  ‸", "url"), ("    defaults: { ‸", "headers"),
    ("      - id: x\n        idempotency: { ‸ }", "field"),
    ("      - id: x\n        outputs:\n          a: { value: x, expires: { ‸ } }", "sliding"),
    ("      - id: x\n        materialize:\n          concat:\n            - ‸", "range"),
    ("budgets:\n  ‸", "disk"),
    ("budgets: {‸", "disk"),
    (
      "      - id: x\n        request:\n          json: {\n            a: 1\n          }\n          ‸",
      "headers"
    ),
  ])
  func `keys of the construct at the cursor are offered`(_ rest: String, _ key: String) {
    #expect(Self.labels(rest).contains(key), "\(rest)")
  }

  @Test func `of keys that exclude each other one is enough`() {
    let labels = Self.labels(
      "      - id: x\n        request:\n          url: a\n          json: {}\n          ‸")
    #expect(!labels.contains("form"))
    #expect(!labels.contains("json"))
    #expect(labels.contains("headers"))
  }

  @Test(arguments: [
    ("      - id: x\n        effect: ‸", ["repeatable", "create"]),
    (
      "      - id: x\n        on:\n          - then: ‸",
      ["success", "retry", "finish_item", "skip_item", "fail", "pause", "poll"]
    ),
    (
      "      - id: x\n        on:\n          - { then: re‸ }",
      ["success", "retry", "finish_item", "skip_item", "fail", "pause", "poll"]
    ),
    ("      - id: x\n        on:\n          - expired: ‸", ["sign_in", "allocate", "body"]),
    ("      - id: x\n        depends_on: [‸]", ["sign_in", "allocate", "body"]),
    ("      - id: x\n        depends_on:\n          - ‸", ["sign_in", "allocate", "body"]),
    ("  - id: x\n    depends_on: [‸]", ["sign_in"]),
    (
      "      - id: x\n        materialize:\n          digests: [md5, ‸]",
      ["md5", "sha1", "sha256", "sha512", "crc32", "crc32c", "crc64nvme", "sha256_blocks_4mib"]
    ),
    (
      "      - id: x\n        digest:\n          take: [md5, ‸]",
      ["md5", "sha1", "sha256", "sha512", "crc32", "crc32c", "crc64nvme", "sha256_blocks_4mib"]
    ),
  ])
  func `values after a key are offered`(_ rest: String, _ expected: [String]) {
    let labels = Self.labels(rest)
    #expect(Set(expected).isSubset(of: labels), "\(rest): \(labels)")
    #expect(labels.count <= expected.count + 3, "\(rest): \(labels)")
  }

  @Test func `retry accepts a policy's name or its keys`() {
    let labels = Self.labels("      - id: x\n        retry: ‸")
    #expect(labels == ["patient", "standard"])
    let keys = Self.labels("      - id: x\n        retry:\n          ‸")
    #expect(keys.contains("attempts"))
  }

  @Test(arguments: [
    (
      "  - id: x\n    if: ${{ ‸ }}", ["inputs", "steps", "now", "size", "KiB", "true"],
      ["response", "photo", "item", "contains"]
    ),
    ("      - id: x\n        if: ${{ ‸ }}", ["photo", "item"], ["response"]),
    ("      - id: x\n        if: ${{ inputs.‸ }}", ["server", "photos", "password"], ["steps"]),
    ("      - id: x\n        if: ${{ inputs.se‸", ["server"], []),
    ("      - id: x\n        if: ${{ steps.‸ }}", ["sign_in", "allocate", "body"], ["x"]),
    ("  - id: x\n    if: ${{ steps.‸ }}", ["sign_in"], ["allocate", "x"]),
    ("      - id: x\n        if: ${{ steps.allocate.‸ }}", ["upload_id"], ["token"]),
    ("      - id: x\n        if: ${{ steps.body.file.‸ }}", ["size", "sha256"], []),
    ("      - id: x\n        if: ${{ photo.‸ }}", ["name", "size", "modified"], []),
    ("      - id: x\n        if: ${{ photo.name.‸ }}", ["contains", "trim"], ["getHours"]),
    ("      - id: x\n        if: ${{ inputs.photos.filter(f, f.‸) }}", ["exists"], []),
    ("      - id: x\n        if: ${{ inputs.photos.filter(f, ‸) }}", ["f", "photo"], []),
    ("      - id: x\n        if: ${{ photo.modified.‸ }}", ["getHours"], ["trim"]),
    ("      - id: x\n        if: ${{ math.‸ }}", ["abs", "greatest"], ["size"]),
    ("      - id: x\n        on:\n          - if: ${{ response.‸ }}", ["status", "headers"], []),
    ("      - id: x\n        on:\n          - { if: \"${{ history.‸", ["statuses"], []),
    ("      - id: x\n        request:\n          text: |\n            a ${{ photo.‸", ["name"], []),
    ("      - id: x\n        probe:\n          took_effect: ${{ response.‸", ["status"], []),
    (
      "      - id: x\n        request:\n          json:\n            a: [\"${{ photo.‸", ["name"],
      []
    ),
    ("    on_abandon:\n      - request:\n          url: ${{ steps.‸", ["allocate", "body"], []),
  ])
  func `an expression offers the visible names`(
    _ rest: String, _ present: [String], _ absent: [String]
  ) {
    let labels = Self.labels(rest)
    for label in present { #expect(labels.contains(label), "\(rest): \(labels)") }
    for label in absent { #expect(!labels.contains(label), "\(rest): \(label)") }
  }

  @Test(arguments: [
    "# ‸", "pipeline: x # ‸", "description: |\n  some text ‸",
    "pipeline: photos\ndescription: a ‸b",
    "pipeline: a\nsteps:\n  - id: a\n    if: ${{ \"text ‸\" }}",
  ])
  func `nothing is offered in comments and texts`(_ text: String) {
    #expect(AnalysisText(text).labels.isEmpty)
  }

  @Test func `the typed part of a word is replaced`() {
    let text = "pipeline: a\nsteps:\n  - id: a\n    requ‸\n"
    #expect(
      AnalysisText.accept("request", in: text)
        == "pipeline: a\nsteps:\n  - id: a\n    request: \n")
    let half = Self.head + "  - id: x\n    if: ${{ steps.sig‸n.token }}"
    #expect(
      AnalysisText.accept("sign_in", in: half)
        == Self.head + "  - id: x\n    if: ${{ steps.sign_in.token }}")
    let key = "pipe‸: a\n"
    #expect(AnalysisText.accept("pipeline", in: key) == "pipeline: a\n")
  }

  @Test func `completions have descriptions`() throws {
    let input = try #require(
      AnalysisText(Self.head + "  - id: x\n    if: ${{ inputs.‸ }}").completion("server"))
    #expect(input.kind == .input)
    #expect(input.detail == "url")
    #expect(input.documentation == "Root of the API.")
    let output = try #require(
      AnalysisText(Self.head + "  - id: x\n    if: ${{ steps.sign_in.‸ }}").completion("count"))
    #expect(output.detail == "int")
    let function = try #require(
      AnalysisText(Self.head + "  - id: x\n    if: ${{ siz‸ }}").completion("size"))
    #expect(function.detail?.contains("-> int") == true)
    #expect(function.snippet == "size($1)$0")
    #expect(
      AnalysisText(Self.head + "  - id: x\n    if: ${{ hmac_sha2‸").completion("hmac_sha256") != nil
    )
  }

  @Test func `a long text of expressions and a long flow mapping are no burden`() throws {
    // Each of these needed minutes while a place or a key was looked up from the start.
    let texts = String(repeating: "é${{ inputs.server }} ", count: 2_000)
    let wide = AnalysisText(
      Self.head + "  - id: x\n    request:\n      text: \"\(texts)${{ inputs.‸ }}\"\n")
    #expect(wide.labels.contains("server"))
    let position = SourcePosition(line: wide.position.line, column: wide.position.column - 5)
    #expect(wide.analysis.definition(at: position) == nil)
    let keys = (0..<4_000).map { "k\($0): 1, " }.joined()
    #expect(AnalysisText("{ pipeline: a, \(keys)‸ }").labels.contains("steps"))
    #expect(!AnalysisText("{ pipeline: a, ‸ \(keys)steps: [] }").labels.contains("steps"))
  }

  private static let used = DocumentFiles { path in
    switch path {
    case "shared/login.yaml":
      Array("pipeline: login\ninputs: { server: { type: url } }\noutputs: { token: a }\n".utf8)
    case "shared/company.yaml":
      Array("definitions: company\nretry: { calm: {} }\ncredentials: { api: {} }\n".utf8)
    default: nil
    }
  }

  @Test(arguments: [
    ("    with:\n      ‸", "server"), ("  - id: x\n    if: ${{ steps.login.‸ }}", "token"),
    ("  - id: x\n    retry: ‸", "calm"),
    ("  - id: x\n    request:\n      credentials: ‸", "api"),
  ])
  func `declarations of used files are offered`(_ rest: String, _ label: String) {
    let head = """
      pipeline: a
      use: [shared/company.yaml]
      steps:
        - id: login
          use: ./shared/login.yaml

      """
    let text = AnalysisText(head + rest)
    let plain = (head + rest).split(separator: "‸", omittingEmptySubsequences: false).joined()
    let analysis = DocumentAnalysis(text: plain, file: "dir/a.yaml", files: Self.used)
    #expect(analysis.completions(at: text.position).contains { $0.label == label })
  }

  @Test(arguments: [
    ("request: { url: http://a.test, json: { all: \"${{ batch.‸ }}\" } }", "entries", "list(int)"),
    ("results: { each: \"${{ response.json.all[batch.‸] }}\" }", "index", "int"),
    ("results: { each: 1, on: [{ if: \"${{ batch.‸ }}\" }] }", "entry", "int"),
    ("results: { each: \"${{ 1 }}\", on: [{ if: \"${{ batch.‸ }}\" }] }", "result", "int"),
  ])
  func `the batch variables are offered with their types`(
    _ rest: String, _ label: String, _ type: String
  ) {
    let labels = AnalysisText(
      Self.head + """
              - id: finish
                batch: { items: 10, entry: "${{ photo.size }}" }
                \(rest)
        """)
    #expect(labels.completion(label)?.detail == type)
  }

  @Test func `hover shows the type of a batch's result`() {
    let text = AnalysisText(
      Self.head + """
              - id: finish
                batch: { items: 10, entry: "${{ photo.size }}" }
                request: { url: http://a.test, json: "${{ batch.ent‸ries }}" }
        """)
    #expect(text.hover?.contains("list(int)") == true, "\(text.hover ?? "nothing")")
  }

  @Test func `a step without a batch is offered nothing of one`() {
    let text = Self.head + "      - id: x\n        request: { url: \"${{ batch.‸ }}\" }\n"
    #expect(AnalysisText(text).labels == [])
  }

  @Test func `a response's schema determines its fields`() {
    let text = AnalysisText(
      """
      pipeline: a
      steps:
        - id: x
          request:
            url: http://a.test
            response:
              schema: { type: object, properties: { id: { type: string } } }
          outputs:
            id: ${{ response.json.‸ }}
      """)
    #expect(text.labels.contains("id"))
    #expect(text.completion("id")?.detail == "string")
  }
}
