import CEL
import MachineSupport
import PipelineCore
import Testing

/// Transfers that ask for a new request before they continue.
struct RenewalTests {
  /// A run whose first transfers are with the service.
  private func begun(
    _ pipeline: Pipeline, files: Int = 1, before: [(String, Verdict)] = []
  ) -> RunHarness {
    let run = RunHarness(pipeline, files: Array(repeating: 10, count: files))
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    for (step, verdict) in before { run.answer(step, verdict) }
    if !run.world.loads.isEmpty { run.load() }
    run.pass()
    return run
  }

  private func ask(
    _ run: RunHarness, _ renewal: Renewal, of ordinal: Int? = 0, at seconds: Double? = nil
  ) throws {
    let id = try #require(run.inFlight("send", of: ordinal))
    run.send(.renewalRequested(id, renewal), at: seconds)
  }

  // MARK: Questions without a reply

  @Test func `a question of a transfer that has ended changes nothing`() throws {
    let run = begun(SmallPipelines.renewing([.challenge]))
    let id = try #require(run.inFlight("send", of: 0))
    run.answer("send", of: 0, .busy, at: 1)
    run.pass()
    let before = run.machine
    run.send(.renewalRequested(id, .challenge), at: 1)
    run.finish()
    #expect(run.machine == before)
  }

  @Test func `a question that the step does not allow is answered with the request as it was`()
    throws
  {
    let run = begun(SmallPipelines.renewing([.begin]))
    try ask(run, .challenge)
    run.expect("as it was, 0/0 send 1.1")
    #expect(run.step("sign_in")?.isInvalidated == false)
  }

  @Test func `a second challenge of the same value is passed to the matchers`() throws {
    let run = begun(SmallPipelines.renewing([.challenge]))
    try ask(run, .challenge, at: 1)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.expect("authorization of 0/0 send 1.1")
    try ask(run, .challenge, at: 3)
    run.expect("as it was, 0/0 send 1.1")
    #expect(run.blocker(0) == .attempt(step: 1))
    let refused = Failure("401", status: 401)
    run.answer("send", of: 0, .expired(step: 0, refused), at: 3)
    // Nothing had succeeded with it: the second time there is a pause.
    let moment = try #require(run.machine.state.frame[0].notBefore)
    run.pass()
    run.send(.timerFired, at: Double(moment.milliseconds) / 1000)
    run.expect("run sign_in 3.1")
  }

  @Test func `of two that wait for one token the other is answered when the first has ended`()
    throws
  {
    let run = begun(SmallPipelines.renewing([.challenge]), files: 2)
    try ask(run, .challenge, of: 0, at: 1)
    try ask(run, .challenge, of: 1, at: 1)
    run.expect("run sign_in 2.1")
    run.answer("send", of: 0, .fail(Failure("400", status: 400)), at: 1)
    run.pass()
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.expect("authorization of 0/1 send 1.1")
  }

  @Test func `when the sign-in fails, the transfer continues unchanged`() throws {
    let run = begun(SmallPipelines.renewing([.challenge]))
    try ask(run, .challenge, at: 1)
    run.pass()
    run.answer("sign_in", .fail(Failure("403", status: 403)), at: 2)
    run.expect("as it was, 0/0 send 1.1")
    #expect(run.machine.state.status == .paused)
    #expect(run.blocker(0) == .attempt(step: 1))
  }

  @Test func `a token that expired too often is not reissued for a challenge`() throws {
    let run = begun(SmallPipelines.renewing([.challenge], reissueLimit: 0))
    try ask(run, .challenge, at: 1)
    run.expect("as it was, 0/0 send 1.1")
    #expect(run.machine.state.status == .paused)
    #expect(run.blocker(0) == .attempt(step: 1))
  }

  @Test
  func
    `at the end of the allowance the transfer continues unchanged, before the process is suspended`()
    throws
  {
    let run = begun(SmallPipelines.renewing([.challenge]))
    try ask(run, .challenge, at: 1)
    run.pass()
    run.send(.allowanceExpiring, at: 2)
    run.expect("as it was, 0/0 send 1.1", "interrupt run sign_in 2.1")
    run.answer("sign_in", .interrupted, at: 2)
    run.expect("end allowance")
    // Nothing can be reissued until there is time again.
    try ask(run, .challenge, at: 3)
    run.expect("as it was, 0/0 send 1.1")
  }

  @Test(arguments: [Event.pauseRequested(Failure("^C")), .cancelRequested])
  func `stopping the run does not leave a transfer waiting`(event: Event) throws {
    let run = begun(SmallPipelines.renewing([.challenge]))
    try ask(run, .challenge, at: 1)
    run.pass()
    run.send(event, at: 2)
    #expect(run.world.pendingRenewals.isEmpty)
  }

  // MARK: Withdrawn questions

