import CEL
import MachineSupport
import PipelineCore
import Testing

/// Undoing at the server needs a credential, which may have expired or gone with the last process.
struct CompensationTests {
  @Test func `a run that is cancelled by another process signs in again to undo`() {
    let run = allocated()
    run.crash(at: 10, then: .cancelRequested)
    run.expect("run sign_in 2.1")
    #expect(run.blocker(0) == .dependency(step: 1, on: 0))
    run.answer("sign_in", .token("t2", at: 11), at: 11)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 12)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
    #expect(run.row(0).status == .cancelled)
  }

  @Test func `a credential for compensations is retried like its step, and leftovers are reported`()
  {
    let run = allocated()
    run.crash(at: 10, then: .cancelRequested)
    run.pass()
    run.answer("sign_in", .retry(Failure("503")), at: 11)
    run.expect("timer 12.0")
    run.send(.timerFired, at: 12)
    run.expect("run sign_in 2.2")
    run.answer("sign_in", .retry(Failure("503")), at: 12)
    run.pass()
    run.send(.timerFired, at: 14)
    run.answer("sign_in", .retry(Failure("503")), at: 14)
    run.expect("run sign_in 2.3", "stop")
    #expect(run.machine.state.status == .cancelled)
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).isLeftAtServer)
    #expect(
      run.row(0).reason?.message
        == "not undone at the server: step 'sign_in' gives no credential: gave up after 3 attempts: 503"
    )
    #expect(run.machine.state.loops[0].leftAtServer == 1)
  }

  @Test func `leftovers are undone by cancelling again, in this process or another`() {
    for isOther in [false, true] {
      let run = allocated()
      run.crash(at: 10, then: .cancelRequested)
      run.answer("sign_in", .fail(Failure("no")), at: 11)
      #expect(run.machine.state.status == .cancelled)
      #expect(run.machine.state.loops[0].leftAtServer == 1)
      run.pass()
      if isOther {
        run.crash(at: 20, then: .cancelRequested)
      } else {
        run.send(.cancelRequested, at: 20)
      }
      run.expect("load 0 failed > -1")
      run.load()
      #expect(run.machine.state.loops[0].active[0]?.status == .active)
      run.pass()
      run.answer("sign_in", .token("t2", at: 21), at: 21)
      run.expect("undo 0/0 #0")
      run.answer("undo", of: 0, .ok(), at: 22)
      run.expect("stop")
      #expect(run.row(0).status == .cancelled)
      #expect(run.row(0).reason == nil)
      #expect(run.machine.state.loops[0].leftAtServer == 0)
      #expect(run.machine.state.loops[0].counts[.cancelled] == 1)
    }
  }

  @Test func `a compensation backs off, also in the next process, and honors Retry-After`() {
    let run = RunHarness(
      SmallPipelines.single(effect: .create, key: "Key", undo: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .fail(Failure("no")), at: 1)
    run.pass()
    run.answer(
      "undo", of: 0, .retry(Failure("503"), after: Instant(milliseconds: 9000)), at: 1)
    run.expect("timer 9.0")
    #expect(run.blocker(0) == .compensation(until: Instant(milliseconds: 9000)))
    run.crash(at: 2)
    run.expect("timer 9.0")
    #expect(run.row(0).abandoning?.failures == 1)
    run.send(.timerFired, at: 9)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 10)
    run.expect("stop")
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message == "no")
    #expect(!run.row(0).isLeftAtServer)
  }

  @Test(arguments: [1, 2])
  func `existing data is not deleted, and in doubt it is reported as left`(attempts: Int) {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 1)
    run.load()
    if attempts == 2 {
      run.answer("allocate", of: 0, .busy, at: 1)
      run.send(.timerFired, at: 2)
    }
    run.answer(
      "allocate", of: 0,
      .success(
        StepResult(outputs: [OutputValue(value: .string("theirs"))], status: 409)), at: 2)
    run.answer("body", of: 0, .fail(Failure("no")), at: 3)
    run.pass()
    #expect(run.inFlight("undo", of: 0) == nil)
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).isLeftAtServer == (attempts == 2))
  }

  @Test func `a leftover that is retried and fails again shows once why the item failed`() {
    let run = RunHarness(
      SmallPipelines.single(effect: .create, key: "Key", undo: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .fail(Failure("no")), at: 1)
    run.answer("undo", of: 0, .fail(Failure("never")), at: 2)
    run.send(.cancelRequested, at: 3)
    run.load()
    run.answer("undo", of: 0, .fail(Failure("still not")), at: 4)
    #expect(run.row(0).reason?.message == "no; not undone at the server: still not")
  }

  @Test func `an item that the user retries during cancellation is abandoned, too`() {
    let run = RunHarness(
      SmallPipelines.single(effect: .create, key: "Key", undo: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .pause(Failure("look at it")), at: 1)
    #expect(run.row(0).status == .paused)
    // The rows change before the run learns of it.
    let requeued = run.requeue()
    run.send(.cancelRequested, at: 3)
    run.load()
    run.send(requeued, at: 3)
    // Earlier requests are outdated; then the pending rows are looked through.
    run.load()
    run.load()
    run.answer("undo", of: 0, .ok(), at: 4)
    run.pass()
    #expect(run.machine.state.status == .cancelled)
    #expect(run.row(0).status == .cancelled)
  }

  @Test func `a cancelled run undoes as many items at once as the loop permits`() {
    let run = RunHarness(
      SmallPipelines.single(concurrency: 1, effect: .create, key: "Key", undo: true),
      files: [1, 2, 3])
    run.send(.runBegan, at: 0)
    run.load()
    for item in 0..<3 {
      run.answer("send", of: item, .pause(Failure("look at it")), at: Double(item + 1))
      run.pass()
    }
    run.send(.cancelRequested, at: 5)
    run.load()
    for item in 0..<3 {
      #expect(run.machine.inFlight.count == 1)
      run.answer("undo", of: item, .ok(), at: Double(item + 6))
      if item < 2 { run.load() }
    }
    #expect(run.machine.state.status == .cancelled)
  }

  @Test func `an interrupted compensation does not count as an attempt`() {
    let run = failedWithUnknownOutcome()
    for second in 3..<9 {
      run.answer("undo", of: 0, .interrupted, at: Double(second))
      run.expect("undo 0/0 #0")
    }
    #expect(run.row(0).abandoning?.failures == 0)
  }

  @Test func `a token that the server refuses is renewed once for all compensations`() {
    let run = allocated()
    run.send(.cancelRequested, at: 3)
    run.answer("body", of: 0, .interrupted, at: 3)
    run.pass()
    run.answer("undo", of: 0, .expired(step: 0, Failure("401", status: 401)), at: 4)
    run.expect("timer 5.0")
    run.send(.timerFired, at: 5)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .token("t2", at: 5), at: 6)
    run.expect("undo 0/0 #0")
  }

  @Test func `a cancellation stops on request, and continues later`() {
    let run = failedWithUnknownOutcome()
    run.send(.cancelRequested, at: 3)
    run.expect("interrupt 0/0 undo")
    run.send(.pauseRequested(Failure("^C")), at: 3)
    run.pass()
    run.answer("undo", of: 0, .interrupted, at: 3)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelling)
    run.crash(at: 9)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 10)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
  }

  @Test func `an item that was to be retried is undone when the run is cancelled`() {
    let run = RunHarness(
      SmallPipelines.single(concurrency: 1, effect: .create, key: "Key", undo: true), files: [1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .ok(), at: 1)
    run.answer("mark", of: 0, .pause(Failure("wait")), at: 2)
    run.answer("send", of: 1, .ok(), at: 3)
    run.answer("mark", of: 1, .pause(Failure("wait")), at: 4)
    run.pass()
    run.retry(at: 5)
    run.send(.cancelRequested, at: 5)
    run.load()
    run.load()
    run.answer("undo", of: 0, .ok(), at: 6)
    run.load()
    run.answer("undo", of: 1, .ok(), at: 7)
    #expect(run.machine.state.status == .cancelled)
    #expect(run.machine.state.loops[0].counts[.cancelled] == 2)
  }

  @Test func `a cancelled run does not ask again for a credential that arrives expired`() {
    let run = allocated()
    run.crash(at: 10, then: .cancelRequested)
    run.pass()
    run.answer("sign_in", .token("old", at: -4000), at: 11)
    run.expect("stop")
    #expect(run.row(0).isLeftAtServer)
  }

  @Test func `a run whose credential cannot be obtained is cancelled without it`() {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    func credential(_ id: String, from earlier: String?) {
      builder.step(
        id,
        .request(
          RequestTemplate(
            url: builder.template("${{ inputs.server }}/\(id)"),
            authorization: earlier.map { .bearer(builder.template("${{ steps.\($0).token }}")) })),
        outputs: [
          OutputDeclaration(
            name: "token", value: builder.template("${{ response.text }}"), isSecret: true)
        ])
    }
    credential("sign_in", from: nil)
    credential("exchange", from: "sign_in")
    builder.loop("item")
    let request = RequestTemplate(
      url: builder.template("${{ inputs.server }}"),
      authorization: .bearer(builder.template("${{ steps.exchange.token }}")))
    builder.step("send", .request(request))
    builder.onAbandon(request)
    builder.endLoop()
    let run = RunHarness(builder.pipeline(), files: [1])
    run.send(.runBegan)
    run.answer("sign_in", .token("a"))
    run.answer("exchange", .token("b"))
    run.load()
    run.pass()
    run.crash(at: 1, then: .cancelRequested)
    run.expect("run sign_in 2.1")
    run.answer("sign_in", .fail(Failure("no")), at: 2)
    run.expect("stop")
    #expect(run.row(0).isLeftAtServer)
  }

  @Test func `a failed item whose credential is lost waits for a new one to be undone`() {
    let run = allocated(birth: 4600)
    run.answer("body", of: 0, .file(1), at: 2)
    run.pass()
    run.crash(at: 10)
    run.answer("upload", of: 0, .interrupted)
    run.expect("adopt 0/0 upload 1.1", "run sign_in 2.1")
    run.answer("sign_in", .token("t2", at: 11), at: 11)
    run.pass()
    run.answer("upload", of: 0, .fail(Failure("no")), at: 5000)
    run.expect("run sign_in 3.1")
    run.answer("sign_in", .token("t3", at: 5001), at: 5001)
    #expect(run.blocker(0) == .compensation())
  }

  @Test func `when a run is cancelled, a creation in flight is awaited and then undone`() {
    let run = RunHarness(
      SmallPipelines.single(effect: .create, key: "Key", undo: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    run.send(.cancelRequested, at: 1)
    run.expect()
    run.answer("send", of: 0, .ok(), at: 2)
    run.expect("undo 0/0 #0")
    run.answer("undo", of: 0, .ok(), at: 3)
    run.expect("stop")
    #expect(run.machine.state.status == .cancelled)
  }

  /// Found by seed 16367 of the swarm: created again, it took effect twice.
  @Test func `an effect that was not undone is probed on retry, and not created again`() {
    let run = failedWithUnknownOutcome()
    run.answer("undo", of: 0, .fail(Failure("503")), at: 3)
    run.expect("stop")
    #expect(run.row(0).frame[0].status == .unknown)
    run.retry(at: 4)
    run.load()
    run.expect("load 0 pending > -1", "probe 0/0 send 1.3")
    #expect(run.machine.state.loops[0].leftAtServer == 0)
  }

  @Test func `an undone effect is created again on retry`() {
    let run = failedWithUnknownOutcome()
    run.answer("undo", of: 0, .ok(), at: 3)
    run.expect("stop")
    run.retry(at: 4)
    run.load()
    run.expect("load 0 pending > -1", "0/0 send 2.1")
  }

  /// One item whose only creating step may have taken effect, and which is being undone.
  private func failedWithUnknownOutcome() -> RunHarness {
    let run = RunHarness(
      SmallPipelines.single(effect: .create, hasProbe: true, undo: true), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.answer("send", of: 0, .fail(Failure("no")), at: 2)
    run.pass()
    return run
  }

  /// One item with an upload ID that lives until 10 min after `birth`.
  private func allocated(birth: Int64 = 1) -> RunHarness {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 1)
    run.load()
    run.answer("allocate", of: 0, .upload("u1", at: birth), at: 1)
    run.pass()
    return run
  }
}
