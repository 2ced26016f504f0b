import Basics
import Testing

/// RFC 9651; the examples are those of its sections 3.1 to 3.3.
struct StructuredFieldTests {
  private func bare(_ text: String) throws -> StructuredField.Bare? {
    if case .bare(let value) = try StructuredField.item(text).value { value } else { nil }
  }

  @Test(arguments: [
    "", "a, b", "42 43", "- 1", "1.", "1.2345", "1234567890123456", "1234567890123.1", "\"a",
    "\"é\"",
    "\"\\n\"", ":a", ":***:", "?2", "@1.5", "@", "%\"%zz\"", "%x", "a;B", "a;", "(a", "é", "'a'",
  ])
  func `text that is not an item is an error`(_ text: String) {
    #expect(throws: StructuredField.SyntaxError.self) { try StructuredField.item(text) }
  }

  @Test(arguments: ["a=", "A=1", "a=1,", "a=1 b=2", "1=a", "a==1"])
  func `text that is not a dictionary is an error`(_ text: String) {
    #expect(throws: StructuredField.SyntaxError.self) { try StructuredField.dictionary(text) }
  }

  @Test(arguments: ["a,", "(a b", "(a,b)", "a b", ",a"])
  func `text that is not a list is an error`(_ text: String) {
    #expect(throws: StructuredField.SyntaxError.self) { try StructuredField.list(text) }
  }

  @Test func `an error contains the found text and its place`() {
    do {
      _ = try StructuredField.dictionary("max-age=3600; Private")
      Issue.record("it was read")
    } catch {
      #expect(error.message == "expected a name of lower-case letters, found 'P'")
      #expect(error.offset == 14)
    }
  }

  @Test func `items have the types of the section 3.3`() throws {
    #expect(try bare(" 42 ") == .integer(42))
    #expect(try bare("-999999999999999") == .integer(-999_999_999_999_999))
    #expect(try bare("4.5") == .decimal(4.5))
    #expect(try bare("-0.125") == .decimal(-0.125))
    #expect(try bare("\"hello \\\"world\\\\\"") == .string("hello \"world\\"))
    #expect(try bare("foo123/456") == .string("foo123/456"))
    #expect(try bare("*a:b") == .string("*a:b"))
    #expect(
      try bare(":cHJldGVuZCB0aGlzIGlzIGJpbmFyeSBjb250ZW50Lg==:")
        == .bytes(Array("pretend this is binary content.".utf8)))
    #expect(try bare("?1") == .boolean(true))
    #expect(try bare("?0") == .boolean(false))
    #expect(try bare("@1659578233") == .date(1_659_578_233))
    #expect(
      try bare("%\"This is intended for display to %c3%bcsers.\"")
        == .string("This is intended for display to üsers."))
  }

  @Test func `a list has items and inner lists with parameters`() throws {
    let items = try StructuredField.list("(\"foo\" \"bar\");lvl=5, sugar;a;b=?0 ,\trum, ()")
    #expect(items.count == 4)
    guard case .list(let inner) = items[0].value else { throw Missing() }
    #expect(inner.map(\.value) == [.bare(.string("foo")), .bare(.string("bar"))])
    #expect(items[0].parameters.map(\.value) == [.integer(5)])
    #expect(items[1].parameters.map(\.name) == ["a", "b"])
    #expect(items[1].parameters.map(\.value) == [.boolean(true), .boolean(false)])
    #expect(items[3].value == .list([]))
    #expect(try StructuredField.list("  ").isEmpty)
  }

  @Test func `a dictionary keeps the last value of a name at its first place`() throws {
    let members = try StructuredField.dictionary("a=1, b;x=2, c=(1 2), a=3;y")
    #expect(members.map(\.name) == ["a", "b", "c"])
    #expect(members[0].item.value == .bare(.integer(3)))
    #expect(members[0].item.parameters.map(\.name) == ["y"])
    #expect(members[1].item.value == .bare(.boolean(true)))
    #expect(members[1].item.parameters.map(\.value) == [.integer(2)])
  }

  private struct Missing: Error {}
}
