import PipelineCore
import PipelineEngine
import PipelineFiles
import Testing

struct SteadyClockTests {
  private func state() -> RunState {
    let pipeline = Pipeline(
      name: "a", description: nil, inputs: [], budgets: Budgets(), nodes: [], steps: [], loops: [])
    return RunState(
      id: RunID("a"), pipeline: pipeline, inputs: [:], seed: 1, began: SteadyClock().now())
  }

  @Test func `the next process continues with the time of the one before`() {
    var state = state()
    let first = SteadyClock(continuing: state)
    state.time = first.anchor
    let second = SteadyClock(continuing: state)
    #expect(second.anchor == first.anchor)
    #expect(!second.anchor.boot.isEmpty)
    #expect(second.now() >= state.began)
  }

  @Test func `a run whose time is ahead of the wall clock continues from there`() {
    var state = state()
    state.ended = state.began + .seconds(86400)
    #expect(SteadyClock(continuing: state).now() >= state.began + .seconds(86400))
    #expect(ScaledClock(speed: 60, continuing: state).now() >= state.began + .seconds(86400))
  }

  @Test func `a moment in the past is not waited for, and a cancelled wait ends`() async {
    let clock = SteadyClock()
    await clock.sleep(until: clock.now() - .seconds(1))
    let waiting = Task { await clock.sleep(until: clock.now() + .seconds(86400)) }
    waiting.cancel()
    await waiting.value
    #expect(clock.now() <= SteadyClock().now() + .seconds(60))
  }
}
