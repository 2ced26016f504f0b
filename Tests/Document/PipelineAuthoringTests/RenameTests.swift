import Basics
@testable import PipelineAuthoring
import PipelineDocument
import Testing

/// Renaming reaches every place of a name, and no other.
struct RenameTests {
  private static func renamed(_ marked: String, to name: String) throws -> String {
    let text = AnalysisText(marked)
    let edits = try text.analysis.rename(at: text.position, to: name)
    return AnalysisText.replace(
      edits.map { ($0.range, $0.replacement) }, in: marked.replacing("‸", with: ""))
  }

  private static let repeated = """
    pipeline: a
    inputs: { server: { type: url }, file: { type: file } }
    steps:
      - id: sent
        repeat:
          from: { ‸offset: 0 }
          until: ${{ steps.sent.offset == 9 }}
          steps:
            - id: send
              request: { method: PATCH, url: "${{ inputs.server }}" }
              effect: repeatable
              outputs: { offset: "${{ size(response.text) }}" }
          next: { offset: "${{ steps.send.offset }}" }
          resync:
            request: { method: HEAD, url: "${{ inputs.server }}" }
            next: { offset: "${{ int(response.headers['upload-offset']) }}" }

    """

  @Test func `the values of turns are renamed in the next turn's and the server's results`()
    throws
  {
    let text = try Self.renamed(Self.repeated, to: "sent_bytes")
    #expect(text.contains("from: { sent_bytes: 0 }"))
    #expect(text.contains("steps.sent.sent_bytes == 9"))
    #expect(text.contains("next: { sent_bytes: \"${{ steps.send.offset }}\" }"))
    #expect(text.contains("next: { sent_bytes: \"${{ int("))
    #expect(text.contains("outputs: { offset: "))
    #expect(text.components(of: "sent_bytes") == 4)
  }

  @Test func `credentials are renamed in defaults`() throws {
    let text = try Self.renamed(
      """
      pipeline: a
      inputs: { token: { type: secret } }
      credentials: { ‸api: { bearer: "${{ inputs.token }}" } }
      defaults: { url: "https://a.test", credentials: api }
      steps:
        - for_each: x
          in: ${{ [1] }}
          defaults: { url: "https://b.test", credentials: api }
          steps:
            - id: ask
              download: { url: /a, credentials: api, size: 1 }
      """, to: "main")
    #expect(text.components(of: "credentials: main") == 3)
    #expect(text.components(of: "api") == 0)
  }

  @Test func `a sealed output is renamed where the step reads its last value`() throws {
    let text = try Self.renamed(
      """
      pipeline: a
      steps:
        - id: token
          request:
            method: POST
            url: https://a.test
            form: { refresh_token: "${{ previous.refresh != null ? previous.refresh : '' }}" }
          outputs:
            ‸refresh: { value: "${{ response.json.refresh }}", secret: sealed }
        - id: other
          request: { url: "https://a.test/${{ steps.token.refresh }}" }
      """, to: "rotated")
    #expect(text.contains("previous.rotated != null ? previous.rotated : ''"))
    #expect(text.contains("steps.token.rotated"))
    #expect(text.contains("response.json.refresh"))
  }

  @Test func `an expression is found where a size may be written too`() throws {
    let text = try Self.renamed(
      """
      pipeline: a
      inputs: { ‸length: { type: integer } }
      steps:
        - id: get
          download: { url: "https://a.test", size: "${{ inputs.length }}" }
      """, to: "count")
    #expect(text.contains("size: \"${{ inputs.count }}\""))
  }

