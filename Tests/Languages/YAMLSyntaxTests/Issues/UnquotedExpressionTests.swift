import Basics
import Testing

import YAMLSyntax

struct UnquotedExpressionTests {
  @Test(arguments: [
    ("{ a: ${{ x }} }", "{ a: \"${{ x }}\" }"),
    ("a: [1, ${{ x }}/y, 2]", "a: [1, \"${{ x }}/y\", 2]"),
    ("a: ${{ x ? 1 : 2 }}\n", "a: \"${{ x ? 1 : 2 }}\"\n"),
    ("- ${{ x ? 1 : 2 }}\n", "- \"${{ x ? 1 : 2 }}\"\n"),
    ("- http://${{ x # y }}/z\n", "- \"http://${{ x # y }}/z\"\n"),
    ("a: ${{ {\"k\": 1} }}\n", "a: '${{ {\"k\": 1} }}'\n"),
    ("{a: ${{ 'it' + \"s\" }}}", "{a: '${{ ''it'' + \"s\" }}'}"),
    ("{ a: 1, b: x-${{ y }}, c: 2 } # z", "{ a: 1, b: \"x-${{ y }}\", c: 2 } # z"),
  ])
  func `the fix makes the text parse with the expression whole`(text: String, fixed: String) throws
  {
    let document = YAMLDocument.parse(text)
    let issue = try #require(document.issues.first)
    #expect(document.issues.count == 1 && document.root == nil)
    #expect(issue.code == .unquotedExpression)
    #expect(issue.message.hasPrefix("quote the expression"))
    let fix = try #require(issue.fix)
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(
      fix.range.start.offset..<fix.range.end.offset, with: Array(fix.replacement.utf8))
    let repaired = String(decoding: bytes, as: UTF8.self)
    #expect(repaired == fixed)
    #expect(YAMLDocument.parse(repaired).issues.isEmpty)
  }

  @Test func `the range is the expression`() {
    let issue = YAMLDocument.parse("steps:\n  - { a: b, c: ${{ x.y }} }\n").issues.first
    #expect(issue?.range.description == "2:16-2:26")
  }

  @Test(arguments: [
    "a: ${{ x }}", "- ${{ x }} # note", "a: \"${{ x ? 1 : 2 }}\"", "{ a: '${{ x }}' }",
    "a: |\n  ${{ x ? 1 : 2 }}\n", "a: ${{ open  ", "a: ${{ x['k'] }}",
    "a: ${{ f(x,\n  y) }}", "a: ${{ {}.size() }}",
  ])
  func `an expression that YAML keeps whole is accepted`(text: String) {
    #expect(YAMLDocument.parse(text).issues.isEmpty)
  }

  @Test func `an error elsewhere on the line is not blamed on the expression`() {
    #expect(YAMLDocument.parse("a: \"${{ x }}\": b").issues.map(\.code) == [.syntax])
  }
}
