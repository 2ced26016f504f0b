import CEL
import MachineSupport
import PipelineCore
import Testing

/// When a value expires, in each form in which servers report it.
struct LifetimeTests {
  private static let now: Int64 = 1_700_000_000_000
  private let builder = PipelineBuilder()

  private func verdict(
    _ end: Lifetime.End, skew: Duration? = nil, slides: Bool = false, date: String? = nil
  ) -> Verdict {
    var builder = PipelineBuilder()
    builder.step(
      "s", .request(RequestTemplate(url: builder.template("http://h"))),
      outputs: [
        OutputDeclaration(
          name: "o", value: builder.template("v"),
          lifetime: Lifetime(end: end, skew: skew, slides: slides))
      ])
    let pipeline = builder.pipeline()
    let response = Response(
      status: 200, headers: date.map { [.init(name: "Date", value: $0)] } ?? [], url: "http://h",
      sent: Instant(milliseconds: Self.now), received: Instant(milliseconds: Self.now + 100))
    return Evaluator(pipeline).verdict(
      of: pipeline.steps[0], response: response, VerdictTests.scope())
  }

  private func output(
    _ end: Lifetime.End, skew: Duration? = nil, slides: Bool = false, date: String? = nil
  ) -> OutputValue? {
    guard case .success(let result) = verdict(end, skew: skew, slides: slides, date: date) else {
      return nil
    }
    return result.outputs.first
  }

  private func url(_ query: String) -> Lifetime.End {
    .url(builder.expression("'https://h/a?\(query)'"))
  }

  @Test(arguments: [
    "", "X-Amz-Expires=900", "X-Amz-Date=20231114T221320Z", "X-Amz-Date=2023&X-Amz-Expires=900",
    "X-Amz-Date=20231332T221320Z&X-Amz-Expires=900", "X-Amz-Date=20231114T221320Z&X-Amz-Expires=-1",
    "X-Amz-Date=20231114T221320Z&X-Amz-Expires=99999999999999999999",
    "X-Amz-Date=20231114T221320Z&X-Goog-Expires=900", "se=soon", "se=%zz", "Expires=tomorrow",
    "Expires=3600", "expires=-1",
  ])
  func `a URL without an expiry time is a failure that names the forms`(_ query: String) {
    guard case .fail(let failure) = verdict(url(query)) else {
      Issue.record("it told: \(query)")
      return
    }
    #expect(failure.message.contains("the URL does not contain its expiry time"))
    #expect(failure.message.contains("'Expires' with seconds since 1970"))
  }

  /// The URLs are those of the signers' documentation, with other times.
  @Test(arguments: [
    (
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F20231114%2Fus-east-1%2Fs3%2Faws4_request"
        + "&X-Amz-Date=20231114T221320Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=ab",
      1_700_000_900
    ),
    (
      "X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Date=20231114T221320Z&X-Goog-Expires=60",
      1_700_000_060
    ),
    ("x-oss-date=20231114T221320Z&x-oss-expires=1", 1_700_000_001),
    ("AWSAccessKeyId=A&Expires=1700003600&Signature=x%2B", 1_700_003_600),
    ("sv=2022-11-02&st=2023-11-14T00%3A00Z&se=2023-11-15T22%3A13%3A20Z&sr=b&sig=x", 1_700_086_400),
    ("se=2023-11-15T22:13Z&sig=x", 1_700_086_380), ("se=2023-11-16&sig=x", 1_700_092_800),
    ("Expires=1700003600&X-Amz-Date=20231114T221320Z&X-Amz-Expires=900", 1_700_000_900),
  ])
  func `a signed URL contains its expiry time`(_ query: String, _ seconds: Int64) {
    #expect(output(url(query))?.expires == Instant(milliseconds: seconds * 1000))
  }

  @Test func `the end of a signed URL is on the server's clock`() {
    // The server is an hour behind, so its 22:28:20 is 23:28:20 here.
    let end = url("X-Amz-Date=20231114T211320Z&X-Amz-Expires=900")
    let found = output(end, date: "Tue, 14 Nov 2023 21:13:20 GMT")?.expires
    let expected = Instant(milliseconds: Self.now + 900_000)
    #expect(found.map { abs(($0 - expected).milliseconds) < 1100 } == true)
  }

  @Test func `skew is never more than half of the real life`() {
    let end = Lifetime.End.after(builder.expression("duration('60s')"))
    let long = output(end, skew: .seconds(3600))
    #expect(long?.staleFrom.map { ($0 - Instant(milliseconds: Self.now)).milliseconds } == 30_050)
    let short = output(end, skew: .seconds(10))
    #expect(short?.staleFrom.map { ($0 - Instant(milliseconds: Self.now)).milliseconds } == 50_000)
  }

  @Test func `only a sliding lifetime is kept with the value`() {
    let end = Lifetime.End.after(builder.expression("duration('60s')"))
    #expect(output(end)?.slide == nil)
    #expect(output(end, slides: true)?.slide == .seconds(60))
  }

  @Test func `XML is read, and a page in its place is reported with its line`() {
    var builder = PipelineBuilder()
    builder.step(
      "s", .request(RequestTemplate(url: builder.template("http://h"))),
      outputs: [
        OutputDeclaration(
          name: "id", value: builder.template("${{ response.xml.Result.UploadId }}"))
      ])
    let pipeline = builder.pipeline()
    func verdict(_ body: String) -> Verdict {
      Evaluator(pipeline).verdict(
        of: pipeline.steps[0], response: VerdictTests.answer(200, body: body), VerdictTests.scope())
    }
    guard case .unknown(let failure) = verdict("<html>\n<br></html>") else {
      Issue.record("a page was taken for the answer")
      return
    }
    #expect(
      failure.message.contains("the response is not XML: 2:5: expected '</br>', found '</html>'"))
    guard case .success(let result) = verdict("<Result><UploadId>u</UploadId></Result>") else {
      Issue.record("XML was not read")
      return
    }
    #expect(result.outputs.first?.value == "u")
  }
}
