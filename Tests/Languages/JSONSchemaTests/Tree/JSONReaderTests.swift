import Basics
import JSONSchema
import Testing

struct JSONReaderTests {
  @Test(arguments: [
    ("", "1:1: the text is empty"),
    ("  \n ", "2:2: the text is empty"),
    ("{", "1:2: expected a key in double quotes, found end of the text"),
    ("[1", "1:3: the array that starts at 1:1 is not closed"),
    ("[1,]", "1:4: comma before \"]\""),
    ("{\"a\":1,}", "1:8: comma before \"}\""),
    ("{\"a\" 1}", "1:6: expected \":\" after the key, found \"1\""),
    ("{a:1}", "1:2: expected a key in double quotes, found \"a\""),
    ("[1 2]", "1:4: expected \",\" or \"]\", found \"2\""),
    ("1 2", "1:3: unexpected \"2\" after the end of the value"),
    ("01", "1:1: a number must not start with a zero"),
    ("-", "1:2: a digit must follow the minus sign"),
    ("1.", "1:3: a digit must follow the decimal point"),
    ("1e+", "1:4: a digit must follow the exponent sign"),
    ("+1", "1:1: expected a value, found \"+\""),
    ("nul", "1:1: expected a value, found \"n\"; a string needs double quotes"),
    ("'a'", "1:1: expected a value, found \"'\""),
    ("\"a", "1:3: the string that starts at 1:1 is not closed"),
    ("\"é\n\"", "1:3: a string must not contain a line break; write \\n"),
    (
      "\"\u{1}\"",
      "1:2: a string must not contain a raw control character U+0001; write it as an escape"
    ),
    ("\"\\x\"", "1:2: unknown escape in a string; a backslash itself is written \\\\"),
    ("\"\\u12\"", "1:2: the text ends inside an escape"),
    ("\"\\u12g4\"", "1:2: four hexadecimal digits must follow \\u"),
    ("\"\\ud800\"", "1:2: the escape is half of a surrogate pair"),
    ("\"\\ud800\\u0041\"", "1:2: the escape is half of a surrogate pair"),
    ("[\"日本\", \n  x]", "2:3: expected a value, found \"x\""),
    ("é", "1:1: expected a value, found character outside a string"),
  ])
  func `text outside the grammar is refused with its place`(
    _ text: String, _ message: String
  ) throws {
    let error = try #require(throws: JSONSyntaxError.self) { try JSONReader().read(text) }
    #expect(error.description == message)
  }

  @Test func `bytes that are no UTF-8 are refused`() throws {
    #expect(throws: JSONSyntaxError.self) { try JSONReader().read([0x22, 0xC3, 0x28, 0x22]) }
    #expect(throws: JSONSyntaxError.self) { try JSONReader().read([0x22, 0xED, 0xA0, 0x80, 0x22]) }
  }

  @Test func `nesting is bounded`() throws {
    let reader = JSONReader(maximumDepth: 3)
    #expect(throws: Never.self) { try reader.read("[[[]]]") }
    let error = try #require(throws: JSONSyntaxError.self) { try reader.read("[[[[]]]]") }
    #expect(error.description == "1:4: arrays and objects are nested deeper than 3")
    let hostile = String(repeating: "[", count: 1_000_000)
    #expect(throws: JSONSyntaxError.self) { try JSONReader().read(hostile) }
  }

  @Test func `the length of a number is bounded`() throws {
    let reader = JSONReader(maximumNumberLength: 4)
    #expect(throws: Never.self) { try reader.read("1234") }
    let error = try #require(throws: JSONSyntaxError.self) { try reader.read("[12345]") }
    #expect(error.description == "1:2: the number is longer than 4 characters")
  }

  @Test func `every repeated key is reported with both places`() throws {
    let document = try JSONReader().read("{\"a\": 1,\n \"b\": 2, \"a\": 3, \"\\u0061\": 4}")
    #expect(document.duplicateKeys.map(\.key) == ["a", "a"])
    #expect(document.duplicateKeys.map(\.range.start.description) == ["2:10", "2:18"])
    #expect(document.duplicateKeys.map(\.first.start.description) == ["1:2", "1:2"])
    #expect(document.root["a"]?.number == JSONNumber(4))
    #expect(document.root.members?.count == 4)
  }

  @Test func `repeated keys are found in large objects too`() throws {
    let members = (0..<50).map { "\"k\($0 % 49)\": 0" }.joined(separator: ",")
    let document = try JSONReader().read("{\(members)}")
    #expect(document.duplicateKeys.map(\.key) == ["k0"])
  }

  @Test func `places count scalars, not bytes or characters`() throws {
    let root = try node("{\"日\u{301}\": [\"é\u{301}\",\n   true]}")
    let member = try #require(root.members?.first)
    #expect(member.keyRange?.description == "1:2-1:6")
    #expect(member.value.items?[0].range?.description == "1:9-1:13")
    #expect(member.value.items?[1].range?.description == "2:4-2:8")
    #expect(root.range?.description == "1:1-2:10")
  }

  @Test func `a byte order mark does not count as a column`() throws {
    let root = try JSONReader().read([0xEF, 0xBB, 0xBF, 0x31]).root
    #expect(root.range?.description == "1:1-1:2")
  }

  @Test(arguments: [
    "null", "[true,false]", "\"\\u0000\\\"\\\\\\n\"", "1e400", "-0.10", "{\"a\":{},\"a\":[]}",
    "123456789012345678901234567890.5",
  ])
  func `writing and reading returns the same value`(_ text: String) throws {
    #expect(try node(text).compactText == text)
  }

  @Test func `escapes are read as their characters`() throws {
    let root = try node(#""\ud83d\ude00\u00e9\/\b\f\t\r""#)
    #expect(root.string == "😀é/\u{8}\u{C}\t\r")
  }

  @Test func `indented text breaks only lines of more than 100 columns`() throws {
    #expect(try node("{\"a\":[1,{}],\"b\":[]}").indentedText == #"{ "a": [1, {}], "b": [] }"#)
    let word = String(repeating: "é", count: 40)
    let fits = String(repeating: "x", count: 93 - 2 * 40)
    #expect(
      try node("[[\"\(word)\",\"\(word)\",\"\(fits)\"],[\"\(word)\",\"\(word)\",\"\(word)\"]]")
        .indentedText == """
          [
            [
              "\(word)",
              "\(word)",
              "\(fits)"
            ],
            [
              "\(word)",
              "\(word)",
              "\(word)"
            ]
          ]
          """)
    #expect(try node("[\"\(word)\",\"\(word)\"]").indentedText.count == 88)
  }
}
