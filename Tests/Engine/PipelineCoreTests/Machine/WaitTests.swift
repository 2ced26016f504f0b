import MachineSupport
import PipelineCore
import Testing

/// What waits, and why.
struct WaitTests {
  @Test func `items that have not started wait for the run's step, with its failure`() {
    let run = RunHarness(SmallPipelines.photos(), files: [100, 100, 100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .retry(refused), at: 1)
    let waits = run.machine.waits()
    guard waits.count == 2 else {
      Issue.record("expected a step and the items, got \(waits)")
      return
    }
    #expect(waits[0].subject == .step(0))
    #expect(waits[0].name == "step 'sign_in'")
    #expect(waits[0].blocker.kind.0 == .delay)
    #expect(waits[0].since == run.machine.state.began + .seconds(1))
    #expect(waits[0].failure == refused)
    #expect(waits[1].subject == .pending(loop: 0, count: 3))
    #expect(waits[1].blocker == .dependency(step: 1, on: 0))
    #expect(waits[1].failure == refused)
    run.pass()
  }

  @Test(arguments: ["step 'sign_in': POST returned 404", "POST returned 404"])
  func `the reason of a run names its step once`(_ message: String) {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .fail(Failure(message, status: 404)), at: 1)
    #expect(run.machine.state.reason?.message == "step 'sign_in': POST returned 404")
    run.pass()
  }

  @Test func `items that have not started wait for those that are busy`() {
    let run = RunHarness(SmallPipelines.single(concurrency: 2), files: [1, 1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    run.pass()
    let waits = run.machine.waits()
    #expect(waits.map(\.blocker) == [.attempt(step: 0), .attempt(step: 0), .concurrency(limit: 2)])
  }

  @Test func `a command in flight when a process ends has no other visible wait`() {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.answer("sign_in", .token("t1"), at: 1)
    run.load()
    run.pass()
    let stored = run.machine.state
    let seen = Machine(
      observing: stored, evaluator: run.machine.evaluator, at: stored.began + .seconds(2))
    #expect(seen.blockers == run.machine.blockers)
    #expect(seen.violations() == [])
  }

  @Test func `an item in back-off waits for the time after a restart, without a place`() {
    let run = RunHarness(SmallPipelines.single(concurrency: 1), files: [1, 1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("send", of: 0, .retry(refused), at: 1)
    run.pass()
    run.crash(at: 1)
    guard case .delay? = run.machine.blockers[ItemKey(loop: 0, ordinal: 0)] else {
      Issue.record("0/0 waits for \(run.machine.blockers)")
      return
    }
    run.pass()
  }

  private let refused = Failure("connection refused")
}
