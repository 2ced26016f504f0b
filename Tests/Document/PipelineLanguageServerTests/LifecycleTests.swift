import CEL
import PipelineLanguageServer
import Testing

struct LifecycleTests {
  private static func code(_ answer: Value) -> Int? { answer["error", "code"]?.int }

  @Test func `a request before initialize is refused, a notification dropped`() throws {
    var editor = Editor()
    #expect(Self.code(try editor.ask("textDocument/hover", Editor.place(0, 0))) == -32002)
    #expect(Self.code(try editor.ask("shutdown", .null)) == -32002)
    try editor.open("pipeline: a\n")
    #expect(editor.notifications.isEmpty)
    let result = try editor.request("initialize", ["capabilities": [:]])
    #expect(result["serverInfo"] == ["name": "pipeline", "version": "test"])
    #expect(try editor.at(0, 0, "hover") == .null)
  }

  @Test func `initialize may be sent once`() throws {
    var editor = try Editor.started()
    #expect(Self.code(try editor.ask("initialize", ["capabilities": [:]])) == -32600)
  }

  @Test func `initialize without parameters can be sent again`() throws {
    var editor = Editor()
    #expect(Self.code(try editor.ask("initialize", .null)) == -32602)
    #expect(try editor.request("initialize", ["capabilities": .null])["capabilities"] != nil)
  }

  @Test func `a request after shutdown is refused`() throws {
    var editor = try Editor.started()
    #expect(try editor.ask("shutdown", .null)["result"] == .null)
    #expect(Self.code(try editor.ask("textDocument/hover", Editor.place(0, 0))) == -32600)
    #expect(Self.code(try editor.ask("shutdown", .null)) == -32600)
    #expect(editor.exitStatus == nil)
    try editor.notify("exit", .null)
    #expect(editor.exitStatus == 0)
  }

  @Test func `exit without shutdown is status 1, even before initialize`() throws {
    var editor = try Editor.started()
    try editor.notify("exit", .null)
    #expect(editor.exitStatus == 1)
    var fresh = Editor()
    try fresh.notify("exit", .null)
    #expect(fresh.exitStatus == 1)
  }

  @Test func `messages after exit are ignored`() throws {
    var editor = try Editor.started()
    let bytes =
      try Editor.frame(["jsonrpc": "2.0", "method": "exit"])
      + Editor.frame(["jsonrpc": "2.0", "id": 9, "method": "shutdown"])
    #expect(try editor.send(bytes) == [])
  }

  @Test(arguments: ["textDocument/formatting", "workspace/symbol", "$/unknown", ""])
  func `an unknown request is answered, an unknown notification ignored`(
    _ method: String
  ) throws {
    var editor = try Editor.started()
    #expect(Self.code(try editor.ask(method, [:])) == -32601)
    try editor.notify(method, [:])
    #expect(editor.notifications.isEmpty)
  }

  @Test(
    arguments: [
      ("textDocument/hover", [:]), ("textDocument/hover", ["textDocument": ["uri": "file:///a"]]),
      ("textDocument/hover", ["position": ["line": 0, "character": 0]]),
      (
        "textDocument/hover",
        ["textDocument": ["uri": 5], "position": ["line": 0, "character": 0]]
      ),
      (
        "textDocument/completion",
        ["textDocument": ["uri": "file:///a"], "position": ["line": -1, "character": 0]]
      ),
      (
        "textDocument/definition",
        ["textDocument": ["uri": "file:///a"], "position": ["line": 0.5, "character": 0]]
      ),
      (
        "textDocument/rename",
        ["textDocument": ["uri": "file:///a"], "position": ["line": 0, "character": 0]]
      ),
      ("textDocument/codeAction", ["textDocument": ["uri": "file:///a"]]),
      ("textDocument/documentSymbol", []),
    ] as [(String, Value)])
  func `parameters that do not fit are refused`(_ method: String, _ params: Value) throws {
    var editor = try Editor.started()
    #expect(Self.code(try editor.ask(method, params)) == -32602)
  }

  @Test(arguments: [
    ("{", -32700), ("nothing", -32700), ("", -32700), ("\"\u{FF}", -32700), ("[]", -32600),
    ("5", -32600), ("{}", -32600), (#"{"jsonrpc":"1.0","id":1,"method":"shutdown"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"a","params":5}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"shutdown"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":[1],"method":"shutdown"}"#, -32600),
    (#"[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]"#, -32600),
  ])
  func `an invalid message gets an error response, and the stream continues`(
    _ body: String, _ code: Int
  ) throws {
    var editor = try Editor.started()
    let answers = try editor.send(FrameReader.frame(Array(body.utf8)))
    #expect(answers.count == 1)
    #expect(answers.first.flatMap(Self.code) == code)
    #expect(try editor.ask("shutdown", .null)["result"] == .null)
  }

  @Test func `nesting without end is an error and no crash`() throws {
    var editor = try Editor.started()
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let answers = try editor.send(FrameReader.frame(Array(deep.utf8)))
    #expect(answers.compactMap(Self.code) == [-32700])
    let object =
      #"{"jsonrpc":"2.0","id":1,"method":"a","params":"#
      + String(repeating: #"{"a":"#, count: 400) + "1" + String(repeating: "}", count: 401)
    #expect(
      try editor.send(FrameReader.frame(Array(object.utf8))).compactMap(Self.code) == [-32601])
  }

  @Test func `an identifier may be a text, and comes back as it was`() throws {
    var editor = try Editor.started()
    let answers = try editor.send(
      Editor.frame(["jsonrpc": "2.0", "id": "a\u{E9}🙂", "method": "shutdown"]))
    #expect(answers.map { $0["id"] } == ["a\u{E9}🙂"])
  }

  @Test func `responses of the client are ignored`() throws {
    var editor = try Editor.started()
    #expect(
      try editor.send(Editor.frame(["jsonrpc": "2.0", "id": 1, "result": [:]])) == [])
    #expect(
      try editor.send(
        Editor.frame(["jsonrpc": "2.0", "id": .null, "error": ["code": 1, "message": "x"]])) == [])
  }

  @Test func `a request that is cancelled before its turn is not worked on`() throws {
    var editor = try Editor.started()
    try editor.open("pipeline: a\n")
    let request: Value = [
      "jsonrpc": "2.0", "id": 50, "method": "textDocument/hover", "params": Editor.place(0, 1),
    ]
    let cancel: Value = [
      "jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": 50],
    ]
    let together = try editor.send(Editor.frame(request) + Editor.frame(cancel))
    #expect(together.count == 1)
    #expect(together.first.flatMap(Self.code) == -32800)
    // One that has been answered stays so.
    #expect(try editor.send(Editor.frame(cancel)) == [])
    #expect(try editor.send(Editor.frame(request)).first?["result"]?.mapValue != nil)
  }

  @Test func `changes that come together are checked once`() throws {
    var editor = try Editor.started()
    try editor.open("pipeline: a\n")
    let bytes = try (2...5).flatMap { version in
      try Editor.frame([
        "jsonrpc": "2.0", "method": "textDocument/didChange",
        "params": [
          "textDocument": ["uri": .string(Editor.uri), "version": Value(version)],
          "contentChanges": [.edit(0, 11, 0, 11, "b")],
        ],
      ])
    }
    let messages = try editor.send(bytes)
    #expect(messages.count == 1)
    #expect(messages.first?["params", "version"] == 5)
  }
}
