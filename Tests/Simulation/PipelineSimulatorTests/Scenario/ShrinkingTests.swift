import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

struct ShrinkingTests {
  /// Runs the scenario that a counterexample writes.
  private func replay(_ example: Counterexample, _ pipeline: String) throws -> PropertyResult? {
    let result = ScenarioDocument.load(bytes: example.document.utf8, file: "minimal.yaml")
    #expect(result.diagnostics == [], "\(example.document)")
    let simulation = try Simulation(
      try SimulationTests.pipeline(pipeline), Scenario(try #require(result.document)))
    return simulation.run(seed: example.seed).properties.first
  }

  @Test func `a property that holds has no counterexample`() throws {
    let simulation = try PropertyTests.simulation(
      "properties: [{ name: p, never: \"${{ items.failed > 0 }}\" }]\n")
    let found = ["p", "another"].map { simulation.counterexample(to: $0, seed: 1) }
    #expect(found.allSatisfy { $0 == nil })
  }

  @Test func `of many events the one is left that matters`() throws {
    let simulation = try PropertyTests.simulation(
      """
      timeline:
        - { after: 1s, for: 2h, network: none }
        - { at: "08:00", open: 1m }
        - { after: 4h, for: 1h, power: false }
        - { after: 5h, do: service_crash }
      random:
        - { every: 1h, do: system_kill }
        - { every: 30m, for: 1m, latency: 1s }
      server: { latency: 100ms, faults: { server_error: 0.1 } }
      properties: [{ name: p, eventually: "${{ items.completed == items.count }}", within: 1h }]

      """)
    let found = simulation.counterexample(to: "p", seed: 1)
    let example = try #require(found)
    #expect(example.moments.all > 40)
    #expect(example.moments.kept == 1)
    #expect(example.scenario.items.count == 1)
    #expect(example.scenario.server == .ideal)
    #expect(example.timeline.count <= 15)
    #expect(example.timeline.last?.contains("'p' is violated") == true)
    let replayed = try #require(try replay(example, "one-by-one"))
    #expect(!replayed.holds)
    #expect(replayed == example.result.properties.first)
  }

  @Test func `a shortened scenario can be replayed to the millisecond`() throws {
    var scenario = try ShippedScenariosTests.scenario("worst-case")
    let source = ScenarioDocument.load(
      bytes: """
        scenario: s
        properties: [{ name: kill, never: "${{ device.kills >= 1 && items.completed > 1 }}" }]
        """.utf8, file: "s.yaml")
    scenario.properties = try #require(source.document).properties
    scenario.random.append(RandomEntry(every: .seconds(600), .action(.systemKill)))
    let simulation = try Simulation(try SimulationTests.pipeline("photos"), scenario)
    let found = simulation.counterexample(to: "kill", seed: 2)
    let example = try #require(found)
    #expect(example.moments.kept < example.moments.all / 4)
    #expect(example.timeline.count <= 15)
    let replayed = try #require(try replay(example, "photos"))
    #expect(replayed == example.result.properties.first)
    #expect(!replayed.holds)
  }

  @Test func `a network that is away for too long is found among hundreds of events`() throws {
    let text = """
      scenario: away
      device: ios17
      days: 7
      opening: always
      items: { count: 40, size: 2 MB }
      conditions: { network: wifi, bandwidth: 400 kB/s, latency: 250ms, power: true, battery: 1 }
      random:
        - { every: 20m, for: { median: 30s, p90: 5m }, network: none }
      properties:
        - { name: all-arrive, eventually: "${{ items.completed == items.count }}", within: 5m }
      """
    let source = ScenarioDocument.load(bytes: text.utf8, file: "away.yaml")
    let simulation = try Simulation(
      try SimulationTests.pipeline("photos"), Scenario(try #require(source.document)))
    let failing = (1...20).first { !simulation.run(seed: $0).isSound }
    let seed = try #require(failing)
    let found = simulation.counterexample(to: "all-arrive", seed: seed, runs: 60)
    let example = try #require(found)
    #expect(example.moments.all > 300)
    #expect(example.moments.kept <= 2)
    #expect(example.runs <= 60)
    #expect(example.timeline.count <= 15)
    #expect(example.timeline.contains { $0.contains("network is none") })
    let replayed = try replay(example, "photos")
    #expect(replayed == example.result.properties.first)
  }

  @Test func `the timeline shows only the affected item and the causes`() throws {
    let pipeline = PipelineDocument.load(
      text: """
        pipeline: publishes
        inputs: { files: { type: files } }
        steps:
          - for_each: file
            in: ${{ inputs.files }}
            steps:
              - id: allocate
                request: { method: POST, url: "https://s.test/a" }
                effect: create
                idempotency: { header: Idempotency-Key }
                outputs: { id: "${{ response.json.id }}" }
              - id: publish
                request: { method: POST, url: "https://s.test/posts/${{ steps.allocate.id }}" }
                effect: repeatable
        """, file: "publishes.yaml")
    let scenario = ScenarioDocument.load(
      bytes: """
        scenario: outage
        days: 1
        opening: always
        items: { count: 20, size: 1 MB }
        conditions: { network: wifi, power: true }
        server: { latency: 1s }
        timeline: [{ after: 1s500ms, for: 1h, network: none }]
        properties:
          - { name: once, at_most_once: "${{ request.step == 'publish' && response.committed }}" }
        """.utf8, file: "outage.yaml")
    let simulation = try Simulation(
      try #require(pipeline.simulated), Scenario(try #require(scenario.document)))
    let failing = (1...20).first { !simulation.run(seed: $0).isSound }
    let found = simulation.counterexample(to: "once", seed: try #require(failing), runs: 60)
    let lines = try #require(found).timeline
    let items = Set(
      lines.dropLast().compactMap { line in
        line.split(separator: " ").drop { $0 != "item" }.dropFirst().first
      })
    #expect(items.count == 1, "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.contains("network is none") }, "\(lines.joined(separator: "\n"))")
    #expect(lines.count { $0.contains("publish → POST") } >= 2, "\(lines.joined(separator: "\n"))")
    #expect(lines.count <= 15)
  }

  @Test func `as many items are left as necessary`() throws {
    let simulation = try PropertyTests.simulation(
      "properties: [{ name: p, never: \"${{ items.completed > 4 }}\" }]\n")
    let found = simulation.counterexample(to: "p", seed: 3)
    let example = try #require(found)
    #expect(example.scenario.items.count == 5)
  }
}
