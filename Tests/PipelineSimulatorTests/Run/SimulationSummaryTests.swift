import CEL
import PipelineCore
import PipelineSimulator
import Testing

struct SimulationSummaryTests {
  private func finished(
    isTraced: Bool, _ reply: @escaping @Sendable (Exchange) -> Reply = Scene.reply
  ) throws -> SimulatedRun {
    var settings = SimulatedRun.Settings()
    settings.isTraced = isTraced
    settings.tracesBlockers = true
    var run = try Scene(count: 4).run(settings: settings, reply)
    run.simulate()
    return run
  }

  @Test func `a run without a trace comes to the same numbers`() throws {
    let traced = try finished(isTraced: true)
    let untraced = try finished(isTraced: false)
    #expect(untraced.trace.events.isEmpty && !traced.trace.events.isEmpty)
    #expect(SimulationSummary(traced) == SimulationSummary(untraced))
    #expect(SimulationSummary(traced).completions.count == 4)
  }

  @Test func `parts of the items are complete at their times, and some never`() throws {
    let run = try finished(isTraced: true) { exchange in
      exchange.request.url.contains("/allocate/103")
        ? Reply(status: 400) : Scene.reply(to: exchange)
    }
    let summary = SimulationSummary(run)
    #expect(summary.counts == [.done: 3, .failed: 1])
    #expect(summary.completed(part: 0.5) == summary.completions[1])
    #expect(summary.completed(part: 0.75) == summary.completions[2])
    #expect(summary.completed(part: 0.9) == nil)
    let json = try Value(json: summary.json())
    #expect(json.mapValue?["completed"]?.intValue == 3)
    #expect(json.mapValue?["completed_at"]?.mapValue?["p90"]?.isNull == true)
  }

  @Test func `what items wait for is added up by cause`() throws {
    let run = try finished(isTraced: false) { exchange in
      exchange.request.url.contains("/allocate/") && exchange.id.attempt == 1
        ? Reply(status: 503) : Scene.reply(to: exchange)
    }
    let stalls = SimulationSummary(run).stalls
    // Four items, each with one back-off of a second.
    #expect(stalls["delay"] == .seconds(4))
    #expect(stalls["answer"] == .milliseconds(4 * 300))
    #expect(run.tally.requests == 1 + 4 * 4)
  }
}
