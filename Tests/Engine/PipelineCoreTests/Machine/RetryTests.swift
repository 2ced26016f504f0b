import MachineSupport
import PipelineCore
import Testing

struct RetryTests {
  @Test func `delays grow until the attempts are used up, then the item is paused`() {
    let run = begun()
    run.answer("send", of: 0, .busy, at: 1)
    run.expect("timer 2.0")
    #expect(
      run.blocker(0) == .delay(step: 0, until: Instant(milliseconds: 2000)))
    run.send(.timerFired, at: 2)
    run.answer("send", of: 0, .busy, at: 3)
    run.expect("0/0 send 1.2", "timer 5.0")
    run.send(.timerFired, at: 5)
    run.answer("send", of: 0, .busy, at: 6)
    run.expect("0/0 send 1.3", "stop")
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason == Failure("gave up after 3 attempts: busy", status: 503))
    #expect(run.machine.state.status == .finished)
  }

  @Test func `a run that resumes after its sign-in failed has all attempts again`() {
    let run = RunHarness(SmallPipelines.photos(), files: [1])
    run.send(.runBegan)
    for second in [1.0, 3, 6] {
      run.answer("sign_in", .busy, at: second)
      run.send(.timerFired, at: second + 2)
    }
    #expect(run.machine.state.status == .paused)
    run.send(.unpaused, at: 20)
    run.pass()
    run.answer("sign_in", .busy, at: 21)
    run.expect("timer 22.0")
    #expect(run.step("sign_in")?.failures == 1)
  }

  @Test func `a run that was halted during a delay starts at once when it resumes`() {
    let run = RunHarness(SmallPipelines.photos(), files: [1])
    run.send(.runBegan)
    run.answer("sign_in", .busy, at: 1)
    run.send(.pauseRequested(Failure("^C")), at: 1.2)
    run.pass()
    run.send(.unpaused, at: 1.5)
    run.expect("run sign_in 1.2")
  }

  @Test func `a retry without delay is immediate`() {
    let run = begun(RetryPolicy(attempts: 3, initial: .zero, jitter: .none))
    run.answer("send", of: 0, .busy, at: 1)
    run.expect("0/0 send 1.2")
  }

  @Test func `the jitter of a delay is stored`() {
    let run = begun(RetryPolicy(initial: .seconds(4), jitter: .full))
    run.answer("send", of: 0, .busy, at: 1)
    run.pass()
    #expect(run.world.rows.run?.random == run.machine.state.random)
  }

  @Test func `a paused run resumes when its items are requeued`() {
    let run = RunHarness(SmallPipelines.single(), files: [1, 1])
    run.send(.runBegan)
    run.load()
    run.answer("send", of: 0, .pause(Failure("no")))
    run.send(.pauseRequested(Failure("^C")), at: 1)
    run.answer("send", of: 1, .interrupted, at: 1)
    run.pass()
    run.retry(at: 2)
    #expect(run.machine.state.status == .running)
    run.pass()
  }

  @Test func `an item may fail instead when its attempts are used up`() {
    let run = begun(RetryPolicy(attempts: 1, jitter: .none, exhausted: .fail))
    run.answer("send", of: 0, .busy, at: 1)
    run.expect("stop")
    #expect(run.row(0).status == .failed)
  }

  @Test func `the step is not attempted beyond the policy's time`() {
    let run = begun(
      RetryPolicy(
        attempts: 99, initial: .seconds(4), factor: 1, jitter: .none, elapsed: .seconds(10)))
    run.answer("send", of: 0, .busy, at: 1)
    run.send(.timerFired, at: 5)
    run.answer("send", of: 0, .busy, at: 7)
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message == "gave up after 7 s: busy")
    run.pass()
  }

  @Test func `the later of back-off and Retry-After counts`() {
    let run = begun()
    run.answer(
      "send", of: 0, .retry(Failure("busy"), after: Instant(milliseconds: 30_000)), at: 1)
    run.expect("timer 30.0")
    run.send(.timerFired, at: 30)
    run.answer(
      "send", of: 0, .retry(Failure("busy"), after: Instant(milliseconds: 30_500)), at: 30)
    run.expect("0/0 send 1.2", "timer 32.0")
  }

  @Test func `a policy may ignore Retry-After`() {
    let run = begun(RetryPolicy(attempts: 2, jitter: .none, retryAfter: .ignore))
    run.answer(
      "send", of: 0, .retry(Failure("busy"), after: Instant(milliseconds: 30_000)), at: 1)
    run.expect("timer 2.0")
  }

  @Test func `progress resets the count of attempts`() {
    let run = begun()
    for round in 1...9 {
      run.answer(
        "send", of: 0, .retry(Failure("more"), progressed: true), at: Double(round * 10))
      run.send(.timerFired, at: Double(round * 10 + 1))
    }
    #expect(run.step("send", of: 0)?.failures == 1)
    #expect(run.step("send", of: 0)?.attempt == 10)
    run.pass()
  }

  @Test func `polling does not count as an attempt`() {
    let run = begun()
    for round in 1...9 {
      run.answer(
        "send", of: 0, .poll(at: Instant(milliseconds: Int64(round) * 10_000 + 5000)),
        at: Double(round * 10))
      run.send(.timerFired, at: Double(round * 10 + 5))
    }
    #expect(run.step("send", of: 0)?.failures == 0)
    #expect(run.step("send", of: 0)?.status == .running)
    run.pass()
  }

  @Test(arguments: 1...50)
  func `full jitter stays between nothing and the whole delay`(seed: Int) throws {
    let policy = RetryPolicy(attempts: 9, initial: .seconds(4), factor: 2, jitter: .full)
    let run = RunHarness(SmallPipelines.single(retry: policy), files: [1], seed: UInt64(seed))
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .busy, at: 0)
    let due = run.step("send", of: 0)?.notBefore ?? Instant(milliseconds: 0)
    #expect((0...4000).contains(due.milliseconds))
    run.pass()
  }

  @Test func `jitter is spread by the seed`() {
    let dues = (1...50).map { seed in
      let run = RunHarness(
        SmallPipelines.single(retry: RetryPolicy(initial: .seconds(4), jitter: .full)),
        files: [1], seed: UInt64(seed))
      run.send(.runBegan, at: 0)
      run.load()
      run.answer("send", of: 0, .busy, at: 0)
      run.pass()
      return run.machine.nextDue?.milliseconds ?? -1
    }
    #expect(Set(dues).count > 40)
    #expect(dues.contains { $0 < 1000 })
    #expect(dues.contains { $0 > 3000 })
  }

  private func begun(_ policy: RetryPolicy = .prompt) -> RunHarness {
    let run = RunHarness(SmallPipelines.single(retry: policy), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    return run
  }
}
