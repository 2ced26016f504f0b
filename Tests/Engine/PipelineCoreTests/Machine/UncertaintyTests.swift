import CEL
import MachineSupport
import PipelineCore
import Testing

/// Once a creating request was sent, "not done" is reported by its probe,
/// or by a repeat with the same key, and by nothing else.
struct UncertaintyTests {
  private static let busy = Verdict.uncertain(.busy)
  private static let refused = Verdict.uncertain(.fail(Failure("no", status: 400)))

  @Test(arguments: [
    Verdict.retry(Failure("busy", status: 503)), .retry(Failure("late", status: 408)),
    .poll(at: nil),
  ])
  func `a step with a probe sends it before a repeat, regardless of the response`(said: Verdict) {
    let run = begun(SmallPipelines.single(effect: .create, hasProbe: true))
    run.answer("send", of: 0, .uncertain(said), at: 0)
    run.expect("timer 1.0")
    run.send(.timerFired, at: 1)
    run.expect("probe 0/0 send 1.2")
    run.answer("send", of: 0, .notDone, at: 1)
    run.expect("0/0 send 1.3")
  }

  @Test func `a step with a key and a probe asks the probe, because keys expire`() {
    let run = begun(SmallPipelines.single(effect: .create, key: "Key", hasProbe: true))
    run.answer("send", of: 0, Self.busy, at: 0)
    run.pass()
    run.send(.timerFired, at: 1)
    run.expect("probe 0/0 send 1.2")
  }

  @Test func `a step with only a key repeats with the same key`() {
    let run = begun(SmallPipelines.single(effect: .create, key: "Key"))
    run.answer("send", of: 0, Self.busy, at: 0)
    run.pass()
    run.send(.timerFired, at: 1)
    run.expect("0/0 send 1.2")
    #expect(run.step("send", of: 0)?.generation == 1)
  }

  @Test func `a request that was refused before it was processed is repeated at once`() {
    let run = begun(SmallPipelines.single(effect: .create, hasProbe: true))
    run.answer("send", of: 0, .busy, at: 0)
    run.pass()
    run.send(.timerFired, at: 1)
    run.expect("0/0 send 1.2")
  }

  @Test(arguments: [Self.refused, .uncertain(.pause(Failure("look", status: 409)))])
  func `a retry by the user asks the probe first, even after days`(said: Verdict) {
    let run = begun(SmallPipelines.single(effect: .create, hasProbe: true))
    run.answer("send", of: 0, said, at: 0)
    run.expect("stop")
    run.retry(at: 400_000)
    run.load()
    run.expect("load 0 pending > -1", "probe 0/0 send 1.2")
    run.answer("send", of: 0, .ok(), at: 400_001)
    run.expect("0/0 mark 1.1")
  }

