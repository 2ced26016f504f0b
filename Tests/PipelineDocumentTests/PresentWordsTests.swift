import PipelineDocument
import Testing

/// Words of earlier versions: refused in a file, fixed by `validate --fix`, and read in a run's own copy.
struct PresentWordsTests {
  /// A pipeline with a part in former and in present words.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let former: String
    let present: String
    var code = DiagnosticCode.formerWord
  }

  private static let head = """
    pipeline: example

    """

  private static func loop(_ steps: String) -> String {
    head
      + """
      inputs: { files: { type: files } }
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          steps:

      """ + steps
  }

  private static func probe(_ done: String, _ found: String, _ open: String) -> String {
    head
      + """
      steps:
        - id: begin
          request: { method: POST, url: "https://example.com/a" }
          effect: create
          probe:
            request: { url: "https://example.com/a" }
            \(done): ${{ response.status == 200 }}
            example: { \(found): { status: 200 }, \(open): { status: 404 } }

      """
  }

  private static func ordered(_ word: String) -> String {
    loop(
      """
            - id: put
              upload: { url: "https://example.com/a", file: "${{ file }}" }
            - { id: ask, request: { url: "https://example.com/b" }, \(word): [put] }

      """)
  }

  private static func matched(_ done: String, _ skip: String) -> String {
    loop(
      """
            - id: put
              upload: { url: "https://example.com/a", file: "${{ file }}" }
              on:
                - { if: "${{ response.status == 409 }}", then: \(done) }
                - { if: "${{ response.status == 404 }}", then: \(skip) }

      """)
  }

  private static func turns(_ word: String) -> String {
    loop(
      """
            - id: sent
              repeat:
                from: { page: 1 }
                until: ${{ steps.sent.page > 3 }}
                steps: [{ id: ping, request: { url: "https://example.com/${{ steps.sent.page }}" } }]
                next: { page: "${{ steps.sent.page + 1 }}" }
              \(word): 5

      """)
  }

  private static func session(_ word: String) -> String {
    head
      + "\(word): com.example.a\nsteps: [{ id: ping, request: { url: \"https://example.com/\" } }]\n"
  }

  private static func created(_ effect: String) -> String {
    head
      + """
      steps:
        - id: begin
          request: { method: POST, url: "https://example.com/a" }
      \(effect)    outputs: { at: "${{ response.headers.location }}" }
        - { id: ask, request: { url: "${{ steps.begin.at }}" } }

      """
  }

  private static func createdInline(_ effect: String) -> String {
    head
      + """
      steps:
        - &begin { id: begin, request: { method: PATCH, url: "https://example.com/a" }, \(effect)outputs: { at: "${{ response.text }}" } }
        - { id: ask, request: { url: "https://example.com/${{ steps.begin.at }}" } }

      """
  }

  static let changes = [
    Change(
      testDescription: "needs", former: ordered("needs"), present: ordered("depends_on")),
    Change(
      testDescription: "session", former: session("session"),
      present: session("background_session")),
    Change(
      testDescription: "done and open of a probe", former: probe("done", "done", "open"),
      present: probe("took_effect", "took_effect", "no_effect")),
    Change(
      testDescription: "then: done and then: skip", former: matched("done", "skip"),
      present: matched("finish_item", "skip_item")),
    Change(
      testDescription: "max_reissues of a repeat", former: turns("max_reissues"),
      present: turns("max_stalled_turns")),
    Change(
      testDescription: "no effect, in a block", former: created(""),
      present: created("    effect: repeatable\n"), code: .missingEffect),
    Change(
      testDescription: "no effect, inline", former: createdInline(""),
      present: createdInline("effect: repeatable, "), code: .missingEffect),
  ]

  @Test(arguments: changes)
  func `a file with the former word is refused, and says the current one`(_ change: Change) {
    let result = PipelineDocument.load(text: change.former, file: "a.yaml")
    #expect(result.pipeline == nil)
    let errors = result.diagnostics.filter { $0.severity == .error }
    #expect(Set(errors.map(\.code)) == [change.code], "\(result.diagnostics)")
  }

  @Test(arguments: changes)
  func `a run's copy with the former word means what the current one means`(_ change: Change) {
    let text = PresentWords.of(change.former, file: "a.yaml")
    #expect(text == change.present)
    let present = PipelineDocument.load(text: change.present, file: "a.yaml")
    #expect(!present.diagnostics.contains { $0.severity == .error }, "\(present.diagnostics)")
    #expect(present.pipeline != nil)
    #expect(PresentWords.of(change.present, file: "a.yaml") == change.present)
  }

  @Test(arguments: changes.filter { $0.code == .formerWord })
  func `validate --fix writes the present words`(_ change: Change) {
    var text = change.former
    for _ in 0..<3 {
      let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
      text = FixApplication.apply(found, to: text).text
    }
    #expect(text == change.present)
  }

  @Test func `only a person chooses what a repeat does`() throws {
    let found = PipelineDocument.load(text: Self.created(""), file: "a.yaml").diagnostics
    let finding = try #require(found.first { $0.code == .missingEffect })
    #expect(finding.fixes.map(\.words) == ["effect: create", "effect: repeatable"])
    #expect(finding.fix == nil)
    #expect(FixApplication.apply(found, to: Self.created("")).count == 0)
  }

  @Test func `more former words than are reported at once are all replaced`() {
    let entries = (1...250).map {
      "      - { if: \"${{ response.status == \($0 + 199) }}\", then: done }"
    }
    let text = Self.loop(
      """
            - id: put
              upload: { url: "https://example.com/a", file: "${{ file }}" }
              on:

      """ + entries.map { "          " + $0.drop { $0 == " " } }.joined(separator: "\n") + "\n")
    let present = PresentWords.of(text, file: "a.yaml")
    #expect(present.split(separator: "finish_item", omittingEmptySubsequences: false).count == 251)
    #expect(PipelineDocument.load(text: present, file: "a.yaml").pipeline != nil)
  }

  @Test func `an unknown word is left alone`() {
    let text = Self.ordered("neds")
    #expect(PresentWords.of(text, file: "a.yaml") == text)
  }

  @Test(arguments: [
    ("version: 1", []), ("version: 2", [DiagnosticCode.unknownVersion]),
    ("version: 0", [.outOfRange]), ("version: new", [.wrongType]), ("version: 1.5", [.wrongType]),
  ])
  func `a version of the language that is not known is refused`(
    _ line: String, _ codes: [DiagnosticCode]
  ) {
    let text =
      "pipeline: a\n\(line)\nsteps: [{ id: ping, request: { url: \"https://example.com/\" } }]\n"
    let result = PipelineDocument.load(text: text, file: "a.yaml")
    #expect(result.diagnostics.map(\.code) == codes)
    #expect((result.pipeline == nil) == !codes.isEmpty)
  }
}
