import CEL
import MachineSupport
import PipelineCore
import Testing

/// Batches whose outcome is unknown.
extension BatchTests {
  @Test func `a batch without a probe and without a key waits for the user`() {
    let run = run(SmallPipelines.batch(key: nil, effect: .create))
    run.answer("finalize", of: 0, .lost, at: 1)
    run.expect("stop")
    #expect(run.row(0).status == .paused)
    #expect(run.row(1).status == .paused)
  }

  @Test func `a batch is probed, regardless of the state of its sources`() {
    let run = runWithSession(hasProbe: true)
    run.send(.timerFired, at: 2)
    run.expect("probe 0/0 finalize 1.2")
    run.answer("finalize", of: 0, .notDone, at: 3)
    run.expect("run session 2.1")
  }

  @Test func `a session is replaced once the batch that was sent in it has been resolved`() {
    let run = runWithSession(hasProbe: false)
    run.send(.timerFired, at: 2)
    run.expect("0/0 finalize 1.2")
    run.answer("finalize", of: 0, results(ok, ok), at: 3)
    run.expect("run session 2.1")
  }

  @Test func `a batch without a network waits as a whole, each member with its start time`() {
    let run = run()
    run.answer(
      "finalize", of: 0, .unavailable(.network, Failure("no route", lacking: .network)), at: 2)
    for ordinal in 0...1 {
      #expect(run.step("finalize", of: ordinal)?.since == Instant(milliseconds: 2000))
      #expect(run.step("finalize", of: ordinal)?.failure?.lacking == .network)
      #expect(run.step("finalize", of: ordinal)?.failures == 0)
    }
  }

  @Test func `members of a batch that is probed again continue without missing ones`() {
    let run = run(SmallPipelines.batch(hasProbe: true, mark: false))
    for second in [1.0, 3, 6] {
      run.answer("finalize", of: 0, .lost, at: second)
      run.send(.timerFired, at: second + 2)
    }
    #expect(run.row(1).status == .paused)
    run.pass()
    run.retry(at: 10, only: [1])
    run.load()
    run.expect("load 0 pending > -1", "probe 0/1 finalize 1.4")
  }

