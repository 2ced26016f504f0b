import CEL
import MachineSupport
import PipelineCore
import Testing

/// Items that are collected and sent for together.
struct BatchTests {
  /// A run with this many items waiting at `finalize`, or in its first batch.
  func run(
    _ pipeline: Pipeline = SmallPipelines.batch(), files: Int = 2, allocated: Int? = nil
  ) -> RunHarness {
    let run = RunHarness(pipeline, files: Array(repeating: 1, count: files))
    run.send(.runBegan)
    run.load()
    for ordinal in 0..<(allocated ?? files) {
      run.answer("allocate", of: ordinal, .upload("u\(ordinal)"))
    }
    run.pass()
    return run
  }

  func results(_ verdicts: Verdict...) -> Verdict {
    .results(StepResult(status: 200, duration: .milliseconds(100)), verdicts)
  }

  let ok = Verdict.ok(OutputValue(value: .string("t")))
  let bad = Failure("bad", status: 200)

  // MARK: When it is sent

  @Test func `a batch is sent once when all its items are waiting`() {
    let run = run(files: 3, allocated: 1)
    #expect(run.step("finalize", of: 0)?.status == .queued)
    run.answer("allocate", of: 1, .upload("u1"))
    run.expect("0/0 finalize 1.1")
    #expect(run.machine.inFlight.contains { $0.item?.ordinal == 0 && $0.step == 1 })
    #expect(run.blocker(1) == .attempt(step: 1))
  }

  @Test func `an item that waits for a batch releases its place`() {
    let run = RunHarness(
      SmallPipelines.batch(items: 3, concurrency: 1), files: [1, 1, 1, 1])
    run.send(.runBegan)
    run.load()
    run.pass()
    run.answer("allocate", of: 0, .upload("u0"))
    run.expect("0/1 allocate 1.1", "timer 30.0")
    run.answer("allocate", of: 1, .upload("u1"))
    run.answer("allocate", of: 2, .upload("u2"))
    run.expect("0/2 allocate 1.1", "0/0 finalize 1.1")
  }

  @Test func `a batch is sent when its first item has stood long enough`() {
    let run = run(files: 2, allocated: 1)
    let until = Instant(milliseconds: 30_000)
    #expect(run.blocker(0) == .batch(step: 1, items: 2, until: until))
    run.send(.timerFired, at: 29)
    run.expect("timer 30.0")
    run.send(.timerFired, at: 30)
    run.expect("0/0 finalize 1.1")
  }

  @Test func `a batch that no other item can join is sent at once`() {
    let run = run(files: 3, allocated: 2)
    run.answer("allocate", of: 2, .upload("u2"), at: 1)
    run.expect("0/2 finalize 1.1")
  }

  @Test func `the last items do not wait for one that has failed`() {
    let run = run(files: 2, allocated: 1)
    run.answer("allocate", of: 1, .fail(bad))
    run.expect("0/0 finalize 1.1")
  }

  // MARK: Outcomes

  @Test func `each member gets its part of the response`() {
    let run = run(SmallPipelines.batch(items: 4, concurrency: 4), files: 4)
    run.answer(
      "finalize", of: 0, results(ok, .fail(bad), .pause(bad), .itemSkipped(bad)), at: 1)
    run.expect("0/0 mark 1.1")
    #expect(run.step("finalize", of: 0)?.outputs.first?.value == .string("t"))
    #expect(run.row(1).status == .failed)
    #expect(run.row(2).status == .paused)
    #expect(run.row(3).status == .skipped)
  }

  @Test func `members continue only as places become free`() {
    let run = run(SmallPipelines.batch(concurrency: 1), files: 2, allocated: 1)
    run.answer("allocate", of: 1, .upload("u1"))
    run.pass()
    run.answer("finalize", of: 0, results(ok, ok), at: 1)
    run.expect("0/0 mark 1.1")
    #expect(run.blocker(1) == .concurrency(limit: 1))
  }

  @Test func `a member to be retried is queued for the next batch with another key`() {
    let run = run(SmallPipelines.batch(mark: false))
    run.answer("finalize", of: 0, results(.retry(bad), ok), at: 1)
    run.expect("timer 2.0")
    #expect(run.row(1).status == .done)
    run.send(.timerFired, at: 2)
    run.expect("0/0 finalize 2.1")
  }