  @Test func `if the upload ID has expired too, the transfer is withdrawn and repeated`() throws {
    let run = begun(
      SmallPipelines.renewing(
        [.begin], earliest: "duration('1h')", allocating: true,
        effect: .create))
    run.answer("allocate", of: 0, .upload("id"), at: 0)
    run.expect("0/0 send 1.1")
    try ask(run, .begin, at: 3600)
    run.expect("interrupt 0/0 send 1.1")
    // Nothing of it was sent, so that a creating step without a key may be repeated.
    run.answer("send", of: 0, .interrupted, at: 3600)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("b", at: 3600), at: 3600)
    run.expect("0/0 allocate 2.1")
    run.answer("allocate", of: 0, .upload("id", at: 3600), at: 3600)
    run.expect("0/0 send 2.1")
    #expect(run.step("send", of: 0)?.failures == 0)
  }

  @Test func `an upload ID that expires just as the transfer may end does not outlive it`() throws {
    let run = begun(SmallPipelines.renewing([.begin], allocating: true))
    run.answer("allocate", of: 0, .upload("id"))
    run.pass()
    #expect(run.machine.state.pace.expected(upload: 10) == .zero)
    try ask(run, .begin, at: 595)
    run.expect("interrupt 0/0 send 1.1")
  }

  // MARK: Challenges

  @Test func `after a challenge the token is reissued, and the same transfer continues with it`()
    throws
  {
    let run = begun(SmallPipelines.renewing([.challenge]))
    try ask(run, .challenge, at: 1)
    run.expect("run sign_in 2.1")
    #expect(run.blocker(0) == .renewal(step: 1, on: 0))
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.expect("authorization of 0/0 send 1.1")
    #expect(run.blocker(0) == .attempt(step: 1))
    run.answer("send", of: 0, .ok(), at: 3)
    run.expect("stop")
    #expect(run.row(0).status == .done)
    #expect(run.step("sign_in")?.reissues == 0)
  }

  @Test func `two that are challenged have one token made for both`() throws {
    let run = begun(SmallPipelines.renewing([.challenge]), files: 2)
    try ask(run, .challenge, of: 0, at: 1)
    try ask(run, .challenge, of: 1, at: 1)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.expect("authorization of 0/0 send 1.1", "authorization of 0/1 send 1.1")
  }

  @Test func `a token that is newer than the challenged one is returned at once`() throws {
    let run = begun(SmallPipelines.renewing([.challenge]), files: 2)
    try ask(run, .challenge, of: 0, at: 1)
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.pass()
    try ask(run, .challenge, of: 1, at: 3)
    run.expect("authorization of 0/1 send 1.1")
  }

  @Test func `a newer token is returned even without allowance`() throws {
    let run = begun(SmallPipelines.renewing([.challenge]), files: 2)
    try ask(run, .challenge, of: 0, at: 1)
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.send(.allowanceExpiring, at: 2)
    run.pass()
    try ask(run, .challenge, of: 1, at: 3)
    run.expect("authorization of 0/1 send 1.1")
  }

  @Test func `a run-level transfer is answered like one of an item`() throws {
    let run = begun(SmallPipelines.renewing([.challenge], inRunScope: true))
    try ask(run, .challenge, of: nil, at: 1)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.expect("authorization of run send 1.1")
    run.answer("send", .ok(), at: 3)
    run.expect("stop")
  }

  @Test func `a run-level transfer that asks again waits for the sign-in in progress`() throws {
    let run = begun(SmallPipelines.renewing([.challenge], inRunScope: true))
    try ask(run, .challenge, of: nil, at: 1)
    run.expect("run sign_in 2.1")
    try ask(run, .challenge, of: nil, at: 1)
    run.expect()
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.expect("authorization of run send 1.1")
  }

  @Test func `a transfer may end while it waits for its reply`() throws {
    let run = begun(SmallPipelines.renewing([.challenge]))
    try ask(run, .challenge, at: 1)
    run.pass()
    run.answer("send", of: 0, .busy, at: 1.5)
    run.pass()
    run.answer("sign_in", .token("b", at: 2), at: 2)
    run.expect()
    #expect(run.blocker(0) == .delay(step: 1, until: Instant(milliseconds: 2500)))
  }

  // MARK: Starts

  @Test func `a transfer that is renewed at its start is handed over at once, with its time`() {
    let run = begun(SmallPipelines.renewing([.begin], earliest: "duration('60s')"))
    #expect(run.blocker(0) == .attempt(step: 1))
    #expect(run.step("send", of: 0)?.earliest == Instant(milliseconds: 60_000))
    run.crash(at: 30)
    run.expect("adopt 0/0 send 1.1")
    #expect(run.step("send", of: 0)?.earliest == Instant(milliseconds: 60_000))
  }

  @Test func `a starting transfer was counted at its hand-over, and does not wait for a rate`()
    throws
  {
    let rate = Rate(name: Rate.ofAllRequests, requests: 2, period: .seconds(3600), burst: 2)
    let run = begun(
      SmallPipelines.renewing([.begin], earliest: "duration('60s')", rates: [rate]))
    try ask(run, .begin, at: 60)
    run.expect("request of 0/0 send 1.1")
  }

  /// A transfer with a challenge that has its new token, and waits for the rate until 35.
  private func challengedAtRate() throws -> RunHarness {
    let rate = Rate(name: Rate.ofAllRequests, requests: 1, period: .seconds(10))
    let run = begun(SmallPipelines.renewing([.challenge], rates: [rate]))
    run.send(.timerFired, at: 10)
    run.expect("0/0 send 1.1")
    try ask(run, .challenge, at: 25)
    run.answer("sign_in", .token("b", at: 26), at: 26)
    run.expect("run sign_in 2.1", "timer 35.0")
    return run
  }

  @Test func `a reply to a challenge waits for the rate, and counts towards it`() throws {
    let run = try challengedAtRate()
    run.send(.timerFired, at: 35)
    run.expect("authorization of 0/0 send 1.1")
    run.answer("send", of: 0, .busy, at: 36)
    run.pass()
    run.send(.timerFired, at: 37)
    #expect(run.blocker(0) == .rate(0, step: 1, until: Instant(milliseconds: 45_000)))
  }

  @Test func `a transfer that continues unchanged no longer waits for a rate`() throws {
    let run = try challengedAtRate()
    run.send(.cancelRequested, at: 30)
    run.expect("as it was, 0/0 send 1.1", "interrupt 0/0 send 1.1")
    run.send(.timerFired, at: 35)
    #expect(run.blocker(0) == .attempt(step: 1))
  }

  @Test func `a transfer whose token is valid gets a new request at once when it starts`() throws {
    let run = begun(SmallPipelines.renewing([.begin], earliest: "duration('60s')"))
    try ask(run, .begin, at: 60)
    run.expect("request of 0/0 send 1.1")
  }

  @Test func `a token that has expired in the meantime is reissued before the transfer starts`()
    throws
  {
    let run = begun(SmallPipelines.renewing([.begin], earliest: "duration('2h')"))
    try ask(run, .begin, at: 7200)
    run.expect("run sign_in 2.1")
    #expect(run.blocker(0) == .renewal(step: 1, on: 0))
    run.answer("sign_in", .token("b", at: 7201), at: 7201)
    run.expect("request of 0/0 send 1.1")
    #expect(run.step("send", of: 0)?.generation == 1)
  }

  @Test func `a run-level ID in the URL is reissued too, before anything was sent`() throws {
    let run = begun(
      SmallPipelines.renewing([.begin], earliest: "duration('20m')", session: true),
      before: [("open", .upload("x"))])
    try ask(run, .begin, at: 1200)
    run.expect("run open 2.1")
    run.answer("open", .upload("y", at: 1200), at: 1200)
    run.expect("request of 0/0 send 1.1")
    run.answer("send", of: 0, .ok(), at: 1201)
    run.expect("stop")
  }

  @Test func `a challenge after a renewed start is the first of that value`() throws {
    let run = begun(SmallPipelines.renewing([.begin, .challenge], earliest: "duration('2h')"))
    try ask(run, .begin, at: 7200)
    run.answer("sign_in", .token("b", at: 7201), at: 7201)
    run.pass()
    try ask(run, .challenge, at: 7300)
    run.expect("run sign_in 3.1")
  }

  // MARK: Crashes

  @Test func `if a process ends between question and reply, the next one is asked`()
    throws
  {
    let run = begun(SmallPipelines.renewing([.challenge]))
    try ask(run, .challenge, at: 1)
    run.pass()
    run.crash(at: 2)
    run.expect("adopt 0/0 send 1.1", "run sign_in 2.2")
    try ask(run, .challenge, at: 3)
    run.expect()
    #expect(run.blocker(0) == .renewal(step: 1, on: 0))
    run.answer("sign_in", .token("b", at: 4), at: 4)
    run.expect("authorization of 0/0 send 1.1")
  }

  @Test func `that a challenge was answered outlives the process`() throws {
    let run = begun(SmallPipelines.renewing([.challenge]))
    try ask(run, .challenge, at: 1)
    run.answer("sign_in", .token("b", at: 2), at: 2)
    #expect(run.row(0).frame.first?.challenges == 1)
    run.crash(at: 3)
    run.pass()
    // The token is a secret, and went with the process.
    try ask(run, .challenge, at: 4)
    run.expect("run sign_in 3.1")
    run.answer("sign_in", .token("c", at: 5), at: 5)
    run.expect("authorization of 0/0 send 1.1")
    try ask(run, .challenge, at: 6)
    run.expect("as it was, 0/0 send 1.1")
  }
}
