import CEL
import MachineSupport
import PipelineCore
import Testing

/// In which order those that wait for rates are served, and what happens to those that lack something else as well.
struct RateOrderTests {
  private static let slow = Rate(name: "init", requests: 6, period: .seconds(60))

  private func begun(_ pipeline: Pipeline, _ count: Int, at seconds: Double = 0) -> RunHarness {
    let run = RunHarness(pipeline, files: Array(repeating: 1, count: count))
    run.send(.runBegan, at: seconds)
    run.load()
    run.pass()
    return run
  }

  private func results(_ verdicts: Verdict...) -> Verdict {
    .results(StepResult(status: 200, duration: .milliseconds(100)), verdicts)
  }

  private static func all(_ requests: Int, burst: Int = 1, in seconds: Int) -> Rate {
    Rate(
      name: Rate.ofAllRequests, requests: requests, period: .seconds(seconds), burst: burst)
  }

  @Test func `after a clock was set back a request waits no longer than for one token`() {
    let run = begun(SmallPipelines.paced([Self.slow]), 1, at: 1000)
    run.crash(at: 0)
    run.expect("timer 10.001")
    run.send(.timerFired, at: 10.001)
    run.expect("0/0 init 1.2")
  }

  @Test func `a request is not held up by one that lacks another rate by now`() {
    let starts = Rate(name: "init", requests: 6, period: .seconds(60), burst: 2)
    let run = begun(SmallPipelines.paced([Self.all(1, in: 1), starts], concurrency: 3), 3)
    #expect(run.blocker(2) == .rate(0, step: 0, until: Instant(milliseconds: 1000)))
    run.send(.timerFired, at: 1)
    run.expect("0/1 init 1.1", "timer 12.0")
    #expect(run.blocker(2) == .rate(1, step: 0, until: Instant(milliseconds: 12000)))
    run.answer("init", of: 0, .ok(OutputValue(value: "i")), at: 2.5)
    run.expect("0/0 mark 1.1")
  }

  @Test func `a frame that got its token but lacked a place comes after those waiting by then`() {
    let rate = Rate(name: "up", requests: 6, period: .seconds(60), burst: 3)
    let run = begun(SmallPipelines.pacedTransfers(rate), 3)
    run.answer("first", of: 0, .ok(), at: 1)
    run.answer("first", of: 1, .ok(), at: 2)
    run.pass()
    run.send(.timerFired, at: 15)
    run.expect("0/0 upload 1.1", "timer 30.0")
    run.send(.timerFired, at: 30)
    #expect(run.blocker(1) == .transfers(step: 1, limit: 1))
    run.answer("first", of: 2, .busy, at: 31)
    run.send(.timerFired, at: 32)
    run.expect("timer 32.0", "0/2 first 1.2")
    run.answer("upload", of: 0, .ok(), at: 33)
    run.expect("timer 45.0")
    run.send(.timerFired, at: 45)
    run.expect("0/0 mark 1.1", "timer 60.0")
  }

  // MARK: Batches

  @Test func `a batch that could not be sent keeps its place before those that came later`() {
    let run = begun(SmallPipelines.pacedBatch(Self.all(3, burst: 3, in: 60), mark: true), 3)
    run.answer("send", of: 2, results(.ok()), at: 0.5)
    run.answer("send", of: 0, results(.busy, .busy), at: 0.6)
    run.answer("mark", of: 2, .busy, at: 0.6)
    run.pass()
    // The batch of the items 0 and 1 is tried before the mark, and once more after it.
    run.send(.timerFired, at: 1.6)
    run.expect("timer 6.6")
    run.send(.timerFired, at: 60)
    run.expect("0/0 send 2.1", "timer 120.0")
  }

  @Test func `a batch that was served before waits its turn when it is sent again`() {
    let run = begun(SmallPipelines.pacedBatch(Self.all(6, in: 60), mark: true), 3)
    run.answer("send", of: 0, results(.ok(), .ok()), at: 1)
    run.pass()
    run.send(.timerFired, at: 10)
    run.expect("0/2 send 1.1", "timer 20.0")
    // There has been a token since 20, but marks wait for it.
    run.answer("send", of: 2, .interrupted, at: 21)
    run.expect()
    run.send(.timerFired, at: 21)
    run.expect("0/0 mark 1.1", "timer 31.0")
  }

  @Test func `a batch with a token but without a place waits only for the place`() {
    let run = begun(SmallPipelines.pacedBatch(Self.slow, concurrency: 2, mark: true), 4)
    run.answer("send", of: 0, results(.ok(), .ok()), at: 1)
    run.expect("0/0 mark 1.1", "0/1 mark 1.1")
    run.send(.timerFired, at: 5)
    run.expect("timer 10.0")
    #expect(run.blocker(2) == .rate(0, step: 0, until: Instant(milliseconds: 10000)))
    run.send(.timerFired, at: 10)
    run.expect()
    #expect(run.blocker(2) == .batch(step: 0, items: 2, until: Instant(milliseconds: 5000)))
    run.answer("mark", of: 0, .ok(), at: 11)
    run.expect("0/2 send 1.1")
  }
}