  @Test func `the name of a digest is fixed`() {
    let text = AnalysisText(
      """
      pipeline: a
      inputs: { file: { type: file } }
      steps:
        - id: sum
          digest: { file: "${{ inputs.file }}", take: [‸sha256] }
      """)
    let refusal = #expect(throws: RenameRefusal.self) {
      _ = try text.analysis.rename(at: text.position, to: "digest")
    }
    #expect(refusal?.message == "'sha256' is the fixed name of a digest")
  }

  private static let company = DocumentFiles { path in
    path == "shared/company.yaml"
      ? Array("definitions: company\nretry: { calm: {} }\ncredentials: { api: {} }\n".utf8) : nil
  }

  private static func user(_ marked: String) -> (DocumentAnalysis, SourcePosition) {
    let place = AnalysisText(marked)
    let text = marked.replacing("‸", with: "")
    return (
      DocumentAnalysis(text: text, file: "/home/a/a.yaml", files: company), place.position
    )
  }

  @Test func `a declaration of a used file is renamed there`() {
    let (analysis, position) = Self.user(
      "pipeline: a\nuse: [shared/company.yaml]\nsteps:\n  - id: b\n    retry: ‸calm\n")
    let refusal = #expect(throws: RenameRefusal.self) {
      _ = try analysis.rename(at: position, to: "b")
    }
    #expect(refusal?.message.contains("rename it there") == true)
  }

  @Test func `a name of definitions is renamed in a pipeline that uses them`() throws {
    let definitions = AnalysisText(
      "definitions: company\nretry: { ‸calm: { attempts: 3 } }\n")
    let shared = try #require(definitions.analysis.sharedName(at: definitions.position))
    let path = "/home/a/shared/company.yaml"
    func lines(_ text: String) throws -> [Int] {
      try Self.user("‸" + text).0.rename(shared, of: path, to: "slow").map(\.range.start.line)
    }
    let steps = "steps:\n  - id: b\n    retry: calm\n"
    #expect(try lines("pipeline: a\nuse: [shared/company.yaml]\n" + steps) == [5])
    #expect(try lines("pipeline: a\nuse: [shared/other.yaml]\n" + steps) == [])
    #expect(
      try lines("pipeline: a\nuse: [shared/company.yaml]\nretry: { calm: {} }\n" + steps) == [])
    let refusal = #expect(throws: RenameRefusal.self) {
      _ = try lines("pipeline: a\nuse: [shared/company.yaml]\nretry: { slow: {} }\n" + steps)
    }
    #expect(refusal?.message == "in '/home/a/a.yaml' there is already a retry policy 'slow'")
  }

  @Test(arguments: [
    "pipeline: a\nretry: { ‸calm: {} }\nsteps: []\n",
    "pipeline: a\nsteps:\n  - for_each: ‸x\n    in: ${{ [1] }}\n    steps: []\n", "pipeline: ‸a\n",
  ])
  func `names that no other file has are not shared`(marked: String) {
    let text = AnalysisText(marked)
    #expect(text.analysis.sharedName(at: text.position) == nil)
  }

  private static let tested = """
    pipeline: login
    inputs: { ‸1server: { type: url } }
    steps:
      - id: ‸2ask
        request: { url: "${{ inputs.server }}" }
        outputs: { ‸3token: "${{ response.text }}" }
    outputs: { token: "${{ steps.ask.token }}" }

    """

  private static let users = [
    "/home/a/main.yaml": """
    pipeline: main
    inputs: { server: { type: url } }
    steps:
      - id: ask
        use: shared/login.yaml
        with: { server: "${{ inputs.server }}" }
      - id: other
        use: shared/other.yaml
        with: { server: "${{ steps.ask.token }}" }
    """,
    "/home/a/shared/login.test.yaml": """
    test: login
    pipeline: login.yaml
    inputs: { server: http://a.test }
    answers: { ask: [{ if: "${{ inputs.server == steps.ask.token }}" }] }
    cases:
      - name: server
        inputs: { server: http://b.test }
        expect:
          attempts: { ask: 1 }
          requests: [{ step: ask }]
          outputs: { ask: { token: { ask: 1 } } }
    """,
  ]

  /// The places of a name, as `line:column` of each file, in the order of files.
  @Test(arguments: [
    ("1", ["6:13"], ["3:11", "4:36", "7:15"]),
    ("2", [], ["4:12", "4:52", "9:19", "10:26", "11:18"]),
    ("3", [], ["4:56", "11:25"]),
  ])
  func `a pipeline's names are renamed where it is used and tested`(
    mark: String, used: [String], tested: [String]
  ) throws {
    var marked = Self.tested.replacing("‸" + mark, with: "‸")
    for other in ["1", "2", "3"] where other != mark {
      marked = marked.replacing("‸" + other, with: "")
    }
    let text = AnalysisText(marked)
    let shared = try #require(text.analysis.sharedName(at: text.position))
    let found = try Self.users.sorted { $0.key < $1.key }.map { file, text in
      try DocumentAnalysis(text: text, file: file)
        .rename(shared, of: "/home/a/shared/login.yaml", to: "new")
        .map { "\($0.range.start.line):\($0.range.start.column)" }
    }
    #expect(found == [used, tested])
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
