import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

struct SimulationTests {
  static func pipeline(_ name: String) throws -> SimulatedPipeline {
    let file = "Pipelines/\(name).yaml"
    let text = try TestFiles.text(file)
    return try #require(
      PipelineDocument.load(
        bytes: text.utf8, file: file,
        files: DocumentFiles { (try? TestFiles.text("Pipelines/" + $0)).map { Array($0.utf8) } }
      ).simulated)
  }

  @Test func `no items are refused`() throws {
    var scenario = Scenario.ideal
    scenario.items.count = 0
    let pipeline = try Self.pipeline("photos")
    #expect(throws: SimulationProblem.self) { try Simulation(pipeline, scenario) }
  }

  @Test func `an input without a value is refused`() throws {
    let pipeline = try #require(
      PipelineDocument.load(
        bytes: """
          pipeline: ask
          inputs: { size: { type: int } }
          steps: [{ id: ask, request: { url: "https://a.test/${{ inputs.size }}" } }]
          """.utf8, file: "ask.yaml"
      ).simulated)
    let problem = try #require(throws: SimulationProblem.self) {
      try Simulation(pipeline, .ideal)
    }
    #expect(problem.message == "the input 'size' has no value")
  }

  @Test(arguments: [
    ("string", "https://a.test/bucket"), ("string, default: ''", "https://a.test/"),
  ])
  func `a text without a value gets a placeholder, and an empty one stays empty`(
    input: String, url: String
  ) throws {
    let pipeline = try #require(
      PipelineDocument.load(
        bytes: """
          pipeline: ask
          inputs: { bucket: { type: \(input) } }
          steps: [{ id: ask, request: { url: "https://a.test/${{ inputs.bucket }}" } }]
          """.utf8, file: "ask.yaml"
      ).simulated)
    let trace = try Simulation(pipeline, .ideal).run(seed: 1, isTraced: true).trace
    #expect("\(trace)".contains("url: \"\(url)\""))
  }

  @Test(arguments: ["photos", "documents", "one-by-one"])
  func `everything is complete in an ideal world`(name: String) throws {
    let result = try Simulation(try Self.pipeline(name), .ideal).run(seed: 1)
    #expect(result.summary.outcome == .rested)
    #expect(result.summary.counts[.done] == 100)
    #expect(result.obstacles.isEmpty)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a seed produces the same trace again`(seed: UInt64) throws {
    let simulation = try Simulation(try Self.pipeline("photos"), .standard)
    let first = simulation.run(seed: seed, isTraced: true)
    let second = simulation.run(seed: seed, isTraced: true)
    #expect(first.trace == second.trace)
    #expect(first.summary == second.summary)
    #expect(simulation.run(seed: seed + 10, isTraced: true).trace != first.trace)
  }

  @Test func `a world without a network reports it`() throws {
    var scenario = Scenario.ideal
    scenario.conditions.network = ScenarioConditions.Network.none
    scenario.length = .seconds(86400)
    let result = try Simulation(try Self.pipeline("one-by-one"), scenario).run(seed: 1)
    #expect(result.summary.outcome == .stuck)
    let obstacle = try #require(result.obstacles.first)
    #expect(obstacle.rule == "DI8")
    #expect(obstacle.isPermanent)
    #expect(obstacle.message == "there is never any network for 'upload'")
  }
}
