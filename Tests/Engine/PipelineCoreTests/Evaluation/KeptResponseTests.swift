import CEL
import MachineSupport
import PipelineCore
import Testing

/// A failure keeps the server's response.
struct KeptResponseTests {
  @Test(arguments: [
    "X-Request-Id", "x-amz-request-id", "x-amz-id-2", "x-ms-request-id", "CF-Ray", "Request-Id",
    "x-amzn-RequestId", "X-Amzn-Trace-Id", "X-Correlation-ID", "X-Cloud-Trace-Context",
    "traceparent", "x-goog-request-id", "X-GitHub-Request-Id", "x-amz-cf-id", "x-vercel-trace",
    "apigw-requestid",
  ])
  func `a header that names the request is known by its form`(name: String) {
    #expect(KeptResponse.isRequestID(name))
  }

  @Test(arguments: [
    "X-GUploader-UploadID", "ETag", "Location", "X-Upload-Id", "Array", "X-Id", "id", "", "-",
    "x-amz-version-id", "Content-Type", "X-Session-Id",
  ])
  func `others are not, least of all the id of an upload`(name: String) {
    #expect(!KeptResponse.isRequestID(name))
  }

  private static func response(
    _ status: Int, _ body: String, headers: [Response.Header] = []
  ) -> Response {
    Response(
      status: status, headers: headers, body: Array(body.utf8), url: "https://a.test/",
      sent: Instant(milliseconds: 0), received: Instant(milliseconds: 0))
  }

  private static func answer(
    _ response: Response, secrets: [String: Value] = [:], step: Step? = nil,
    request: RenderedRequest? = nil
  ) -> KeptResponse? {
    let pipeline = SmallPipelines.single()
    let state = RunState(
      id: RunID("r"), pipeline: pipeline, inputs: [:], secrets: secrets, seed: 1,
      began: Instant(milliseconds: 0))
    return Evaluator(pipeline).kept(
      of: response, to: request, of: step ?? pipeline.steps[0],
      Scope(state, item: nil, now: Instant(milliseconds: 0)))
  }

  @Test func `a body is kept to its first 2 KiB, without secrets and control characters`() throws {
    let body = "a\u{1b}[31m\u{7}hunter2\n" + String(repeating: "ä", count: 5000)
    let answer = try #require(
      Self.answer(Self.response(403, body), secrets: ["password": "hunter2"]))
    #expect(answer.body.hasPrefix("a\\u001b[31m\\u0007***\nää"))
    #expect((2040...2048).contains(answer.body.utf8.count))
    #expect(!answer.body.contains("\u{FFFD}"))
    #expect(answer.bodyBytes == body.utf8.count)
  }

  @Test func `half of a secret at the end of the excerpt is not shown`() throws {
    let secret = "s3cret-" + String(repeating: "Z", count: 100)
    let body = String(repeating: "x", count: 2048 - 20) + secret + "tail"
    let answer = try #require(
      Self.answer(Self.response(500, body), secrets: ["password": .string(secret)]))
    #expect(!answer.body.contains("s3cret"))
    #expect(answer.body.hasSuffix("x***tail"))
    // The part read ends within the last of many secrets: nothing is kept.
    let many = String(repeating: secret, count: 2000)
    #expect(
      Self.answer(Self.response(500, many), secrets: ["password": .string(secret)])?.body == "")
  }

  @Test(arguments: [
    ("see https://h/b?X-Amz-Signature=abc&x=1", "see https://h/b?X-Amz-Signature=***&x=1"),
    ("<u>?sig=a%2Bb&amp;se=2</u>", "<u>?sig=***&amp;se=2</u>"),
    (
      #"{"url":"https://h?a=1\u0026access_token=zz"}"#,
      #"{"url":"https://h?a=1\u0026access_token=***"}"#
    ),
    ("grant_type=x&client_secret=s3&b=1", "grant_type=x&client_secret=***&b=1"),
    ("assertion=a.b.c&x=1&client_assertion=d.e.f", "assertion=***&x=1&client_assertion=***"),
    ("name=cat&key=photo.jpg", "name=cat&key=photo.jpg"),
  ])
  func `values that are credentials by their names are removed`(body: String, kept: String) {
    #expect(Self.answer(Self.response(403, body))?.body == kept)
  }

  @Test func `the value of a secret header of the request is not kept if the server echoes it`() {
    var request = RenderedRequest(method: "PUT", url: "https://a.test/")
    request.headers = [.init(name: "Authorization", value: "AWS4 Signature-abcdef0123")]
    request.secretHeaders = ["authorization"]
    let answer = Self.answer(
      Self.response(403, "got AWS4 Signature-abcdef0123, or Signature-abcdef0123"), request: request
    )
    #expect(answer?.body == "got ***, or ***")
  }

  @Test func `bytes that are no text are counted and not kept`() {
    let answer = Self.answer(Self.response(500, "\u{0}\u{1}PNG"))
    #expect(answer?.body == "")
    #expect(answer?.bodyBytes == 5)
  }

  @Test func `of a success of a step with secret outputs no body is kept`() throws {
    let usual = SmallPipelines.single().steps[0]
    let step = Step(
      id: usual.id, loop: nil, position: 0, action: usual.action,
      outputs: [OutputDeclaration(name: "token", value: Template(text: ""), isSecret: true)],
      location: usual.location)
    let id = [Response.Header(name: "X-Request-Id", value: "r-1")]
    for status in [200, 202, 302] {
      let answer = Self.answer(Self.response(status, "t0ken", headers: id), step: step)
      #expect(answer?.body == "", "\(status)")
      #expect(answer?.requestIDs == id)
    }
    #expect(Self.answer(Self.response(403, "no", headers: id), step: step)?.body == "no")
    #expect(Self.answer(Self.response(200, "odd"))?.body == "odd")
  }

  @Test func `ids are bounded, and show only themselves`() throws {
    let headers = (0..<20).map {
      Response.Header(
        name: "X-\($0)-Request-Id", value: "\u{1b}" + String(repeating: "r", count: 500))
    }
    let answer = try #require(Self.answer(Self.response(500, "", headers: headers)))
    #expect(answer.requestIDs.count == 8)
    #expect(answer.requestIDs[0].value.hasPrefix("\\u001brr"))
    #expect(answer.requestIDs[0].value.count < 300)
    #expect(Self.answer(Self.response(500, "")) == nil)
  }

  @Test func `each failure of a verdict gets the answer once, and of a batch only its name`() {
    let first = KeptResponse(
      body: "b", bodyBytes: 1, requestIDs: [.init(name: "X-Request-Id", value: "1")])
    let second = KeptResponse(body: "c", bodyBytes: 1, requestIDs: [])
    let failure = Failure("f", status: 500)
    let kept = Failure("f", status: 500, response: first)
    let name = KeptResponse(body: "", bodyBytes: 1, requestIDs: first.requestIDs)
    #expect(Verdict.fail(failure).answered(first) == .fail(kept))
    #expect(Verdict.uncertain(.retry(failure)).answered(first) == .uncertain(.retry(kept)))
    #expect(Verdict.pause(kept).answered(second) == .pause(kept))
    #expect(
      Verdict.results(StepResult(), [.fail(failure), .itemDone]).answered(first)
        == .results(StepResult(), [.fail(Failure("f", status: 500, response: name)), .itemDone]))
    #expect(!Verdict.success(StepResult()).hasFailure)
  }
}
