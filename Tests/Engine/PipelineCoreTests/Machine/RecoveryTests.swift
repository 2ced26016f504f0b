import CEL
import MachineSupport
import PipelineCore
import Testing

/// Interruptions, crashes, and unknown outcomes.
struct RecoveryTests {
  @Test func `an unknown outcome of a repeatable step is repeated`() {
    let run = begun(SmallPipelines.single())
    run.answer("send", of: 0, .lost, at: 1)
    run.expect("timer 2.0")
    run.send(.timerFired, at: 2)
    run.expect("0/0 send 1.2")
  }

  @Test func `an unknown outcome of a creating step with a key is repeated in the same generation`()
  {
    let run = begun(SmallPipelines.single(effect: .create, key: "Key"))
    run.answer("send", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.expect("timer 2.0", "0/0 send 1.2")
  }

  @Test func `an unknown outcome of a creating step with a probe is probed`() {
    let run = begun(SmallPipelines.single(effect: .create, hasProbe: true))
    run.answer("send", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.expect("timer 2.0", "probe 0/0 send 1.2")
    run.answer("send", of: 0, .ok(), at: 3)
    run.expect("0/0 mark 1.1")
  }

  @Test func `a step that its probe finds undone is attempted again`() {
    let run = begun(SmallPipelines.single(effect: .create, hasProbe: true))
    run.answer("send", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.pass()
    run.answer("send", of: 0, .notDone, at: 3)
    run.expect("0/0 send 1.3")
  }

  @Test func `a creating step that offers no safe repeat pauses its item`() {
    let run = begun(SmallPipelines.single(effect: .create))
    run.answer("send", of: 0, .lost, at: 1)
    run.expect("stop")
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message.contains("outcome unknown") == true)
  }

  @Test func `an item that stopped with an unknown outcome is probed when it is retried`() {
    let policy = RetryPolicy(attempts: 1, jitter: .none)
    let run = begun(SmallPipelines.single(retry: policy, effect: .create, hasProbe: true))
    run.answer("send", of: 0, .lost, at: 1)
    run.expect("stop")
    #expect(run.row(0).status == .paused)
    run.retry(at: 2)
    run.load()
    run.expect("load 0 pending > -1", "probe 0/0 send 1.2")
  }

  @Test(arguments: [Verdict.poll(at: nil), .unavailable(.diskSpace, Failure("full"))])
  func `a probe that is put off stays a probe`(verdict: Verdict) {
    let run = begun(SmallPipelines.single(effect: .create, hasProbe: true))
    run.answer("send", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.answer("send", of: 0, verdict, at: 3)
    run.send(.timerFired, at: 60)
    run.pass()
    #expect(run.step("send", of: 0)?.status == .probing)
  }

  @Test(arguments: [true, false])
  func `an interruption of a creating step that offers no safe repeat pauses its item`(
    byCrash: Bool
  ) {
    let run = begun(SmallPipelines.single(effect: .create))
    if byCrash {
      run.crash(at: 1)
    } else {
      run.answer("send", of: 0, .interrupted, at: 1)
    }
    run.pass()
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message.contains("interrupted") == true)
  }

  @Test func `items that continue while others are read ahead are each started once`() {
    let run = RunHarness(SmallPipelines.single(concurrency: 1), files: [1, 1, 1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .pause(Failure("look")), at: 1)
    run.pass()
    run.retry(at: 2)
    run.load()
    run.answer("send", of: 1, .ok(), at: 3)
    run.answer("mark", of: 1, .ok(), at: 3)
    run.expect("load 0 pending > -1", "0/1 mark 1.1", "0/0 send 1.2")
    #expect(run.machine.state.loops[0].ready.map(\.key.ordinal) == [2, 3])
  }

  @Test func `the server's clock in a response is stored`() {
    let run = begun(SmallPipelines.single())
    let offset = ClockOffset(low: 1000, high: 2000)
    let result = StepResult(
      status: 200, clock: .init(host: "h", offset: offset), duration: .milliseconds(1))
    run.answer("send", of: 0, .success(result), at: 1)
    #expect(run.world.rows.run?.clocks["h"] == offset)
  }

  @Test func `a server's time that is read in addition is stored, although nothing else happened`()
  {
    let run = begun(SmallPipelines.single())
    let offset = ClockOffset(low: 1000, high: 2000)
    run.send(.serverTimeRead(.init(host: "h", offset: offset)), at: 1)
    #expect(run.world.rows.run?.clocks["h"] == offset)
  }

  @Test func `an interruption does not count as a failure`() {
    let run = begun(SmallPipelines.single())
    for second in 1...20 { run.answer("send", of: 0, .interrupted, at: Double(second)) }
    #expect(run.step("send", of: 0)?.failures == 0)
    #expect(run.step("send", of: 0)?.attempt == 21)
    #expect(run.step("send", of: 0)?.status == .running)
  }

  @Test func `a crash is an interruption`() {
    let run = begun(SmallPipelines.single())
    run.crash(at: 5)
    run.expect("0/0 send 1.2")
    #expect(run.step("send", of: 0)?.failures == 0)
  }

  @Test func `a secret that is lost with its process does not use up a reissue`() {
    let run = RunHarness(
      SmallPipelines.renewing([.challenge], allocating: true, reissueLimit: 0), files: [10])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.load()
    for generation in 2...4 {
      run.pass()
      run.crash(at: Double(generation))
      run.expect("run sign_in \(generation).1")
      run.answer("sign_in", .token("b", at: Int64(generation)), at: Double(generation))
    }
    #expect(run.machine.state.status == .running)
  }

  @Test func `a crash during a creating step with a probe is probed`() {
    let run = begun(SmallPipelines.single(effect: .create, hasProbe: true))
    run.crash(at: 5)
    run.expect("probe 0/0 send 1.2")
  }

  @Test func `a resumed run works on no more items at once than its loop allows`() {
    let run = RunHarness(SmallPipelines.single(concurrency: 1, waiting: 2), files: [1, 1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    for ordinal in 0...2 { run.answer("send", of: ordinal, .busy, at: 0) }
    run.pass()
    run.crash(at: 100)
    run.expect("0/0 send 1.2")
    #expect(run.blocker(1) == .concurrency(limit: 1))
    run.answer("send", of: 0, .ok())
    run.answer("mark", of: 0, .ok())
    run.expect("0/0 mark 1.1", "0/1 send 1.2")
  }

  @Test func `requests that were in flight come first after a crash`() {
    let run = RunHarness(SmallPipelines.single(concurrency: 1), files: [1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .busy, at: 0)
    run.pass()
    run.crash(at: 100)
    run.expect("0/1 send 1.2")
  }

  @Test func `a paused run that is acquired waits until it is resumed`() {
    let run = begun(SmallPipelines.single())
    run.send(.pauseRequested(Failure("^C")), at: 1)
    run.expect("interrupt 0/0 send 1.1")
    run.crash(at: 2)
    run.expect("stop")
    #expect(run.blocker(0) == .stopped)
    run.send(.unpaused, at: 3)
    run.expect("0/0 send 1.2")
  }

  @Test func `a process may only cancel a run`() {
    let run = begun(SmallPipelines.copies(disk: 1000))
    run.answer("copy", of: 0, .file(1), at: 1)
    run.pass()
    run.crash(at: 2, then: .cancelRequested)
    run.expect("adopt 0/0 upload 1.1", "interrupt 0/0 upload 1.1")
    run.answer("upload", of: 0, .interrupted)
    run.expect("discard 0/0 1")
    run.discard()
    run.expect("stop")
    #expect(run.machine.reservedDiskBytes == 0)
    #expect(run.row(0).status == .cancelled)
  }

  /// A run that holds a file of its own, and has one request left.
  private func holding() -> RunHarness {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: 100))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.step(
      "copy", .materialize(MaterializeTemplate(source: .text(builder.template("0123456789")))))
    builder.loop("item")
    builder.step(
      "send", .request(RequestTemplate(url: builder.template("${{ inputs.server }}"))),
      dependsOn: ["copy"])
    builder.endLoop()
    let run = RunHarness(builder.pipeline(), files: [1])
    run.send(.runBegan, at: 0)
    run.answer("copy", .file(10))
    run.load()
    run.pass()
    #expect(run.machine.reservedDiskBytes == 10)
    return run
  }

  @Test func `the files of a run are deleted when it ends`() {
    let run = holding()
    run.answer("send", of: 0, .ok())
    run.expect("discard run 10")
    #expect(run.machine.reservedDiskBytes == 10)
    run.discard()
    run.expect("stop")
    #expect(run.machine.reservedDiskBytes == 0)
    #expect(run.step("copy")?.file == nil)
  }

  @Test func `the files of a run stay while it may be resumed`() {
    let run = holding()
    run.answer("send", of: 0, .fail(Failure("no")))
    run.expect("stop")
    #expect(run.machine.state.status == .finished)
    #expect(run.machine.reservedDiskBytes == 10)
    run.send(.cancelRequested, at: 1)
    run.expect("discard run 10")
    run.discard()
    run.expect("stop")
    #expect(run.machine.reservedDiskBytes == 0)
  }

  @Test func `the claims of a run are counted once when another process cancels it`() {
    let run = holding()
    run.crash(at: 1, then: .cancelRequested)
    run.expect("discard run 10")
    #expect(run.machine.reservedDiskBytes == 10)
    run.discard()
    run.expect("stop")
    #expect(run.machine.reservedDiskBytes == 0)
  }

  @Test func `cancelling a finished run only prints a message`() {
    let run = begun(SmallPipelines.single())
    run.answer("send", of: 0, .fail(Failure("no")), at: 1)
    run.expect("stop")
    run.send(.cancelRequested, at: 2)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
  }

  @Test func `a late report that a list could not be created changes nothing`() {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.step(
      "list", .request(RequestTemplate(url: builder.template("${{ inputs.server }}"))),
      outputs: [OutputDeclaration(name: "names", value: builder.template("${{ response.json }}"))])
    builder.loop("name", in: "steps.list.names")
    builder.step(
      "send",
      .request(RequestTemplate(url: builder.template("${{ inputs.server }}/${{ name }}"))))
    builder.endLoop()
    let run = RunHarness(builder.pipeline())
    run.send(.runBegan, at: 0)
    run.answer("list", .ok(OutputValue(value: .list([.string("a")]))))
    run.enumerate(0, [.value(.string("a"))])
    run.load()
    run.pass()
    let before = run.machine
    run.send(.enumerationFailed(loop: 0, Failure("late")))
    run.finish()
    #expect(run.machine == before)
  }

  @Test func `late and repeated responses change nothing`() throws {
    let run = begun(SmallPipelines.single())
    let first = try #require(run.inFlight("send", of: 0))
    run.send(.concluded(first, .interrupted), at: 1)
    run.pass()
    let before = run.machine
    run.send(.concluded(first, .ok()), at: 2)
    run.send(.concluded(first, .fail(Failure("no"))), at: 2)
    run.send(
      .concluded(
        EffectID(run: RunID("other"), item: nil, step: 0, generation: 1, attempt: 1), .ok()), at: 2)
    run.send(.filesDiscarded(first.item, bytes: 50), at: 2)
    run.send(.itemsEnumerated(loop: 0, count: 9), at: 2)
    run.send(.itemsEnumerated(loop: 7, count: 9), at: 2)
    run.send(.enumerationFailed(loop: 0, Failure("late")), at: 2)
    run.send(.itemsLoaded(loop: 0, [], isLast: true), at: 2)
    run.send(.timerFired, at: 2)
    run.finish()
    #expect(run.machine == before)
  }

  private func begun(_ pipeline: Pipeline) -> RunHarness {
    let run = RunHarness(pipeline, files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    return run
  }
}
