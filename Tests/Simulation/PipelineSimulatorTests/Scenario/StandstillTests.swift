import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

/// A scenario that is stuck ends there, and reports why.
struct StandstillTests {
  private func result(
    _ lines: String, _ pipeline: String = "one-by-one", days: Int = 300
  ) throws -> SimulationResult {
    let text = """
      scenario: standstill
      device: ios17
      days: \(days)
      items: { count: 5, size: 20 MB }
      \(lines)
      """
    let loaded = ScenarioDocument.load(bytes: text.utf8, file: "standstill.yaml")
    let document = try #require(loaded.document, "\(loaded.diagnostics)")
    return try Simulation(
      try SimulationTests.pipeline(pipeline), Scenario(document)
    ).run(seed: 1, isTraced: true)
  }

  private static let wifi = "conditions: { network: wifi, bandwidth: 100 kB/s, power: true }"

  @Test func `swiping the app away and never opening it again ends the scenario`() throws {
    let result = try result(
      """
      \(Self.wifi)
      opening: 1m
      timeline:
        - { after: 2m, do: force_quit }
        - { from: "19:00", to: "07:00", network: cellular, bandwidth: 1 MB/s }
        - { at: "12:00", do: system_kill }
      """)
    #expect(result.summary.outcome == .stuck)
    #expect(result.summary.deviceTime < .seconds(86400))
    #expect(result.obstacles.first?.rule == "FQ1")
    // 300 days change the network twice a day.
    #expect(result.trace.events.count < 200)
  }

  @Test func `an app without transfers that is not opened does not make progress`() throws {
    let result = try result(
      """
      conditions: { network: none }
      opening: 1s
      timeline:
        - { at: "12:00", for: 1h, network: cellular, bandwidth: 1 MB/s }
      """, "photos")
    #expect(result.summary.outcome == .stuck)
    #expect(result.summary.deviceTime < .seconds(86400))
    #expect(result.trace.events.count < 200)
  }

  @Test func `transfers without any usable network do not make progress, even in an open app`()
    throws
  {
    let result = try result(
      """
      conditions: { network: none }
      opening: 1m
      timeline:
        - { at: "08:00", open: 2m }
        - { from: "23:00", to: "07:00", power: true }
      """, days: 6)
    #expect(result.summary.outcome == .stuck)
    #expect(result.summary.deviceTime < .seconds(86400))
    let obstacle = try #require(result.obstacles.first)
    #expect(obstacle.rule == "DI8")
    #expect(obstacle.isPermanent)
    #expect(result.trace.events.count < 50)
  }

  @Test func `a network that is still to come is waited for`() throws {
    let result = try result(
      """
      conditions: { network: none }
      opening: 1m
      timeline:
        - { at: "08:00", open: 2m }
        - { day: 6, at: "08:00", for: 1h, network: wifi, bandwidth: 10 MB/s }
      """, days: 6)
    #expect(result.summary.counts[.done] == 5)
  }

  @Test func `a transfer that ends before the scenario does is waited for`() throws {
    let result = try result(
      """
      conditions: { network: none }
      opening: 1m
      """, days: 30)
    #expect(result.summary.deviceTime > .seconds(6 * 86400))
  }

  @Test func `a property that depends only on time is waited for`() throws {
    let result = try result(
      """
      \(Self.wifi)
      opening: 1m
      timeline:
        - { after: 2m, do: force_quit }
        - { at: "12:00", do: system_kill }
      properties: [{ name: late, never: "${{ time > duration('200h') && items.active > 0 }}" }]
      """, days: 10)
    #expect(result.summary.deviceTime > .seconds(8 * 86400))
    #expect(result.properties.map(\.holds) == [false])
  }
}
