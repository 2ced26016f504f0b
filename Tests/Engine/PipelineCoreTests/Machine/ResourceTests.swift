import MachineSupport
import PipelineCore
import Testing

/// Waiting for missing resources: a network, descriptors, space, connections.
struct ResourceTests {
  private static let noNetwork = Verdict.unavailable(
    .network, Failure("no route", lacking: .network))
  private static let full = Verdict.unavailable(.diskSpace, Failure("full", lacking: .diskSpace))

  // MARK: Network

  @Test func `without a network no attempt is counted, and the pauses grow to a minute`() {
    let run = begun(SmallPipelines.single(), [1])
    run.pass()
    var now = 0.0
    var pauses: [Double] = []
    for attempt in 1...9 {
      run.answer("send", of: 0, Self.noNetwork, at: now)
      guard case .shortage(.network, 0, let since, let until)? = run.blocker(0) else {
        Issue.record("\(String(describing: run.blocker(0)))")
        return
      }
      #expect(since == Instant(milliseconds: 0))
      pauses.append(Double(until.milliseconds) / 1000 - now)
      now = Double(until.milliseconds) / 1000
      run.pass()
      run.send(.timerFired, at: now)
      #expect(run.step("send", of: 0)?.attempt == attempt + 1)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    #expect(run.step("send", of: 0)?.failures == 0)
    run.pass()
  }

  @Test func `a successful connection resumes all that wait for a network`() {
    let run = begun(SmallPipelines.single(concurrency: 3), [1, 1, 1])
    run.pass()
    run.answer("send", of: 0, Self.noNetwork, at: 0)
    run.answer("send", of: 1, Self.noNetwork, at: 0)
    run.pass()
    // Any response of a server is enough.
    run.answer("send", of: 2, .fail(Failure("no", status: 403)), at: 0.5)
    run.expect("0/0 send 1.2", "0/1 send 1.2")
  }

  @Test func `all that wait for a network try, because it may reach one host and not another`() {
    let run = begun(SmallPipelines.single(concurrency: 2), [1, 1])
    run.pass()
    run.answer("send", of: 0, Self.noNetwork, at: 0)
    run.answer("send", of: 1, Self.noNetwork, at: 0)
    run.pass()
    run.send(.timerFired, at: 1)
    run.expect("0/0 send 1.2", "0/1 send 1.2", "timer 3.0")
  }

  @Test func `a run without any response ends after its time without a network`() {
    let run = RunHarness(SmallPipelines.single(), files: [1])
    run.send(.limitsKnown(ProcessLimits(networkTimeout: .seconds(5))))
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, Self.noNetwork, at: 0)
    run.pass()
    run.send(.timerFired, at: 1)
    run.answer("send", of: 0, Self.noNetwork, at: 1)
    run.send(.timerFired, at: 3)
    run.answer("send", of: 0, Self.noNetwork, at: 3)
    run.pass()
    run.send(.timerFired, at: 5)
    #expect(run.machine.state.status == .paused)
    #expect(run.machine.state.reason?.lacking == .network)
    #expect(
      run.machine.state.reason?.message == "no network for 5 s, and no host has responded yet")
    run.expect("stop")
  }

  @Test func `a run that got a response waits for its network indefinitely`() {
    let run = RunHarness(SmallPipelines.single(), files: [1])
    run.send(.limitsKnown(ProcessLimits(networkTimeout: .seconds(5))))
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .ok())
    run.answer("mark", of: 0, Self.noNetwork, at: 0)
    run.pass()
    for moment in [1.0, 3, 7, 15] {
      run.send(.timerFired, at: moment)
      run.answer("mark", of: 0, Self.noNetwork, at: moment)
    }
    #expect(run.machine.state.status == .running)
    run.pass()
  }

  @Test func `a process that ends retries at once the resource that it waited for`() {
    let run = begun(SmallPipelines.single(), [1])
    run.pass()
    run.answer("send", of: 0, Self.noNetwork, at: 0)
    run.pass()
    run.crash(at: 0.5)
    run.expect("0/0 send 1.2")
  }

  @Test func `a batch waits for a network as one`() {
    let run = begun(SmallPipelines.batch(mark: false), [1, 1])
    run.answer("allocate", of: 0, .upload("u0"))
    run.answer("allocate", of: 1, .upload("u1"))
    run.pass()
    run.answer("finalize", of: 0, Self.noNetwork, at: 0)
    #expect(run.blocker(1).map { "\($0)".contains("network") } == true)
    run.pass()
    run.send(.timerFired, at: 1)
    run.expect("0/0 finalize 1.2", "timer 3.0")
  }

  @Test func `an item that is paused in the meantime has no blocker`() {
    let run = begun(SmallPipelines.single(), [1])
    run.pass()
    run.answer("send", of: 0, Self.noNetwork, at: 0)
    run.pass()
    run.send(.pauseRequested(Failure("^C")), at: 0.5)
    run.expect("stop")
    run.send(.unpaused, at: 9)
    run.expect("0/0 send 1.2")
  }

  // MARK: Space and descriptors

  @Test func `one frame retries a full disk for all, with growing delays and without an attempt`() {
    let run = begun(SmallPipelines.copies(concurrency: 2, disk: 100), [10, 10])
    run.pass()
    run.answer("copy", of: 0, Self.full, at: 0)
    run.answer("copy", of: 1, Self.full, at: 0)
    #expect(run.machine.reservedDiskBytes == 0)
    run.pass()
    run.send(.timerFired, at: 5)
    run.expect("0/0 copy 1.2 10 B", "timer 15.0")
    run.answer("copy", of: 0, Self.full, at: 5)
    run.send(.timerFired, at: 15)
    run.expect("0/1 copy 1.2 10 B", "timer 35.0")
    run.answer("copy", of: 1, .file(10), at: 16)
    run.expect("0/0 copy 1.3 10 B", "0/1 upload 1.1")
    #expect(run.step("copy", of: 0)?.failures == 0)
  }

  @Test func `an item that finds the disk full waits with the others`() {
    let run = begun(SmallPipelines.copies(concurrency: 1), [10, 10])
    run.pass()
    run.answer("copy", of: 0, .file(10), at: 0)
    run.answer("upload", of: 0, .expired(step: 0, Failure("gone")), at: 0)
    run.answer("copy", of: 0, Self.full, at: 0)
    run.pass()
    #expect(run.blocker(0).map { "\($0)".contains("diskSpace") } == true)
  }

  @Test func `space that our own files held is tried as soon as they are gone`() {
    let run = begun(SmallPipelines.copies(concurrency: 2), [10, 10])
    run.pass()
    run.answer("copy", of: 0, .file(10))
    run.answer("copy", of: 1, Self.full, at: 1)
    run.answer("upload", of: 0, .ok(), at: 2)
    run.pass()
    run.discard(at: 2)
    run.expect("0/1 copy 1.2 10 B")
  }

  @Test func `all items wait for descriptors, and no server is blamed`() {
    let run = begun(SmallPipelines.single(concurrency: 2), [1, 1, 1])
    run.pass()
    let lack = Verdict.unavailable(.openFiles, Failure("EMFILE", lacking: .openFiles))
    run.answer("send", of: 0, lack, at: 0)
    run.expect("timer 0.1")
    run.answer("send", of: 1, .ok(), at: 0.01)
    // A response shows that descriptors are available.
    run.expect("0/0 send 1.2", "0/1 mark 1.1")
    #expect(run.step("send", of: 0)?.failures == 0)
  }

  // MARK: Connections

  @Test func `no more exchanges are in flight than there are connections`() {
    let run = RunHarness(SmallPipelines.single(concurrency: 3), files: [1, 1, 1])
    run.send(.limitsKnown(ProcessLimits(exchanges: 2)))
    run.send(.runBegan, at: 0)
    run.load()
    run.expect("load 0 pending > -1", "0/0 send 1.1", "0/1 send 1.1")
    #expect(run.blocker(2) == .connections(step: 0, limit: 2))
    run.answer("send", of: 0, .ok())
    // First come, first served.
    run.expect("0/2 send 1.1")
    #expect(run.blocker(0) == .connections(step: 1, limit: 2))
  }

  @Test func `a batch waits for a connection too`() {
    let run = RunHarness(
      SmallPipelines.batch(items: 2, concurrency: 3, mark: false), files: [1, 1, 1])
    run.send(.limitsKnown(ProcessLimits(exchanges: 1)))
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("allocate", of: 0, .upload("u0"))
    run.answer("allocate", of: 1, .upload("u1"))
    run.pass()
    #expect(run.blocker(0) == .connections(step: 1, limit: 1))
    run.answer("allocate", of: 2, .upload("u2"))
    run.expect("0/0 finalize 1.1")
  }

  @Test func `a run that may have more connections uses them at once`() {
    let run = RunHarness(SmallPipelines.single(), files: [1, 1])
    run.send(.limitsKnown(ProcessLimits(exchanges: 1)))
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    #expect(run.blocker(1) == .connections(step: 0, limit: 1))
    run.send(.limitsKnown(ProcessLimits(exchanges: 2)), at: 1)
    run.expect("0/1 send 1.1")
  }

  @Test func `a file is written without a connection, and a compensation needs one`() {
    let run = RunHarness(SmallPipelines.copies(), files: [10, 10])
    run.send(.limitsKnown(ProcessLimits(exchanges: 1)))
    run.send(.runBegan, at: 0)
    run.load()
    #expect(run.blocker(0) == .attempt(step: 0))
    #expect(run.blocker(1) == .attempt(step: 0))
  }

  @Test func `a compensation waits for the network with its longest delay, without an attempt`() {
    let run = begun(SmallPipelines.single(effect: .create, key: "Key", undo: true), [1])
    run.answer("send", of: 0, .fail(Failure("no")), at: 1)
    run.pass()
    run.answer("undo", of: 0, Self.noNetwork, at: 2)
    run.expect("timer 62.0")
    #expect(run.blocker(0) == .compensation(until: Instant(milliseconds: 62_000)))
    let abandoning = run.machine.state.loops[0].active[0]?.abandoning
    #expect(abandoning?.failure?.lacking == .network)
    #expect(abandoning?.failures == 0)
    run.send(.timerFired, at: 62)
    run.expect("undo 0/0 #0")
  }

  @Test func `a compensation that is not ready is asked again at the server's time`() {
    let run = begun(SmallPipelines.single(effect: .create, key: "Key", undo: true), [1])
    run.answer("send", of: 0, .fail(Failure("no")), at: 1)
    run.pass()
    run.answer("undo", of: 0, .poll(at: Instant(milliseconds: 9000)), at: 2)
    run.expect("timer 9.0")
    #expect(run.blocker(0) == .compensation(until: Instant(milliseconds: 9000)))
  }

  private func begun(_ pipeline: Pipeline, _ files: [Int64]) -> RunHarness {
    let run = RunHarness(pipeline, files: files)
    run.send(.runBegan, at: 0)
    run.load()
    return run
  }
}
