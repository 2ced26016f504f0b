import CEL
import PipelineCore
import PipelineSimulator
import Testing

struct SimulationSummaryTests {
  private func finished(
    isTraced: Bool,
    _ response: @escaping @Sendable (SimulatedRequest) -> SimulatedResponse = Scene.respond
  ) throws -> SimulatedRun {
    var settings = SimulatedRun.Settings()
    settings.isTraced = isTraced
    settings.tracesBlockers = true
    var run = try Scene(count: 4).run(settings: settings, response)
    run.simulate()
    return run
  }

  @Test func `a run without a trace has the same numbers`() throws {
    let traced = try finished(isTraced: true)
    let untraced = try finished(isTraced: false)
    #expect(untraced.trace.events.isEmpty && !traced.trace.events.isEmpty)
    #expect(SimulationSummary(traced) == SimulationSummary(untraced))
    #expect(SimulationSummary(traced).completions.count == 4)
  }

  @Test func `parts of the items are complete at their times, and some never`() throws {
    let run = try finished(isTraced: true) { exchange in
      exchange.request.url.contains("/allocate/103")
        ? SimulatedResponse(status: 400) : Scene.respond(to: exchange)
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

  @Test func `each moment counts once, for one cause`() throws {
    let run = try finished(isTraced: false) { exchange in
      exchange.request.url.contains("/allocate/") && exchange.id.attempt == 1
        ? SimulatedResponse(status: 503) : Scene.respond(to: exchange)
    }
    let stalls = SimulationSummary(run).stalls
    // All four are refused at once and back off for the same second. Before that the run signs in for 0.1 s; after
    // it two at a time have three answers of 0.1 s each.
    #expect(stalls["delay"] == .seconds(1))
    #expect(stalls["answer"] == .milliseconds(100 + 2 * 300))
    #expect(stalls.values.reduce(.zero, +) == run.now - run.start)
    #expect(run.tally.requests == 1 + 4 * 4)
  }
}