  @Test func `a single member is abandoned after its attempts`() {
    let run = run(SmallPipelines.batch(mark: false), files: 1)
    for (attempt, second) in [1.0, 3, 6].enumerated() {
      #expect(run.step("finalize", of: 0)?.generation == attempt + 1)
      run.answer("finalize", of: 0, results(.retry(bad)), at: second)
      run.send(.timerFired, at: second + 2)
    }
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message == "gave up after 3 attempts: bad")
  }

  @Test func `only the member whose identifier has expired starts over`() {
    let run = run(SmallPipelines.batch(mark: false))
    run.answer("finalize", of: 0, results(ok, .expired(step: 0, bad)), at: 1)
    run.expect("0/1 allocate 2.1")
    #expect(run.row(0).status == .done)
    run.answer("allocate", of: 1, .upload("v1", at: 2), at: 2)
    run.expect("0/1 finalize 2.1")
  }

  @Test func `a member that the response does not mention waits for the user`() {
    let run = run(SmallPipelines.batch(key: nil, mark: false))
    run.answer("finalize", of: 0, results(ok), at: 1)
    #expect(run.row(0).status == .done)
    #expect(run.row(1).status == .paused)
  }

  @Test func `a batch under a key is repeated as a whole until the response mentions each member`()
  {
    let run = run(SmallPipelines.batch(mark: false))
    run.answer("finalize", of: 0, results(ok), at: 1)
    run.expect("timer 2.0")
    run.send(.timerFired, at: 2)
    run.expect("0/0 finalize 1.2")
    run.answer("finalize", of: 0, results(ok, ok), at: 3)
    #expect(run.row(0).status == .done)
    #expect(run.row(1).status == .done)
    run.pass()
  }

  @Test func `a batch with an unreadable response is retried by the user under the same key`() {
    let run = run(SmallPipelines.batch(mark: false))
    for second in [1.0, 3, 6] {
      run.answer("finalize", of: 0, results(.unknown(bad), .unknown(bad)), at: second)
      run.send(.timerFired, at: second + 2)
    }
    #expect(run.row(0).status == .paused)
    #expect(run.row(1).status == .paused)
    run.pass()
    run.retry(at: 400_000)
    run.load()
    run.expect("load 0 pending > -1", "0/0 finalize 1.4")
    #expect(run.step("finalize", of: 1)?.batch?.items == 2)
  }

  @Test(arguments: [Verdict.unknown(Failure("odd")), .uncertain(.pause(Failure("look")))])
  func `the probe is sent for a member that the user retries`(said: Verdict) {
    let policy = RetryPolicy(attempts: 1, exhausted: .pause)
    let run = run(SmallPipelines.batch(retry: policy, hasProbe: true, mark: false))
    run.answer("finalize", of: 0, results(ok, said), at: 1)
    #expect(run.row(0).status == .done)
    #expect(run.row(1).status == .paused)
    run.pass()
    run.retry(at: 400_000)
    run.load()
    run.expect("load 0 pending > -1", "probe 0/1 finalize 1.2")
  }

  // MARK: The whole

  @Test func `a batch that was refused is sent again with the same members and key`() {
    let run = run()
    run.answer("finalize", of: 0, .busy, at: 1)
    run.expect("timer 2.0")
    #expect(run.blocker(1) == .delay(step: 1, until: Instant(milliseconds: 2000)))
    run.send(.timerFired, at: 2)
    run.expect("0/0 finalize 1.2")
    #expect(run.step("finalize", of: 1)?.batch?.items == 2)
  }

  @Test func `a batch without a delay is sent again at once`() {
    let policy = RetryPolicy(attempts: 3, initial: .zero, jitter: .none)
    let run = run(SmallPipelines.batch(retry: policy))
    run.answer("finalize", of: 0, .busy, at: 1)
    run.expect("0/0 finalize 1.2")
  }

  @Test func `progress restarts the time of a batch`() {
    let policy = RetryPolicy(
      attempts: 9, initial: .seconds(1), jitter: .none, elapsed: .seconds(10))
    let run = run(SmallPipelines.batch(retry: policy))
    run.answer("finalize", of: 0, .retry(bad, progressed: true), at: 9)
    run.send(.timerFired, at: 10)
    run.answer("finalize", of: 0, .busy, at: 15)
    #expect(run.row(0).status == .active)
    run.pass()
  }

  @Test func `all members of a batch without further attempts wait for the user`() {
    let run = run()
    for second in [1.0, 3, 6] {
      run.answer("finalize", of: 0, .busy, at: second)
      run.send(.timerFired, at: second + 2)
    }
    #expect(run.row(0).status == .paused)
    #expect(run.row(1).status == .paused)
    #expect(run.row(1).frame[1].batch == nil)
  }

  @Test func `all members get new identifiers if the whole batch finds them expired`() {
    let run = run(SmallPipelines.batch(mark: false))
    run.answer("finalize", of: 0, .expired(step: 0, bad), at: 1)
    run.expect("0/0 allocate 2.1", "0/1 allocate 2.1")
  }

  @Test func `a batch that finds a result expired that cannot be reissued counts a failure`() {
    let run = run(SmallPipelines.batch(mark: false))
    run.answer("finalize", of: 0, .expired(step: 1, bad), at: 1)
    run.expect("timer 2.0")
    #expect(run.step("finalize", of: 1)?.batch?.failures == 1)
  }

  @Test func `an interruption does not count as an attempt`() {
    let run = run()
    run.answer("finalize", of: 0, .interrupted, at: 1)
    run.expect("0/0 finalize 1.2")
    #expect(run.step("finalize", of: 0)?.batch?.failures == 0)
  }

  @Test func `an expired identifier of one member does not keep a batch from being sent again`() {
    let run = run()
    run.answer("finalize", of: 0, .lost, at: 594)
    run.send(.timerFired, at: 601)
    run.expect("timer 595.0", "0/0 finalize 1.2")
  }

  @Test func `a fresh batch leaves out an item whose identifier has expired`() {
    let run = run(SmallPipelines.batch(within: .seconds(900)), files: 2, allocated: 1)
    run.answer("allocate", of: 1, .upload("u1", at: 597), at: 597)
    run.expect("0/0 allocate 2.1", "timer 1497.0")
    #expect(run.step("finalize", of: 1)?.status == .queued)
    run.answer("allocate", of: 0, .upload("v0", at: 598), at: 598)
    run.expect("0/0 finalize 1.1")
  }

  @Test func `a batch waits for an allowance that is long enough`() {
    let run = run(files: 2, allocated: 1)
    run.send(.allowanceGranted(until: Instant(milliseconds: 2000)))
    run.answer("allocate", of: 1, .upload("u1"), at: 1.95)
    run.expect()
    run.send(.allowanceGranted(until: nil), at: 9)
    run.expect("0/0 finalize 1.1")
  }

  @Test func `a batch is reduced only as much as the lack of space requires`() {
    let run = RunHarness(
      SmallPipelines.batch(
        items: 3, within: .seconds(900), concurrency: 1, disk: 20, keepsFiles: true),
      files: [10, 10, 10])
    run.send(.runBegan)
    run.load()
    run.answer("copy", of: 0, .file(10))
    run.answer("allocate", of: 0, .busy)
    run.answer("copy", of: 1, .file(10))
    run.answer("allocate", of: 1, .upload("u1"))
    run.pass()
    #expect(run.blocker(2) == .disk(step: 0, needed: 10, available: 0))
    run.send(.timerFired, at: 1)
    // Item 2 has left its place, and item 0 joins the batch before that goes smaller.
    run.expect("0/0 allocate 1.2", "timer 900.0")
    run.answer("allocate", of: 0, .upload("u0"))
    run.expect("0/0 finalize 1.1")
    #expect(run.step("finalize", of: 1)?.batch?.items == 2)
    #expect(run.blocker(2) == .disk(step: 0, needed: 10, available: 0))
  }

  // MARK: Restart

  @Test func `a new process demands the same batch again`() {
    let run = run()
    run.crash(at: 1)
    run.expect("0/0 finalize 1.2")
    #expect(run.step("finalize", of: 1)?.batch?.isOpen == true)
  }

  @Test func `items that waited for a batch keep their time of arrival`() {
    let run = run(SmallPipelines.batch(items: 3, concurrency: 1), files: 4, allocated: 2)
    run.crash(at: 5)
    run.expect("0/2 allocate 1.2", "load 0 pending > -1", "timer 30.0")
    run.send(.timerFired, at: 30)
    #expect(run.step("finalize", of: 0)?.status == .queued, "no place is free")
    run.expect()
    run.answer("allocate", of: 2, .upload("u2"), at: 31)
    run.expect("0/0 finalize 1.1")
  }

  @Test func `a process that comes late sends all that stood as one batch`() {
    let run = run(SmallPipelines.batch(items: 3, concurrency: 1), files: 3, allocated: 2)
    run.crash(at: 600)
    run.pass()
    let first = run.machine.inFlight.first { $0.step == 1 }
    #expect(first == nil, "item 2 holds the place")
    run.answer("allocate", of: 2, .upload("u2", at: 600), at: 601)
    // The allocations of items 0 and 1 have expired in the meantime.
    run.expect("0/0 allocate 2.1", "timer 631.0")
  }

  // MARK: Space

  @Test func `a batch is sent with fewer members if the others wait for the space that it holds`() {
    let run = RunHarness(
      SmallPipelines.batch(
        items: 3, within: .seconds(900), concurrency: 3, disk: 20, keepsFiles: true),
      files: [10, 10, 10])
    run.send(.runBegan)
    run.load()
    for ordinal in 0..<2 {
      run.answer("copy", of: ordinal, .file(10))
      run.answer("allocate", of: ordinal, .upload("u"))
    }
    run.pass()
    #expect(run.machine.inFlight.map(\.step) == [2])
    #expect(run.step("finalize", of: 1)?.batch?.items == 2)
    run.answer("finalize", of: 0, results(ok, ok), at: 1)
    run.answer("mark", of: 0, .ok(), at: 2)
    run.discard()
    run.expect("0/0 mark 1.1", "0/1 mark 1.1", "discard 0/0 10", "0/2 copy 1.1 10 B")
  }

  @Test func `a batch stays whole if no one needs the files of its members any more`() {
    let run = RunHarness(
      SmallPipelines.batch(items: 3, within: .seconds(900), concurrency: 3, disk: 20, mark: false),
      files: [10, 10, 10])
    run.send(.runBegan)
    run.load()
    for ordinal in 0..<2 {
      run.answer("copy", of: ordinal, .file(10))
      run.answer("allocate", of: ordinal, .upload("u"))
    }
    run.pass()
    run.discard()
    run.expect("0/2 copy 1.1 10 B")
    run.answer("copy", of: 2, .file(10))
    run.answer("allocate", of: 2, .upload("u"))
    run.expect("0/2 allocate 1.1", "0/0 finalize 1.1")
    #expect(run.step("finalize", of: 1)?.batch?.items == 3)
  }

  // MARK: Abandoning

  @Test func `cancelling waits for a batch that creates, and undoes each member`() {
    let run = run(SmallPipelines.batch(undo: true))
    run.send(.cancelRequested, at: 1)
    run.expect()
    run.answer("finalize", of: 0, results(ok, ok), at: 2)
    run.expect("undo 0/0 #0", "undo 0/1 #0")
  }

  @Test func `a batch that is refused while the run is cancelled is not sent again`() {
    let run = run(SmallPipelines.batch(undo: true))
    run.send(.cancelRequested, at: 1)
    run.answer("finalize", of: 0, .busy, at: 2)
    run.expect("undo 0/0 #0", "undo 0/1 #0")
  }

  @Test func `a member that was undone keeps nothing of its batch`() {
    let policy = RetryPolicy(attempts: 1, exhausted: .fail)
    let run = run(SmallPipelines.batch(retry: policy, undo: true))
    run.answer("finalize", of: 0, .lost, at: 1)
    run.expect("undo 0/0 #0", "undo 0/1 #0")
    for ordinal in 0...1 {
      run.answer("undo", of: ordinal, .ok(), at: 2)
      #expect(run.row(ordinal).frame.allSatisfy { $0.batch == nil && $0.outputs.isEmpty })
    }
  }

  @Test func `a late response to a batch changes nothing`() throws {
    let run = run()
    let id = try #require(run.inFlight("finalize", of: 0))
    run.answer("finalize", of: 0, .interrupted, at: 1)
    run.pass()
    let before = run.machine
    run.send(.concluded(id, results(ok, ok)), at: 1)
    #expect(run.machine == before)
    run.finish()
  }
}
