import Basics
import CEL
import Testing

struct JSONTests {
  @Test(arguments: [
    "", "[", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "01", "1.", "1e", "-", "+1", "nul", "'a'",
    "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "1 2", "NaN", "\"a",
    String(repeating: "[", count: 100_000), "[1}", "\u{FEFF}1",
  ])
  func `text that is not JSON is refused`(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try Value(json: text) }
  }

  @Test func `a string that is not UTF-8 is refused`() {
    #expect(throws: JSONSyntaxError.self) { try Value(json: [0x22, 0xFF, 0x22] as [UInt8]) }
  }

  @Test func `whole numbers that fit are integers and the others doubles`() throws {
    #expect(
      try Value(json: "[1, -0, 9223372036854775807, 18446744073709551615, 1.0, 1e2, 1e308, 1e-400]")
        == [1, 0, .int(.max), .uint(.max), 1.0, 100.0, 1e308, 0.0])
  }

  @Test(arguments: [
    "18446744073709551616", "-9223372036854775809", "[1, 123456789012345678901234567890]", "1e400",
    "{\"a\": -1e999}",
  ])
  func `a number without an exact value is reported, not rounded`(_ text: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try Value(json: text) }
    #expect(error?.kind == .number)
  }

  @Test func `members keep their order`() throws {
    let text = #"{"z":1,"a":[true,null,"\u00e9"],"m":{}}"#
    let value = try Value(json: text)
    #expect(value.mapValue?.keys.map { $0 } == ["z", "a", "m"])
    #expect(value.jsonText() == #"{"z":1,"a":[true,null,"é"],"m":{}}"#)
  }

  @Test func `escape sequences are read`() throws {
    #expect(try Value(json: #""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00""#) == "\"\\/\u{8}\u{C}\n\r\tA😀")
  }

  @Test func `every kind of value has JSON text`() throws {
    let time = try #require(Timestamp(rfc3339: "2024-05-01T12:00:00.5Z"))
    let value: Value = [
      .uint(.max), .double(.nan), .double(-.infinity), .bytes([1, 2, 255]), .timestamp(time),
      .duration(.milliseconds(3500)), .optional(nil), .optional(1), .type(TypeName("int")), 1.0,
      0.1,
    ]
    #expect(
      value.jsonText() == """
        [18446744073709551615,"NaN","-Infinity","AQL/","2024-05-01T12:00:00.5Z","3.5s",null,1,"int",\
        1,0.1]
        """)
  }

  @Test func `text for a header is ASCII`() throws {
    let value: Value = ["path": "/é😀\u{7F}\u{1}\"\\"]
    let text = value.jsonText(escapingNonASCII: true)
    #expect(text == #"{"path":"/\u00e9\ud83d\ude00\u007f\u0001\"\\"}"#)
    #expect(try Value(json: text) == value)
  }

  @Test func `an error contains its place`() {
    let error = #expect(throws: JSONSyntaxError.self) { try Value(json: "{\"a\": tru}") }
    #expect(error?.offset == 6)
    #expect(error?.message == "expected a value")
  }
}
