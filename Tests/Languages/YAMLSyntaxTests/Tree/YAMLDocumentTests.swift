import Basics
import Testing

import YAMLSyntax

struct YAMLDocumentTests {
  private func slice(_ text: String, _ range: SourceRange?) -> String? {
    range.map { String(decoding: Array(text.utf8)[$0.start.offset..<$0.end.offset], as: UTF8.self) }
  }

  @Test func `every node has its exact range of text`() throws {
    let text =
      "é: &x { k: [1, two ] }  # c\nlist:\n  - a\n  -\nb: *x\ntext: |\n  one\n\n\nend: 'q'\n"
    let root = try #require(YAMLDocument.parse(text).root)
    #expect(slice(text, root["é"]?.range) == "&x { k: [1, two ] }")
    #expect(slice(text, root["é"]?["k"]?.range) == "[1, two ]")
    #expect(slice(text, root["é"]?["k"]?.sequence?.last?.range) == "two")
    #expect(slice(text, root["list"]?.range) == "- a\n  -")
    #expect(slice(text, root.entry("b")?.value.range) == "*x")
    #expect(slice(text, root["text"]?.range) == "|\n  one")
    #expect(slice(text, root.entry("end")?.range) == "end: 'q'")
    #expect(root["list"]?.sequence?.last?.range.description == "4:4-4:4")
    #expect(slice(text, root.range) == String(text.dropLast()))
  }

  @Test func `a column counts Unicode scalars and an offset counts bytes`() throws {
    let root = try #require(YAMLDocument.parse("\u{FEFF}k: \"👩‍👩\" \nä: [日本, x]\n").root)
    #expect(root["k"]?.range.description == "1:4-1:9")
    #expect(root["k"]?.range.start.offset == 6)
    let last = try #require(root["ä"]?.sequence?.last)
    #expect(last.range.start == SourcePosition(line: 2, column: 9, offset: 34))
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines end as editors see it`(lineBreak: String) {
    let text = ["a: 1", "", "b: 2", ""].joined(separator: lineBreak)
    #expect(YAMLDocument.parse(text).root?["b"]?.range.description == "3:4-3:5")
  }

  @Test func `a line separator inside a text is not a line break`() {
    let text = "a: \"x\u{2028}y\"\nb: 1\n"
    #expect(YAMLDocument.parse(text).root?["b"]?.range.description == "2:4-2:5")
  }

  @Test(arguments: ["\u{85}", "\u{2028}", "\u{2029}"])
  func `a break of YAML 1.1 is part of a comment, a plain text or a block`(mark: String) throws {
    let document = YAMLDocument.parse("a: 1 # x\(mark)y\nb: x\(mark)y\nc: |\n  x\(mark)y\n")
    #expect(document.issues.isEmpty, "\(document.issues)")
    #expect(document.root?["b"]?.scalarValue == .string("x\(mark)y"))
    #expect(document.root?["b"]?.range.description == "2:4-2:7")
    #expect(document.root?["c"]?.scalarValue == .string("x\(mark)y\n"))
  }

  @Test func `an alias shares the node of its anchor`() throws {
    let root = try #require(YAMLDocument.parse("a: &x [1]\nb: *x\n").root)
    #expect(root["b"]?.resolved === root["a"])
    #expect(root["b"]?.sequence?.count == 1)
    #expect(root.expandedNodeCount == 7)
    #expect(root.height == 3)
  }

  @Test func `an anchor may be defined again`() throws {
    let document = YAMLDocument.parse("- &x 1\n- *x\n- &x 2\n- *x\n")
    let values = try #require(document.root?.sequence).map(\.scalarValue)
    #expect(values == [.int(1), .int(1), .int(2), .int(2)])
    #expect(document.issues.isEmpty)
  }

  @Test func `a scalar keeps its text style and tag`() throws {
    let text = "- plain\n- 'single'\n- \"double\\n\"\n- |\n  lit\n- >\n  fold\n- !t x\n"
    let scalars = try #require(YAMLDocument.parse(text).root?.sequence).compactMap(\.scalar)
    #expect(
      scalars.map(\.style) == [.plain, .singleQuoted, .doubleQuoted, .literal, .folded, .plain])
    #expect(scalars.map(\.text) == ["plain", "single", "double\n", "lit\n", "fold\n", "x"])
    #expect(scalars.last?.tag == "!t")
  }

  @Test func `a key is found by its string and not by another type`() throws {
    let root = try #require(YAMLDocument.parse("1: a\n'1': b\nyes: c\n").root)
    #expect(root["1"]?.string == "b")
    #expect(root["yes"]?.string == "c")
    #expect(root["absent"] == nil)
    #expect(root["yes"]?["x"] == nil)
  }
}
