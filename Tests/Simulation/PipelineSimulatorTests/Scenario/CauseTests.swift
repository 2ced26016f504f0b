import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

/// A counterexample shows its cause, even if no response does.
struct CauseTests {
  private static let put = """
    pipeline: one-put
    inputs: { server: { type: url, default: "https://api.example.com" }, files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: put
            upload: { url: "${{ inputs.server }}/${{ urlEscape(file.name) }}", file: "${{ file }}" }
    """

  private static let created = """
    pipeline: create
    inputs: { server: { type: url, default: "https://api.example.com" }, files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: create
            request: { method: POST, url: "${{ inputs.server }}/uploads" }
            effect: repeatable
            outputs: { id: { value: "${{ response.json.id }}", expires: { in: 1d } } }
          - id: put
            request: { method: PUT, url: "${{ inputs.server }}/${{ steps.create.id }}" }
            on: [{ if: "${{ response.status == 410 }}", expired: create }]
          - id: publish
            request: { method: POST, url: "${{ inputs.server }}/${{ steps.create.id }}/publish" }
            depends_on: [put]
            effect: create
            probe:
              request: { url: "${{ inputs.server }}/${{ steps.create.id }}" }
              took_effect: ${{ response.json.published }}
    """

  struct Cause: Sendable, CustomTestStringConvertible {
    let faults: String
    let property: String
    let words: String
    var testDescription: String { faults }
  }

  @Test(arguments: [
    Cause(
      faults: "duplicate: 0.05", property: "request.step == 'put' && response.committed",
      words: "put was delivered twice by the network"),
    Cause(
      faults: "lost_reply: 0.05", property: "request.step == 'put' && response.committed",
      words: "put was carried out, and its response was lost"),
    Cause(
      faults: "revoked: 0.3", property: "request.step == 'create' && response.committed",
      words: "put needs a result that expired before its lifetime ended"),
    Cause(
      faults: "lost_reply: 0.2, stale_reads: 1h",
      property: "request.step == 'publish' && response.committed",
      words: "publish does not see the server's changes yet"),
  ])
  func `the shortest violation names the server's or the network's action`(cause: Cause) throws {
    let isCreated = !cause.property.contains("'put'")
    let pipeline = try #require(
      PipelineDocument.load(text: isCreated ? Self.created : Self.put, file: "test.yaml").simulated)
    let document = ScenarioDocument.load(
      bytes: """
        scenario: twice
        device: ios17
        days: 1
        opening: always
        items: { count: 40, size: 3 MB }
        conditions: { network: wifi, bandwidth: 5 MB/s, latency: 80ms, power: true }
        server: { latency: 2s\(isCreated ? ", lifetimes: { create: 20s }" : ""), faults: { \(cause.faults) } }
        properties:
          - { name: once, at_most_once: "${{ \(cause.property) }}" }
        """.utf8, file: "s.yaml")
    let scenario = Scenario(try #require(document.document, "\(document.diagnostics)"))
    let simulation = try Simulation(pipeline, scenario)
    let seed = try #require((UInt64(1)...20).first { !simulation.run(seed: $0).isSound })
    let found = try #require(simulation.counterexample(to: "once", seed: seed))
    #expect(found.timeline.contains { $0.contains(cause.words) }, "\(found.timeline)")
    #expect(found.timeline.count <= 15)
  }

  @Test func `the search for the shortest violation is bounded by its steps`() throws {
    let pipeline = try #require(PipelineDocument.load(text: Self.put, file: "test.yaml").simulated)
    var scenario = Scenario.ideal
    scenario.items.count = 200
    scenario.server.faults.serverError = 0.2
    let source = ScenarioDocument.load(
      bytes: """
        scenario: s
        properties: [{ name: few, never: "${{ items.completed > 150 }}" }]
        """.utf8, file: "s.yaml")
    scenario.properties = try #require(source.document).properties
    let simulation = try Simulation(pipeline, scenario)
    let short = try #require(simulation.counterexample(to: "few", seed: 1, steps: 2_000))
    let long = try #require(simulation.counterexample(to: "few", seed: 1, steps: 1_000_000))
    #expect(long.scenario.items.count == 151)
    #expect(short.runs < long.runs)
    #expect(short.result.properties.first?.holds == false)
    // A violation of 151 items has no timeline that anyone would read.
    #expect(simulation.counterexample(to: "few", seed: 1, steps: 20) == nil)
  }

  /// TX10: without the server's consent, the service sends an interrupted upload from its first byte.
  @Test(arguments: [("", true), ("server: { resumes_uploads: true }", false)])
  func `uploads are resumed only where the server supports it`(
    server: String, wastes: Bool
  ) throws {
    let pipeline = try #require(PipelineDocument.load(text: Self.put, file: "test.yaml").simulated)
    let document = ScenarioDocument.load(
      bytes: """
        scenario: video
        device: ios17
        days: 2
        opening: 1m
        items: { count: 1, size: 500 MB }
        conditions: { network: wifi, bandwidth: 1 MB/s, latency: 80ms, power: true }
        random:
          - { every: 10m, for: 20s, network: none }
        \(server)
        """.utf8, file: "s.yaml")
    let scenario = Scenario(try #require(document.document, "\(document.diagnostics)"))
    let result = try Simulation(pipeline, scenario).run(seed: 2)
    #expect((result.summary.bytesWasted > 0) == wastes)
    let again = ScenarioDocument.load(bytes: scenario.document(note: "n").utf8, file: "s.yaml")
    #expect(Scenario(try #require(again.document)).server == scenario.server)
  }
}
