import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

/// Advice that was followed makes the figure better, by as much as predicted.
struct AdviceTests {
  struct Story: Sendable, CustomTestStringConvertible {
    let pipeline: String
    /// `nil` is the life of an app that is not touched.
    let scenario: String?
    var items: Int?

    var testDescription: String { "\(pipeline) in \(scenario ?? "left-alone")" }
  }

  static let stories = [
    Story(pipeline: "one-by-one", scenario: "five-files"),
    Story(pipeline: "one-by-one", scenario: "thousand-photos", items: 120),
    Story(pipeline: "photos", scenario: "short-lived-ids", items: 30),
    Story(pipeline: "photos", scenario: "token-in-queue", items: 20),
    Story(pipeline: "photos", scenario: "two-sessions"),
    Story(pipeline: "photos", scenario: "updates", items: 12),
    Story(pipeline: "batched-finalize", scenario: "thirty-seconds", items: 40),
    Story(pipeline: "stories/finalized", scenario: "thirty-seconds", items: 40),
    Story(pipeline: "stories/renewed", scenario: "queue-of-an-hour"),
    Story(pipeline: "stories/discretionary", scenario: "ten-gigabytes"),
    Story(pipeline: "stories/discretionary", scenario: "until-the-night"),
    Story(pipeline: "stories/fetch", scenario: "half-a-minute"),
    Story(pipeline: "stories/gallery", scenario: nil, items: 20),
    Story(pipeline: "stories/film", scenario: nil),
    Story(pipeline: "stories/short-timeout", scenario: nil, items: 3),
  ]

  private func simulation(_ story: Story, _ change: DocumentOverride? = nil) throws -> Simulation {
    let file = "Pipelines/\(story.pipeline).yaml"
    var text = try TestFiles.text(file)
    if let change { text = try change.applied(to: text).text }
    let loaded = PipelineDocument.load(bytes: text.utf8, file: file)
    var scenario = Scenario.leftAlone
    if let name = story.scenario {
      let file = "Pipelines/stories/\(name).yaml"
      let document = ScenarioDocument.load(bytes: try TestFiles.text(file).utf8, file: file)
      scenario = Scenario(try #require(document.document))
    }
    if let items = story.items { scenario.items.count = items }
    return try Simulation(try #require(loaded.simulated, "\(loaded.diagnostics)"), scenario)
  }

  @Test(arguments: stories)
  func `following the advice improves the figure`(story: Story) throws {
    let base = try simulation(story)
    for advice in AdviceSearch(base, seed: 1, steps: 40_000).advice() {
      let change = DocumentOverride(key: advice.setting.key, value: advice.setting.value)
      let changed = try simulation(story, change)
      func figure(_ simulation: Simulation) -> Advice.Figure {
        Advice.Figure(
          advice.seeds.map { seed in
            let result = simulation.run(seed: seed)
            return SeedOutcome(seed: seed, summary: result.summary, properties: result.properties)
          })
      }
      #expect(figure(base) == advice.before)
      #expect(figure(changed) == advice.after, "\(advice.text)")
      #expect(advice.after.isBetter(than: advice.before), "\(advice.text)")
    }
  }

  @Test func `the advice names the setting that helps, with its figure`() throws {
    let five = try simulation(Self.stories[0])
    let advice = AdviceSearch(five, seed: 1, steps: 40_000).advice()
    // 15 minutes of delay behind five resumes, against none behind one.
    #expect(advice.first?.setting == .init("file.concurrency", "5"))
    #expect(advice.first?.text.contains("instead of") == true)
    let short = try simulation(try #require(Self.stories.last))
    let timeout = AdviceSearch(short, seed: 1, steps: 40_000).advice()
    #expect(timeout.contains { $0.setting.key.hasSuffix("resource_timeout") }, "\(timeout)")
    #expect(timeout.first?.after.completed == timeout.first?.after.items)
  }

  @Test func `a setting that only stops earlier is not advised, though it wastes less`() throws {
    let pipeline = """
      pipeline: uploads
      inputs: { files: { type: files } }
      retry: { standard: { attempts: 2, jitter: none } }
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - { id: put, upload: { url: "https://s.test/a", file: "${{ file }}" } }
      """
    // 40,000 s of bytes in a network that goes away each half hour:
    // it is started again and again, for nothing.
    let scenario = """
      scenario: flaky
      device: ios8
      days: 3
      opening: always
      items: { count: 1, size: 4 GB }
      conditions: { network: wifi, bandwidth: 100 kB/s, power: true }
      random: [{ every: 30m, for: 5m, network: none }]
      """
    let loaded = PipelineDocument.load(text: pipeline, file: "a.yaml")
    let world = ScenarioDocument.load(bytes: scenario.utf8, file: "b.yaml")
    let life = try Simulation(
      try #require(loaded.simulated, "\(loaded.diagnostics)"),
      Scenario(try #require(world.document, "\(world.diagnostics)")))
    let result = life.run(seed: 1).summary
    #expect(result.counts[.done] ?? 0 == 0 && result.bytesWasted > 1_000_000_000)
    let advice = AdviceSearch(life, seed: 1).advice()
    #expect(advice.allSatisfy { $0.after.stopped == 0 }, "\(advice.map(\.text))")
  }

  @Test func `where nothing is left to be gained nothing is tried`() throws {
    var scenario = Scenario.ideal
    scenario.items.count = 3
    let ideal = try Simulation(try SimulationTests.pipeline("one-by-one"), scenario)
    #expect(AdviceSearch(ideal, seed: 1).advice().isEmpty)
  }
}
