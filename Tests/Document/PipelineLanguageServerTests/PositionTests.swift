import CEL
import PipelineLanguageServer
import Testing

/// Positions in the client's units, with characters of every width before them.
struct PositionTests {
  private static func capabilities(_ encodings: [String]) -> Value {
    ["general": ["positionEncodings": .list(encodings.map(Value.string))]]
  }

  /// `é` has 2 bytes and 1 unit, `漢` 3 and 1, `🙂` 4 and 2.
  private static let line = #"      text: "é漢🙂 ${{ inputs.name }}""#
  private static let text = """
    pipeline: a
    inputs:
      name: { type: string }
    steps:
      - id: a
        request:
          method: POST
          url: http://a.test
    \(line)

    """

  @Test(arguments: [
    ("utf-16", 30), ("utf-8", 35), ("utf-32", 29),
  ])
  func `a place is counted in the units that were agreed on`(
    _ encoding: String, _ character: Int
  ) throws {
    var editor = try Editor.started(Self.capabilities([encoding]))
    try editor.open(Self.text)
    let hover = try editor.at(8, character, "hover")
    #expect(hover["contents", "value"]?.stringValue?.contains("input") == true)
    let before = Self.line.unicodeScalars.prefix { $0 != "p" }.count
    #expect(before > 0)
    let start = hover["range", "start", "character"]?.int
    let end = hover["range", "end", "character"]?.int
    #expect(end.flatMap { end in start.map { end - $0 } } == 4)
    let prefix = String(Self.line.split(separator: "name")[0])
    let expected =
      switch encoding {
      case "utf-8": prefix.utf8.count
      case "utf-32": prefix.unicodeScalars.count
      default: prefix.utf16.count
      }
    #expect(start == expected)
  }

  @Test(arguments: [
    ([], "utf-16"), (["utf-8", "utf-16"], "utf-8"), (["utf-7", "utf-32"], "utf-32"),
    (["utf-7"], "utf-16"),
  ])
  func `the client's first supported encoding is used`(
    _ offered: [String], _ expected: String
  ) throws {
    var editor = Editor()
    let result = try editor.request(
      "initialize", ["capabilities": Self.capabilities(offered)])
    #expect(result["capabilities", "positionEncoding"] == .string(expected))
  }

