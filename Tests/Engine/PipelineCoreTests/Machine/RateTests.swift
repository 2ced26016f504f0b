import CEL
import MachineSupport
import PipelineCore
import Testing

/// Waiting for the rates of the budgets.
struct RateTests {
  private static let slow = Rate(name: "init", requests: 6, period: .seconds(60))
  private static let all = Rate(name: Rate.ofAllRequests, requests: 1, period: .seconds(1))

  private func begun(_ pipeline: Pipeline, _ count: Int) -> RunHarness {
    let run = RunHarness(pipeline, files: Array(repeating: 1, count: count))
    run.send(.runBegan, at: 0)
    run.load()
    return run
  }

  @Test func `requests of a rate go one by one, in their order, and others are not held up`() {
    let run = begun(SmallPipelines.paced([Self.slow], concurrency: 3), 3)
    run.expect("load 0 pending > -1", "0/0 init 1.1", "timer 10.0")
    #expect(run.blocker(1) == .rate(0, step: 0, until: Instant(milliseconds: 10000)))
    #expect(run.blocker(2) == .rate(0, step: 0, until: Instant(milliseconds: 10000)))
    run.answer("init", of: 0, .ok(OutputValue(value: "i")), at: 1)
    run.expect("0/0 mark 1.1")
    run.send(.timerFired, at: 10)
    run.expect("0/1 init 1.1", "timer 20.0")
    #expect(run.blocker(2) == .rate(0, step: 0, until: Instant(milliseconds: 20000)))
    run.send(.timerFired, at: 20)
    run.expect("0/2 init 1.1")
  }

