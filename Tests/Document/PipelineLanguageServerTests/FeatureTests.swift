import CEL
import PipelineDocument
import PipelineLanguageServer
import Testing

/// Signatures, highlights, folding, links, comments that ignore, tags and addresses, as an editor sees them.
struct FeatureTests {
  private static let text = """
    # yaml-language-server: $schema=https://a.test/s.json
    pipeline: a
    inputs: { server: { type: url }, other: { type: url } }
    steps:
      - id: ask
        request: { query: { q: "🙂" }, url: "${{ resolve(inputs.server, 'é') }}" }

    """

  private static let document: Value = ["textDocument": ["uri": .string(Editor.uri)]]

  private static let methods = [
    "signatureHelp", "documentHighlight", "foldingRange", "documentLink",
  ]

  @Test(arguments: methods)
  func `a document that is not open gets nothing`(_ method: String) throws {
    var editor = try Editor.started()
    let result = try editor.at(0, 0, method)
    #expect(result == .null || result == [])
  }

  @Test(arguments: methods)
  func `a request without a document is refused`(_ method: String) throws {
    var editor = try Editor.started()
    let answer = try editor.ask(
      "textDocument/\(method)", ["position": ["line": 0, "character": 0]])
    #expect(answer["error", "code"] == -32602)
  }

  @Test func `the server announces its features`() throws {
    var editor = Editor()
    let answer = try editor.request("initialize", ["capabilities": [:]])["capabilities"]
    #expect(answer?["signatureHelpProvider", "triggerCharacters"] == ["(", ","])
    #expect(answer?["documentHighlightProvider"] == true)
    #expect(answer?["foldingRangeProvider"] == true)
    #expect(answer?["documentLinkProvider", "resolveProvider"] == false)
    #expect(answer?["completionProvider", "triggerCharacters"]?.listValue?.contains("/") == true)
  }

  @Test func `the active parameter is marked in the label, even after an emoji`() throws {
    var editor = try Editor.started([
      "textDocument": [
        "signatureHelp": [
          "signatureInformation": ["parameterInformation": ["labelOffsetSupport": true]]
        ]
      ]
    ])
    try editor.open(Self.text)
    #expect(try editor.at(5, 20, "signatureHelp") == .null)
    let help = try editor.at(5, 69, "signatureHelp")
    #expect(help["activeParameter"] == 1)
    #expect(help["activeSignature"] == 0)
    let signature = help["signatures"]?.listValue?.first
    #expect(signature?["label"] == "resolve(base: string, reference: string) -> string")
    #expect(signature?["parameters"]?.listValue?.map { $0["label"] } == [[8, 20], [22, 39]])
    #expect(signature?["documentation", "kind"] == "markdown")
    var plain = try Editor.started([:])
    try plain.open(Self.text)
    let parameters = try plain.at(5, 69, "signatureHelp")["signatures"]?.listValue?.first?[
      "parameters"]
    #expect(parameters?.listValue?.map { $0["label"] } == ["base: string", "reference: string"])
  }

  @Test func `a highlight shows whether the name is declared there`() throws {
    var editor = try Editor.started()
    try editor.open(Self.text)
    #expect(try editor.at(0, 0, "documentHighlight") == [])
    let places = try editor.at(2, 12, "documentHighlight").listValue ?? []
    #expect(places.map { $0["kind"] } == [3, 2])
    #expect(places.last?["range", "start"] == ["line": 5, "character": 60])
    #expect(places.last?["range", "end"] == ["line": 5, "character": 66])
  }

  @Test func `lines fold`() throws {
    var editor = try Editor.started()
    try editor.open(Self.text)
    let ranges = try editor.request("textDocument/foldingRange", Self.document).listValue ?? []
    #expect(ranges.map { $0["startLine"] } == [3, 4])
    #expect(ranges.map { $0["endLine"] } == [5, 5])
    #expect(ranges.first?["kind"] == "region")
  }

  @Test func `links lead to addresses, and to files in the editor`() throws {
    var editor = try Editor.started()
    try editor.open(
      "# $schema=https://a.test/s.json\npipeline: a\nsteps:\n  - id: \"é\"\n"
        + "    use: \"shared/é b.yaml\"\n")
    #expect(try editor.request("textDocument/documentLink", Self.document).listValue?.count == 1)
    try editor.notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": "file:///home/a%20user/shared/%C3%A9%20b.yaml", "version": 1, "text": "a: 1",
        ]
      ])
    let links = try editor.request("textDocument/documentLink", Self.document).listValue ?? []
    #expect(
      links.map { $0["target"] } == [
        "https://a.test/s.json", "file:///home/a%20user/shared/%C3%A9%20b.yaml",
      ])
    #expect(links.last?["range", "start"] == ["line": 4, "character": 10])
    #expect(try editor.labels(4, 17) == ["é b.yaml"])
  }

  private static let actions: Value = [
    "textDocument": ["uri": .string(Editor.uri)],
    "range": [
      "start": ["line": 0, "character": 0], "end": ["line": 99, "character": 0],
    ],
    "context": ["diagnostics": []],
  ]

  @Test func `a finding is ignored where it may be`() throws {
    var editor = try Editor.started()
    try editor.open(Self.text)
    let found = try editor.request("textDocument/codeAction", Self.actions).listValue ?? []
    let titles = found.compactMap { $0["title"]?.stringValue }
    #expect(titles == ["Ignore 'unused-input' here"])
    let edits = found.last?["edit", "documentChanges"]?.listValue?.first?["edits"]?.listValue
    #expect(
      edits?.first?["newText"]
        == "# pipeline: ignore[unused-input] explain why\n")
    #expect(edits?.first?["range", "start"] == ["line": 2, "character": 0])
  }

  private func found(
    _ capabilities: Value, pages: RulePages?, in text: String = text
  ) throws -> [String: Value] {
    var server = LanguageServer(version: "test", pages: pages)
    let messages: [Message] = [
      .request(.number(0), method: "initialize", params: ["capabilities": capabilities]),
      .notification(
        method: "textDocument/didOpen",
        params: ["textDocument": ["uri": .string(Editor.uri), "text": .string(text)]]),
    ]
    guard
      case .notification(_, let params)? = server.receive(messages.map(Result.success)).last
    else { return [:] }
    return Dictionary(
      (params["diagnostics"]?.listValue ?? []).map { ($0["code"]?.stringValue ?? "", $0) }
    ) { first, _ in first }
  }

  @Test func `an editor that supports neither tags nor addresses does not get any`() throws {
    let found = try found([:], pages: RulePages(folder: "https://a.test/docs"))
    #expect(found["unused-input"] != nil)
    #expect(found.values.allSatisfy { $0["tags"] == nil && $0["codeDescription"] == nil })
  }

  @Test func `an unused thing has its tag`() throws {
    let found = try found(.visualStudioCode, pages: nil)
    #expect(found["unused-input"]?["tags"] == [1])
    #expect(found.values.allSatisfy { $0["codeDescription"] == nil })
  }

  @Test func `a code leads to its page`() throws {
    let found = try found(.visualStudioCode, pages: RulePages(folder: "/usr/share/a b"))
    #expect(
      found["unused-input"]?["codeDescription", "href"]
        == "file:///usr/share/a%20b/checks.md#unused-input")
  }
}
