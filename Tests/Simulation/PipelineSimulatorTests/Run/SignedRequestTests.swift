import Basics
import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator
import Testing

/// Requests are signed when they are sent, with the server's time, in virtual time as in real time.
struct SignedRequestTests {
  private static func pipeline(_ credential: String, on matchers: String = "[]") -> String {
    """
    pipeline: signed
    inputs:
      password: { type: secret }
      photos: { type: files }
    retry: { standard: { attempts: 3, jitter: none, backoff: { initial: 1s } } }
    credentials: { api: \(credential) }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 1
        steps:
          - id: put
            upload:
              url: "http://server/bucket/${{ urlEscape(photo.name) }}"
              credentials: api
              file: ${{ photo }}
            on: \(matchers)
    """
  }

  private static let aws = """
    { aws_v4: { key: AKID, secret: "${{ inputs.password }}", region: us-east-1, service: s3, payload: unsigned } }
    """

  /// A server whose clock is ahead, and which accepts signatures that are at most 15 minutes old.
  private static func respond(
    to exchange: SimulatedRequest, ahead lead: Duration
  ) -> SimulatedResponse {
    let server = exchange.at + lead
    let date = HTTPDate.text(secondsSince1970: server.milliseconds / 1000)
    guard let text = exchange.header("X-Amz-Date") else { return SimulatedResponse(status: 400) }
    let digits = text.filter(\.isNumber).compactMap(\.wholeNumberValue)
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    let day = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    let signed =
      day.daysSince1970 * 86_400
      + Int64(number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14))
    let isFresh = abs(signed - server.milliseconds / 1000) <= 900
    return SimulatedResponse(
      status: isFresh ? 200 : 403, headers: [.init(name: "Date", value: date)],
      body: Array((isFresh ? "" : "<Error><Code>RequestTimeTooSkewed</Code></Error>").utf8),
      latency: .milliseconds(100))
  }

  @Test(arguments: [3600, -3600, 31_536_000])
  func `a clock that is wrong costs one refusal, and no other request`(_ seconds: Int) throws {
    let lead = Duration.seconds(seconds)
    var run = try Scene(Self.pipeline(Self.aws), files: ["a": 10, "b": 20, "c": 30]).run {
      Self.respond(to: $0, ahead: lead)
    }
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 3)
    #expect(run.sent.count == 4)
    #expect(Set(run.trace.exchanges.compactMap { $0.header("Authorization") }).count == 4)
    let lead2 = try #require(run.state?.clocks["server"])
    #expect(lead2.low <= lead.milliseconds && lead.milliseconds <= lead2.high)
  }

  @Test
  func `a clock that is right is asked no second time, and a refusal is the author's to judge`()
    throws
  {
    var run = try Scene(
      Self.pipeline(
        Self.aws,
        on: #"[{ if: "${{ response.status == 403 }}", then: fail, message: "no access" }]"#),
      files: ["a": 10]
    ).run { exchange in
      var response = Self.respond(to: exchange, ahead: .zero)
      response.status = 403
      return response
    }
    run.simulate()
    #expect(run.sent.count == 1)
    #expect(run.count(.failed) == 1)
  }

  @Test func `the author's matchers never see a refusal that the clock explains`() throws {
    var run = try Scene(
      Self.pipeline(Self.aws, on: #"[{ if: "${{ response.status == 403 }}", then: fail }]"#),
      files: ["a": 10]
    ).run { Self.respond(to: $0, ahead: .seconds(7200)) }
    run.simulate()
    #expect(run.count(.done) == 1)
  }

  @Test func `a server that stays wrong ends like any other failure`() throws {
    var run = try Scene(Self.pipeline(Self.aws), files: ["a": 10]).run { exchange in
      // Its `Date` moves by an hour with each response.
      SimulatedResponse(
        status: 403,
        headers: [
          .init(
            name: "Date",
            value: HTTPDate.text(
              secondsSince1970: exchange.at.milliseconds / 1000 + Int64(exchange.id.attempt) * 3600)
          )
        ])
    }
    run.simulate()
    #expect(run.sent.count == 3)
    #expect(run.count(.paused) == 1)
  }

  @Test func `a signed file is read for its digest`() throws {
    let signed = Self.aws.replacing("payload: unsigned", with: "payload: signed")
    var run = try Scene(Self.pipeline(signed), files: ["a": 10]).run {
      Self.respond(to: $0, ahead: .zero)
    }
    run.simulate()
    let hash = try #require(run.trace.exchanges.first?.header("X-Amz-Content-Sha256"))
    #expect(hash.count == 64)
    #expect(run.count(.done) == 1)
  }

  @Test func `sign computes headers from the finished request`() throws {
    let credential = #"""
      { sign: { headers: {
        X-Time: "${{ string(clock.server) }}",
        X-Text: "${{ request.method + ' ' + request.host + ' ' + request.path + ' ' + string(request.body.size) + ' ' + request.body.sha256.substring(0, 0) }}",
        X-Mac: "${{ hex(hmac_sha256(inputs.password, request.method + request.headers.host)) }}" } } }
      """#
    var run = try Scene(Self.pipeline(credential), files: ["a b": 10]).run { _ in
      SimulatedResponse()
    }
    run.simulate()
    #expect(run.count(.done) == 1)
    let exchange = try #require(run.trace.exchanges.first)
    #expect(exchange.header("X-Text") == "PUT server /bucket/a%20b 10 ")
    #expect(exchange.header("X-Time") == "2026-01-05T08:00:00Z")
    #expect(exchange.header("X-Mac")?.count == 64)
    #expect(exchange.request.secretHeaders == ["x-time", "x-text", "x-mac"])
  }

  @Test func `a header credential is never sent to another host`() throws {
    var run = try Scene(
      Self.pipeline(#"{ header: { X-Api-Key: "${{ inputs.password }}" } }"#), files: ["a": 10]
    ).run { _ in SimulatedResponse() }
    run.simulate()
    let request = try #require(run.trace.exchanges.first?.request)
    #expect(run.trace.exchanges.first?.header("X-Api-Key") == "pa55")
    #expect(request.secretHeaders == ["x-api-key"] && request.carriesSecret)
  }

  @Test func `a key that cannot be used fails the item with the place`() throws {
    let credential = #"{ shared_key: { account: a, key: "${{ inputs.password.substring(4) }}" } }"#
    var run = try Scene(Self.pipeline(credential), files: ["a": 10]).run { _ in SimulatedResponse()
    }
    run.simulate()
    #expect(run.sent.isEmpty)
    #expect(run.count(.failed) == 1)
    let reasons = run.trace.events.compactMap { event -> String? in
      guard case .itemLeft(_, _, let reason) = event.fact else { return nil }
      return reason?.message
    }
    #expect(reasons == ["test.yaml:12:13: 'key' of 'shared_key' is empty"])
  }

  @Test func `expressions do not see a URL with a signature`() throws {
    let credential = Self.aws.replacing("payload: unsigned", with: "in: query, life: 1h")
    let text = Self.pipeline(credential).replacing(
      "on: []", with: #"outputs: { url: "${{ response.url }}" }"#)
    var run = try Scene(text, files: ["a": 10]).run { _ in SimulatedResponse() }
    run.simulate()
    #expect(
      run.trace.exchanges.first?.request.url.contains("X-Amz-Expires=3600&X-Amz-SignedHeaders=host")
        == true)
    let outputs = run.trace.events.compactMap { event -> [OutputValue]? in
      guard case .concluded(_, .success(let result)) = event.fact else { return nil }
      return result.outputs
    }
    #expect(outputs.first?.first?.value == "http://server/bucket/a")
  }
}
