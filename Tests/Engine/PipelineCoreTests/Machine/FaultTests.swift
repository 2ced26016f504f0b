import MachineSupport
import PipelineCore
import Testing

/// A shortage of a machine is left to other machines,
/// and counts as the item's failure only when enough of them agree.
struct FaultTests {
  private static let gone = Verdict.fail(Failure("no such file", lacking: .files))

  /// The run, acquired by several workers in turn; each receives the state of the last one.
  private func begun(by worker: String?, files: [Int64] = [1]) -> RunHarness {
    let run = RunHarness(SmallPipelines.single(concurrency: 4), files: files)
    run.send(.limitsKnown(ProcessLimits(worker: worker)))
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    return run
  }

  private func retry(_ run: RunHarness, by worker: String) {
    run.send(.limitsKnown(ProcessLimits(worker: worker)))
    run.send(run.requeue())
    run.load()
    run.pass()
  }

  @Test func `a file that is missing at one worker leaves its item to two others`() throws {
    let run = begun(by: "a")
    run.answer("send", of: 0, Self.gone)
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).refusedBy == ["a"])
    #expect(run.row(0).reason?.lacking == .files)
    retry(run, by: "b")
    run.answer("send", of: 0, Self.gone)
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).refusedBy == ["a", "b"])
    // Again: one worker has one vote.
    retry(run, by: "a")
    run.answer("send", of: 0, Self.gone)
    #expect(run.row(0).refusedBy == ["a", "b"])
    retry(run, by: "c")
    run.answer("send", of: 0, Self.gone)
    #expect(run.row(0).status == .failed)
    #expect(run.row(0).reason?.message == "no such file (at a, b, c)")
    #expect(run.row(0).reason?.lacking == nil)
    #expect(run.row(0).refusedBy == [])
    run.pass()
  }

  @Test func `however many workers may not send to a host, the item does not fail`() throws {
    let refused = Verdict.pause(Failure("not listed", lacking: .hosts))
    let run = begun(by: "a")
    for worker in ["b", "c", "d", "e"] {
      run.answer("send", of: 0, refused)
      #expect(run.row(0).status == .paused)
      #expect(run.row(0).refusedBy == [])
      #expect(run.row(0).reason?.lacking == .hosts)
      retry(run, by: worker)
    }
    run.answer("send", of: 0, .ok())
    run.answer("mark", of: 0, .ok())
    #expect(run.row(0).status == .done)
    run.pass()
  }

  @Test func `another worker may succeed`() throws {
    let run = begun(by: "a")
    run.answer("send", of: 0, Self.gone)
    retry(run, by: "b")
    run.answer("send", of: 0, .ok())
    run.answer("mark", of: 0, .ok())
    #expect(run.row(0).status == .done)
    run.pass()
  }

  @Test func `without other workers, the item fails at once`() throws {
    let run = begun(by: nil)
    run.answer("send", of: 0, Self.gone)
    #expect(run.row(0).status == .failed)
    run.pass()
  }

  @Test(arguments: [
    Verdict.fail(Failure("refused", status: 422)), .fail(Failure("refused", status: 403)),
    .fail(Failure("no such key in the response")),
  ])
  func `a server's response about an item, and an expression's error, belong to the item`(
    verdict: Verdict
  ) throws {
    let run = begun(by: "a")
    run.answer("send", of: 0, verdict)
    #expect(run.row(0).status == .failed)
    run.pass()
  }

  @Test func `a refused password is the worker's`() throws {
    let run = RunHarness(SmallPipelines.single(hasPassword: true), files: [1])
    run.send(.limitsKnown(ProcessLimits(worker: "a")))
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .fail(Failure("unauthorized", status: 401)))
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.lacking == .credentials)
    run.pass()
  }

  @Test func `a worker that lacks the files of several items in a row leaves the shard`() throws {
    let run = begun(by: "a", files: [1, 1, 1, 1])
    for item in 0..<3 { run.answer("send", of: item, Self.gone) }
    #expect(run.machine.state.status == .paused)
    #expect(run.machine.state.reason?.lacking == .files)
    #expect(run.machine.state.loops[0].counts[.failed] == 0)
    run.pass()
  }

  @Test(arguments: [Resource.network, .diskSpace, .openFiles])
  func `a resource that a worker lacks for half a minute may be available elsewhere`(
    resource: Resource
  ) throws {
    let run = begun(by: "a")
    let verdict = Verdict.unavailable(resource, Failure("short"))
    run.answer("send", of: 0, verdict, at: 0)
    var now = 0.0
    while run.machine.state.status == .running, now < 60 {
      now += 1
      run.send(.timerFired, at: now)
      if run.inFlight("send", of: 0) != nil { run.answer("send", of: 0, verdict, at: now) }
    }
    #expect(now == 30)
    #expect(run.machine.state.status == .paused)
    #expect(run.machine.state.reason?.lacking == Lack(rawValue: resource.rawValue))
    run.pass()
  }

  @Test func `attempts without any response indicate the route from here`() throws {
    let run = begun(by: "a")
    var now = 0.0
    while run.machine.state.loops[0].counts[.active] == 1, now < 600 {
      if run.inFlight("send", of: 0) != nil {
        run.answer("send", of: 0, .retry(Failure("the connection was refused")), at: now)
      }
      now += 1
      run.send(.timerFired, at: now)
    }
    #expect(run.row(0).status == .paused)
    #expect(run.row(0).reason?.lacking == .network)
    #expect(run.row(0).refusedBy == ["a"])
    run.pass()
  }
}