  @Test func `a rate is divided among shards, and divided again when their number changes`() {
    let run = RunHarness(
      SmallPipelines.paced([Self.slow], concurrency: 3), files: Array(repeating: 1, count: 3))
    run.send(.limitsKnown(ProcessLimits(shares: 2)))
    run.send(.runBegan, at: 0)
    run.load()
    run.expect("load 0 pending > -1", "0/0 init 1.1", "timer 20.0")
    // Three quarters of a token are missing: they take half the time, and then four times as long.
    run.send(.sharesChanged(1), at: 5)
    run.expect("timer 12.501")
    #expect(run.blocker(1) == .rate(0, step: 0, until: Instant(milliseconds: 12501)))
    run.send(.sharesChanged(4), at: 10)
    run.expect("timer 20.008")
    run.send(.timerFired, at: 20.008)
    run.expect("0/1 init 1.1", "timer 60.008")
    #expect(
      run.machine.state.buckets["init"] == TokenBucket(full: Instant(milliseconds: 60008)))
  }

  private func shard(_ shard: Shard?, worker: String?) -> RunHarness {
    let run = RunHarness(
      SmallPipelines.paced([Self.slow], concurrency: 3), files: Array(repeating: 1, count: 3),
      shard: shard)
    run.send(.limitsKnown(ProcessLimits(worker: worker, shares: 2)))
    run.send(.runBegan, at: 0)
    run.load()
    return run
  }

  @Test func `each of several shards in a fleet starts without a token`() {
    let run = shard(Shard(3, of: 3), worker: "a")
    run.expect("load 0 pending > -1", "timer 20.001")
    run.send(.timerFired, at: 20.001)
    run.expect("0/0 init 1.1", "timer 40.001")
    for run in [shard(Shard(1, of: 1), worker: "a"), shard(Shard(3, of: 3), worker: nil)] {
      run.expect("load 0 pending > -1", "0/0 init 1.1", "timer 20.0")
    }
  }

  @Test func `a shard whose part changes all the time gets its tokens`() {
    let run = shard(Shard(3, of: 3), worker: "a")
    run.pass()
    var now = 0.0
    while run.inFlight("init", of: 0) == nil, now < 60 {
      now += 1
      run.send(.sharesChanged(now.truncatingRemainder(dividingBy: 2) == 0 ? 2 : 3), at: now)
    }
    #expect((20...30).contains(now))
    run.pass()
  }

  @Test func `transfers are divided among shards too`() {
    let run = RunHarness(
      SmallPipelines.copies(concurrency: 2, transfers: 2), files: [1, 1])
    run.send(.limitsKnown(ProcessLimits(shares: 2)))
    run.send(.runBegan, at: 0)
    run.load()
    for ordinal in [0, 1] { run.answer("copy", of: ordinal, .file(1), at: 1) }
    run.pass()
    #expect(run.blocker(1) == .transfers(step: 1, limit: 1))
    run.send(.sharesChanged(1), at: 2)
    run.expect("0/1 upload 1.1")
  }

  @Test func `a retry counts too`() {
    let run = begun(SmallPipelines.paced([Self.slow]), 1)
    run.pass()
    run.answer("init", of: 0, .busy, at: 1)
    run.expect("timer 2.0")
    run.send(.timerFired, at: 2)
    #expect(run.blocker(0) == .rate(0, step: 0, until: Instant(milliseconds: 10000)))
    run.expect("timer 10.0")
    run.send(.timerFired, at: 10)
    run.expect("0/0 init 1.2")
  }

  @Test func `a probe counts towards the rate that it names itself`() {
    let run = begun(
      SmallPipelines.paced([Self.slow], effect: .create, hasProbe: true), 1)
    run.pass()
    run.answer("init", of: 0, .lost, at: 1)
    run.expect("timer 2.0")
    run.send(.timerFired, at: 2)
    // Not that of the step: another endpoint answers it.
    run.expect("probe 0/0 init 1.2")
  }

  @Test func `the rate of all requests counts probes and everything else`() {
    let run = begun(
      SmallPipelines.paced([Self.all], effect: .create, hasProbe: true), 2)
    run.expect("load 0 pending > -1", "0/0 init 1.1", "timer 1.0")
    run.send(.timerFired, at: 1)
    run.expect("0/1 init 1.1")
    run.answer("init", of: 0, .ok(OutputValue(value: "i")), at: 1.5)
    #expect(run.blocker(0) == .rate(0, step: 1, until: Instant(milliseconds: 2000)))
    run.answer("init", of: 1, .lost, at: 1.6)
    run.pass()
    run.send(.timerFired, at: 2)
    run.expect("0/0 mark 1.1", "timer 2.6")
    run.send(.timerFired, at: 2.6)
    #expect(run.blocker(1) == .rate(0, step: 0, until: Instant(milliseconds: 3000)))
    run.send(.timerFired, at: 3)
    run.expect("timer 3.0", "probe 0/1 init 1.2")
  }

  @Test func `a frame that needs two rates keeps its place for both`() {
    let run = begun(
      SmallPipelines.paced([Self.all, Self.slow], concurrency: 3), 3)
    run.expect("load 0 pending > -1", "0/0 init 1.1", "timer 10.0")
    // It has a token of its rate at 10, but the mark before it consumed the one of all requests.
    run.answer("init", of: 0, .ok(OutputValue(value: "i")), at: 9.9)
    run.expect("0/0 mark 1.1", "timer 10.9")
    run.send(.timerFired, at: 10)
    #expect(run.blocker(1) == .rate(0, step: 0, until: Instant(milliseconds: 10900)))
    run.expect("timer 10.9")
    run.answer("mark", of: 0, .ok(), at: 10.5)
    run.send(.timerFired, at: 10.9)
    run.expect("0/1 init 1.1", "timer 20.9")
  }

  @Test func `a new process has no fresh burst`() {
    let burst = Rate(name: "init", requests: 6, period: .seconds(60), burst: 3)
    let run = begun(SmallPipelines.paced([burst], concurrency: 4), 4)
    run.expect(
      "load 0 pending > -1", "0/0 init 1.1", "0/1 init 1.1", "0/2 init 1.1", "timer 15.0")
    run.crash(at: 5)
    // Requests in flight are sent again, and count again.
    run.expect("timer 15.0")
    run.send(.timerFired, at: 15)
    run.expect("0/0 init 1.2", "timer 30.0")
  }

  @Test func `a compensation waits for its rate`() {
    let run = begun(SmallPipelines.paced([Self.slow], undo: true), 1)
    run.pass()
    run.answer("init", of: 0, .ok(OutputValue(value: "i")), at: 1)
    run.answer("mark", of: 0, .fail(Failure("no")), at: 2)
    run.expect("0/0 mark 1.1", "timer 10.0")
    #expect(run.blocker(0) == .rate(0, step: 0, until: Instant(milliseconds: 10000)))
    run.send(.timerFired, at: 10)
    run.expect("undo 0/0 #0")
  }

  @Test func `cancelling keeps to the rate`() {
    let run = begun(SmallPipelines.paced([Self.slow], undo: true), 2)
    run.pass()
    run.answer("init", of: 0, .ok(OutputValue(value: "i")), at: 1)
    run.send(.timerFired, at: 10)
    run.answer("init", of: 1, .ok(OutputValue(value: "j")), at: 11)
    run.pass()
    run.send(.cancelRequested, at: 12)
    for ordinal in [0, 1] { run.answer("mark", of: ordinal, .interrupted, at: 12) }
    run.expect("interrupt 0/0 mark 1.1", "interrupt 0/1 mark 1.1", "timer 20.0")
    run.send(.timerFired, at: 20)
    run.expect("undo 0/0 #0", "timer 30.0")
    run.answer("undo", of: 0, .ok(), at: 21)
    run.send(.timerFired, at: 30)
    run.expect("undo 0/1 #0")
  }

  @Test func `a batch waits for a token, and consumes one`() {
    let run = begun(SmallPipelines.pacedBatch(Self.slow), 4)
    run.expect("load 0 pending > -1", "0/0 send 1.1", "timer 5.0")
    #expect(run.blocker(2) == .rate(0, step: 0, until: Instant(milliseconds: 10000)))
    #expect(run.blocker(3) == .rate(0, step: 0, until: Instant(milliseconds: 10000)))
    run.send(.timerFired, at: 5)
    run.expect("timer 10.0")
    run.send(.timerFired, at: 10)
    run.expect("0/2 send 1.1")
  }

  @Test func `a step that is skipped or reissued while it waits does not hold a token`() {
    let run = begun(SmallPipelines.paced([Self.slow]), 2)
    run.pass()
    run.send(.pauseRequested(Failure("stop")), at: 1)
    run.answer("init", of: 0, .interrupted, at: 1)
    run.pass()
    run.send(.unpaused, at: 2)
    // The timer is still set.
    run.expect()
    run.send(.timerFired, at: 10)
    run.expect("0/0 init 1.2", "timer 20.0")
    #expect(run.machine.state.buckets["init"] == TokenBucket(full: Instant(milliseconds: 20000)))
  }
}
