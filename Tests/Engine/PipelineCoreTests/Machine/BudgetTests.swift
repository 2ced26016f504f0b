import MachineSupport
import PipelineCore
import Testing

/// The ledgers of disk and transfers, and the execution allowance.
struct BudgetTests {
  @Test func `a transfer whose upload ID expired while it waited for its slot lets the next start`()
  {
    let run = RunHarness(
      SmallPipelines.photos(concurrency: 3, budgets: Budgets(transfers: 1)), files: [1, 1, 1])
    run.send(.runBegan)
    run.answer("sign_in", .token("t"))
    run.load()
    for ordinal in 0...2 {
      run.answer("allocate", of: ordinal, .upload("u", at: ordinal == 1 ? 0 : 500))
      run.answer("body", of: ordinal, .file(1))
    }
    run.pass()
    run.answer("upload", of: 0, .ok(), at: 600)
    run.expect("0/0 finalize 1.1", "0/1 allocate 2.1", "0/2 upload 1.1")
  }

  @Test func `an upload is handed over, and asked about only in an allowance that is long enough`()
  {
    let run = begun(SmallPipelines.copies(), [10, 10])
    run.answer("copy", of: 0, .file(10))
    run.answer(
      "upload", of: 0,
      .success(StepResult(status: 200, duration: .seconds(100), bytes: 10)), at: 100)
    run.pass()
    run.send(.allowanceGranted(until: Instant(milliseconds: 130_000)), at: 101)
    run.answer("copy", of: 1, .file(10), at: 102)
    run.expect("0/1 upload 1.1")
  }

  @Test func `no more transfers are queued than the budget allows`() {
    let run = begun(SmallPipelines.copies(transfers: 1), [10, 10])
    run.answer("copy", of: 0, .file(10))
    run.answer("copy", of: 1, .file(10))
    run.pass()
    #expect(run.blocker(1) == .transfers(step: 1, limit: 1))
    run.answer("upload", of: 0, .ok())
    run.expect("discard 0/0 10", "0/1 upload 1.1")
  }

  @Test func `a request that does not fit the allowance waits; an upload may be handed over`() {
    let run = begun(SmallPipelines.copies(), [10])
    run.answer("copy", of: 0, .file(10), at: 1)
    run.pass()
    run.answer("upload", of: 0, .interrupted, at: 1)
    run.expect("0/0 upload 1.2")
    let single = begun(SmallPipelines.single(), [10])
    single.send(.allowanceGranted(until: Instant(milliseconds: 3000)), at: 1)
    single.answer("send", of: 0, .ok(), at: 2.95)
    single.pass()
    #expect(single.blocker(0) == .allowance(step: 1, needed: .milliseconds(100)))
    single.send(.allowanceGranted(until: nil), at: 10)
    single.expect("0/0 mark 1.1")
  }

  @Test func `an ending allowance interrupts short requests and is returned once that is durable`()
  {
    let run = begun(SmallPipelines.single(), [10])
    run.pass()
    run.send(.allowanceExpiring, at: 1)
    run.expect("interrupt 0/0 send 1.1")
    run.answer("send", of: 0, .interrupted, at: 1)
    run.expect("end allowance")
    #expect(run.blocker(0) == .allowance(step: 0, needed: .seconds(1)))
    run.send(.allowanceGranted(until: nil), at: 60)
    run.expect("0/0 send 1.2")
  }

  @Test func `a compensation waits for the allowance too`() {
    let run = begun(SmallPipelines.single(undo: true), [10])
    run.pass()
    run.answer("send", of: 0, .fail(Failure("no")), at: 1)
    run.expect("undo 0/0 #0")
    run.send(.allowanceExpiring, at: 1)
    run.answer("undo", of: 0, .interrupted, at: 1)
    run.expect("interrupt 0/0 undo", "end allowance")
    run.send(.allowanceGranted(until: nil), at: 60)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 61)
    run.expect("stop")
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message == "no")
  }

  @Test
  func `a cancelled run undoes active and paused items, and cancels pending ones`() {
    let run = begun(SmallPipelines.single(concurrency: 1, undo: true), [1, 1, 1])
    run.answer("send", of: 0, .pause(Failure("look")), at: 1)
    run.pass()
    run.send(.cancelRequested, at: 2)
    run.expect("interrupt 0/1 send 1.1")
    run.answer("send", of: 1, .interrupted, at: 2)
    run.expect("undo 0/1 #0")
    run.answer("undo", of: 1, .ok(), at: 3)
    run.expect("load 0 paused > -1")
    run.load()
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .fail(Failure("500")), at: 4)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
    #expect((0...2).map { run.row($0).status } == [.failed, .cancelled, .cancelled])
    #expect(run.row(0).isLeftAtServer)
    #expect(run.row(0).reason?.message == "look; not undone at the server: 500")
  }

  @Test
  func `a paused run with open interruptions repeats nothing when it resumes`() {
    let run = begun(SmallPipelines.single(undo: true), [1])
    run.answer("send", of: 0, .fail(Failure("no")), at: 1)
    run.send(.pauseRequested(Failure("^C")), at: 1)
    run.pass()
    run.send(.unpaused, at: 1)
    run.expect()
  }

  @Test func `matchers may complete an item, or leave it out`() {
    let run = begun(SmallPipelines.single(), [1, 1])
    run.answer("send", of: 0, .itemDone)
    run.answer("send", of: 1, .itemSkipped(Failure("too small")))
    run.pass()
    #expect(run.row(0).status == .done)
    #expect(run.row(1).status == .skipped)
    #expect(run.row(1).reason?.message == "too small")
  }

  private func begun(_ pipeline: Pipeline, _ files: [Int64]) -> RunHarness {
    let run = RunHarness(pipeline, files: files)
    run.send(.runBegan, at: 0)
    run.load()
    return run
  }
}
