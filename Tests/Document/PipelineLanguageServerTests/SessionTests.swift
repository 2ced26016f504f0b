import CEL
import PipelineLanguageServer
import Testing

/// Sessions as editors hold them.
struct SessionTests {
  private static let text = """
    pipeline: photos
    inputs:
      server: { type: url, description: Root of the API. }
      photos: { type: files, default: "*.jpg" }
    steps:
      - id: sign_in
        request:
          url: ${{ inputs.server + "/login" }}
        outputs:
          token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h } }
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: allocate
            request:
              url: ${{ inputs.server + "/" + urlEscape(photo.name) }}
              bearer: ${{ steps.sign_in.token }}
            depends_on: [sign_in]

    """

  @Test func `an editor opens a file, writes a step with completion, and closes it`() throws {
    var editor = try Editor.started()
    try editor.open(Self.text)
    #expect(editor.codes == [])
    #expect(editor.diagnostics[Editor.uri]?["version"] == 1)

    // A new line, then the start of a key, letter by letter.
    try editor.change(version: 2, [.edit(18, 0, 18, 0, "            o")])
    #expect(editor.codes.contains("yaml-syntax"))
    #expect(editor.diagnostics[Editor.uri]?["version"] == 2)
    #expect(try editor.labels(18, 13) == [])
    try editor.change(version: 3, [.edit(18, 0, 18, 2, "")])
    // The line starts at the column of `depends_on` now, ten blanks less the two that were removed.
    try editor.change(version: 4, [.edit(18, 0, 18, 11, "        o")])
    let keys = try editor.labels(18, 9)
    #expect(keys.contains("outputs"))
    #expect(keys.contains("on"))
    #expect(!keys.contains("depends_on"))

    // The key is completed, its entry written up to an expression.
    try editor.change(version: 5, [.edit(18, 8, 18, 9, "on:\n          - if: ${{ ")])
    #expect(try editor.labels(19, 20).contains("response"))
    try editor.change(version: 6, [.edit(19, 20, 19, 20, "response.")])
    #expect(
      try editor.labels(19, 29) == ["error", "headers", "json", "status", "text", "url", "xml"])
    try editor.change(
      version: 7, [.edit(19, 29, 19, 29, "status == 401 }}\n            expired: ")])
    #expect(try editor.labels(20, 21) == ["sign_in"])
    try editor.change(version: 8, [.edit(20, 21, 20, 21, "sign_in")])
    #expect(editor.codes == [])

