import Basics
import JSONSchema
import PipelineCore
import PipelineDocument
import PipelineSimulator
import Testing
import PipelineScenarios

/// Simulations with reports on them.
struct ReportScene {
  /// Upload IDs that live ten minutes, in a queue that takes longer.
  static let shortLived = """
    pipeline: short-lived
    inputs:
      photos: { type: files }
    budgets: { disk: 2 GB }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 2
        steps:
          - id: allocate
            request: { method: POST, url: "https://server.test/allocate/${{ photo.name }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs:
              key: { value: "${{ string(response.status) }}", expires: { in: 10m } }
          - id: body
            materialize: { file: "${{ photo }}" }
          - id: upload
            upload:
              url: "https://server.test/content/${{ steps.allocate.key }}"
              file: ${{ steps.body.file }}
            on:
              - { if: "${{ response.status in [401, 403, 404, 410] }}", expired: allocate }
    """

  let simulated: SimulatedPipeline
  var pipeline: Pipeline { simulated.pipeline }
  var scenario = Scenario.leftAlone

  init(_ text: String, items: Int = 4, profile: DeviceProfile = .ios8) throws {
    let result = PipelineDocument.load(text: text, file: "test.yaml")
    simulated = try #require(result.simulated, "\(result.diagnostics)")
    scenario.profile = profile
    scenario.items.count = items
    // The server drops its results when it reports that.
    scenario.server.lifetimes = [StepID("allocate"): .seconds(600)]
  }

  /// The shipped pipeline that shows the mistake, with another concurrency.
  init(oneByOne items: Int, concurrency: Int = 1) throws {
    let text = try TestFiles.text("Pipelines/one-by-one.yaml")
    let change = try DocumentOverride(key: "concurrency", value: "\(concurrency)")
      .applied(to: text)
    try self.init(change.text, items: items)
  }

  var heading: SimulationReport.Heading {
    .init(pipeline: pipeline.name, scenario: scenario.name, device: scenario.profile.name)
  }

  func result(seed: UInt64 = 1) throws -> SimulationResult {
    try Simulation(simulated, scenario).run(seed: seed, isTraced: true)
  }

  func report(seed: UInt64 = 1) throws -> SimulationReport {
    SimulationReport(heading, pipeline, try result(seed: seed))
  }

  func statistics(seeds: Int = 3) throws -> SeedStatistics {
    let simulation = try Simulation(simulated, scenario)
    return SeedStatistics(
      (1...UInt64(seeds)).map { seed in
        let result = simulation.run(seed: seed)
        return SeedOutcome(seed: seed, summary: result.summary, properties: result.properties)
      })
  }

  func entry(_ settings: SimulationComparison.Setting...) throws -> SimulationComparison.Case {
    SimulationComparison.Case(settings, heading, try statistics())
  }

  /// The findings of the schema of reports about a JSON text.
  static func findings(in json: String) throws -> [String] {
    let schema = try Schema.compile(
      try JSONReader().read(try TestFiles.text("Schemas/simulation-report.schema.json")).root)
    return schema.validate(try JSONReader().read(json).root).findings.map { "\($0)" }
  }
}
