import CEL
import MachineSupport
import PipelineCore
import Testing

/// A `poll` step asks until its server is ready, fails or its deadline has come.
struct PollTests {
  private func waiting(_ pipeline: Pipeline = SmallPipelines.poll()) -> RunHarness {
    let run = RunHarness(pipeline, files: [1])
    run.send(.runBegan)
    run.load()
    run.answer("begin", of: 0, .success(StepResult(outputs: [OutputValue(value: "u")])), at: 1)
    run.pass()
    return run
  }

  private func moment(_ seconds: Double) -> Instant { Instant(milliseconds: Int64(seconds * 1000)) }

  @Test func `the last question is asked at the deadline, and the item pauses with the last words`()
  {
    let run = waiting()
    let words = Verdict.poll(at: nil, status: 200, words: "response.json.state is 'processing'")
    run.answer("wait", of: 0, words, at: 2)
    run.expect("timer 12.0")
    #expect(run.blocker(0) == .delay(step: 1, until: moment(12)))
    run.send(.timerFired, at: 12)
    run.answer("wait", of: 0, words, at: 13)
    run.send(.timerFired, at: 23)
    run.answer("wait", of: 0, words, at: 24)
    run.pass()
    // The first question was at 1 s, and the deadline is 25 s after it.
    #expect(run.blocker(0) == .delay(step: 1, until: moment(26)))
    run.send(.timerFired, at: 26)
    run.answer("wait", of: 0, words, at: 27)
    #expect(run.row(0).status == .paused)
    #expect(
      run.row(0).reason
        == Failure(
          "still not ready after 26 s: response.json.state is 'processing'", status: 200))
  }

  @Test func `answers end a row of failures`() {
    let run = waiting(SmallPipelines.poll(deadline: "duration('1h')"))
    var second = 2.0
    for _ in 1...5 {
      run.answer("wait", of: 0, .busy, at: second)
      run.send(.timerFired, at: second + 10)
      run.answer("wait", of: 0, .busy, at: second + 11)
      run.send(.timerFired, at: second + 21)
      run.answer("wait", of: 0, .poll(at: nil, status: 200), at: second + 22)
      run.send(.timerFired, at: second + 32)
      second += 33
    }
    #expect(run.step("wait", of: 0)?.failures == 0)
    #expect(run.step("wait", of: 0)?.status == .running)
    run.pass()
  }

  @Test func `a server that does not answer has until the deadline, too`() {
    let run = waiting(
      SmallPipelines.poll(retry: RetryPolicy(attempts: 100, initial: .seconds(10), jitter: .none)))
    run.answer("wait", of: 0, .busy, at: 2)
    run.send(.timerFired, at: 12)
    run.answer("wait", of: 0, .busy, at: 13)
    run.send(.timerFired, at: 26)
    run.answer("wait", of: 0, .busy, at: 27)
    run.pass()
    #expect(
      run.row(0).reason == Failure("no answer before the deadline of 26 s: busy", status: 503))
  }

  @Test func `the response or failure at the deadline itself is the last`() {
    let answered = waiting()
    answered.answer("wait", of: 0, .poll(at: nil, status: 200), at: 26)
    #expect(answered.row(0).reason == Failure("still not ready after 25 s", status: 200))
    let failed = waiting()
    failed.answer("wait", of: 0, .busy, at: 26)
    #expect(
      failed.row(0).reason == Failure("no answer before the deadline of 25 s: busy", status: 503))
  }

  @Test(arguments: [
    (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"),
  ])
  func `durations are written the way users write them`(seconds: Int, words: String) {
    let run = waiting(SmallPipelines.poll(deadline: "duration('\(seconds)s')"))
    run.answer("wait", of: 0, .poll(at: nil, status: 200), at: Double(seconds + 1))
    #expect(run.row(0).reason?.message == "still not ready after \(words)")
  }

  @Test func `a server that found the polls too eager keeps that pace only until it starts over`() {
    let run = waiting(SmallPipelines.poll(deadline: "duration('1h')"))
    run.answer("wait", of: 0, .poll(at: nil, status: 429, slower: .seconds(5)), at: 2)
    run.expect("timer 17.0")
    run.send(.timerFired, at: 17)
    run.answer("wait", of: 0, .expired(step: 0, Failure("404", status: 404)), at: 18)
    run.answer("begin", of: 0, .ok(OutputValue(value: "v")), at: 19)
    run.pass()
    run.answer("wait", of: 0, .poll(at: nil, status: 200), at: 20)
    run.expect("timer 30.0")
  }

  @Test func `the duration of the last response counts for the expected one of a request`() {
    let run = waiting()
    #expect(run.machine.state.pace.requestSeconds == 0)
    run.answer(
      "wait", of: 0, .success(StepResult(status: 200, duration: .seconds(5))), at: 6)
    #expect(run.machine.state.pace.requestSeconds == 1)
  }

  @Test func `a server that requests a poll at once is polled after a second`() {
    let run = waiting()
    run.answer("wait", of: 0, .poll(at: moment(0)), at: 2)
    run.expect("timer 3.0")
  }

  @Test func `the deadline outlives the process, and a question that it interrupts does not count`()
  {
    let run = waiting()
    run.answer("wait", of: 0, .poll(at: nil, status: 200), at: 2)
    run.send(.timerFired, at: 12)
    run.crash(at: 13)
    run.pass()
    #expect(run.step("wait", of: 0)?.failures == 0)
    #expect(run.step("wait", of: 0)?.begun == moment(1))
    run.answer("wait", of: 0, .poll(at: nil, status: 200), at: 40)
    #expect(run.row(0).reason == Failure("still not ready after 39 s", status: 200))
  }

  @Test func `a deadline that is not a duration fails the item, and polling stops`() {
    let run = waiting(SmallPipelines.poll(deadline: "dyn(25)"))
    run.answer("wait", of: 0, .poll(at: nil, status: 200), at: 2)
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message.contains("expected a duration") == true)
  }

  @Test func `the wait holds no allowance`() {
    let run = waiting()
    run.send(.allowanceGranted(until: moment(100)), at: 1.5)
    run.pass()
    run.answer("wait", of: 0, .poll(at: nil, status: 200), at: 2)
    run.expect("timer 12.0")
    // Nothing is in flight between two questions, so the allowance ends at once.
    run.send(.allowanceExpiring, at: 5)
    run.expect("end allowance")
    // Nothing wakes a suspended process: the question is asked when it may run again.
    run.send(.timerFired, at: 12)
    run.pass()
    #expect(run.step("wait", of: 0)?.status == .pending)
    run.send(.allowanceGranted(until: moment(200)), at: 20)
    #expect(run.step("wait", of: 0)?.status == .running)
    run.pass()
  }

  @Test func `a retry of a paused item has a deadline of its own`() {
    let run = waiting()
    run.answer("wait", of: 0, .poll(at: nil, status: 200), at: 30)
    run.pass()
    #expect(run.row(0).status == .paused)
    run.retry(at: 100)
    run.load()
    run.pass()
    #expect(run.step("wait", of: 0)?.begun == moment(100))
  }
}
