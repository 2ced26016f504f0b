import CEL
import MachineSupport
import PipelineCore
import Testing

struct VerdictTests {
  @Test(arguments: [
    (200, "success"), (204, "success"), (400, "fail"), (403, "fail"), (404, "fail"), (408, "retry"),
    (409, "fail"), (423, "retry"), (425, "retry"), (429, "retry"), (500, "retry"), (501, "fail"),
    (502, "retry"),
    (503, "retry"), (505, "fail"), (301, "fail"), (401, "fail"),
  ])
  func `without a matcher, a status has the meaning in the table`(status: Int, word: String) {
    #expect(Self.word(verdict(status)) == word)
  }

  @Test func `401 to a token that a step made means that the token has expired`() {
    let pipeline = SmallPipelines.photos()
    let evaluator = Evaluator(pipeline)
    let verdict = evaluator.verdict(of: pipeline.steps[1], response: Self.answer(401), Self.scope())
    guard case .uncertain(.expired(let step, let failure, _)) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(step == 0)
    #expect(failure.status == 401)
  }

  @Test(arguments: [
    (TransportFailure.Kind.connectionLost, true, "unknown"), (.connectionLost, false, "retry"),
    (.timeout, true, "unknown"), (.nameNotResolved, false, "retry"),
    (.connectionRefused, false, "retry"), (.tls, false, "pause"), (.badURL, false, "fail"),
    (.interrupted, true, "interrupted"),
  ])
  func `a lost response is an unknown outcome only if the request may have been sent`(
    kind: TransportFailure.Kind, sent: Bool, word: String
  ) {
    let error = TransportFailure(kind, message: "m", mayHaveBeenSent: sent)
    #expect(Self.word(verdict(0, error: error)) == word)
  }

