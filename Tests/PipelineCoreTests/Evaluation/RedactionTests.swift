import Basics
import CEL
import Testing

@testable import PipelineCore

/// Secrets in every form in which a server may echo them.
struct RedactionTests {
  private func redact(_ text: String, _ secrets: Value...) -> String {
    var redaction = Redaction()
    for secret in secrets { redaction.hide(secret) }
    return redaction.applied(to: text)
  }

  private static let secret = #"p/ä "<&'+ 😀x%\"#

  @Test(arguments: [
    #"p/ä "<&'+ 😀x%\"#, #"p/ä \"<&'+ 😀x%\\"#, #"p\/ä \"<&'+ 😀x%\\"#,
    #"p/\u00e4 \"\u003c\u0026\u0027+ \ud83d\ude00x%\\"#,
    #"p\u002F\u00E4 \u0022<&'+ 😀x\u0025\u005C"#,
    "p%2F%C3%A4%20%22%3C%26%27%2B%20%F0%9F%98%80x%25%5C",
    "p%2f%c3%a4%20%22%3c%26%27%2b%20%f0%9f%98%80x%25%5c",
    "p%2F%C3%A4+%22%3C%26%27%2B+%F0%9F%98%80x%25%5C",
    #"p/ä &quot;&lt;&amp;&#39;+ 😀x%\"#, #"p&#x2F;&#228; &#34;&#x3c;&#38;&apos;&#43; &#128512;x%\"#,
  ])
  func `a secret is found in plain text, JSON, URLs and HTML`(_ form: String) {
    #expect(redact("a \(form) b", .string(Self.secret)) == "a *** b")
  }

  @Test(arguments: ["", "a", "us", "user:", "user@example.com:", "日本:"])
  func `a secret is found in base64, whatever surrounds it`(_ before: String) {
    for after in ["", "x", "\n", "::"] {
      let code = Base64.encode(Array((before + "Correct-Horse?>~" + after).utf8))
      let url = code.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      let escaped = code.replacing("/", with: #"\/"#)
      for text in [code, url, escaped] {
        #expect(
          redact("Basic \(text), bad", .string("Correct-Horse?>~")) == "Basic ***, bad", "\(text)")
      }
    }
  }

  @Test func `secrets are found in maps and lists, and so are numbers`() {
    let value = Value.map(
      MapValue([
        ("keys", .list([.string("s3cret-one"), .string("s3cret-two")])), ("pin", .int(90210)),
        ("small", .int(7)),
      ]))
    #expect(redact("s3cret-one s3cret-two 90210 7", value) == "*** *** *** 7")
  }

  @Test func `the longer of two that begin alike leaves no rest`() {
    #expect(redact("abcdefgh abcd", .string("abcd"), .string("abcdefgh")) == "*** ***")
  }

  @Test func `text that only resembles an encoded secret stays`() {
    let text = #"100% & \u00zz &nosuch; %4 %zz \ &#; &#x; +1"#
    #expect(redact(text, .string("s3cret")) == text)
    #expect(redact("", .string("s3cret")).isEmpty)
    #expect(redact("abc") == "abc")
  }
}