  /// The text that the server has, seen through a rename of everything in it.
  private static func check(
    _ text: String, _ changes: [Value], gives expected: String,
    _ encoding: String = "utf-16", sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    var editor = try Editor.started(capabilities([encoding]))
    try editor.open(text)
    try editor.change(version: 2, changes)
    var fresh = try Editor.started(capabilities([encoding]))
    try fresh.open(expected)
    let params: Value = ["textDocument": ["uri": .string(Editor.uri)]]
    let symbols = try editor.request("textDocument/documentSymbol", params)
    #expect(
      try fresh.request("textDocument/documentSymbol", params) == symbols,
      sourceLocation: sourceLocation)
    #expect(
      editor.diagnostics[Editor.uri]?["diagnostics"]
        == fresh.diagnostics[Editor.uri]?["diagnostics"],
      sourceLocation: sourceLocation)
  }

  @Test func `an edit after an emoji changes the intended text`() throws {
    let text = "pipeline: a\ndescription: \"🙂 xyz\"\ninputs: {a: {type: url}}\n"
    // From `y`: 14 characters, then the emoji's two units, a blank and `x`.
    try Self.check(
      text, [.edit(1, 18, 1, 19, "é\"\ninputs: {b: {type: files}}\n# ")],
      gives:
        "pipeline: a\ndescription: \"🙂 xé\"\ninputs: {b: {type: files}}\n# z\"\ninputs: {a: {type: url}}\n"
    )
    try Self.check(
      text, [.edit(1, 20, 1, 21, "é\"\ninputs: {b: {type: files}}\n# ")],
      gives:
        "pipeline: a\ndescription: \"🙂 xé\"\ninputs: {b: {type: files}}\n# z\"\ninputs: {a: {type: url}}\n",
      "utf-8")
  }

  @Test func `a position in the middle of a character is its start`() throws {
    try Self.check(
      "#🙂\npipeline: a\n", [.edit(0, 2, 0, 2, "\npipeline: b\n#")],
      gives: "#\npipeline: b\n#🙂\npipeline: a\n")
  }

  @Test func `positions outside the text are treated as its ends`() throws {
    try Self.check("pipeline: a\nx", [.edit(0, 99, 0, 200, "b")], gives: "pipeline: ab\nx")
    try Self.check(
      "pipeline: a\n", [.edit(99, 5, 100, 0, "steps: []\n")], gives: "pipeline: a\nsteps: []\n")
    try Self.check("pipeline: a\n", [.edit(0, 0, 99, 0, "")], gives: "")
    try Self.check("", [.edit(3, 3, 1, 1, "pipeline: b\n")], gives: "pipeline: b\n")
    var editor = try Editor.started()
    try editor.open(Self.text)
    #expect(try editor.at(9999, 9999, "hover") == .null)
    #expect(try editor.labels(9999, Int.max).contains("budgets"))
    #expect(try editor.at(Int.max, Int.max, "references") == [])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines end as they do in editors`(_ end: String) throws {
    let lines = ["pipeline: a", "inputs:", "  name: { type: url }", ""]
    try Self.check(
      lines.joined(separator: end), [.edit(2, 2, 2, 6, "other"), .edit(0, 10, 0, 11, "b")],
      gives: ["pipeline: b", "inputs:", "  other: { type: url }", ""].joined(separator: end))
  }

  @Test func `a byte order mark is a character to the client`() throws {
    try Self.check(
      "\u{FEFF}pipeline: a\n", [.edit(0, 11, 0, 12, "b\nfoo: 1")],
      gives: "\u{FEFF}pipeline: b\nfoo: 1\n")
    var editor = try Editor.started()
    try editor.open("\u{FEFF}pipelin: a\n")
    let range = editor.diagnostics[Editor.uri]?["diagnostics"]?.listValue?.first {
      $0["code"] == "unknown-key"
    }?["range"]
    #expect(range?["start", "character"] == 1)
    #expect(range?["end", "character"] == 8)
  }

  @Test func `several changes apply one after another, a whole text in between`() throws {
    try Self.check(
      "pipeline: a\n",
      [
        .edit(0, 10, 0, 11, "one"), ["text": "pipeline: two\nsteps: []\n"],
        .edit(1, 7, 1, 9, "[1]"), ["text": 5], .edit(0, 10, 0, 13, "three"),
      ], gives: "pipeline: three\nsteps: [1]\n")
  }

  @Test func `places in a line of a million characters are exact`() throws {
    let wide = String(repeating: "漢🙂é", count: 100_000)
    var editor = try Editor.started()
    try editor.open("pipeline: a\ndescription: \"\(wide)\"\nsteps: \"\(wide) ${{ x\"\n")
    try editor.change(
      version: 2, [.edit(1, 400_014, 1, 400_014, "!"), .edit(1, 14, 1, 400_014, "")])
    try editor.change(version: 3, [.edit(1, 14, 1, 15, "")])
    #expect(editor.diagnostics[Editor.uri]?["version"] == 3)
    let found = editor.diagnostics[Editor.uri]?["diagnostics"]?.listValue?.first
    #expect(found?["range", "start"] == ["line": 2, "character": 7])
    #expect(found?["range", "end"] == ["line": 2, "character": 400_015])
  }

  @Test func `a text that is too long is reported, and checked again once it is short`() throws {
    var editor = try Editor.started()
    let long = "# " + String(repeating: "x", count: 4 << 20)
    try editor.open(long)
    #expect(editor.codes == ["too-large"])
    #expect(try editor.at(0, 1, "hover") == .null)
    #expect(try editor.labels(0, 0) == [])
    try editor.change(version: 2, [.edit(0, 0, 0, 5, "y")])
    #expect(editor.codes == ["too-large"])
    try editor.change(version: 3, [["text": "pipelin: a\n"]])
    #expect(editor.codes.contains("unknown-key"))
    try editor.change(version: 4, [.edit(0, 0, 0, 0, .init(long))])
    #expect(editor.codes == ["too-large"])
  }
}
