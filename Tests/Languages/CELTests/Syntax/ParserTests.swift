import CEL
import TestSupport
import Testing

struct ParserTests {
  @Test(arguments: [
    ("1 +", "", "unexpected end of expression; expected an expression"),
    ("1 2", "2", "unexpected number; expected an operator or the end of the expression"),
    ("(1", "", "unexpected end of expression; expected ',' or ')'"),
    ("a.", "", "unexpected end of expression; expected a field name"),
    ("1 = 2", "=", "unexpected character '='; write '==' to compare"),
    ("'abc", "'abc", "string has no closing quote"),
    ("'a\\qb'", "\\q", "unknown escape sequence in a string"),
    ("99999999999999999999", "99999999999999999999", "integer does not fit in 64 bits"),
    ("9223372036854775808", "9223372036854775808", "integer does not fit in a signed 64-bit int"),
    ("'\\ud800'", "\\ud800", "escape sequence is not a Unicode code point"),
    ("for + 1", "for", "'for' is a reserved word and cannot be a name"),
    (
      "true ? 1", "", "unexpected end of expression; expected ':' and the value of the other branch"
    ),
    ("{1}", "}", "unexpected '}'; expected ':' and the value of the key"),
    ("has(a)", "has", "'has' needs one field selection, such as has(a.b)"),
    ("[1].all(x)", "all", "'all' needs one or two names and a condition"),
    ("[1].all(1, true)", "1", "'all' needs a plain name as its variable"),
    ("Point{x: 1}", "{", "message literals are not supported; expected an operator or the end"),
  ])
  func `a value that cannot be read is reported at its place`(
    _ source: String, _ place: String, _ message: String
  ) throws {
    let compilation = issues(source, declaring: ["a": .dyn])
    #expect(compilation.expression == nil)
    let issue = try #require(compilation.issues.first)
    #expect(issue.message == message)
    #expect(text(source, issue.range) == place)
  }

  @Test func `several things wrong are all reported`() {
    let source = "[1 +, 2 *, f(]"
    let found = issues(source).issues.filter { $0.code == .syntax }
    #expect(found.map { text(source, $0.range) } == [",", ",", "]"])
  }

  @Test func `reading continues after a broken argument`() {
    let source = "size([) + unknown"
    let found = issues(source).issues
    #expect(found.contains { $0.code == .syntax })
  }

  @Test func `places are in Unicode scalars`() throws {
    let source = "'e\u{301}😀' + unknown"
    let issue = try #require(issues(source).issues.first)
    #expect(issue.range == 8..<15)
    #expect(text(source, issue.range) == "unknown")
  }

  @Test(arguments: [
    String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000),
    String(repeating: "[", count: 100_000 - 1),
    String(repeating: "!(", count: 1000) + "true" + String(repeating: ")", count: 1000),
    Array(repeating: "1", count: 1000).joined(separator: " + "),
    "a" + String(repeating: ".a", count: 1000),
    "true" + String(repeating: " ? true : true", count: 1000),
    String(repeating: "x", count: 100_001),
  ])
  func `a text that is too deep or too long is refused and does no harm`(_ source: String) throws {
    let compilation = issues(source, declaring: ["a": .dyn])
    #expect(compilation.expression == nil)
    #expect(compilation.issues.contains { $0.code == .tooComplex })
    #expect(compilation.issues.count <= 3)
  }

  @Test(arguments: [
    Array(repeating: "true", count: 1000).joined(separator: " && "),
    "[" + Array(repeating: "1", count: 10_000).joined(separator: ", ") + "].size() == 10000",
    String(repeating: "!", count: 10_000) + "true",
    String(repeating: "-", count: 10_000) + "1 == 1",
    String(repeating: "(", count: 150) + "true" + String(repeating: ")", count: 150),
  ])
  func `a long but shallow text is accepted`(_ source: String) throws {
    #expect(try evaluate(source) == true)
  }

  /// A part that is repeated to the greatest length, between a start and an end.
  @Test(arguments: [
    ("[", "+,", "]"), ("[", "@", "]"), ("", "a==a&&", "true"), ("[", "a+1.0,", "a]"), ("", "@", ""),
    ("[", "undeclared,", "1]"), ("[", "'a'.startWith('b'),", "1]"), ("[", "1,", "1]"),
    ("{", "1:2,", "1:2}"),
    ("[", "[],", "[]]"), ("'", "\\q", "'"), ("[", "steps.allocate.upload_di,", "1]"),
    ("f(", "(),", ")"),
    ("[", "'a'+1,", "1]"), ("", "x ", ""), ("\"", "\\n", "\""), ("[", "{},", "{}]"),
    ("[", "[1].all(x,x==1),", "true]"), ("'", "😀", "'"),
  ])
  func `the longest expressions are read in time in proportion to their length`(
    _ start: String, _ part: String, _ end: String
  ) {
    // The language permits 100,000 scalars.
    let length = TestFiles.isThorough ? 100_000 : 20_000
    let room = length - start.unicodeScalars.count - end.unicodeScalars.count
    let count = room / part.unicodeScalars.count
    let time = ProcessorTime.ofThread {
      _ = issues(start + String(repeating: part, count: count) + end, declaring: ["a": .dyn])
    }
    #expect(time < Double(length) / 10_000)
  }

  @Test func `comments and blanks mean nothing`() throws {
    #expect(try evaluate("1 // one\n\t+\r\n2 // two") == 3)
  }

  @Test func `a minus before the smallest integer belongs to it`() throws {
    #expect(try evaluate("-9223372036854775808") == .int(.min))
    #expect(try evaluate("- 9223372036854775808") == .int(.min))
    #expect(try failure("-(-9223372036854775808)")?.code == .overflow)
  }
}
