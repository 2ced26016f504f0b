import CEL
import MachineSupport
import PipelineCore
import Testing

/// Items that cannot be read, results that expire before they are used, and values lost with a process.
struct LossTests {
  // MARK: Items that cannot be read

  @Test func `items that cannot be read pause the run, and are read again when it resumes`() {
    let run = RunHarness(SmallPipelines.single(), files: [1])
    run.send(.runBegan, at: 0)
    run.expect("load 0 pending > -1")
    run.send(.loadFailed(loop: 0, Failure("the page is damaged")), at: 1)
    run.expect("stop")
    #expect(run.machine.state.status == .paused)
    #expect(
      run.machine.state.reason?.message
        == "items of 'for_each: item' could not be read from the run's store: the page is damaged")
    #expect(run.blocker() == .stopped)
    run.send(.unpaused, at: 2)
    run.expect("load 0 pending > -1")
    run.load()
    run.expect("0/0 send 1.1")
  }

  @Test func `work in flight completes when further items cannot be read`() {
    let run = RunHarness(
      SmallPipelines.single(concurrency: 1), files: Array(repeating: 1, count: 66))
    run.send(.runBegan, at: 0)
    run.load()
    for ordinal in 0..<64 {
      run.answer("send", of: ordinal, .ok())
      run.answer("mark", of: ordinal, .ok())
      if !run.world.loads.isEmpty { break }
    }
    run.pass()
    run.send(.loadFailed(loop: 0, Failure("damaged")), at: 1)
    run.expect()
    let busy = run.machine.inFlight.first?.item?.ordinal
    run.answer("send", of: busy, .ok(), at: 2)
    run.expect("stop")
    run.crash(at: 3)
    run.send(.unpaused, at: 3)
    run.load()
    #expect(run.step("mark", of: busy)?.status == .running)
    run.pass()
  }

  @Test func `a run that cannot read the items to abandon is paused, and can be cancelled again`() {
    let run = RunHarness(SmallPipelines.single(undo: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .pause(Failure("look")), at: 1)
    run.pass()
    run.send(.cancelRequested, at: 2)
    run.expect("load 0 paused > -1")
    run.send(.loadFailed(loop: 0, Failure("damaged")), at: 3)
    run.expect("stop")
    #expect(run.machine.state.status == .paused)
    run.send(.cancelRequested, at: 4)
    run.expect("load 0 paused > -1")
    run.load()
    run.expect("undo 0/0 #0")
  }

  @Test func `a late event about items that are not being read changes nothing`() {
    let run = begun(SmallPipelines.single())
    let before = run.machine
    run.send(.loadFailed(loop: 0, Failure("late")), at: 0)
    run.send(.loadFailed(loop: 7, Failure("late")), at: 0)
    run.finish()
    #expect(run.machine == before)
  }

  // MARK: What stands after a loop

  private func after(_ failures: Loop.Failures = .stop) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    let request = RequestTemplate(url: builder.template("${{ inputs.server }}"))
    builder.loop("part", failures: failures)
    builder.step("put", .request(request))
    builder.endLoop()
    builder.step("complete", .request(request))
    return builder.pipeline("after")
  }

  @Test func `a step after a loop is not sent while an item is failed, and is after a retry`() {
    let run = RunHarness(after(), files: [1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("put", of: 0, .ok(), at: 1)
    run.answer("put", of: 1, .fail(Failure("403", status: 403)), at: 1)
    run.expect("load 0 pending > -1", "0/0 put 1.1", "0/1 put 1.1", "stop")
    #expect(run.machine.state.status == .finished)
    #expect(
      run.machine.state.reason?.message
        == "'complete' was not begun: of the items of 'for_each: part' before it 1 failed")
    run.retry(at: 2)
    run.load()
    run.answer("put", of: 1, .ok(), at: 3)
    run.expect("load 0 pending > -1", "0/1 put 1.2", "run complete 1.1")
    run.answer("complete", .ok(), at: 4)
    run.expect("stop")
    #expect(run.machine.state.reason == nil)
  }

  @Test(arguments: [Verdict.itemSkipped(Failure("not needed")), .itemDone])
  func `skipped and complete items hold nothing back`(verdict: Verdict) {
    let run = RunHarness(after(), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("put", of: 0, verdict, at: 1)
    run.expect("load 0 pending > -1", "0/0 put 1.1", "run complete 1.1")
  }

  @Test func `a loop may allow failures, and does not allow paused items`() {
    for (verdict, isSent) in [
      (Verdict.fail(Failure("403")), true), (.pause(Failure("look")), false),
    ] {
      let run = RunHarness(after(.allow), files: [1])
      run.send(.runBegan, at: 0)
      run.load()
      run.answer("put", of: 0, verdict, at: 1)
      #expect((run.inFlight("complete") != nil) == isSent)
      run.pass()
    }
  }

  // MARK: A probe whose question went with the process

  private func session(key: String? = nil, isRead: Bool = true) -> RunHarness {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    builder.step(
      "begin", .request(RequestTemplate(url: builder.template("${{ inputs.server }}"))),
      outputs: [
        OutputDeclaration(
          name: "session", value: builder.template("${{ response.text }}"), isSecret: true)
      ])
    let ask = RequestTemplate(url: builder.template("${{ steps.begin.session }}"))
    let probe = builder.probe(ask, tookEffect: "response.status == 200")
    let other = RequestTemplate(url: builder.template("${{ inputs.server }}"))
    builder.step(
      "put", .request(isRead ? ask : other), effect: .create, key: key, probe: probe,
      dependsOn: ["begin"])
    builder.endLoop()
    let run = begun(builder.pipeline("session"))
    run.answer(
      "begin", of: 0, .ok(OutputValue(value: .string("http://s"), isSecret: true)), at: 1)
    run.pass()
    return run
  }

  @Test func `an item whose probe lost its secret waits for the user, and continues when retried`()
  {
    let run = session()
    run.crash(at: 5)
    run.expect("stop")
    #expect(run.row(0).status == .paused)
    #expect(
      run.row(0).reason?.message
        == "it is unknown whether step 'put' took effect, and its probe reads the secret "
        + "'session' of step 'begin', which was lost with the process; check the server, then "
        + "'pipeline retry' repeats everything from step 'begin' on")
    run.retry(at: 6)
    run.load()
    run.expect("load 0 pending > -1", "0/0 begin 2.1")
    run.answer(
      "begin", of: 0, .ok(OutputValue(value: .string("http://s2"), isSecret: true)), at: 7)
    run.expect("0/0 put 2.1")
  }

  @Test func `with a key it is repeated under that key, without the user`() {
    let run = session(key: "Idempotency-Key", isRead: false)
    run.crash(at: 5)
    run.expect("0/0 put 1.2")
  }

  @Test func `a key does not help if the request itself contains the secret`() {
    // Created again, it would be another request, under another key.
    let run = session(key: "Idempotency-Key")
    run.crash(at: 5)
    run.expect("stop")
    #expect(run.row(0).status == .paused)
  }

  @Test func `a probe that still has its secret asks`() {
    let run = session()
    run.answer("put", of: 0, .lost, at: 5)
    run.send(.timerFired, at: 6)
    run.expect("timer 6.0", "probe 0/0 put 1.2")
  }

  // MARK: Results that expire before they are used

  @Test func `a result that expires again and again is reissued with growing pauses`() {
    let run = RunHarness(SmallPipelines.photos(retry: .prompt), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 0)
    run.load()
    run.pass()
    // Expired when it is created: the server's clock is wrong.
    func dead(_ seconds: Double) -> Verdict { .upload("u", at: Int64(seconds) - 600) }
    run.answer("allocate", of: 0, dead(1), at: 1)
    run.answer("body", of: 0, .file(1), at: 1)
    run.expect("0/0 body 1.1 374 B", "0/0 allocate 2.1")
    run.answer("allocate", of: 0, dead(1), at: 1)
    run.expect("timer 2.0")
    #expect(run.blocker(0) == .delay(step: 1, until: Instant(milliseconds: 2000)))
    run.send(.timerFired, at: 2)
    run.answer("allocate", of: 0, dead(2), at: 2)
    run.expect("0/0 allocate 3.1", "timer 4.0")
    // The pause is stored.
    run.crash(at: 3)
    run.expect("timer 4.0")
    run.send(.timerFired, at: 4)
    run.answer("sign_in", .token("t2", at: 4), at: 4)
    run.answer("allocate", of: 0, .upload("u", at: 4), at: 4)
    run.expect("run sign_in 2.1", "0/0 allocate 4.1", "0/0 upload 1.1")
    // Something succeeded with it, but the server has discarded it repeatedly.
    run.answer("upload", of: 0, .ok(), at: 5)
    run.answer("finalize", of: 0, .expired(step: 1, Failure("gone", status: 404)), at: 6)
    run.expect("0/0 finalize 1.1", "timer 10.0")
  }

  @Test func `a result that was valid for long without use is reissued after the first pause`() {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 0)
    run.load()
    run.answer("allocate", of: 0, .upload("u", at: 0), at: 0)
    run.pass()
    run.answer("body", of: 0, .file(1), at: 700)
    run.expect("0/0 allocate 2.1")
    #expect(run.step("allocate", of: 0)?.unusedInvalidations == 0)
    run.answer("allocate", of: 0, .upload("u", at: 700), at: 700)
    run.answer("upload", of: 0, .expired(step: 1, Failure("gone", status: 404)), at: 701)
    run.expect("0/0 upload 1.1", "timer 702.0")
  }

  @Test func `a token that expires at once is reissued at most once in the first delay`() {
    let run = RunHarness(
      SmallPipelines.renewing([], concurrency: 1), files: Array(repeating: 1, count: 9))
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t"), at: 0)
    run.load()
    let dead = Verdict.expired(step: 0, Failure("401", status: 401))
    run.answer("send", of: 0, .ok(), at: 0.1)
    run.answer("send", of: 1, dead, at: 0.2)
    run.answer("sign_in", .token("t"), at: 0.3)
    run.answer("send", of: 1, .ok(), at: 0.4)
    run.pass()
    run.answer("send", of: 2, dead, at: 0.5)
    run.expect("timer 1.3")
    #expect(run.blocker() == .delay(step: 0, until: Instant(milliseconds: 1300)))
    run.send(.timerFired, at: 1.3)
    run.expect("run sign_in 3.1")
  }

  @Test func `the user's request ends a wait that is longer than any back-off`() {
    for isResumed in [true, false] {
      let run = begun(SmallPipelines.single())
      run.answer(
        "send", of: 0, .retry(Failure("busy"), after: Instant(milliseconds: 86_400_000)), at: 1)
      run.expect("timer 86400.0")
      if isResumed { run.crash(at: 2) }
      run.send(.unpaused, at: 2)
      #expect(run.step("send", of: 0)?.status == .running)
      run.pass()
    }
  }

  @Test func `the user's request does not change a back-off`() {
    let run = begun(SmallPipelines.single())
    run.answer("send", of: 0, .busy, at: 1)
    run.send(.unpaused, at: 1.5)
    run.expect("timer 2.0")
    #expect(run.step("send", of: 0)?.status == .pending)
  }

  @Test func `the history keeps its documented number of statuses`() {
    let run = begun(SmallPipelines.single())
    for second in 1...20 {
      run.answer(
        "send", of: 0, .poll(at: Instant(milliseconds: Int64(second) * 1000), status: 200 + second),
        at: Double(second) - 0.5)
      run.pass()
      run.send(.timerFired, at: Double(second))
    }
    #expect(run.step("send", of: 0)?.statuses == Array(205...220))
  }

  @Test func `statuses of polls are part of the history`() {
    let run = begun(SmallPipelines.single())
    run.answer("send", of: 0, .poll(at: Instant(milliseconds: 2000), status: 423), at: 1)
    #expect(run.step("send", of: 0)?.statuses == [423])
    run.pass()
  }

  // MARK: Batches whose answers were secret

  @Test func `members whose secret results were lost with the process are queued together again`() {
    let run = RunHarness(
      SmallPipelines.batch(items: 2, concurrency: 2, isSecret: true), files: [1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    for ordinal in 0...1 { run.answer("allocate", of: ordinal, .upload("u\(ordinal)"), at: 1) }
    let tag = Verdict.ok(OutputValue(value: .string("t"), isSecret: true))
    run.answer(
      "finalize", of: 0,
      .results(StepResult(status: 200, duration: .milliseconds(100)), [tag, tag]), at: 2)
    run.pass()
    run.crash(at: 3)
    run.expect("0/0 finalize 2.1")
    #expect(run.world.members(of: run.inFlight("finalize", of: 0)!).map(\.ordinal) == [0, 1])
  }

  private func begun(_ pipeline: Pipeline) -> RunHarness {
    let run = RunHarness(pipeline, files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    return run
  }
}