  @Test(arguments: [
    (408, "retry"), (425, "retry"), (429, "retry"), (500, "retry"), (501, "fail"), (502, "retry"),
    (503, "retry"), (504, "retry"), (400, "fail"), (401, "fail"), (404, "fail"), (409, "fail"),
  ])
  func `only a success shows whether a creating step took effect`(
    status: Int, word: String
  ) throws {
    let response = Self.answer(status)
    for pipeline in [
      SmallPipelines.single(effect: .create, hasProbe: true),
      SmallPipelines.single(effect: .create, key: "Key"), SmallPipelines.single(effect: .create),
    ] {
      let verdict = Evaluator(pipeline).verdict(
        of: pipeline.steps[0], response: response, Self.scope())
      guard case .uncertain(let said) = verdict else {
        Issue.record("\(verdict)")
        continue
      }
      #expect(Self.word(said) == word)
    }
    let harmless = SmallPipelines.single()
    let verdict = Evaluator(harmless).verdict(
      of: harmless.steps[0], response: response, Self.scope())
    #expect(Self.word(verdict) == word)
    let probed = SmallPipelines.single(effect: .create, hasProbe: true).steps[0]
    guard status >= 500, status != 501 else { return }
    let asked = Evaluator(SmallPipelines.single(effect: .create, hasProbe: true)).probeVerdict(
      of: probed, probe: try #require(probed.probe), response: response, Self.scope())
    #expect(Self.word(asked) == "retry")
  }

  @Test(arguments: [
    (Matcher.Outcome.retry, "retry"), (.fail, "fail"), (.pause, "pause"), (.poll, "poll"),
  ])
  func `a matcher may declare that the server refused the request before it processed it`(
    outcome: Matcher.Outcome, word: String
  ) {
    for (isRefused, expected) in [(false, "uncertain"), (true, word)] {
      var builder = PipelineBuilder()
      let request = RequestTemplate(url: builder.template("http://h"))
      let probe = builder.probe(request, tookEffect: "response.json.done")
      builder.step(
        "s", .request(request),
        on: [builder.matcher("response.status == 429", outcome, isRefused: isRefused)],
        effect: .create, probe: probe)
      let pipeline = builder.pipeline()
      let verdict = Evaluator(pipeline).verdict(
        of: pipeline.steps[0], response: Self.answer(429), Self.scope())
      #expect(Self.word(verdict) == expected)
    }
  }

  @Test(arguments: [
    (nil, nil, nil), ("duration('30s')", nil, 30), (nil, "20", 20), ("duration('30s')", "20", 30),
    ("duration('10s')", "20", 20),
  ])
  func `a reissue waits for the later of the entry's and the server's time`(
    after: String?, header: String?, seconds: Int64?
  ) {
    var builder = PipelineBuilder()
    let request = RequestTemplate(url: builder.template("http://h"))
    builder.step("a", .request(request))
    builder.step(
      "s", .request(request),
      on: [builder.matcher("response.status == 429", .expired(0), after: after)])
    let pipeline = builder.pipeline()
    let received = Instant(milliseconds: 5000)
    let response = Response(
      status: 429, headers: header.map { [.init(name: "Retry-After", value: $0)] } ?? [],
      url: "http://h", sent: received, received: received)
    let verdict = Evaluator(pipeline).verdict(
      of: pipeline.steps[1], response: response, Self.scope())
    let expected = seconds.map { received + .seconds($0) }
    guard case .expired(0, _, let wished) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(wished == expected)
  }

  @Test func `a success that cannot be read has taken effect, and the probe may read it`() {
    var builder = PipelineBuilder()
    let request = RequestTemplate(url: builder.template("http://h"))
    let probe = builder.probe(request, tookEffect: "response.json.done")
    let output = OutputDeclaration(name: "id", value: builder.template("${{ response.json.id }}"))
    builder.step("s", .request(request), outputs: [output], effect: .create, probe: probe)
    builder.step("r", .request(request), outputs: [output])
    let pipeline = builder.pipeline()
    let evaluator = Evaluator(pipeline)
    let response = Self.answer(200, body: "<html>")
    #expect(
      Self.word(evaluator.verdict(of: pipeline.steps[0], response: response, Self.scope()))
        == "unknown"
    )
    // A page may come from a proxy in between; JSON of another kind is the author's mistake.
    #expect(
      Self.word(evaluator.verdict(of: pipeline.steps[1], response: response, Self.scope()))
        == "unknown")
    let other = Self.answer(200, body: "{}")
    #expect(
      Self.word(evaluator.verdict(of: pipeline.steps[1], response: other, Self.scope())) == "fail")
    let error = TransportFailure(.responseTooLarge, message: "m", mayHaveBeenSent: true)
    let large = Self.answer(0, error: error)
    #expect(
      Self.word(evaluator.verdict(of: pipeline.steps[0], response: large, Self.scope()))
        == "unknown"
    )
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect that is not followed fails, and names its target without the query`(
    _ status: Int
  ) {
    let response = Response(
      status: status, headers: [.init(name: "Location", value: "/login?ticket=1")],
      url: "https://a.example/x", sent: Instant(milliseconds: 0),
      received: Instant(milliseconds: 0))
    let pipeline = SmallPipelines.single()
    let verdict = Evaluator(pipeline).verdict(
      of: pipeline.steps[0], response: response, Self.scope())
    guard case .fail(let failure) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    let target = "a redirect to 'https://a.example/login' that is not followed"
    #expect(failure.message.contains(target))
  }

  @Test(arguments: [
    (TransportFailure.Kind.networkUnavailable, Resource.network), (.tooManyOpenFiles, .openFiles),
  ])
  func `a shortage of the computer is not a response, and no matcher is asked`(
    kind: TransportFailure.Kind, resource: Resource
  ) throws {
    let error = TransportFailure(kind, message: "m", mayHaveBeenSent: false)
    let verdict = verdict(0, on: [(nil, .fail)], error: error)
    let failure = Failure("m", lacking: Lack(rawValue: resource.rawValue))
    #expect(verdict == .unavailable(resource, failure))
    let pipeline = SmallPipelines.single(effect: .create, hasProbe: true)
    let probed = Evaluator(pipeline).probeVerdict(
      of: pipeline.steps[0], probe: try #require(pipeline.steps[0].probe),
      response: Self.answer(0, error: error), Self.scope())
    #expect(probed == .unavailable(resource, failure))
    let sent = TransportFailure(kind, message: "m", mayHaveBeenSent: true)
    #expect(Self.word(self.verdict(0, error: sent)) == "unknown")
  }

  @Test func `no matcher is asked about a host that this process may not send to`() throws {
    let paused = Verdict.pause(Failure("m", lacking: .hosts))
    for isSent in [false, true] {
      let error = TransportFailure(
        .notAllowed, message: "m", mayHaveBeenSent: isSent, circumstance: .hostNotListed)
      #expect(verdict(0, on: [(nil, .fail)], error: error) == paused)
      let pipeline = SmallPipelines.single(effect: .create, hasProbe: true)
      let (step, response) = (pipeline.steps[0], Self.answer(0, error: error))
      #expect(
        Evaluator(pipeline).verdict(of: step, response: response, Self.scope())
          == (isSent ? .uncertain(paused) : paused))
      let probe = try #require(step.probe)
      #expect(
        Evaluator(pipeline).probeVerdict(
          of: step, probe: probe, response: response, Self.scope()) == paused)
    }
  }

  @Test func `the first matcher that holds decides`() {
    let matchers: [(String?, Matcher.Outcome)] = [
      ("response.status == 404", .skipItem), ("response.status >= 400", .pause), (nil, .fail),
    ]
    #expect(Self.word(verdict(404, on: matchers)) == "itemSkipped")
    #expect(Self.word(verdict(409, on: matchers)) == "pause")
    #expect(Self.word(verdict(200, on: matchers)) == "fail")
  }

  @Test
  func
    `a matcher on a body that is not JSON does not hold on an error, and is a mistake on a success`()
  {
    let matchers: [(String?, Matcher.Outcome)] = [("response.json.code == 5", .pause)]
    #expect(Self.word(verdict(503, on: matchers)) == "retry")
    let lost = TransportFailure(.connectionLost, message: "m", mayHaveBeenSent: true)
    #expect(Self.word(verdict(0, on: matchers, error: lost)) == "unknown")
    #expect(Self.word(verdict(200, on: matchers)) == "fail")
  }

  @Test(arguments: [
    ("<html>log in</html>", "unknown"), ("", "fail"), ("{\"id\":1}", "success"),
    ("{\"other\":1}", "fail"), ("{\"id\":1e400}", "fail"), ("{\"id\":1", "unknown"),
  ])
  func `a page in place of the expected JSON does not show the outcome`(
    body: String, word: String
  ) {
    var builder = PipelineBuilder()
    builder.step(
      "s", .request(RequestTemplate(url: builder.template("http://h"))),
      outputs: [
        OutputDeclaration(name: "id", value: builder.template("${{ response.json.id }}"))
      ])
    let pipeline = builder.pipeline()
    let verdict = Evaluator(pipeline).verdict(
      of: pipeline.steps[0], response: Self.answer(200, body: body), Self.scope())
    #expect(Self.word(verdict) == word)
    if body.contains("1e400") { #expect("\(verdict)".contains("cannot be read exactly")) }
  }

  @Test func `a skew is at most half of the real life`() {
    func used(_ life: Int64, skew: Int64?) -> Duration {
      var builder = PipelineBuilder()
      let end = Lifetime.End.after(builder.expression("duration('1s')"))
      builder.budgets = Budgets()
      return Lifetime(end: end, skew: skew.map { .seconds($0) }).skew(of: .seconds(life))
    }
    #expect(used(3, skew: 30) == .milliseconds(1500))
    #expect(used(3600, skew: 60) == .seconds(60))
    #expect(used(-5, skew: 60) == .zero)
    #expect(used(3, skew: nil) == .milliseconds(300))
    #expect(used(3600, skew: nil) == .seconds(5))
  }

  @Test func `an interrupted probe is an interruption, not a failed attempt`() throws {
    let pipeline = SmallPipelines.single(effect: .create, hasProbe: true)
    let step = pipeline.steps[0]
    let probe = try #require(step.probe)
    let error = TransportFailure(.interrupted, message: "m", mayHaveBeenSent: true)
    let verdict = Evaluator(pipeline).probeVerdict(
      of: step, probe: probe, response: Self.answer(0, error: error), Self.scope())
    #expect(verdict == .interrupted)
  }

  @Test(arguments: [
    (200, "{\"done\":true}", "success"), (200, "{\"done\":false}", "notDone"),
    (404, "", "notDone"), (410, "", "notDone"), (404, "{\"done\":true}", "success"),
    (503, "", "retry"), (403, "", "pause"), (200, "<html>", "retry"), (200, "", "pause"),
    (308, "{\"done\":false}", "notDone"), (308, "", "pause"), (409, "{\"done\":true}", "success"),
    (409, "{\"done\":false}", "pause"), (403, "{\"done\":true}", "pause"),
    (503, "{\"done\":true}", "retry"), (423, "", "retry"),
  ])
  func `a probe shows whether the step took effect`(
    status: Int, body: String, word: String
  ) throws {
    let pipeline = SmallPipelines.single(effect: .create, hasProbe: true)
    let step = pipeline.steps[0]
    let verdict = Evaluator(pipeline).probeVerdict(
      of: step, probe: try #require(step.probe), response: Self.answer(status, body: body),
      Self.scope())
    #expect(Self.word(verdict) == word)
  }

  @Test func `a failure contains no secret, be it plain, escaped or longer than another`() {
    let state = ModelWorld.state(of: SmallPipelines.photos(), files: 1, password: "p/w")
    var longer = state
    longer.secrets["token"] = .string("p/wlong")
    let scope = Scope(longer, item: nil, now: Instant(milliseconds: 0))
    let text = Evaluator(SmallPipelines.photos()).redact("a p/w b p%2Fw c p/wlong", scope)
    #expect(text == "a *** b *** c ***")
  }

  @Test func `Retry-After counts in seconds, and as a date on the server's own clock`() {
    let received = Instant(milliseconds: 1_000_000)
    func instant(
      _ headers: [(String, String)], atMost maximum: Duration = .seconds(86400)
    ) -> Instant? {
      RetryAfterHeader.instant(
        of: Response(
          status: 503, headers: headers.map { .init(name: $0.0, value: $0.1) }, url: "http://h",
          sent: received, received: received), atMost: RetryPolicy(retryAfterMaximum: maximum))
    }
    let day = received + .seconds(86400)
    #expect(instant([("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")]) == day)
    #expect(instant([("Retry-After", "99999999999999999999")]) == day)
    #expect(instant([("Retry-After", "9223372036854775807")]) == day)
    #expect(instant([("Retry-After", "120")], atMost: .seconds(60)) == received + .seconds(60))
    #expect(instant([("Retry-After", "-1")]) == nil)
    #expect(instant([("Retry-After", "120")]) == received + .seconds(120))
    #expect(
      instant([
        ("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
      ]) == received + .seconds(60))
    #expect(instant([("Retry-After", "soon")]) == nil)
    #expect(instant([]) == nil)
  }

  private func verdict(
    _ status: Int, on matchers: [(String?, Matcher.Outcome)] = [], error: TransportFailure? = nil
  ) -> Verdict {
    var builder = PipelineBuilder()
    let entries = matchers.map { builder.matcher($0.0, $0.1) }
    builder.step(
      "s", .request(RequestTemplate(url: builder.template("http://h"))), on: entries)
    let pipeline = builder.pipeline()
    return Evaluator(pipeline).verdict(
      of: pipeline.steps[0], response: Self.answer(status, error: error), Self.scope())
  }

  static func answer(
    _ status: Int, body: String = "", error: TransportFailure? = nil
  ) -> Response {
    Response(
      status: status, body: Array(body.utf8), url: "http://h", error: error,
      sent: Instant(milliseconds: 0), received: Instant(milliseconds: 100))
  }

  static func scope() -> Scope {
    Scope(
      ModelWorld.state(of: SmallPipelines.photos(), files: 1), item: nil,
      now: Instant(milliseconds: 0))
  }

  static func word(_ verdict: Verdict) -> String {
    String("\(verdict)".prefix { $0 != "(" }.split(separator: ".").last ?? "")
  }
}
