import MachineSupport
import PipelineCore
import Testing

/// The ledgers of disk and transfers, and the execution allowance.
struct BudgetTests {
  @Test func `space is reserved first, waited for in order, and given back`() {
    let run = begun(SmallPipelines.copies(concurrency: 3, disk: 100), [60, 60, 30])
    run.expect("load 0 pending > -1", "0/0 copy 1.1 60 B")
    #expect(run.blocker(1) == .disk(step: 0, needed: 60, available: 40))
    #expect(run.blocker(2) == .disk(step: 0, needed: 30, available: 40))
    run.answer("copy", of: 0, .retry(Failure("system")), at: 1)
    run.expect("0/1 copy 1.1 60 B", "0/2 copy 1.1 30 B", "timer 2.0")
    run.answer("copy", of: 1, .file(60), at: 1)
    run.answer("upload", of: 1, .ok(), at: 1)
    run.expect("0/1 upload 1.1", "discard 0/1 60")
    #expect(run.machine.reservedDiskBytes == 90)
    run.discard()
    #expect(run.machine.reservedDiskBytes == 30)
  }

  @Test func `a file that can never fit fails its item with both numbers`() {
    let run = begun(SmallPipelines.copies(disk: 100), [101])
    run.expect("load 0 pending > -1", "stop")
    #expect(run.row(0).status == .failed)
    #expect(
      run.row(0).reason?.message == "needs 101 bytes, and the disk budget is 100 bytes")
  }

  @Test func `two items that hold half of what they need do not wait for each other for ever`() {
    let run = begun(SmallPipelines.copies(disk: 30, second: true), [10, 10])
    run.answer("copy", of: 0, .file(10))
    run.answer("copy", of: 1, .file(10))
    run.pass()
    run.answer("again", of: 0, .retry(Failure("system")), at: 1)
    run.answer("again", of: 1, .file(10), at: 1)
    run.pass()
    run.send(.timerFired, at: 2)
    #expect(run.machine.violations().isEmpty)
    run.pass()
  }

  @Test
  func
    `who gives its files up makes those again that it still needs, and those they are made from`()
  {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: 40))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    func copy(_ id: String, of source: String) {
      builder.step(
        id,
        .materialize(
          MaterializeTemplate(source: .file(builder.expression(source), range: nil))))
    }
    copy("first", of: "item")
    copy("second", of: "steps.first.file")
    copy("third", of: "item")
    builder.step(
      "upload",
      .upload(
        UploadTemplate(
          request: RequestTemplate(
            method: "PUT", url: builder.template("${{ inputs.server }}/${{ item.name }}")),
          file: builder.expression("steps.second.file"))), needs: ["third"])
    builder.endLoop()
    let run = begun(builder.pipeline(), [10, 10])
    for step in ["first", "second"] {
      for ordinal in 0...1 { run.answer(step, of: ordinal, .file(10)) }
    }
    run.pass()
    #expect(run.step("first", of: 1)?.status == .pending)
    #expect(run.step("second", of: 1)?.status == .pending)
    run.discard()
    run.expect("0/0 third 1.1 10 B", "0/1 first 2.1 10 B")
  }

  @Test func `who gives its files up for one that waits for its place lets that go first`() {
    let run = begun(SmallPipelines.copies(concurrency: 1, disk: 20, second: true), [10, 10])
    run.answer("copy", of: 0, .file(10))
    run.answer("again", of: 0, .busy, at: 1)
    run.answer("copy", of: 1, .file(10), at: 1)
    run.pass()
    run.send(.timerFired, at: 2)
    run.expect("discard 0/1 10")
    run.discard()
    run.expect("0/0 again 1.2 10 B")
  }

  @Test func `a transfer whose upload ID died while it waited for its slot lets the next go`() {
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

  @Test func `an item that holds space gets a place before one that waits for space`() {
    let run = begun(SmallPipelines.copies(concurrency: 1, disk: 10), [10, 10])
    run.answer("copy", of: 0, .file(10))
    run.answer("upload", of: 0, .busy, at: 1)
    run.pass()
    run.send(.timerFired, at: 2)
    run.expect("0/0 upload 1.2")
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

  @Test func `an ending allowance interrupts what is short and is given back when that is durable`()
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
  func `a run that is given up undoes what is active and paused, and cancels what is pending`() {
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
    #expect((0...2).map { run.row($0).status } == [.cancelled, .cancelled, .cancelled])
    #expect(run.row(0).reason?.message == "look; not undone at the server: 500")
  }

  @Test
  func `a paused run whose interruptions are not answered yet repeats nothing when it goes on`() {
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
