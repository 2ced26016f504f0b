import CEL
import MachineSupport
import Testing

@testable import PipelineCore

/// Responses that are slightly malformed, and that other clients read.
struct LooseResponseTests {
  private func verdict(
    _ body: [UInt8], type: String = "application/json", damage: String? = nil,
    reading: String = "response.json.id", upload: Bool = false, key: String? = nil,
    effect: Step.ServerEffect = .repeatable
  ) -> Verdict {
    var builder = PipelineBuilder()
    let request = RequestTemplate(method: "POST", url: builder.template("http://h"))
    let action: Step.Action =
      upload
      ? .upload(Upload(request: request, file: builder.expression("inputs.photo")))
      : .request(request)
    if upload { builder.input("photo", .file) }
    builder.step(
      "s", action,
      outputs: [OutputDeclaration(name: "id", value: builder.template("${{ \(reading) }}"))],
      effect: effect, key: key)
    let pipeline = builder.pipeline()
    let response = Response(
      status: 200, headers: [.init(name: "Content-Type", value: type)], body: body, url: "http://h",
      damage: damage, sent: Instant(milliseconds: 0), received: Instant(milliseconds: 100))
    return Evaluator(pipeline).verdict(
      of: pipeline.steps[0], response: response, VerdictTests.scope())
  }

  private func output(_ verdict: Verdict) -> String? {
    guard case .success(let result) = verdict else { return nil }
    return result.outputs.first?.value?.stringValue
  }

  private static let accented: [UInt8] = Array(#"{"id":"é"}"#.utf8)
  private static let latin: [UInt8] = Array(#"{"id":""#.utf8) + [0xE9, 0x22, 0x7D]
  private static let wide: [UInt16] = Array(#"{"id":"é"}"#.utf16)

  private static let texts: [([UInt8], String)] = [
    ([0xEF, 0xBB, 0xBF] + accented, "application/json"),
    (latin, "application/json; charset=ISO-8859-1"), (latin, "a/b;x=y;Charset=\"windows-1252\""),
    (accented, "application/json; charset=utf8"),
    ([0xFE, 0xFF] + wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, "a/b"),
    (wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, "a/b;charset=utf-16le"),
  ]

  @Test(arguments: texts)
  func `a byte order mark and a charset are respected`(_ body: [UInt8], _ type: String) {
    #expect(output(verdict(body, type: type)) == "é")
  }

  @Test func `text and XML have a charset, too`() {
    #expect(
      output(verdict([0x80, 0xE9], type: "text/plain; charset=latin1", reading: "response.text"))
        == "€é")
    let xml = Array(#"<?xml version="1.0" encoding="ISO-8859-1"?><a><b>"#.utf8) + [0xE9]
    #expect(
      output(
        verdict(
          xml + Array("</b></a>".utf8), type: "text/xml; charset=ISO-8859-1",
          reading: "response.xml.a.b")) == "é")
    #expect(output(verdict(Array("{\"id\":\"a\"}".utf8), type: "a/b; charset=shift_jis")) == "a")
  }

  @Test(
    arguments: [
      ("{\"id\":x", "a/b", nil, "the response is not JSON: byte 6: "),
      (
        "{\"id\":\"\u{E9}", "a/b; charset=koi8-r", nil,
        "the response cannot be decoded: byte 7: the charset 'koi8-r' is not supported"
      ),
      (
        "xx", "a/b", "byte 1: the gzip data is damaged",
        "the response cannot be decoded: byte 1: the gzip data is damaged (status 200, a/b, 2 bytes)"
      ),
    ] as [(String, String, String?, String)])
  func `an unreadable response is reported with the problem and its place`(
    _ body: String, _ type: String, _ damage: String?, _ message: String
  ) {
    let verdict = verdict(Array(body.utf8), type: type, damage: damage)
    #expect("\(verdict)".replacing("\\'", with: "'").contains(message), "\(verdict)")
  }

  @Test func `bytes that are not UTF-8 are named with their place`() {
    let body: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(#"{"id":""#.utf8) + [0xE9, 0x22, 0x7D]
    #expect("\(verdict(body))".contains("byte 10: expected UTF-8, found other bytes"))
  }

  @Test func `a file is not sent again because of the response, if its key keeps the outcome`() {
    let damaged = { (key: String?, upload: Bool) in
      verdict([1], damage: "byte 0: x", upload: upload, key: key, effect: .create)
    }
    guard case .uncertain(.pause) = damaged("Idempotency-Key", true) else {
      Issue.record("\(damaged("Idempotency-Key", true))")
      return
    }
    guard case .unknown = damaged("Idempotency-Key", false), case .unknown = damaged(nil, true)
    else {
      Issue.record("a request without a file is repeated, and one without a key is unknown")
      return
    }
  }

  @Test(
    arguments: [
      ("2.5", 3), ("0.1", 1), (" 7 ", 7), ("30 s", 30), ("30 seconds", 30), ("-1", nil),
      ("1e3", nil),
      (".5", nil), ("soon", nil), ("3 minutes", nil), ("Sun, 06 Nov 1994 08:50:37 UTC", 60),
      ("Sun, 06 Nov 1994 08:50:37 +0000", 60), ("Sun, 06 Nov 1994 09:50:37 +0100", 60),
      ("Sun, 6 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:50:37", 60),
      ("1994-11-06T08:50:37Z", 60), ("1994-11-06T08:50:36.5Z", 60),
      ("Sun, 06 Nov 1994 08:50 +1", nil),
      ("Sun, 06 Nov 1994 08:50:37 +1:é", nil), ("", nil),
    ] as [(String, Int64?)])
  func `a Retry-After that is nearly right counts, and is rounded up`(
    _ text: String, _ seconds: Int64?
  ) {
    let received = Instant(milliseconds: 1_000_000)
    let headers = [("Retry-After", text), ("Date", "Sun, 06 Nov 1994 08:49:37 UTC")]
    let response = Response(
      status: 503, headers: headers.map { .init(name: $0.0, value: $0.1) }, url: "http://h",
      sent: received, received: received)
    #expect(
      RetryAfterHeader.instant(of: response, atMost: RetryPolicy())
        == seconds.map { received + .seconds($0) })
  }
}
