import PipelineCore
import PipelineEngine
import Testing

struct DownloadTests {
  private func copies(_ keys: String) -> String {
    """
    pipeline: copies
    inputs: { photos: { type: files } }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: get
            download: { url: "http://server/film/${{ photo.name }}", \(keys) }
            retry: { attempts: 1, exhausted: fail }
            on:
              - { if: "${{ response.status == 404 }}", then: success }
          - id: put
            upload: { url: "http://server/copy/${{ steps.get.file.name }}", file: "${{ steps.get.file }}" }
    """
  }

  private func run(
    _ keys: String, status: Int = 200
  ) async throws -> (item: Item, world: ScriptedWorld, end: RunState) {
    let fixture = try Fixture(copies(keys))
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      .init(status: exchange.method == "GET" ? status : 200)
    }
    let end = try await fixture.executor(world).run(
      try await fixture.state(files: 1), epoch: try await fixture.store.claim(), events: [.runBegan]
    )
    let items = try await fixture.store.items(loop: 0, status: nil, after: -1, limit: 1)
    return (try #require(items.first), world, end)
  }

  @Test func `a file of another size is a failed attempt`() async throws {
    let (item, world, _) = try await run("size: 3")
    #expect(item.status == .failed)
    #expect(item.reason?.message == "gave up after 1 attempts: '0' has another size")
    #expect(world.exchanges.count == 1)
    #expect(world.files.isEmpty)
  }

  @Test func `a file that is larger than may be taken fails its item at once`() async throws {
    let (item, world, _) = try await run("max_size: 1")
    #expect(item.status == .failed)
    #expect(world.exchanges.count == 1)
  }

  @Test func `a response that counts as success and has no file fails its item`() async throws {
    let (item, _, _) = try await run("size: 2", status: 404)
    #expect(item.status == .failed)
    #expect(
      item.reason?.message
        == "a response with status 404 counts as success but brings no file")
  }

  @Test func `the file is read by later steps, and goes with its item`() async throws {
    let (item, world, end) = try await run("size: 2, to: film.mov")
    #expect(end.status == .finished)
    #expect(item.status == .done)
    #expect(world.exchanges.map(\.url) == ["http://server/film/0", "http://server/copy/film.mov"])
    #expect(world.files.isEmpty)
  }
}
