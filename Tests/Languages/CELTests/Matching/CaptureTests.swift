import CEL
import Testing

/// `capture(text, pattern)`: RE2's leftmost-first matches.
struct CaptureTests {
  private func capture(_ text: String, _ pattern: String) throws -> Value {
    var environment = Environment.standard
    environment.declare("text", as: .string)
    environment.declare("pattern", as: .string)
    let compiled = try #require(environment.compile("capture(text, pattern)").expression)
    return try compiled.evaluate(["text": .string(text), "pattern": .string(pattern)])
  }

  @Test(arguments: [
    ("", "a"), ("bytes", "bytes=0-(\\d+)"), ("ab", "^b"), ("b", "(a)|b"), ("ab", "a(c)?b"),
  ])
  func `no match, or a group that did not participate, is absent`(
    _ text: String, _ pattern: String
  ) throws {
    #expect(try capture(text, pattern) == .optional(nil))
  }

  @Test(arguments: [
    ("bytes=0-12345", "^bytes=0-(\\d+)$", "12345"),
    ("max-age=3600, private", "max-age=(\\d+)", "3600"),
    ("ab12cd345", "\\d+", "12"), ("aaa", "a*?", ""), ("aaa", "a+?", "a"), ("abab", "(ab)+", "ab"),
    ("abcd", "(a|ab)(c|bcd)", "a"), ("xaby", "(ab|a)b?", "ab"), ("xaby", "(a|ab)b?", "a"),
    ("éa😀b", "a(.)b", "😀"), ("a\nb", "(?m)^(b)$", "b"), ("foo bar", "\\b(b\\w*)", "bar"),
    ("key: value", "(?:key): (\\S+)", "value"), ("", "", ""), ("ab", "(b*)", ""),
    ("aXbXc", "(.*)X", "aXb"), ("aXbXc", "(.*?)X", "a"),
  ])
  func `the first group is captured, or the whole match`(
    _ text: String, _ pattern: String, _ expected: String
  ) throws {
    #expect(try capture(text, pattern) == .optional(.string(expected)))
  }

  @Test func `a broken pattern is an issue if it is constant, and an error otherwise`() throws {
    #expect(!Environment.standard.compile("capture('a', '[')").issues.isEmpty)
    #expect(throws: EvaluationError.self) { try capture("a", "[") }
  }

  @Test func `time is linear where backtracking is exponential`() throws {
    let text = String(repeating: "a", count: 2_000)
    #expect(try capture(text, "(a*)*b") == .optional(nil))
    #expect(try capture(text, "((?:a|a)*)$") == .optional(.string(text)))
  }

  @Test func `a text that is too long for its cost fails instead of hanging`() throws {
    let text = String(repeating: "a", count: 1_000_000)
    #expect(throws: EvaluationError.self) { try capture(text, "(a?){50}b") }
  }

  @Test func `it is a method too, and its absence is easy to replace`() throws {
    let compiled = try #require(
      Environment.standard.compile("int('x'.capture('\\\\d+').orValue('0'))").expression)
    #expect(try compiled.evaluate() == 0)
  }
}
