import Basics
import Testing

import YAMLSyntax

struct YAMLIssueTests {
  /// `code start-end` of each issue.
  private func summary(_ bytes: some Sequence<UInt8>, limits: YAMLLimits = .standard) -> [String] {
    YAMLDocument.parse(bytes, limits: limits).issues.map { "\($0.code.rawValue) \($0.range)" }
  }

  @Test(
    arguments: [
      ([0x61, 0x3A, 0x20, 0xC3], "invalid-utf8 1:4-1:4"),
      ([0x61, 0x0A, 0x62, 0xED, 0xA0, 0x80], "invalid-utf8 2:2-2:2"),
      ([0xC0, 0xAF], "invalid-utf8 1:1-1:1"),
      ([0xF4, 0x90, 0x80, 0x80], "invalid-utf8 1:1-1:1"),
      ([0xFF, 0xFE, 0x61, 0x00], "invalid-utf8 1:1-1:1"),
      ([0xC3, 0xA9, 0x00], "invalid-character 1:2-1:3"),
      ([0x61, 0x0A, 0x07], "invalid-character 2:1-2:2"),
      ([0xC2, 0x80], "invalid-character 1:1-1:2"),
    ] as [([UInt8], String)])
  func `bytes that are no YAML text are refused with their place`(bytes: [UInt8], expected: String)
  {
    #expect(summary(bytes) == [expected])
    #expect(YAMLDocument.parse(bytes).root == nil)
  }

  @Test(arguments: [
    ("", "empty-document 1:1-1:1"),
    ("# only a comment\n", "empty-document 1:1-1:1"),
    ("a\n---\nb\n", "multiple-documents 2:1-2:4"),
    ("a: 1\na: 2\n", "duplicate-key 2:1-2:2"),
    ("'a': 1\n\"a\": 2\n", "duplicate-key 2:1-2:4"),
    ("a: &x 1\n", "unused-anchor 1:4-1:6"),
    ("a: !!str &x 1\n", "unused-anchor 1:10-1:12"),
    ("a: *x\n", "undefined-anchor 1:4-1:6"),
    ("a: &x [*x]\n", "recursive-alias 1:8-1:10"),
    ("<<: {}\n", "merge-key 1:1-1:3"),
    ("1: a\n", "non-string-key 1:1-1:2"),
    ("? [a]\n: b\n", "non-string-key 1:3-1:6"),
    ("null: a\n", "non-string-key 1:1-1:5"),
    ("a: b: c\n", "yaml-syntax 1:5-1:6"),
    ("a: 'x\n", "yaml-syntax 2:1-2:1"),
    ("a:\n\tb: 1\n", "yaml-syntax 2:1-2:2"),
    ("a: @x\n", "yaml-syntax 1:4-1:5"),
    ("a: \"\\q\"\n", "yaml-syntax 1:5-1:6"),
  ])
  func `each fault has its code and exact place`(text: String, expected: String) {
    #expect(summary(text.utf8) == [expected])
  }

  @Test(arguments: ["'<<': {}", "on: 1", "yes: 1", "a: &x 1\nb: *x", "a: ${{ b }}", "--- a\n...\n"])
  func `valid documents have no findings`(text: String) {
    #expect(summary(text.utf8) == [])
  }

  @Test func `issues come in the order of the text`() {
    let text = "u: &u 1\na: *v\n2: b\nu: 3\n"
    #expect(
      summary(text.utf8) == [
        "unused-anchor 1:4-1:6", "undefined-anchor 2:4-2:6", "non-string-key 3:1-3:2",
        "duplicate-key 4:1-4:2",
      ])
  }

  @Test func `a large mapping finds its duplicates too`() {
    let text = (0..<50).map { "k\($0): 1\n" }.joined() + "k7: 2\n"
    let issue = YAMLDocument.parse(text).issues.first
    #expect(issue?.code == .duplicateKey)
    #expect(issue?.notes.first?.range.start.line == 8)
  }

  @Test func `the first document stays when a second follows`() {
    #expect(YAMLDocument.parse("a: 1\n---\n[").root?["a"]?.scalarValue == .int(1))
  }

  @Test func `findings before a syntax error are kept`() {
    #expect(
      summary("a: {b: 1, b: 2}\nc: 'x".utf8) == ["duplicate-key 1:11-1:12", "yaml-syntax 2:6-2:6"])
  }

  @Test(arguments: [
    ("a: 1\nb: 2\n", YAMLLimits(bytes: 9), "too-large 1:1-1:1"),
    ("[[[1]]]", YAMLLimits(depth: 3), "too-deep 1:4-1:5"),
    ("- &a [[1]]\n- [[*a]]\n", YAMLLimits(depth: 5), "too-deep 2:5-2:7"),
    ("- &a [1]\n- *a\n- *a\n", YAMLLimits(expandedNodes: 6), "too-large 3:3-3:5"),
  ])
  func `limits are enforced, and errors name the place`(
    text: String, limits: YAMLLimits, expected: String
  ) {
    #expect(summary(text.utf8, limits: limits) == [expected])
    #expect(YAMLDocument.parse(text, limits: limits).root == nil)
  }

  @Test func `a billion laughs end at the limit`() {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1...90 {
      let alias = "*a\(level - 1)"
      text +=
        "a\(level): &a\(level) [\(Array(repeating: alias, count: 10).joined(separator: ","))]\n"
    }
    let document = YAMLDocument.parse(text)
    #expect(document.root == nil)
    #expect(document.issues.map(\.code) == [.tooLarge])
    #expect(document.issues.first?.range.start.line == 6)
  }

  @Test func `a node count beyond 64 bits is too large and no crash`() {
    var text = "a0: &a0 [x]\n"
    for level in 1...90 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    let document = YAMLDocument.parse(text, limits: YAMLLimits(expandedNodes: .max))
    #expect(document.issues.map(\.code) == [.tooLarge])
  }
}
