import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

/// TX1: a body that exists only in memory, because it contains a secret, cannot be sent in the background.
struct SecretBodyTests {
  private static func text(_ part: String, _ header: String = "") -> String {
    """
    pipeline: form
    inputs: { server: { type: url, default: "https://api.test" }, password: { type: secret }, files: { type: files, default: "*" } }
    budgets: { disk: 100 MB }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: body
            materialize: { multipart: [\(part){ name: file, file: "${{ file }}" }] }
          - id: upload
            upload: { method: POST, url: "${{ inputs.server }}/u", \(header)file: "${{ steps.body.file }}" }
            effect: repeatable
    """
  }

  private static let secret = text("{ name: token, text: \"${{ inputs.password }}\" }, ")
  private static let header = text("", "bearer: \"${{ inputs.password }}\", ")

  private static func simulate(_ text: String) throws -> SimulationResult {
    let pipeline = try #require(PipelineDocument.load(text: text, file: "test.yaml").simulated)
    var scenario = Scenario.standard
    scenario.items.count = 2
    return try Simulation(pipeline, scenario).run(seed: 1)
  }

  @Test func `a phone refuses it, and reports why`() throws {
    let result = try Self.simulate(Self.secret)
    #expect(result.summary.counts[.failed] == 2)
    #expect(result.obstacles.contains { $0.message.contains("TX1") }, "\(result.obstacles)")
    #expect(try Self.simulate(Self.header).summary.counts[.done] == 2)
  }

  @Test func `a check of the pipeline reports it`() {
    func codes(_ text: String) -> [DiagnosticCode] {
      PipelineDocument.load(text: text, file: "test.yaml").diagnostics.map(\.code)
    }
    #expect(codes(Self.secret) == [.secretBodyInQueue])
    #expect(codes(Self.header).isEmpty)
  }
}
