import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

/// TX1: a background session of a phone sends files, and no ranges of them.
struct RangeCopyTests {
  @Test func `a phone refuses an upload of a range`() throws {
    let result = try Self.simulate(copiesRanges: false)
    #expect(result.summary.counts[.done] == nil)
  }

  @Test func `a copy of the range uses the disk budget, and is deleted with its part`() throws {
    let pipeline = try Self.pipeline(copiesRanges: true)
    #expect(pipeline.steps.map(\.id.rawValue) == ["parts", "send.copy", "send"])
    #expect(pipeline.pipeline.partSteps(of: 0) == 1..<3)
    let result = try Self.simulate(copiesRanges: true)
    #expect(result.summary.counts[.done] == 2)
    // Files of 10 MB in parts of 3 MB, and a disk for two of these.
    #expect(result.summary.peakDiskBytes > 3_000_000)
    #expect(result.summary.peakDiskBytes <= 6_000_000)
  }

  @Test func `turns copy their ranges too`() throws {
    let pipeline = try Self.pipeline(Self.turns, copiesRanges: true)
    #expect(pipeline.steps.map(\.id.rawValue) == ["sent", "send.copy", "send"])
    let result = try Self.simulate(Self.turns, copiesRanges: true)
    #expect(result.summary.counts[.done] == 2)
    #expect(result.summary.peakDiskBytes <= 6_000_000)
  }

  private static let parts = #"""
        - id: parts
          for_each: part
          in: '${{ parts(file.size, {"size": 3 * MB}) }}'
          concurrency: 4
          steps:
            - id: send
              upload: { method: PUT, url: "${{ inputs.server + '/' + string(part.index) }}", file: "${{ file }}", range: { offset: "${{ part.offset }}", length: "${{ part.length }}" } }
              shared_target: allow
    """#

  private static let turns = #"""
        - id: sent
          repeat:
            from: { at: 0 }
            next: { at: "${{ steps.send.at }}" }
            until: ${{ steps.sent.at == file.size }}
            steps:
              - id: send
                upload: { method: PUT, url: "${{ inputs.server }}", headers: { At: "${{ string(steps.sent.at) }}" }, file: "${{ file }}", range: { offset: "${{ steps.sent.at }}", length: "${{ math.least(file.size - steps.sent.at, 3 * MB) }}" } }
                shared_target: allow
                outputs: { at: "${{ int(response.headers.next) }}" }
    """#

  private static func pipeline(
    _ steps: String = parts, copiesRanges: Bool
  ) throws -> SimulatedPipeline {
    let text = """
      pipeline: test
      inputs: { server: { type: url }, files: { type: files } }
      budgets: { disk: 6 MB }
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          steps:
      \(steps)
      """
    let result = PipelineDocument.load(text: text, file: "test.yaml", copiesRanges: copiesRanges)
    return try #require(result.simulated, "\(result.diagnostics)")
  }

  private static func simulate(
    _ steps: String = parts, copiesRanges: Bool
  ) throws -> SimulationResult {
    var scenario = Scenario.standard
    scenario.items.count = 2
    scenario.items.size = .constant(10_000_000)
    return try Simulation(pipeline(steps, copiesRanges: copiesRanges), scenario).run(seed: 1)
  }
}
