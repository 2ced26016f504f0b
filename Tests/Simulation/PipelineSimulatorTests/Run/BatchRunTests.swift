import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator
import Testing

/// Batches through the engine's own core and interpreter, with a process that crashes.
struct BatchRunTests {
  private static let photos = """
    pipeline: photos
    inputs:
      password: { type: secret }
      photos: { type: files }
    retry:
      standard: { attempts: 3, jitter: none, backoff: { initial: 1s, factor: 2, max: 10s } }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 4
        steps:
          - id: finalize
            batch: { items: 10, within: 30s, entry: "${{ photo.name }}" }
            request: { method: POST, url: "http://server/finalize", json: "${{ batch.entries }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            results:
              each: ${{ response.json[batch.index] }}
              on:
                - { if: "${{ batch.result == batch.entry }}", then: success }
                - { then: retry }
            outputs:
              tag: { value: "${{ batch.result }}-tag" }
          - id: mark
            request: { url: "http://server/mark/${{ steps.finalize.tag }}" }
    """

  /// Answers a batch with the names that it sent, after two seconds.
  private static func echo(_ exchange: SimulatedRequest) -> SimulatedResponse {
    exchange.request.url.hasSuffix("/finalize")
      ? SimulatedResponse(body: exchange.body ?? [], latency: .seconds(2)) : SimulatedResponse()
  }

  private func names(_ exchange: SimulatedRequest) throws -> [String] {
    try #require(Value(json: exchange.body ?? []).listValue).compactMap(\.stringValue)
  }

  private func scene(_ count: Int) throws -> Scene {
    try Scene(
      Self.photos,
      files: Dictionary(uniqueKeysWithValues: (0..<count).map { ("\(100 + $0).jpg", 1) }))
  }

  @Test func `items are sent in batches, each with its part of the response`() throws {
    var run = try scene(25).run(Self.echo)
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 25)
    let batches = run.trace.exchanges.filter { $0.request.url.hasSuffix("/finalize") }
    #expect(try batches.map { try names($0).count } == [10, 10, 5])
    #expect(run.sent.contains("GET mark/107.jpg-tag"))
  }

  @Test func `whenever the process crashes, each item is sent for under one key`() throws {
    var settings = SimulatedRun.Settings()
    settings.interventions = [1, 3, 4, 5].map { (after: .seconds($0), .restart) }
    var run = try scene(25).run(settings: settings, Self.echo)
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 25)
    var keys: [String: Set<String>] = [:]
    for exchange in run.trace.exchanges where exchange.request.url.hasSuffix("/finalize") {
      let key = try #require(exchange.header("Idempotency-Key"))
      for name in try names(exchange) { keys[name, default: []].insert(key) }
    }
    #expect(keys.count == 25)
    #expect(keys.values.allSatisfy { $0.count == 1 })
    #expect(run.trace.exchanges.count { $0.request.url.hasSuffix("/finalize") } > 3)
  }

  @Test func `a stored item recognizes its batch again`() throws {
    let pipeline = try scene(1).pipeline
    let coding = CheckpointCoding(pipeline)
    let key = ItemKey(loop: 0, ordinal: 7)
    var item = Item(key: key, subject: .value(.string("a")), status: .active)
    item.frame = Frame(repeating: StepState(), count: 2)
    item.frame[0].status = .running
    item.frame[0].batch = BatchMembership(
      first: 3, generation: 2, items: 10, failures: 1, begun: Instant(milliseconds: 5),
      isOpen: true)
    item.frame[1].status = .queued
    let read = try coding.item(
      key, subject: coding.encode(subject: item.subject), status: .active,
      progress: coding.encode(progress: item))
    #expect(read == item)
  }
}
