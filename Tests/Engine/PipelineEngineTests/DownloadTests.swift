import PipelineCore
import PipelineEngine
import Synchronization
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
    let (item, world, _) = try await run("size: 3 B")
    #expect(item.status == .failed)
    #expect(item.reason?.message == "gave up after 1 attempt: '0' has another size")
    #expect(world.exchanges.count == 1)
    #expect(world.files.isEmpty)
  }

  @Test func `a file that exceeds the maximum size fails its item at once`() async throws {
    let (item, world, _) = try await run("max_size: 1 B")
    #expect(item.status == .failed)
    #expect(world.exchanges.count == 1)
  }

  @Test func `a response that counts as success and has no file fails its item`() async throws {
    let (item, _, _) = try await run("size: 2 B", status: 404)
    #expect(item.status == .failed)
    #expect(
      item.reason?.message
        == "a response with status 404 counts as success but brings no file")
  }

  @Test func `the file is read by later steps, and deleted with its item`() async throws {
    let (item, world, end) = try await run("size: 2 B, to: film.mov")
    #expect(end.status == .finished)
    #expect(item.status == .done)
    #expect(world.exchanges.map(\.url) == ["http://server/film/0", "http://server/copy/film.mov"])
    #expect(world.files.isEmpty)
  }
}

/// A file that a step created and that someone deleted is recreated, for any reader.
struct LostFileTests {
  /// Fails the first digests as if the file were gone.
  private final class LossyFiles: FileWorkspace {
    private let world: ScriptedWorld
    private let losses: Mutex<Int>

    init(_ world: ScriptedWorld, losses: Int) {
      self.world = world
      self.losses = Mutex(losses)
    }

    func materialize(
      _ plan: MaterializationPlan, at path: String
    ) async throws(FileFailure) -> FileValue {
      let isLost = losses.withLock { losses in
        losses -= 1
        return losses >= 0
      }
      if isLost, case .file(let file, _, _)? = plan.pieces.first {
        throw FileFailure(.missing, message: "'\(file.path)' is gone", source: file.path)
      }
      let file = try await world.materialize(plan, at: path)
      return FileValue(
        path: file.path, name: file.name, size: file.size, modified: file.modified,
        digests: [.md5: "d41d8cd98f00b204e9800998ecf8427e"])
    }

    func sink(for plan: DownloadPlan, at path: String) async throws(FileFailure) -> any FileSink {
      try await world.sink(for: plan, at: path)
    }

    func discard(_ path: String) async { await world.discard(path) }
    func sweep(keeping kept: Set<String>) async -> Int { await world.sweep(keeping: kept) }
    func absolutePath(of file: FileValue) -> String { world.absolutePath(of: file) }
  }

  private func run(_ read: String) async throws -> (item: Item, urls: [String]) {
    let fixture = try Fixture(
      """
      pipeline: digests
      inputs: { photos: { type: files } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: get
              download: { url: "http://server/film/${{ photo.name }}", max_size: 1 MiB }
            - id: read
              \(read)
      """)
    let world = ScriptedWorld(clock: fixture.clock) { _ in .init() }
    let executor = Executor(
      evaluator: Evaluator(fixture.pipeline),
      ports: .init(
        store: fixture.store, requests: world, transfers: world,
        files: LossyFiles(world, losses: 1), clock: fixture.clock))
    _ = try await executor.run(
      try await fixture.state(files: 1), epoch: try await fixture.store.claim(), events: [.runBegan]
    )
    let items = try await fixture.store.items(loop: 0, status: nil, after: -1, limit: 1)
    return (try #require(items.first), world.exchanges.map(\.url))
  }

  @Test func `a missing file of the user fails its item`() async throws {
    let (item, urls) = try await run("digest: { file: \"${{ photo }}\", take: [md5] }")
    #expect(item.status == .failed)
    #expect(urls.count == 1)
  }

  @Test(
    arguments: [
      "digest: { file: \"${{ steps.get.file }}\", take: [md5] }",
      "materialize: { file: \"${{ steps.get.file }}\" }",
    ])
  func `a downloaded file that is gone is downloaded again`(_ read: String) async throws {
    let (item, urls) = try await run(read)
    #expect(item.status == .done)
    #expect(urls == ["http://server/film/0", "http://server/film/0"])
  }
}