    try editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(Editor.uri)]])
    #expect(editor.diagnostics[Editor.uri]?["diagnostics"] == [])
    #expect(try editor.request("shutdown", .null) == .null)
    try editor.notify("exit", .null)
    #expect(editor.exitStatus == 0)
  }

  @Test func `hover, definition and references return places`() throws {
    var editor = try Editor.started()
    try editor.open(Self.text)
    let hover = try editor.at(7, 24, "hover")
    #expect(hover["contents", "kind"] == "markdown")
    #expect(hover["contents", "value"]?.stringValue?.contains("Root of the API.") == true)
    #expect(hover["range", "start", "character"] == 22)
    #expect(try editor.at(7, 0, "hover") == .null)
    let definition = try editor.at(16, 30, "definition")
    #expect(definition["uri"] == .string(Editor.uri))
    #expect(definition["range", "start"] == ["line": 5, "character": 8])
    #expect(try editor.at(0, 0, "definition") == .null)
    let all = try editor.at(5, 9, "references", ["context": ["includeDeclaration": true]])
    #expect(all.listValue?.compactMap { $0["range", "start", "line"]?.int } == [5, 16, 17])
    let uses = try editor.at(5, 9, "references", ["context": ["includeDeclaration": false]])
    #expect(uses.listValue?.count == 2)
  }

  @Test func `a renamed step is renamed in the version that the editor has`() throws {
    var editor = try Editor.started()
    try editor.open(Self.text, version: 7)
    let target = try editor.at(17, 23, "prepareRename")
    #expect(target["placeholder"] == "sign_in")
    #expect(target["range", "start"] == ["line": 17, "character": 21])
    let edit = try editor.at(17, 23, "rename", ["newName": "login"])
    let change = edit["documentChanges"]?.listValue?.first
    #expect(change?["textDocument"] == ["uri": .string(Editor.uri), "version": 7])
    #expect(change?["edits"]?.listValue?.map { $0["newText"] } == ["login", "login", "login"])
    let refused = try editor.ask(
      "textDocument/rename", Editor.place(17, 23, ["newName": "allocate"]))
    #expect(refused["error", "code"] == -32803)
    #expect(refused["error", "message"] == "there is already a step 'allocate'")
    let nothing = try editor.ask("textDocument/prepareRename", Editor.place(0, 0))
    #expect(nothing["error", "code"] == -32803)
  }

  @Test func `a fix is offered where the mistake is`() throws {
    var editor = try Editor.started()
    try editor.open("pipeline: a\nstepz:\n  - id: a\n    request: { url: \"http://a.test\" }\n")
    #expect(editor.codes.contains("unknown-key"))
    let params: Value = [
      "textDocument": ["uri": .string(Editor.uri)],
      "range": [
        "start": ["line": 1, "character": 2], "end": ["line": 1, "character": 2],
      ],
      "context": ["diagnostics": [], "only": ["quickfix"]],
    ]
    let actions = try editor.request("textDocument/codeAction", params)
    #expect(actions.listValue?.count == 1)
    let action = actions.listValue?.first
    #expect(action?["title"] == "Replace 'stepz' with 'steps'")
    #expect(action?["kind"] == "quickfix")
    let edits = action?["edit", "documentChanges"]?.listValue?.first?["edits"]
    #expect(edits?.listValue?.first?["range", "end"] == ["line": 1, "character": 5])
  }

  @Test func `symbols are nested where the editor can show that, else in a row`() throws {
    var editor = try Editor.started()
    try editor.open(Self.text)
    let params: Value = ["textDocument": ["uri": .string(Editor.uri)]]
    let nested = try editor.request("textDocument/documentSymbol", params)
    #expect(
      nested.listValue?.map { $0["name"] } == ["server", "photos", "sign_in", "for_each photo"])
    #expect(nested.listValue?.last?["children"]?.listValue?.first?["name"] == "allocate")
    var plain = try Editor.started([:])
    try plain.open(Self.text)
    let flat = try plain.request("textDocument/documentSymbol", params)
    #expect(flat.listValue?.count == 6)
    #expect(flat.listValue?.last?["containerName"] == "for_each photo")
  }

  @Test func `an editor without capabilities gets plain responses`() throws {
    var editor = try Editor.started([:])
    try editor.open(Self.text)
    #expect(editor.diagnostics[Editor.uri]?["version"] == nil)
    let items = try editor.at(4, 0, "completion").listValue ?? []
    #expect(!items.isEmpty)
    #expect(items.allSatisfy { $0["insertTextFormat"] == 1 })
    #expect(items.allSatisfy { $0["textEdit", "newText"]?.stringValue?.contains("$0") != true })
    let edit = try editor.at(5, 9, "rename", ["newName": "login"])
    #expect(edit["changes", Editor.uri]?.listValue?.count == 3)
  }

  @Test func `snippets are sent to an editor that supports them`() throws {
    var editor = try Editor.started()
    try editor.open("pipeline: a\nst\n")
    let items = try editor.at(1, 2, "completion").listValue ?? []
    let steps = items.first { $0["label"] == "steps" }
    #expect(steps?["insertTextFormat"] == 2)
    #expect(steps?["textEdit", "newText"] == "steps:\n  - $0")
    #expect(steps?["documentation", "kind"] == "markdown")
  }

  @Test func `a blank asks for values but not for keys`() throws {
    var editor = try Editor.started()
    try editor.open("pipeline: a\ninputs:\n  a: { type: \n \n")
    let context: Value = ["triggerKind": 2, "triggerCharacter": " "]
    let value = try editor.at(2, 13, "completion", ["context": context])
    #expect(value.listValue?.contains { $0["label"] == "files" } == true)
    let key = try editor.at(3, 1, "completion", ["context": context])
    #expect(key == [])
  }

  @Test func `diagnostics refer to other places`() throws {
    var editor = try Editor.started()
    try editor.open(
      """
      pipeline: a
      steps:
        - id: a
          request: { url: "http://a.test" }
        - id: a
          request: { url: "http://a.test" }
      """)
    let found = editor.diagnostics[Editor.uri]?["diagnostics"]?.listValue?
      .first { $0["code"] == "duplicate-id" }
    #expect(found?["severity"] == 1)
    #expect(found?["source"] == "pipeline")
    let related = found?["relatedInformation"]?.listValue?.first
    #expect(related?["location", "range", "start", "line"] == 2)
  }

  @Test func `the editor's version of a used file is read`() throws {
    let uri = "file:///home/a%20user/shared/login.yaml"
    func login(_ output: String) -> Value {
      .string(
        "pipeline: login\nsteps:\n  - id: a\n    request: { url: http://a.test }\n"
          + "    outputs: { t: \"${{ response.text }}\" }\n"
          + "outputs:\n  \(output): ${{ steps.a.t }}\n")
    }
    var editor = try Editor.started()
    try editor.open(
      "pipeline: a\nsteps:\n  - id: login\n    use: shared/login.yaml\n  - id: b\n    request:\n"
        + "      url: https://a.test/${{ steps.login.text }}\n")
    #expect(!editor.codes.isEmpty)
    try editor.notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "version": 1, "text": login("text")]])
    #expect(editor.codes == [])
    #expect(try editor.labels(6, 42) == ["text"])
    try editor.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(uri), "version": 2],
        "contentChanges": [["text": login("other")]],
      ])
    #expect(editor.codes.contains("unknown-output"))
  }
}
