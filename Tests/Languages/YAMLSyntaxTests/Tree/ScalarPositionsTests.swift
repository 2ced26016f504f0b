import Basics
import Testing
import YAMLSyntax

struct ScalarPositionsTests {
  /// The characters of the file at the places of each scalar of the text.
  private func characters(_ yaml: String, key: String = "a") throws -> String {
    let document = YAMLDocument.parse(yaml)
    let node = try #require(document.root?[key])
    let text = try #require(node.scalar?.text)
    let bytes = Array(yaml.utf8)
    return try String(
      (0..<text.unicodeScalars.count).map { index in
        let offset = try #require(document.position(ofScalarOffset: index, in: node)).offset
        let rest = String(decoding: bytes[offset...], as: UTF8.self).unicodeScalars
        return Character(try #require(rest.first))
      })
  }

  @Test(arguments: [
    ("a: plain text", "plain text"),
    ("a: two\n  lines", "two\nlines"),
    ("a: two\n\n  lines", "two\nlines"),
    ("a: 'it''s é'", "it's é"),
    (#"a: "tab\there""#, #"tab\here"#),
    (#"a: "\u00e9 \x41 x""#, #"\ \ x"#),
    ("a: \"one \\\n   two\"", "one two"),
    ("a: &x !!str text", "text"),
    ("a: |\n   one\n    two\n", "one\n two\n"),
    ("a: |2\n   one\n  two\n", " one\ntwo\n"),
    ("a: >-\n  one\n  two\n\n  three\n", "one\ntwo\nthree"),
    ("a: >\n  one\n   more\n  two\n", "one\n more\ntwo\n"),
    ("a: |+\r\n  one\r\n\r\n", "one\r\n\r\n"),
  ])
  func `each character of a text is found in the file`(yaml: String, expected: String) throws {
    let found = try characters(yaml)
    #expect(found.replacing("\r\n", with: "\r") == expected.replacing("\r\n", with: "\r"))
  }

  @Test func `a place beyond the text is its end, and a collection has no place`() throws {
    let document = YAMLDocument.parse("a: 'bc'\nd: []\n")
    let scalar = try #require(document.root?["a"])
    let list = try #require(document.root?["d"])
    #expect(document.position(ofScalarOffset: 99, in: scalar)?.column == 7)
    #expect(document.position(ofScalarOffset: 0, in: list) == nil)
  }

  @Test func `a range covers escapes whole and leaves out the fold after it`() throws {
    let document = YAMLDocument.parse("a: \"x\\u0041 y\"\nb: one\n  two\n")
    let escaped = try #require(document.root?["a"])
    let folded = try #require(document.root?["b"])
    #expect(document.range(ofScalarOffsets: 1..<2, in: escaped)?.description == "1:6-1:12")
    #expect(document.range(ofScalarOffsets: 0..<3, in: folded)?.description == "2:4-2:7")
    #expect(document.range(ofScalarOffsets: 4..<7, in: folded)?.description == "3:3-3:6")
  }

  @Test(arguments: SuiteCase.all.filter(\.isValid))
  func `in the whole suite a place shows the character, an escape or a fold`(
    _ suiteCase: SuiteCase
  ) {
    let document = YAMLDocument.parse(suiteCase.yaml)
    if let root = document.root { check(root, in: document, bytes: Array(suiteCase.yaml.utf8)) }
  }

  private func check(_ node: YAMLNode, in document: YAMLDocument, bytes: [UInt8]) {
    switch node.content {
    case .alias: return
    case .sequence(let elements): elements.forEach { check($0, in: document, bytes: bytes) }
    case .mapping(let entries):
      for entry in entries {
        check(entry.key, in: document, bytes: bytes)
        check(entry.value, in: document, bytes: bytes)
      }
    case .scalar(let scalar):
      var previous = -1
      for (index, expected) in scalar.text.unicodeScalars.enumerated() {
        let offset = document.position(ofScalarOffset: index, in: node)?.offset ?? -1
        #expect(offset > previous && offset < bytes.count)
        guard offset > previous, offset < bytes.count else { return }
        previous = offset
        let found = String(decoding: bytes[offset...], as: UTF8.self).unicodeScalars.first
        let isFold = (expected == " " || expected == "\n") && found == "\n"
        let isEscape = scalar.style == .doubleQuoted && found == "\\"
        #expect(found == expected || isFold || isEscape, "\(scalar) at \(index)")
      }
    }
  }
}
