import JSONSchema
import Testing

struct RegularExpressionTests {
  @Test(arguments: [
    ("(", "\"(\" without \")\" at offset 1"), (")", "\")\" without \"(\" at offset 0"),
    ("[a", "\"[\" without \"]\" at offset 2"), ("*", "nothing to repeat before \"*\" at offset 0"),
    ("a**", "nothing to repeat before \"*\" at offset 2"),
    ("{2}", "nothing to repeat before the counts at offset 3"),
    ("a{2,1}", "the repetition counts are out of order at offset 6"),
    ("^*", "an assertion cannot be repeated at offset 2"),
    ("(?=a)*", "an assertion cannot be repeated at offset 6"),
    ("[b-a]", "the range in the class is out of order at offset 2"),
    ("\\", "the expression ends in \"\\\" at offset 0"),
    ("\\a", "unknown escape \"\\a\" at offset 0"), ("\\Z", "unknown escape \"\\Z\" at offset 0"),
    ("\\1", "unknown group number at offset 2"),
    ("\\k<x>", "unknown group \"x\" at offset 5"),
    ("(?<x>a)(?<x>b)", "duplicate group name \"x\" at offset 12"),
    ("(?<1>a)", "a group name cannot contain \"1\" at offset 3"),
    ("(?P<x>a)", "unknown kind of group at offset 2"),
    ("(?i:a)", "unknown kind of group at offset 2"),
    ("\\p{Nonsense}", "unknown Unicode property \"Nonsense\" at offset 2"),
    ("\\u{110000}", "the code point is larger than 10FFFF at offset 8"),
    ("\\00", "octal escapes are not allowed at offset 2"),
    ("\\c1", "a letter must follow \\c at offset 2"),
    ("a{1000000}", "the repetitions are too large at offset 0"),
    ("((a{1000}){1000}){1000}", "the repetitions are too large at offset 0"),
  ])
  func `an invalid expression is refused with its place`(
    _ source: String, _ message: String
  ) throws {
    let error = try #require(throws: RegularExpression.SyntaxError.self) {
      try RegularExpression(source)
    }
    #expect(error.description == message)
  }

  @Test(arguments: [
    ("a.c", "a\nc", false), ("a.c", "a😀c", true), ("^b", "ab", false), ("b$", "ab", true),
    ("b$", "b\n", false), ("a|bc|", "x", true), ("^(?:a|bc)$", "bc", true),
    ("^a{2,3}$", "aaaa", false), ("^a{2,3}$", "aaa", true), ("^a{2,}$", "a", false),
    ("^a{0}$", "", true), ("^a?b+?c*$", "bbb", true), ("^[^a-c]+$", "xbz", false),
    ("^[\\d\\-x]+$", "1-x", true), ("^[\\w-]+$", "a-b", true), ("^[]]?$", "]", false),
    ("^[^]$", "\n", true), ("[]", "a", false), ("^\\D$", "৪", true), ("^\\w$", "é", false),
    ("^\\s$", "\u{FEFF}", true), ("^\\S$", "\u{2028}", false), ("\\bfoo\\b", "a foo b", true),
    ("\\bfoo\\b", "afoo", false), ("oo\\B", "foo", false), ("^\\x41\\u0042\\u{43}$", "ABC", true),
    ("^\\ud83d\\ude00$", "😀", true), ("^\\cJ$", "\n", true), ("^\\0$", "\0", true),
    ("^\\p{Lu}\\p{Ll}$", "Éa", true), ("^\\P{L}$", "a", false),
    ("^\\p{Script=Greek}+$", "λόγος", true), ("^\\p{sc=Grek}+$", "logos", false),
    ("^\\p{Emoji_Presentation}$", "😀", true), ("^[\\p{N}_]+$", "1_Ⅷ", true),
    ("^{$", "{", true), ("^a{x}$", "a{x}", true), ("^\\-\\/\\.$", "-/.", true),
    // What needs the engine that goes back.
    ("^(a+)\\1$", "aaaa", true), ("^(a+)\\1$", "aaa", false), ("^(?<x>ab|a)\\k<x>$", "aa", true),
    ("^(?=.*\\d)(?=.*[a-z]).{4,}$", "ab1c", true), ("^(?=.*\\d).+$", "abc", false),
    ("^(?!.*foo)", "a foo", false), ("(?<=a)b", "ab", true), ("(?<=a)b", "cb", false),
    ("(?<!a)b", "ab", false), ("(?<=a+)b$", "aaab", true), ("(?<=(\\d+)(\\d+))$", "1053", true),
    ("(?<=\\1(a))b", "aab", true), ("^(?:(a)|b)*\\1$", "ab", true), ("(?=(a*))\\1b", "aab", true),
    ("^(?:a?)*?\\b(?=b)", "b", true), ("^(z)((a+)?(b+)?(c))*$(?!x)", "zaacbbbcac", true),
  ])
  func `an expression matches according to ECMA-262`(
    _ source: String, _ text: String, _ matches: Bool
  ) throws {
    #expect(try RegularExpression(source).matches(text) == matches)
  }

  @Test(arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$"])
  func `expressions that explode elsewhere stay linear`(_ source: String) throws {
    let text = String(repeating: "a", count: 500) + "!"
    #expect(try !RegularExpression(source).matches(text))
  }

  @Test(arguments: ["^(?=(a+)+$)b", "^(a+)+\\1$", "^(?:(a|aa)+)+(?!b)$"])
  func `expressions that go back too often end with an error`(_ source: String) throws {
    let expression = try RegularExpression(source)
    let text = String(repeating: "a", count: 60) + "!"
    #expect(throws: RegularExpression.StepLimitReached.self) { try expression.matches(text) }
  }

  @Test func `an expression that is too slow ends the validation with its place`() throws {
    let found = try findings(
      #"{"properties": {"a": {"pattern": "^(a+)+\\1$"}}}"#,
      "{\"a\": \"\(String(repeating: "a", count: 60))!\"}")
    #expect(found == [#"1:7: the regular expression ^(a+)+\1$ is too slow here"#])
  }

  @Test func `deeply nested groups are refused`() {
    let source = String(repeating: "(", count: 100_000)
    #expect(throws: RegularExpression.SyntaxError.self) { try RegularExpression(source) }
  }
}
