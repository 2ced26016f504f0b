import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineEngine
import PipelineSimulator
import TestSupport
import Testing

/// The time of a run follows the clock that cannot be set.
struct ClockChangeTests {
  /// A run whose second request is deferred by an hour, while its clock is set.
  private func run(
    _ interventions: [(after: Duration, SimulatedRun.Intervention)],
    device: any DeviceModel = IdealDevice()
  ) throws -> SimulatedRun {
    var settings = SimulatedRun.Settings()
    settings.limit = .seconds(3 * 86400)
    settings.interventions = interventions
    settings.tracesBlockers = true
    var run = try Scene(files: ["a": 10]).run(settings: settings, device: device) { exchange in
      exchange.request.url.hasSuffix("/content/id-a-1") && exchange.id.attempt == 1
        ? SimulatedResponse(status: 503, headers: [.init(name: "Retry-After", value: "3600")])
        : Scene.respond(to: exchange)
    }
    run.simulate()
    return run
  }

  /// Time from the refused upload to the next request.
  private func wait(_ run: SimulatedRun) throws -> Duration {
    let refused = try #require(
      run.trace.exchanges.first { $0.request.url.contains("/content/") })
    let next = try #require(run.trace.exchanges.first { $0.at > refused.at })
    return next.at - refused.at
  }

  private static let year: Duration = .seconds(365 * 86400)

  @Test(arguments: [Duration.seconds(7200), year, .zero - year, .seconds(-30)])
  func `setting a clock does not shorten or extend any wait`(by step: Duration) throws {
    let run = try run([(.seconds(600), .changeClock(by: step))])
    #expect(try wait(run) == .seconds(3600))
    #expect(run.outcome == .rested)
    #expect(run.count(.done) == 1)
  }

  @Test(arguments: [Duration.seconds(7200), year, .zero - year, .seconds(-30)])
  func `the next process continues with the time of the one before`(by step: Duration) throws {
    let run = try run([(.seconds(600), .changeClock(by: step)), (.seconds(700), .restart)])
    #expect(try wait(run) == .seconds(3600))
    #expect(run.count(.done) == 1)
  }

  /// A device that is restarted 1000 s after the start.
  private var restarting: PhoneDevice {
    PhoneDevice(
      .ios17,
      life: [
        .init(after: .seconds(1000), .reboot), .init(after: .seconds(1100), .unlock),
        .init(after: .seconds(1100), .openApp),
      ], from: SimulatedRun.Settings().start, conditions: DeviceConditions())
  }

  @Test func `after another start, a clock that was set back does not extend a wait`() throws {
    let run = try run(
      [(.seconds(600), .changeClock(by: .zero - Self.year))], device: restarting)
    let wait = try wait(run)
    // The elapsed part of the wait is not known: it restarts where it was last seen.
    #expect(wait >= .seconds(3600))
    #expect(wait <= .seconds(3600 + 1100))
    #expect(run.count(.done) == 1)
  }

  @Test func `after another start, a wait ends by the wall clock`() throws {
    let run = try run([(.seconds(600), .changeClock(by: .seconds(7200)))], device: restarting)
    #expect(try wait(run) < .seconds(3600))
    #expect(run.count(.done) == 1)
  }

  @Test func `waiting steps are shown in virtual time`() throws {
    let run = try run(
      [(.seconds(600), .changeClock(by: .seconds(1800)))], device: restarting)
    let start = run.start
    let ends = run.trace.events.compactMap { event -> Duration? in
      guard case .blocked(_, .delay(_, let until)) = event.fact else { return nil }
      return until - start
    }
    let first = try #require(ends.first)
    #expect(ends.last == first - .seconds(1800))
  }

  @Test(arguments: [Duration.seconds(100), .seconds(2)], [Duration.seconds(50), .seconds(-5000)])
  func `a start that is known counts, regardless of the wall clock`(
    elapsed: Duration, lead: Duration
  ) throws {
    var state = try #require(try Scene(count: 1).run().state)
    state.time = TimeAnchor(boot: "a", origin: state.began - .seconds(20))
    let anchor = TimeAnchor(
      continuing: state, boot: "a", elapsed: elapsed, wall: state.began + lead)
    let now = anchor.origin + elapsed
    #expect(now == max(state.began - .seconds(20) + elapsed, state.began))
  }

  @Test func `another start asks the wall clock, but never moves back`() throws {
    var state = try #require(try Scene(count: 1).run().state)
    state.time = TimeAnchor(boot: "a", origin: state.began)
    let later = TimeAnchor(
      continuing: state, boot: "b", elapsed: .seconds(5), wall: state.began + .seconds(9))
    #expect(later.origin + .seconds(5) == state.began + .seconds(9))
    let earlier = TimeAnchor(
      continuing: state, boot: "b", elapsed: .seconds(5), wall: state.began - .seconds(9))
    #expect(earlier.origin + .seconds(5) == state.began)
  }

  @Test func `a scenario puts the clock`() throws {
    let text = """
      scenario: clock
      device: ios17
      days: 1
      items: { count: 3, size: 1 MB }
      conditions: { network: wifi, bandwidth: 1 MB/s }
      opening: always
      timeline:
        - { after: 1s, clock_forward: 2h }
        - { after: 2s, clock_back: 1h }
      """
    let document = try #require(
      ScenarioDocument.load(bytes: text.utf8, file: "clock.yaml").document)
    let result = try Simulation(
      try SimulationTests.pipeline("photos"), Scenario(document)
    ).run(seed: 1, isTraced: true)
    let steps = result.trace.events.compactMap { event -> Duration? in
      if case .clockChanged(let step) = event.fact { step } else { nil }
    }
    #expect(steps == [.seconds(7200), .seconds(-3600)])
    #expect(result.summary.counts[.done] == 3)
  }
}
