import Basics
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

/// A simulation of any scenario and any pipeline ends.
struct BoundsTests {
  static let upload = """
    pipeline: up
    inputs: { files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 1
        steps:
          - id: upload
            upload: { url: "http://server/${{ file.name }}", file: "${{ file }}" }
    """

  static func simulation(_ scenario: String, _ pipeline: String = upload) throws -> Simulation {
    let text = """
      scenario: hostile
      items: { count: 2, size: 250 MB }
      conditions: { network: wifi, bandwidth: 1 MB/s, power: true, battery: 1 }
      \(scenario)
      """
    let loaded = ScenarioDocument.load(bytes: text.utf8, file: "hostile.yaml")
    let document = try #require(loaded.document, "\(loaded.diagnostics)")
    let result = PipelineDocument.load(text: pipeline, file: "test.yaml")
    return try Simulation(
      try #require(result.simulated, "\(result.diagnostics)"), Scenario(document))
  }

  @Test(arguments: [
    "after: 510s, do: reboot", "after: 510s, do: second_session", "after: 510s, do: lose_task",
    "after: 510s, do: service_crash", "after: 510s, do: force_quit", "after: 5m, do: reboot",
  ])
  func `an event while a delayed resume is pending does not stop the clock`(event: String) throws {
    for rest in ["", "\n  - { after: 1h, open: 1m }"] {
      let simulation = try Self.simulation(
        """
        device: ios7
        days: 1
        opening: 10s
        timeline:
          - { \(event) }\(rest)
        """)
      let result = simulation.run(seed: 1)
      #expect(result.summary.outcome != .endless)
      // Opening the app lets it continue.
      if !rest.isEmpty, event.hasSuffix("reboot") {
        #expect(result.summary.counts[.done] == 2, "\(result.obstacles)")
      }
    }
  }

  @Test func `FQ4: a resume that fell due before the first unlock comes with it`() throws {
    // 250 MB at 1 MB/s: the first ends at 250 s, the second at 500 s, and is resumed for at 560 s.
    let result = try Self.simulation(
      """
      device: ios7
      days: 1
      opening: 10s
      timeline:
        - { after: 510s, do: reboot }
        - { after: 1h, do: unlock }
      """
    ).run(seed: 1)
    #expect(result.summary.outcome != .endless)
    #expect(result.summary.counts[.done] == 2, "\(result.obstacles)")
    #expect(try #require(result.summary.completions.last) >= .seconds(3600))
  }

  @Test func `TX14: an earliest start is the service's, so that an app that sleeps uploads`()
    throws
  {
    let pipeline = Self.upload.replacing(
      "file: \"${{ file }}\" }", with: "file: \"${{ file }}\", earliest: 2h }")
    let result = try Self.simulation(
      """
      device: ios17
      days: 30
      opening: 10s
      """, pipeline
    ).run(seed: 1)
    #expect(result.summary.counts[.done] == 2, "\(result.obstacles)")
    // 2 h, and 250 s for 250 MB at 1 MB/s.
    #expect(result.summary.completions.first == .seconds(7200 + 250))
  }

  @Test(arguments: [
    "random: [{ every: 1m, do: reboot }, { every: 1m, do: unlock }]",
    "random: [{ every: 1m, do: second_session }, { every: 1m, do: service_crash }]",
    "random: [{ every: 10s, open: 1s }]",
    "random: [{ every: 1m, do: force_quit }, { every: 1m, open: 5s }]",
    "random: [{ every: 1m, do: lose_task }, { every: 90s, do: update_app }]",
    "random: [{ every: 1m, for: 1m, network: none }, { every: 1m, do: purge_files }]",
    "random: [{ every: 1m, clock_forward: 1h }, { every: 1m, clock_back: 1h }]",
  ])
  func `a life full of events ends`(events: String) throws {
    for device in ["ios7", "ios17"] {
      let result = try Self.simulation(
        "device: \(device)\ndays: 3\nopening: 1m\n\(events)"
      ).run(seed: 1)
      #expect(result.summary.outcome != .endless)
      #expect(result.summary.deviceTime <= .seconds(3 * 86400))
    }
  }

  @Test(arguments: [
    ("days: 3650\nrandom: [{ every: 1s, do: unlock }]", "events"),
    ("days: 30\nrandom: [{ every: 20s, for: 30d, network: wifi }]", "overlap"),
  ])
  func `an impossible scenario is refused`(text: String, word: String) throws {
    let problem = #expect(throws: SimulationProblem.self) {
      try Self.simulation("device: ios17\nopening: 1m\n\(text)")
    }
    #expect(problem?.message.contains(word) == true)
  }

  static let polling = """
    pipeline: polling
    inputs: { files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: begin
            request: { method: POST, url: "http://server/b" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: "${{ response.json.id }}" }
          - id: wait
            request: { url: "http://server/${{ steps.begin.id }}", example: { status: 202 } }
            on: [{ if: "${{ response.status == 202 }}", then: poll, after: AFTER }]
    """

  @Test(arguments: TestSupport.TestFiles.isThorough ? ["0s", "1ms", "10s"] : ["0s"])
  func `a poll without an end ends the verification, and is its counter-example`(
    after: String
  ) throws {
    // Every response means that it is not ready; only for 202 does the simulated server add a response that ends it.
    let text = Self.polling.replacing("== 202", with: ">= 200").replacing("AFTER", with: after)
    let safety = try CrashVerifierTests.verify(text, pairs: 0)
    #expect(!safety.isCertified)
    let example = try #require(safety.counterexamples.first)
    #expect(example.kind == .stuck)
    #expect(example.message.hasPrefix("the run never ends, even without faults"))
    #expect(safety.effort.runs == 1)
  }

  @Test func `turns without an end exceed the budget of a simulation`() throws {
    var settings = SimulatedRun.Settings()
    settings.isTraced = false
    settings.budget = WorkBudget([.work: 200_000])
    let scene = try Scene(
      """
      pipeline: one
      steps:
        - id: rep
          repeat:
            from: { n: 0 }
            until: ${{ steps.rep.n >= 1000000000 }}
            steps:
              - id: ping
                request: { url: "http://server/${{ string(steps.rep.n) }}" }
            next: { n: "${{ steps.rep.n + 1 }}" }
      """)
    var run = scene.run(settings: settings)
    guard case .tooManySteps(let count) = run.simulate() else {
      Issue.record("\(String(describing: run.outcome))")
      return
    }
    #expect((500..<2_000).contains(count))
    let word = TraceText.word(.tooManySteps(count))
    #expect(word == "the run had not ended after \(count) steps of the simulation (too-costly)")
  }

  @Test func `a simulation of polls ends after its steps, and reports their number`() throws {
    var settings = SimulatedRun.Settings()
    settings.steps = 10_000
    settings.isTraced = false
    let scene = try Scene(
      """
      pipeline: one
      steps:
        - id: ask
          request: { url: "http://server/ask" }
          on: [{ then: poll, after: 1s }]
      """)
    var run = scene.run(settings: settings) { _ in SimulatedResponse() }
    #expect(run.simulate() == .tooManySteps(10_000))
    #expect(TraceText.word(.tooManySteps(3)).contains("3 steps"))
    // Another process has as many again.
    run.begin(retrying: false)
    #expect(run.simulate() == .tooManySteps(10_000))
    #expect(run.steps == 20_002)
  }
}
