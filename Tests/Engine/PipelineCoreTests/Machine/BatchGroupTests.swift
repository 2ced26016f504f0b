import MachineSupport
import PipelineCore
import Testing

/// Which items share a batch, and which batch waits for another.
struct BatchGroupTests {
  private func begun(_ pipeline: Pipeline, _ sizes: [Int64]) -> RunHarness {
    let run = RunHarness(pipeline, files: sizes)
    run.send(.runBegan, at: 0)
    run.load()
    return run
  }

  private func results(_ verdicts: Verdict...) -> Verdict {
    .results(StepResult(status: 200, duration: .milliseconds(100)), verdicts)
  }

  private func members(_ run: RunHarness, of first: Int) -> [Int] {
    run.inFlight("send", of: first).map { run.world.members(of: $0).map(\.ordinal) } ?? []
  }

  @Test func `items with different keys never share a batch`() {
    // Files of the sizes 1, 2, 1, 2, 1: a full batch of each kind, and one that waits for a fourth.
    let run = begun(SmallPipelines.grouped(by: "item.size", concurrency: 8), [1, 2, 1, 2, 1])
    run.expect("load 0 pending > -1", "0/0 send 1.1", "0/1 send 1.1", "0/4 send 1.1")
    #expect(members(run, of: 0) == [0, 2])
    #expect(members(run, of: 1) == [1, 3])
    // No further one can come.
    #expect(members(run, of: 4) == [4])
  }

  @Test func `each group waits for its own time`() {
    let run = RunHarness(SmallPipelines.grouped(items: 3, by: "item.size"), files: [1, 2, 1])
    run.send(.runBegan, at: 0)
    run.send(
      .itemsLoaded(loop: 0, Array(run.world.rows.items[0].prefix(1)), isLast: false), at: 0)
    #expect(
      run.blocker(0) == .batch(step: 0, items: 3, until: Instant(milliseconds: 5000)))
    #expect(run.machine.queuedItems(with: ItemKey(loop: 0, ordinal: 0)) == 1)
  }

  @Test func `a batch ends where the next item would exceed its bytes`() {
    let run = begun(
      SmallPipelines.grouped(items: 10, bytes: 10, concurrency: 8), [4, 6, 1, 9, 3])
    run.expect("load 0 pending > -1", "0/0 send 1.1", "0/2 send 1.1", "0/4 send 1.1")
    #expect(members(run, of: 0) == [0, 1])
    #expect(members(run, of: 2) == [2, 3])
    #expect(members(run, of: 4) == [4])
  }

  @Test func `an item that is larger than the bytes of a batch is sent by itself`() {
    let run = begun(SmallPipelines.grouped(items: 10, bytes: 10, concurrency: 8), [3, 50, 3])
    run.expect("load 0 pending > -1", "0/0 send 1.1", "0/1 send 1.1", "0/2 send 1.1")
    #expect(members(run, of: 1) == [1])
  }

  @Test func `a size below zero fails the item and not the run`() {
    let run = begun(SmallPipelines.grouped(bytes: 10), [-2, 3])
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message.contains("expected a number of bytes") == true)
    #expect(members(run, of: 1) == [1])
  }

  @Test func `an empty file has no bytes, and sizes that overflow never share a batch`() {
    let small = begun(SmallPipelines.grouped(items: 10, bytes: 10, concurrency: 8), [0, 3])
    #expect(members(small, of: 0) == [0, 1])
    let large = begun(
      SmallPipelines.grouped(items: 10, bytes: 10, concurrency: 8), [5, .max])
    #expect(members(large, of: 0) == [0])
    #expect(members(large, of: 1) == [1])
  }

  @Test func `an item belongs to the group that it had when it lined up`() {
    let run = begun(SmallPipelines.grouped(by: "now", isSerial: true), [1, 1, 1])
    #expect(run.blocker(2) == .batchUnderWay(step: 0))
    run.answer("send", of: 0, results(.busy, .busy), at: 1)
    run.pass()
    // They line up again, in the group of another second than item 2.
    run.send(.timerFired, at: 2)
    run.expect("0/0 send 2.1", "0/2 send 1.1")
  }

  @Test func `serial batches are sent one at a time`() {
    let run = begun(SmallPipelines.grouped(isSerial: true, concurrency: 8), [1, 1, 1, 1])
    run.expect("load 0 pending > -1", "0/0 send 1.1", "timer 5.0")
    #expect(run.blocker(2) == .batchUnderWay(step: 0))
    run.answer("send", of: 0, results(.ok(), .ok()), at: 1)
    run.expect("0/2 send 1.1")
  }

  @Test func `a serial batch that failed is retried before the next one is sent`() {
    let run = begun(SmallPipelines.grouped(isSerial: true, concurrency: 8), [1, 1, 1, 1])
    run.pass()
    run.answer("send", of: 0, .busy, at: 1)
    run.expect("timer 2.0")
    #expect(run.blocker(2) == .batchUnderWay(step: 0))
    run.send(.timerFired, at: 2)
    #expect(members(run, of: 0) == [0, 1])
    run.pass()
    run.answer("send", of: 0, results(.ok(), .ok()), at: 3)
    run.expect("0/2 send 1.1")
  }

  @Test func `serial batches of different keys do not wait for each other`() {
    let run = begun(
      SmallPipelines.grouped(by: "item.size", isSerial: true, concurrency: 8),
      [1, 2, 1, 2, 1, 1])
    run.expect("load 0 pending > -1", "0/0 send 1.1", "0/1 send 1.1", "timer 5.0")
    #expect(run.blocker(4) == .batchUnderWay(step: 0))
    run.answer("send", of: 1, results(.ok(), .ok()), at: 1)
    run.pass()
    run.answer("send", of: 0, results(.ok(), .ok()), at: 1)
    run.expect("0/4 send 1.1")
  }

  @Test func `after a crash a serial batch is sent again first`() {
    let run = begun(SmallPipelines.grouped(isSerial: true, concurrency: 8), [1, 1, 1, 1])
    run.pass()
    run.crash(at: 1)
    #expect(members(run, of: 0) == [0, 1])
    #expect(run.blocker(2) == .batchUnderWay(step: 0))
  }

  @Test func `a serial batch that the user continues waits for the one in flight`() {
    let run = begun(SmallPipelines.grouped(isSerial: true, concurrency: 8), [1, 1, 1, 1])
    run.pass()
    run.answer("send", of: 0, .pause(Failure("look at it")), at: 1)
    run.expect("0/2 send 1.1")
    run.retry(at: 2)
    run.load()
    run.pass()
    #expect(run.blocker(0) == .batchUnderWay(step: 0))
    run.answer("send", of: 2, results(.ok(), .ok()), at: 3)
    run.pass()
    #expect(members(run, of: 0) == [0, 1])
  }
}
