import PipelineDocument
import Testing

struct DocumentOverrideTests {
  private static let text = """
    pipeline: photos        # a comment
    budgets: { disk: 1 GiB }
    retry:
      standard: { attempts: 3 }
    steps:
      - id: sign_in
        request: { url: "http://server/login" }
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 2      # places
        steps:
          - id: upload
            upload:
              url: "http://server/content"
              priority: 0.5

    """

  private func change(
    _ key: String, _ value: String, in text: String = text
  ) throws -> DocumentOverride.Change {
    try DocumentOverride(key: key, value: value).applied(to: text)
  }

  @Test(arguments: [
    ("budgets.disk", "512 MiB", "budgets: { disk: 512 MiB }"),
    ("retry.standard.attempts", "9", "standard: { attempts: 9 }"),
    ("steps.photo.concurrency", "50", "    concurrency: 50      # places"),
    ("photo.concurrency", "50", "concurrency: 50 "),
    ("concurrency", "50", "concurrency: 50 "),
    ("steps.photo.steps.upload.upload.priority", "1", "priority: 1\n"),
    ("photo.upload.upload.priority", "1", "priority: 1\n"),
    ("priority", "1", "priority: 1\n"),
    ("steps.sign_in.request.url", "http://a/b", #"request: { url: "http://a/b" }"#),
    ("steps.photo.in", "${{ inputs.files }}", #"in: "${{ inputs.files }}""#),
    ("pipeline", "other", "pipeline: other        # a comment"),
  ])
  func `the value at a path is replaced, and nothing else`(
    key: String, value: String, expected: String
  ) throws {
    let change = try change(key, value)
    #expect(!change.isNew)
    #expect(change.text.contains(expected), "\(change.text)")
    let differing = zip(change.text.split(separator: "\n"), Self.text.split(separator: "\n"))
      .filter { $0 != $1 }
    #expect(differing.count == 1)
  }

  @Test(arguments: [
    ("budgets.transfers", "100", "budgets: { transfers: 100, disk: 1 GiB }"),
    ("photo.batch", "10", "- batch: 10\n    for_each: photo"),
    ("batch", "10", "- batch: 10\n    for_each: photo"),
    ("session", "mine", "session: mine\npipeline: photos"),
    ("photo.upload.upload.earliest", "1h", "earliest: 1h\n          url:"),
    ("limits.a.b", "1", "limits: { a: { b: 1 } }\npipeline: photos"),
  ])
  func `a missing key is added to the mapping at its path`(
    key: String, value: String, expected: String
  ) throws {
    let change = try change(key, value)
    #expect(change.isNew)
    #expect(change.text.contains(expected), "\(change.text)")
  }

  @Test(arguments: [
    ("conurrency", "concurrency"), ("budgets.dsk", "budgets.disk"),
    ("photo.concurency", "concurrency"), ("retry.standrad.attempts", "retry.standard.attempts"),
  ])
  func `the key that was most likely meant is named`(key: String, meant: String) throws {
    #expect(try change(key, "1").suggestion == meant)
  }

  @Test func `a key that occurs in several places is ambiguous`() throws {
    let problem = #expect(throws: DocumentOverride.Problem.self) { try change("url", "x") }
    #expect(problem?.message == "'url' is ambiguous: it matches 2 values")
    #expect(problem?.help?.contains("'steps.sign_in.request.url'") == true, "\(problem as Any)")
  }

  @Test(arguments: ["", "- a\n- b\n", "just text\n", "a: [\n"])
  func `a text that is not a mapping cannot be changed`(text: String) {
    #expect(throws: DocumentOverride.Problem.self) { try change("a", "1", in: text) }
  }

  @Test(arguments: ["budgets.disk.more", "steps.nine.id.x"])
  func `a path through a value is invalid`(key: String) {
    #expect(throws: DocumentOverride.Problem.self) { try change(key, "1") }
  }

  @Test(arguments: [".", "a..b", "a."])
  func `an empty name is not a key`(key: String) {
    #expect(throws: DocumentOverride.Problem.self) { try change(key, "1") }
  }

  @Test(arguments: [
    ("a: {}\n", "a.b", "a: { b: 1 }\n"), ("a:\nb: 2\n", "a", "a: 1\nb: 2\n"),
    ("list:\n  - { name: x, size: 2 }\n", "list.x.size", "list:\n  - { name: x, size: 1 }\n"),
    ("list: [4, 5]\n", "list.1", "list: [4, 1]\n"), ("größe: 2\nb: 3\n", "b", "größe: 2\nb: 1\n"),
  ])
  func `empty mappings, omitted values, lists and wide letters are accepted`(
    text: String, key: String, expected: String
  ) throws {
    #expect(try change(key, "1", in: text).text == expected)
  }

  @Test(arguments: [
    ("[1, 2]", "a: [1, 2]\n"), ("{ b: 1 }", "a: { b: 1 }\n"), ("a: b", "a: \"a: b\"\n"),
    ("", "a: \"\"\n"), ("say \"x\"", "a: \"say \\\"x\\\"\"\n"), ("'x'", "a: 'x'\n"),
    ("[1, 2", "a: \"[1, 2\"\n"),
  ])
  func `a value is YAML where it is a whole node, and a text otherwise`(
    value: String, expected: String
  ) throws {
    #expect(try change("a", value, in: "a: 0\n").text == expected)
  }

  @Test(arguments: ["", "=", "=1", "key"])
  func `an assignment has a key and a sign`(text: String) {
    #expect(DocumentOverride(text) == nil)
  }

  @Test func `the first sign divides an assignment`() {
    #expect(DocumentOverride("a.b=c=d") == DocumentOverride(key: "a.b", value: "c=d"))
    #expect(DocumentOverride("a=") == DocumentOverride(key: "a", value: ""))
  }
}
