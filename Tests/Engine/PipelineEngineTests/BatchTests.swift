import PipelineCore
import PipelineEngine
import Synchronization
import Testing

/// `batch` through the loop with tasks.
struct BatchTests {
  private static let pipeline = """
    pipeline: photos
    inputs:
      photos: { type: files }
      password: { type: secret }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 3
        steps:
          - id: upload
            upload: { url: "http://server/content/${{ photo.name }}", file: "${{ photo }}" }
          - id: finalize
            depends_on: [upload]
            batch: { items: 4, within: 30s, entry: "${{ photo.name }}" }
            request: { method: POST, url: "http://server/finalize", json: "${{ batch.entries }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            results:
              each: ${{ response.json.results[batch.index] }}
              on:
                - { if: "${{ batch.result == 'ok' }}", then: success }
                - { then: retry }
    """

  private static func respond(to exchange: ScriptedWorld.ScriptedExchange)
    -> ScriptedWorld.ScriptedResponse
  {
    exchange.url.hasSuffix("/finalize")
      ? .init(json: #"{"results": ["ok", "ok", "ok", "ok"]}"#) : .init()
  }

  private func keys(_ world: ScriptedWorld) -> [String] {
    world.exchanges.filter { $0.url.hasSuffix("/finalize") }.compactMap { exchange in
      exchange.headers.first { $0.name == "Idempotency-Key" }?.value
    }
  }

  @Test func `items are finalized four at a time, and the last ones when no more can come`()
    async throws
  {
    let fixture = try Fixture(Self.pipeline)
    let world = ScriptedWorld(clock: fixture.clock) { Self.respond(to: $0) }
    let end = try await fixture.executor(world).run(
      try await fixture.state(files: 10), epoch: try await fixture.store.claim(),
      events: [.runBegan])
    #expect(end.status == .finished)
    #expect(end.loops[0].counts[.done] == 10)
    #expect(world.exchanges.count { $0.url.contains("/content/") } == 10)
    #expect(keys(world).count == 3)
    #expect(Set(keys(world)).count == 3)
  }

  @Test func `whichever checkpoint fails, a batch is repeated under its own key`() async throws {
    var failures = 0
    for failing in 1... {
      let fixture = try Fixture(Self.pipeline)
      let store = FailingStore(base: fixture.store, failsAt: failing)
      let world = ScriptedWorld(clock: fixture.clock) { Self.respond(to: $0) }
      let state = try await fixture.state(files: 4)
      let epoch = try await fixture.store.claim()
      do {
        _ = try await fixture.executor(world, store: store).run(
          state, epoch: epoch, events: [.runBegan])
        break
      } catch {
        failures += 1
      }
      let end = try await fixture.executor(world).run(
        try await fixture.reloaded(), epoch: try await fixture.store.claim(), events: [.runResumed])
      #expect(end.loops[0].counts[.done] == 4, "checkpoint \(failing)")
      // A batch that was sent is sent again with the members that it had.
      #expect(Set(keys(world)).count == 1, "checkpoint \(failing)")
      #expect(keys(world).count <= 2, "checkpoint \(failing)")
    }
    #expect(failures > 4)
  }
}