  @Test func `a batch whose outcome is unknown is probed as a whole`() {
    let run = run(SmallPipelines.batch(hasProbe: true, mark: false))
    run.answer("finalize", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.expect("timer 2.0", "probe 0/0 finalize 1.2")
    run.answer("finalize", of: 0, results(ok, .retry(bad)), at: 3)
    #expect(run.row(0).status == .done)
    #expect(run.step("finalize", of: 1)?.status == .pending)
    run.send(.timerFired, at: 4)
    run.pass()
    #expect(run.step("finalize", of: 1)?.generation == 2)
  }

  @Test func `a batch that was not done is sent again`() {
    let run = run(SmallPipelines.batch(hasProbe: true, mark: false))
    run.answer("finalize", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.pass()
    run.answer("finalize", of: 0, .notDone, at: 3)
    run.expect("0/0 finalize 1.3")
  }

  @Test func `members that stopped with an unknown outcome are sent again under the same key`() {
    let run = run()
    for second in [1.0, 3, 6] {
      run.answer("finalize", of: 0, .lost, at: second)
      run.send(.timerFired, at: second + 2)
    }
    #expect(run.row(1).status == .paused)
    run.pass()
    run.retry(at: 10)
    run.load()
    run.expect("load 0 pending > -1", "0/0 finalize 1.4")
    #expect(run.step("finalize", of: 1)?.batch?.first == 0)
  }

  /// Two batches, of which the first has lost its answer and the other has found the session dead.
  private func runWithSession(hasProbe: Bool) -> RunHarness {
    let run = RunHarness(
      SmallPipelines.batch(concurrency: 4, hasProbe: hasProbe, mark: false, session: true),
      files: [1, 1, 1, 1])
    let session = Verdict.ok(OutputValue(value: .string("s")))
    run.send(.runBegan)
    run.answer("session", session)
    run.load()
    for ordinal in 0..<4 { run.answer("allocate", of: ordinal, .upload("u\(ordinal)")) }
    run.answer("finalize", of: 0, .lost, at: 1)
    run.answer("finalize", of: 2, .expired(step: 0, bad), at: 1)
    let member = run.step("finalize", of: 3)
    #expect(member?.since == Instant(milliseconds: 1000))
    #expect(member?.failure == bad)
    #expect(member?.statuses == [200])
    run.pass()
    return run
  }

  @Test func `members that may be sent again are sent without missing ones`() {
    let run = run(SmallPipelines.batch(key: nil, mark: false))
    for second in [1.0, 3, 6] {
      run.answer("finalize", of: 0, .lost, at: second)
      run.send(.timerFired, at: second + 2)
    }
    run.pass()
    run.retry(at: 10, only: [1])
    run.load()
    run.expect("load 0 pending > -1", "0/1 finalize 2.1")
  }

  /// Both members ended with an unknown outcome, and the user continues one of them by itself.
  private func letGoOnAlone(_ ordinal: Int = 1) -> RunHarness {
    let run = run(SmallPipelines.batch(mark: false))
    for second in [1.0, 3, 6] {
      run.answer("finalize", of: 0, .lost, at: second)
      run.send(.timerFired, at: second + 2)
    }
    run.pass()
    run.retry(at: 10, only: [ordinal])
    run.load()
    run.expect("load 0 pending > -1", "stop")
    #expect(run.row(ordinal).status == .paused)
    #expect(run.row(ordinal).reason?.message.contains("under the batch's key") == true)
    return run
  }

  @Test func `a member of a lost batch that comes again by itself is sent under the key of all`() {
    let run = letGoOnAlone()
    run.retry(at: 20, only: [1])
    run.load()
    // Its key is that of the member which is not there; its fence is its own,
    // as that one may come by itself, too.
    run.expect("load 0 pending > -1", "0/1 finalize 1.4")
    #expect(key(of: 1, in: run) == key(of: 0, in: self.run(SmallPipelines.batch(mark: false))))
    #expect(run.step("finalize", of: 1)?.batch?.items == 1)
    run.answer("finalize", of: 1, results(ok), at: 21)
    #expect(run.row(1).status == .done)
    #expect(run.row(0).status == .paused)
    run.pass()
  }

  @Test func `a member that comes by itself and is not mentioned is released after that`() {
    let run = letGoOnAlone()
    run.retry(at: 20, only: [1])
    run.load()
    run.pass()
    // The server replays a response to a request without it.
    run.answer("finalize", of: 1, results(.unknown(bad)), at: 21)
    run.expect("stop")
    #expect(run.row(1).status == .paused)
    #expect(run.row(1).reason?.message.contains("under a new key") == true)
    run.retry(at: 30, only: [1])
    run.load()
    run.expect("load 0 pending > -1", "0/1 finalize 2.1")
  }

  private func key(of ordinal: Int, in run: RunHarness) -> String? {
    guard let id = run.inFlight("finalize", of: ordinal) else { return nil }
    let members = [run.machine.state.loops[0].active[ordinal]].compactMap { $0 }
    return run.machine.evaluator.idempotencyKey(
      id, Scope(run.machine.state, batch: members, now: run.now))
  }

  /// Sends the second member alone until its attempts are used up, and then both together.
  private func retryTogether() -> RunHarness {
    let run = letGoOnAlone()
    run.retry(at: 20, only: [1])
    run.load()
    for second in [21.0, 24, 30] {
      run.answer("finalize", of: 1, .lost, at: second)
      run.send(.timerFired, at: second + 2)
    }
    run.pass()
    #expect(run.row(1).status == .paused)
    run.retry(at: 40)
    run.load()
    return run
  }

  @Test func `members of a lost batch that were sent without each other are one request again`() {
    let run = retryTogether()
    run.expect("load 0 pending > -1", "0/0 finalize 1.7")
    run.answer("finalize", of: 0, results(ok, ok), at: 41)
    #expect(run.row(0).status == .done)
    #expect(run.row(1).status == .done)
    run.pass()
  }

  @Test func `a member is released if another one was sent by itself under the server's key`() {
    let run = retryTogether()
    run.pass()
    run.answer("finalize", of: 0, results(.unknown(bad), ok), at: 41)
    #expect(run.row(1).status == .done)
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.message.contains("under a new key") == true)
  }

  @Test func `members of a lost batch that come together are sent as a whole`() {
    let run = letGoOnAlone()
    run.retry(at: 20)
    run.load()
    run.expect("load 0 pending > -1", "0/0 finalize 1.4")
    #expect(run.step("finalize", of: 0)?.batch?.items == 2)
    #expect(run.step("finalize", of: 1)?.batch?.items == 2)
  }

  @Test func `members that were sent apart, and gather again, are one batch`() {
    let run = letGoOnAlone(0)
    run.retry(at: 20, only: [0])
    run.load()
    #expect(run.step("finalize", of: 0)?.batch?.items == 1)
    for second in [21.0, 24, 30] {
      run.answer("finalize", of: 0, .lost, at: second)
      run.send(.timerFired, at: second + 2)
    }
    run.send(.allowanceExpiring, at: 35)
    run.retry(at: 40)
    run.load()
    run.pass()
    run.send(.allowanceGranted(until: nil), at: 41)
    run.expect("0/0 finalize 1.7")
    #expect(run.step("finalize", of: 0)?.batch?.items == 2)
    #expect(run.step("finalize", of: 1)?.batch?.items == 2)
  }

  @Test func `a batch that was probed too early is probed again`() {
    let run = run(SmallPipelines.batch(hasProbe: true, probeUntil: .seconds(30), mark: false))
    run.answer("finalize", of: 0, .lost, at: 1)
    run.send(.timerFired, at: 2)
    run.pass()
    run.answer("finalize", of: 0, .notDone, at: 3)
    run.expect("timer 8.0")
    run.send(.timerFired, at: 8)
    run.expect("probe 0/0 finalize 1.3")
  }

  @Test func `a member whose own outcome is unknown is probed by itself`() {
    let run = run(SmallPipelines.batch(hasProbe: true, mark: false))
    run.answer("finalize", of: 0, results(ok, .uncertain(.retry(bad))), at: 1)
    run.pass()
    run.send(.timerFired, at: 2)
    run.expect("probe 0/1 finalize 1.2")
  }

  @Test func `a batch that must be sent at once drops a member with an expired identifier`() {
    let run = RunHarness(
      SmallPipelines.batch(
        items: 3, within: .seconds(3600), concurrency: 3, disk: 20, keepsFiles: true),
      files: [10, 10, 10])
    run.send(.runBegan)
    run.load()
    run.answer("copy", of: 0, .file(10))
    run.answer("allocate", of: 0, .upload("u0"))
    run.answer("copy", of: 1, .file(10), at: 700)
    run.pass()
    // Item 2 waits for the space that the batch holds, and the batch for item 2.
    run.answer("allocate", of: 1, .upload("u1", at: 700), at: 700)
    run.expect("0/0 allocate 2.1", "timer 4300.0")
  }

  @Test func `a member that releases its file recreates it before its batch is sent again`() {
    let run = RunHarness(
      SmallPipelines.batch(within: .seconds(900), concurrency: 3, disk: 20, keepsFiles: true),
      files: [15, 10, 10])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("copy", of: 0, .busy, at: 1)
    run.send(.timerFired, at: 2)
    run.answer("copy", of: 2, .file(10), at: 3)
    run.answer("allocate", of: 2, .upload("u2", at: 1), at: 4)
    run.answer("copy", of: 1, .file(10), at: 5)
    run.answer("allocate", of: 1, .upload("u1", at: 100), at: 100)
    let later = Instant(milliseconds: 600_000)
    run.answer("finalize", of: 1, .retry(Failure("500", status: 500), after: later), at: 101)
    run.pass()
    // Item 0 needs more than item 2 will return, whose upload has expired. Item 1 waits for item 2.
    run.send(.timerFired, at: 600)
    run.expect("0/2 allocate 2.1", "discard 0/1 10")
    #expect(run.blocker(1) == .disk(step: 0, needed: 10, available: 0))
  }

  @Test func `a member that comes while another of its batch is in flight waits for its end`() {
    let run = letGoOnAlone()
    run.retry(at: 20, only: [1])
    run.load()
    run.pass()
    run.retry(at: 21, only: [0])
    run.load()
    #expect(run.step("finalize", of: 0)?.isInFlight == false)
    run.answer("finalize", of: 1, results(ok), at: 22)
    #expect(run.row(1).status == .done)
    run.pass()
  }

  @Test func `a batch that was surely not accepted is not sent with expired identifiers`() {
    let run = run()
    run.answer(
      "finalize", of: 0, .unavailable(.network, Failure("no route", lacking: .network)), at: 594)
    run.pass()
    run.send(.timerFired, at: 601)
    run.expect("0/0 allocate 2.1", "0/1 allocate 2.1", "timer 603.0")
  }

  @Test func `a batch derived from lost secrets waits for the user, who decides once`() {
    let run = RunHarness(
      SmallPipelines.batch(mark: false), files: [1, 1])
    let secret = Verdict.ok(OutputValue(value: .string("u"), isSecret: true))
    run.send(.runBegan)
    run.load()
    for ordinal in 0..<2 { run.answer("allocate", of: ordinal, secret) }
    run.answer("finalize", of: 0, .lost, at: 1)
    run.crash(at: 2)
    for ordinal in 0..<2 {
      #expect(run.row(ordinal).status == .paused)
      #expect(run.row(ordinal).reason?.message.contains("lost with the process") == true)
    }
    run.pass()
    run.retry(at: 3)
    run.load()
    run.pass()
    for ordinal in 0..<2 { run.answer("allocate", of: ordinal, secret, at: 4) }
    #expect(run.inFlight("finalize", of: 0)?.generation == 2)
    run.pass()
  }
}
