import Basics
import CEL
import MachineSupport
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
  func `a secret is found in base64, in any context`(_ before: String) {
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

  @Test func `of two secrets with the same start, the longer is hidden completely`() {
    #expect(redact("abcdefgh abcd", .string("abcd"), .string("abcdefgh")) == "*** ***")
  }

  @Test func `text that only resembles an encoded secret stays`() {
    let text = #"100% & \u00zz &nosuch; %4 %zz \ &#; &#x; +1"#
    #expect(redact(text, .string("s3cret")) == text)
    #expect(redact("", .string("s3cret")).isEmpty)
    #expect(redact("abc") == "abc")
  }
}

/// The shown parts of requests that contain a text derived from a secret.
struct SecretProvenanceTests {
  private static let secret = "Correct-Horse?>~"

  private func rendered(
    url: String = "http://h/x", body: String? = nil, query: String? = nil
  ) throws -> (request: RenderedRequest, cover: SecretCover) {
    var builder = PipelineBuilder()
    builder.input("password", .secret)
    let template = RequestTemplate(
      method: "POST", url: builder.template(url),
      query: query.map { [.init(name: "q", value: builder.template($0))] } ?? [],
      body: body.map { .text(builder.template($0)) })
    builder.step("s", .request(template))
    let pipeline = builder.pipeline()
    var state = ModelWorld.state(of: SmallPipelines.photos(), files: 1)
    state.secrets["password"] = .string(Self.secret)
    let scope = Scope(state, item: nil, now: Instant(milliseconds: 0))
    let evaluator = Evaluator(pipeline)
    let request = try evaluator.render(template, scope, at: pipeline.steps[0].location)
    return (request, evaluator.cover(scope, of: request))
  }

  @Test(arguments: [
    "inputs.password.reverse()", "inputs.password.substring(0, 7)",
    "inputs.password.replace('?', '%253F')", "inputs.password == '' ? 'a' : 'b-secret'",
    "base64.encode(bytes('user:' + inputs.password))",
  ])
  func `an expression that reads a secret is hidden, regardless of its value`(
    _ expression: String
  ) throws {
    let (request, _) = try rendered(
      url: "http://h/v1/${{ \(expression) }}/x", body: "a ${{ \(expression) }} b",
      query: "${{ \(expression) }}")
    #expect(request.shown?.url == "http://h/v1/***/x?q=***")
    #expect(String(decoding: request.shown?.body ?? [], as: UTF8.self) == "a *** b")
  }

  @Test func `text that an expression adds to a secret is shown`() throws {
    let (request, cover) = try rendered(
      url:
        "${{ 'http://h/v1/documents?t=' + inputs.password.reverse() + '&k=' + inputs.password + '&x=y' }}"
    )
    #expect(request.shown?.url == "http://h/v1/documents?t=***&k=***&x=y")
    #expect(cover.text("no /v1/documents") == "no /v1/documents")
    let plain = try rendered(
      url: "${{ 'http://h/v1/documents?t=' + inputs.password + '&x=y' }}"
    ).request
    #expect(plain.shown?.url == "http://h/v1/documents?t=***&x=y")
  }

  @Test func `a server's echo of it is hidden, too`() throws {
    let (request, cover) = try rendered(
      url: "http://h/v1/${{ inputs.password.substring(0, 7) + '-abc' }}/x")
    let digest = request.url.split(separator: "/")[3]
    #expect(cover.text("no such path: /v1/\(digest)/x") == "no such path: /v1/***/x")
  }

  @Test func `a request without a secret is shown as it is`() throws {
    #expect(try rendered(url: "http://h/${{ 'x' }}").request.shown == nil)
  }

  @Test(arguments: [
    ("Cannot PUT /session/Zq7-VERYSECRET-session", "Cannot PUT ***"),
    ("Cannot PUT /session/Zq7-VERYSECRET-session?sig=abcdefgh", "Cannot PUT ***"),
    ("sig=abcdefgh is wrong", "*** is wrong"), ("no Zq7-VERYSECRET-session", "no ***"),
    ("no session at all", "no session at all"), ("no host h.test", "no host h.test"),
  ])
  func `a server that names a part of a secret URL reveals nothing`(
    _ echo: String, _ shown: String
  ) {
    var redaction = Redaction()
    redaction.hide(.string("http://h.test/session/Zq7-VERYSECRET-session?sig=abcdefgh"))
    #expect(redaction.applied(to: echo) == shown)
  }

  @Test func `a path of short words is not a secret`() {
    var redaction = Redaction()
    redaction.hide(.string("http://h.test/upload"))
    #expect(redaction.applied(to: "POST /upload: 404") == "POST /upload: 404")
  }

  @Test(arguments: [
    "436f72726563742d486f7273653f3e7e", "436F72726563742D486F7273653F3E7E",
    "Correct-Horse%253F%253E~", #"Correct-Horse\\u003f\\u003E~"#,
  ])
  func `a secret is found in hexadecimal digits, and escaped twice`(_ form: String) {
    var redaction = Redaction()
    redaction.hide(.string(Self.secret))
    #expect(redaction.applied(to: "a \(form) b") == "a *** b")
  }
}
