import CEL
import Testing

struct RegularExpressionTests {
  @Test(arguments: [
    "(", ")", "[", "[]", "a**", "*", "+a", "a{2}{3}", "a{1001}", "a{3,2}", "\\", "[z-a]", "\\1",
    "(?=a)",
    "(?<!a)", "(?z)", "\\p{Nothing}", "\\pX", "\\p{Greek", "[[:nothing:]]", "\\x{110000}", "\\xZ",
    "\\q",
    "(?P<>a)", "((a{99}){99}){99}", "(?i", "{2}", "\\C",
    String(repeating: "(", count: 200) + String(repeating: ")", count: 200),
    String(repeating: "a", count: 4001),
  ])
  func `a pattern that cannot be used is refused`(_ pattern: String) throws {
    let error = try failure("''.matches(p)", ["p": .string(pattern)])
    #expect(error?.code == .invalidArgument, "\(pattern)")
  }

  @Test(arguments: [
    ("ab", "xabx"), ("^ab$", "ab"), ("a|b|", ""), ("^(a|bc)*$", "abcbca"), ("^a{2,3}$", "aaa"),
    ("^a{2}$", "aa"),
    ("^a{2,}$", "aaaaa"), ("^a{0}$", ""), ("a{,2}", "a{,2}"), ("^[^a-c]+$", "xyz"),
    ("^[]a]+$", "]a]"),
    ("^[a-]+$", "a-"), ("^[\\d\\-x]+$", "1-x"), ("\\bfoo\\b", "a foo b"), ("o\\Bo", "foo"),
    ("(?i)ÄB", "äb"),
    ("(?i)[a-c]+$", "ABC"), ("(?i)k", "\u{212A}"), ("(?i:a)b", "Ab"), ("^.$", "😀"),
    ("(?s)^.$", "\n"),
    ("(?m)^b$", "a\nb\nc"), ("^\\pL+$", "aßλ"), ("^\\p{Lu}\\P{Lu}$", "Ab"), ("^\\p{^Lu}$", "a"),
    ("^\\p{Greek}+$", "λόγος"),
    ("^\\p{Han}+$", "漢字"), ("^[\\p{Nd}_]+$", "1_٣"), ("^[[:alpha:][:^ascii:]]+$", "aé"),
    ("\\x41\\x{1F600}", "A😀"),
    ("\\101", "A"), ("\\Qa.b*\\E+", "a.b**"), ("^\\Qa\\Eb$", "ab"), ("(?P<n>a)(?<m>b)", "ab"),
    ("\\Aa\\z", "a"),
    ("^a*?b+?$", "aab"), ("(?U)^a+$", "aa"), ("^(a*)*$", "aaa"), ("^(|a)+$", "aa"),
    ("^\\S+\\s\\W\\D$", "ab !x"),
    ("^\\.\\*\\/\\-$", ".*/-"), ("a]", "a]"), ("^\\a\\f\\t\\n\\r\\v$", "\u{7}\u{C}\t\n\r\u{B}"),
    ("^(a{0,2}){2}$", "aaaa"),
    ("", ""), ("$", "a"), ("x*", "y"),
  ])
  func `a pattern occurs`(_ pattern: String, _ text: String) throws {
    #expect(try evaluate("t.matches(p)", ["p": .string(pattern), "t": .string(text)]) == true)
  }

  @Test(arguments: [
    ("^ab$", "xab"), ("^a{2,3}$", "aaaa"), ("^a{2}$", "a"), ("^[^a-c]+$", "xay"),
    ("\\bfoo\\b", "food"),
    ("^.$", "\n"), ("^b$", "a\nb"), ("a$", "a\n"), ("(?i)[^a]", "A"), ("^\\p{Greek}$", "a"),
    ("\\d", "٣"), ("\\w", "é"),
    ("(?-i)a", "A"), ("(?i:a)b", "AB"), ("((?i)a)b", "aB"), ("^\\P{L}$", "a"), ("o\\bo", "foo"),
    ("[^\\s\\S]", "a"),
  ])
  func `a pattern does not occur`(_ pattern: String, _ text: String) throws {
    #expect(try evaluate("t.matches(p)", ["p": .string(pattern), "t": .string(text)]) == false)
  }

  @Test func `a known pattern has the same result as one that comes with the evaluation`() throws {
    #expect(try evaluate("'foobar'.matches('^fo+b') && matches('foobar', '^fo+b')") == true)
    #expect(try failure("dyn(1).matches('a')")?.code == .noSuchOverload)
  }

  @Test(arguments: [
    "(a+)+b", "(a|a)*b", "(a?){30}a{30}b", "(.*)*x", "a*a*a*a*a*a*a*b", "(a|b|ab)*c",
  ])
  func `a pattern that makes others backtrack needs linear time`(_ pattern: String) throws {
    let text = Value.string(String(repeating: "a", count: 5000))
    #expect(try evaluate("t.matches(p)", ["p": .string(pattern), "t": text]) == false)
  }

  @Test func `the work of matching counts as cost`() throws {
    let text = Value.string(String(repeating: "a", count: 200_000))
    let error = try failure(
      "t.matches('(a?){200}b')", ["t": text], limits: EvaluationLimits(cost: 50_000))
    #expect(error?.code == .costExceeded)
  }
}