  @Test func `a step without a key or a probe is not repeated without the user`() {
    let run = begun(SmallPipelines.single(effect: .create))
    run.answer("send", of: 0, Self.busy, at: 0)
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message.hasPrefix("outcome unknown") == true)
    run.pass()
  }

  @Test func `the probe is asked about an ID before that is allocated again`() {
    let run = finalizing()
    run.answer(
      "finalize", of: 0, .uncertain(.expired(step: 1, Failure("gone", status: 410))), at: 1)
    run.expect("probe 0/0 finalize 1.2")
    run.answer("finalize", of: 0, .ok(), at: 2)
    // It had taken effect: the ID had not expired, and nothing is derived from it again.
    #expect(run.row(0).status == .done)
    run.pass()
  }

  @Test func `its sources through other steps had not expired either`() {
    let run = finalizing()
    run.answer(
      "finalize", of: 0, .uncertain(.expired(step: 2, Failure("gone", status: 410))), at: 1)
    run.expect("probe 0/0 finalize 1.2")
    run.answer("finalize", of: 0, .ok(), at: 2)
    #expect(run.row(0).status == .done)
    run.pass()
  }

  @Test func `an ID is allocated again once the probe has reported that nothing was done`() {
    let run = finalizing()
    run.answer(
      "finalize", of: 0, .uncertain(.expired(step: 1, Failure("gone", status: 410))), at: 1)
    run.pass()
    run.answer("finalize", of: 0, .notDone, at: 2)
    run.expect("0/0 allocate 2.1")
  }

  @Test func `a request under a key is repeated as it was, although its ID has expired`() {
    let run = sending()
    run.answer("send", of: 0, .lost, at: 594)
    run.send(.timerFired, at: 700)
    run.expect("timer 595.0", "0/0 send 1.2")
    run.answer("send", of: 0, .ok(), at: 701)
    #expect(run.row(0).status == .done)
    run.pass()
  }

  @Test func `a repeat that was never sent leaves the outcome unknown`() {
    let run = sending()
    run.answer("send", of: 0, .lost, at: 594)
    run.send(.timerFired, at: 700)
    run.answer("send", of: 0, .busy, at: 701)
    run.pass()
    #expect(run.step("send", of: 0)?.status == .unknown)
    run.send(.timerFired, at: 710)
    run.expect("0/0 send 1.3")
  }

  @Test func `an ID is allocated again once a response shows that nothing was or will be done`() {
    let run = sending()
    run.answer("send", of: 0, .lost, at: 594)
    run.send(.timerFired, at: 700)
    run.pass()
    run.answer(
      "send", of: 0, .uncertain(.expired(step: 0, Failure("gone", status: 410))), at: 701)
    run.expect("0/0 open 2.1")
    run.answer("open", of: 0, .upload("v", at: 702), at: 702)
    run.expect("0/0 send 2.1")
  }

  @Test(arguments: [Self.refused, .uncertain(.pause(Failure("look", status: 409)))])
  func `a retry by the user repeats under the same key, even after days`(said: Verdict) {
    let run = begun(SmallPipelines.single(effect: .create, key: "Key"))
    run.answer("send", of: 0, said, at: 0)
    run.expect("stop")
    run.retry(at: 400_000)
    run.load()
    run.expect("load 0 pending > -1", "0/0 send 1.2")
  }

  @Test func `a retry repeats under the same key, although the ID has expired`() {
    let run = sending()
    for second in [590.0, 592, 596] {
      run.answer("send", of: 0, .lost, at: second)
      if run.row(0).status == .active { run.send(.timerFired, at: second + 2) }
    }
    run.pass()
    #expect(run.row(0).status == .paused)
    run.retry(at: 400_000)
    run.load()
    run.expect("load 0 pending > -1", "0/0 send 1.4")
  }

  @Test func `a process that ends repeats under the same key, although the ID has expired`() {
    let run = sending()
    run.crash(at: 700)
    run.expect("0/0 send 1.2")
  }

  @Test func `a refused credential does not show the outcome of the request before`() {
    let run = RunHarness(
      SmallPipelines.photos(isKeyed: true), files: [10])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t"))
    run.load()
    run.answer("allocate", of: 0, .upload("u"))
    run.answer("body", of: 0, .file(10))
    run.answer("upload", of: 0, .ok())
    run.answer("finalize", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.pass()
    run.answer(
      "finalize", of: 0, .uncertain(.expired(step: 0, Failure("who", status: 401))), at: 3)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("u", at: 4), at: 4)
    run.expect("0/0 finalize 1.3")
  }

  @Test func `a result of the run is kept while a dependent request is unresolved`() {
    let run = RunHarness(SmallPipelines.opened(isKeyed: true), files: [1, 1])
    run.send(.runBegan, at: 0)
    run.answer("open", .ok(OutputValue(value: .string("s"))), at: 0)
    run.load()
    run.pass()
    run.answer("send", of: 0, .lost, at: 1)
    run.answer("send", of: 1, .expired(step: 0, Failure("gone", status: 404)), at: 1.5)
    run.expect("timer 2.0")
    #expect(run.blocker() == .loop(0))
    run.send(.timerFired, at: 2)
    run.expect("0/0 send 1.2")
    run.answer("send", of: 0, .ok(), at: 3)
    run.expect("run open 2.1")
  }

  @Test func `a credential is renewed before the probe is asked`() {
    let run = finalizing()
    run.answer(
      "finalize", of: 0, .uncertain(.expired(step: 0, Failure("who", status: 401))), at: 1)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("u", at: 1), at: 1)
    run.expect("probe 0/0 finalize 1.2")
  }

  @Test func `a probe's result is not trusted while the server may still be at work`() {
    let run = begun(slow())
    run.answer("send", of: 0, .lost, at: 30)
    // Not before `after`, although the back-off is shorter.
    run.expect("timer 40.0")
    run.send(.timerFired, at: 40)
    run.expect("probe 0/0 send 1.2")
    run.answer("send", of: 0, .notDone, at: 41)
    run.expect("timer 61.0")
    run.send(.timerFired, at: 61)
    run.answer("send", of: 0, .notDone, at: 62)
    run.expect("probe 0/0 send 1.3", "timer 82.0")
    run.send(.timerFired, at: 82)
    run.answer("send", of: 0, .notDone, at: 83)
    // At the latest when the time has passed.
    run.expect("probe 0/0 send 1.4", "timer 90.0")
    run.send(.timerFired, at: 90)
    run.answer("send", of: 0, .notDone, at: 91)
    run.expect("probe 0/0 send 1.5", "0/0 send 1.6")
  }

  @Test func `a probe that was sent too early is not trusted, however late its response`() {
    let run = begun(slow())
    run.answer("send", of: 0, .lost, at: 30)
    run.send(.timerFired, at: 89)
    run.expect("timer 40.0", "probe 0/0 send 1.2")
    run.answer("send", of: 0, .notDone, at: 95)
    run.expect("probe 0/0 send 1.3")
    run.answer("send", of: 0, .notDone, at: 96)
    run.expect("0/0 send 1.4")
  }

  @Test func `a process that ends does not shorten the time of a probe`() {
    let run = begun(slow())
    run.answer("send", of: 0, .lost, at: 30)
    run.pass()
    run.crash(at: 50)
    run.expect("probe 0/0 send 1.2")
    run.answer("send", of: 0, .notDone, at: 51)
    run.expect("timer 71.0")
    #expect(run.step("send", of: 0)?.unknownSince == Instant(milliseconds: 30_000))
  }

  @Test func `after a kill, the time of a probe starts when the next process reads the state`() {
    let run = begun(slow())
    // The body may have been on its way until then.
    run.crash(at: 50)
    #expect(run.step("send", of: 0)?.unknownSince == Instant(milliseconds: 50_000))
    run.expect("timer 60.0")
    run.send(.timerFired, at: 60)
    run.expect("probe 0/0 send 1.2")
    run.answer("send", of: 0, .notDone, at: 105)
    // Sent 90 s after the request, but not 60 s after its last byte.
    run.expect("timer 110.0")
    run.send(.timerFired, at: 110)
    run.answer("send", of: 0, .notDone, at: 111)
    run.expect("probe 0/0 send 1.3", "0/0 send 1.4")
  }

  /// A step whose server may take a minute after the client has stopped waiting.
  private func slow() -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    let request = RequestTemplate(url: builder.template("${{ inputs.server }}"))
    let probe = builder.probe(
      request, tookEffect: "response.json.done", after: .seconds(10), interval: .seconds(20),
      until: .seconds(60))
    builder.step("send", .request(request), effect: .create, probe: probe)
    builder.endLoop()
    return builder.pipeline()
  }

  private func sending() -> RunHarness {
    let run = RunHarness(SmallPipelines.sessions(key: "Key"), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("open", of: 0, .upload("u"))
    run.pass()
    return run
  }

  private func finalizing() -> RunHarness {
    let run = RunHarness(SmallPipelines.photos(), files: [10])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t"))
    run.load()
    run.answer("allocate", of: 0, .upload("u"))
    run.answer("body", of: 0, .file(10))
    run.answer("upload", of: 0, .ok())
    run.pass()
    return run
  }

  private func begun(_ pipeline: Pipeline) -> RunHarness {
    let run = RunHarness(pipeline, files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    return run
  }
}
