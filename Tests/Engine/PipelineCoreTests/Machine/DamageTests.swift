import MachineSupport
import PipelineCore
import Testing

/// Events from a damaged store or an odd definition must neither trap nor loop.
struct DamageTests {
  @Test func `a store that has fewer pending items than counted halts the run`() {
    let pipeline = SmallPipelines.single()
    let now = Instant(milliseconds: 0)
    var state = RunState(
      id: RunID("run"), pipeline: pipeline, inputs: [:], seed: 1, began: now)
    state.loops[0].isEnumerated = true
    state.loops[0].counts[.pending] = 2
    var machine = Machine(state, evaluator: Evaluator(pipeline))
    let demanded = machine.apply(.runBegan, at: now)
    #expect(demanded.contains { if case .loadItems = $0 { true } else { false } })
    let effects = machine.apply(.itemsLoaded(loop: 0, [], isLast: true), at: now)
    #expect(machine.state.status == .paused)
    #expect(machine.state.reason?.message.contains("lost pending items") == true)
    #expect(effects == [.stop])
  }

  @Test func `a delay without an end is long, and does not trap`() {
    let policy = RetryPolicy(
      initial: .milliseconds(Int64.max / 2), factor: 10, maximum: .milliseconds(Int64.max))
    let delay = policy.delay(afterFailures: 5)
    #expect(delay == .milliseconds(1_000_000_000_000_000))
    #expect(Instant(milliseconds: .max - 1) + delay == Instant(milliseconds: .max))
  }
}
