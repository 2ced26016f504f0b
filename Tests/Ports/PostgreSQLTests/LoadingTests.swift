import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelinePostgreSQL
import Synchronization
import Testing

/// The items of a run on their way into the database.
@Suite(.enabled(if: server != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct LoadingTests {
  private let names = (0..<25_000).map { "\($0).jpg" }

  private func stop(after count: Int, of run: StoredRun, in runs: PostgreSQLRuns) async throws {
    let names = names
    let loop = EnumeratedLoop(loop: 0) { yield in
      for name in names.prefix(count) { try yield(TestRun.subject(name)) }
      throw StoreFailure(.enumeration, message: "the folder is gone")
    }
    await #expect(throws: StoreFailure.self) {
      try await runs.load(run, [loop], pipeline: Sample.pipeline) { _ in Sample.state() }
    }
  }

  @Test func `a load that was stopped resumes, and each item is there once`() async throws {
    let runs = try await TestRun.connect(patience: .seconds(600))
    let run = try await TestRun.created(in: runs, shards: 7)
    try await stop(after: 15_000, of: run, in: runs)
    #expect(try await runs.claim(run: run, by: "early", lease: .seconds(60)).isEmpty)
    let pages = Mutex<[Int]>([])
    try await TestRun.load(run, in: runs, items: names) { count in
      pages.withLock { $0.append(count) }
    }
    #expect(pages.withLock { $0 } == [20_000], "the first 10,000 are not sent again")
    var found: [String] = []
    for shard in 1...7 {
      let store = runs.store(of: run, shard: shard, pipeline: Sample.pipeline)
      let items = try await store.items(loop: 0, status: .pending, after: -1, limit: 25_000)
      #expect(items.map(\.key.ordinal) == Array(0..<items.count))
      #expect(
        items.allSatisfy { Shard.number(of: $0.subject.shardKey, count: 7) == shard })
      #expect(try await store.load().loops[0].counts[.pending] == items.count)
      found += items.map(\.subject.shardKey)
      await store.close()
    }
    #expect(found.sorted() == names.sorted())
    await runs.close()
  }

  /// The second waits for the first, or is refused behind a pooler.
  @Test func `two processes that load one run put each item there once`() async throws {
    let first = try await TestRun.connect(patience: .seconds(600))
    let second = try await TestRun.connect(patience: .seconds(600))
    let run = try await TestRun.created(in: first, shards: 1)
    let loaded = await withTaskGroup { group in
      for runs in [first, second] {
        group.addTask {
          do {
            try await TestRun.load(run, in: runs, items: names)
            return true
          } catch {
            let message = (error as? StoreFailure)?.message ?? "\(error)"
            #expect(message.contains("another process is loading the items of run"), "\(message)")
            return false
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(loaded > 0)
    let store = first.store(of: run, shard: 1, pipeline: Sample.pipeline)
    #expect(try await store.load().loops[0].counts[.pending] == names.count)
    let items = try await store.items(loop: 0, status: .pending, after: -1, limit: 50_000)
    #expect(items.map(\.subject.shardKey) == names)
    for runs in [first, second] { await runs.close() }
    await store.close()
  }

  @Test func `a load that continues with other items is refused`() async throws {
    let runs = try await TestRun.connect(patience: .seconds(600))
    let run = try await TestRun.created(in: runs, shards: 7)
    try await stop(after: 15_000, of: run, in: runs)
    for other in [["new.jpg"] + names, Array(names.prefix(9_000))] {
      do {
        try await TestRun.load(run, in: runs, items: other)
        Issue.record("other items were taken")
      } catch let failure as StoreFailure {
        #expect(failure.kind == .enumeration)
        #expect(failure.message.contains("the first 10000 items of run"))
      }
    }
    await runs.close()
  }

  @Test func `a run that is loaded is not loaded again`() async throws {
    let test = try await TestRun.loaded(items: 10, shards: 2)
    try await TestRun.load(test.run, in: test.runs, items: ["another.jpg"])
    let counts = try await test.runs.shards(of: test.run).map { $0.summary.counts[.pending] }
    #expect(counts.reduce(0, +) == 10)
    await test.close()
  }

  @Test func `two runs do not get one name`() async throws {
    let runs = try await TestRun.connect(patience: .seconds(600))
    let name = "nightly \(UInt64.random(in: 0 ... .max))"
    _ = try await TestRun.created(in: runs, shards: 1, name: name)
    do {
      _ = try await TestRun.created(in: runs, shards: 1, name: name)
      Issue.record("a second run got the name")
    } catch let failure as StoreFailure {
      #expect(failure.message.contains("already has a run named '\(name)'"))
    }
    await runs.close()
  }

  @Test func `a run is removed with all that is stored of it, unless a worker has a shard of it`()
    async throws
  {
    let test = try await TestRun.loaded(items: 10, shards: 2)
    let lease = try #require(try await test.claim("a"))
    #expect(try await !test.runs.remove(test.run))
    try await test.runs.release(lease, by: "a", done: nil, isUnfinished: false)
    // In several batches, the last of which is smaller.
    #expect(try await test.runs.remove(test.run, batch: 3))
    #expect(try await test.runs.runs(called: test.run.id.rawValue).isEmpty)
    for shard in 1...2 {
      #expect(
        try await test.store(shard).items(loop: 0, status: nil, after: -1, limit: 1).isEmpty)
    }
    await test.close()
  }
}
