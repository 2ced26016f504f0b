import CEL
import MachineSupport
import PipelineCore
import Testing

/// A failure quotes the server's message.
struct ServerWordsTests {
  @Test(arguments: [
    (
      "application/json",
      #"{"errors":[{"code":"DIGEST_INVALID","message":"digest did not match","detail":{}}]}"#,
      "DIGEST_INVALID: digest did not match"
    ),
    (
      "application/problem+json",
      #"{"type":"about:blank","title":"Too large","detail":"At most 5 GB."}"#, "At most 5 GB."
    ),
    (
      "application/json",
      #"{"error":"invalid_grant","error_description":"The token was revoked."}"#,
      "The token was revoked."
    ),
    ("application/json", #"{"error":{"code":404,"message":"No such bucket"}}"#, "No such bucket"),
    (
      "application/xml",
      "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>No key</Message></Error>",
      "NoSuchKey: No key"
    ),
    (
      "application/xml",
      "<d:error xmlns:d='DAV:' xmlns:s='s'><s:message>Quota exceeded</s:message></d:error>",
      "Quota exceeded"
    ),
    ("application/json", #"{"error":{"code":"quotaLimitReached"}}"#, "quotaLimitReached"),
    ("application/json", #"{"error":{"errors":[{"reason":"full"}],"code":403}}"#, "full"),
    (
      "application/json", #"{"error_summary":"path/insufficient_space/.","error":{".tag":"path"}}"#,
      "path/insufficient_space/."
    ),
    ("text/plain; charset=utf-8", "  Maximum size exceeded\n", "Maximum size exceeded"),
  ])
  func `the message of a body is quoted`(type: String, body: String, words: String) throws {
    #expect(
      failure(type, body)
        == "; the server says '\(words)'")
  }

  @Test(arguments: [
    ("text/html", "<html><head><title>404</title></head><body>Not here</body></html>"),
    ("application/json", #"{"id": "u1", "token": "t"}"#),
    ("application/octet-stream", "\u{1}\u{2}"), ("text/plain", ""),
    ("text/plain", String(repeating: "x", count: 70_000)),
  ])
  func `pages, other data and long bodies are not`(type: String, body: String) {
    #expect(failure(type, body) == "")
  }

  @Test func `a long message is cut, and shows only itself`() {
    let text = failure("text/plain", "a\u{1b}[31mb" + String(repeating: "x", count: 300))
    #expect(!text.contains("\u{1b}"))
    #expect(text.hasSuffix("x…'"))
    #expect(text.count < 320)
  }

  private func failure(_ type: String, _ body: String) -> String {
    let pipeline = SmallPipelines.single()
    let response = Response(
      status: 404, headers: [.init(name: "Content-Type", value: type)], body: Array(body.utf8),
      url: "https://a.test/", sent: Instant(milliseconds: 0),
      received: Instant(milliseconds: 0))
    let verdict = Evaluator(pipeline).verdict(
      of: pipeline.steps[0], response: response, VerdictTests.scope())
    guard case .fail(let failure) = verdict else { return "\(verdict)" }
    let usual = "and no `on` entry matches"
    guard let end = failure.message.firstRange(of: usual)?.upperBound else {
      return failure.message
    }
    return String(failure.message[end...])
  }
}
