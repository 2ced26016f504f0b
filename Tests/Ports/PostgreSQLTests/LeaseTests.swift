import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelinePostgreSQL
import Testing

/// Who may work on which shard, and until when.
@Suite(.enabled(if: server != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct LeaseTests {
  private func batch(_ lease: ShardLease, _ state: RunState) -> CheckpointBatch {
    CheckpointBatch(
      epoch: lease.epoch, at: Sample.began, events: [],
      checkpoint: Checkpoint(state: state, isDurable: true))
  }

  @Test func `each shard is claimed once while its lease lasts`() async throws {
    let test = try await TestRun.loaded(items: 20, shards: 3)
    var claimed: [Int] = []
    for worker in ["a", "b", "a"] {
      claimed.append(try #require(try await test.claim(worker)).shard)
    }
    #expect(claimed.sorted() == [1, 2, 3])
    #expect(try await test.claim("c") == nil)
    await test.close()
  }

  @Test func `claims that come together get different shards`() async throws {
    let test = try await TestRun.loaded(items: 20, shards: 8)
    let claimed = try await withThrowingTaskGroup(of: [Int].self) { group in
      for worker in 0..<4 {
        group.addTask {
          let runs = try await TestRun.connect()
          var mine: [Int] = []
          while let lease = try await runs.claim(
            run: test.run, by: "\(worker)", lease: .seconds(60)
          ).first {
            mine.append(lease.shard)
          }
          await runs.close()
          return mine
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claimed.sorted() == Array(1...8))
    await test.close()
  }

  @Test func `several shards are claimed at once, no more than there are slots`() async throws {
    let test = try await TestRun.loaded(items: 20, shards: 8, slots: 5)
    func claim(_ count: Int) async throws -> [Int] {
      try await test.runs.claim(
        run: test.run, by: "a", lease: .seconds(60), except: [], atMost: count
      ).map(\.shard)
    }
    #expect(try await claim(3).count == 3)
    #expect(try await claim(3).count == 2)
    #expect(try await claim(3).isEmpty)
    await test.close()
  }

  @Test func `the server's limits are divided among the shards that are held, each part once`()
    async throws
  {
    let test = try await TestRun.loaded(items: 20, shards: 8)
    func renewed(_ lease: inout ShardLease, _ worker: String) async throws -> Int {
      let news = try await test.runs.renew([lease], by: worker, for: .seconds(60))
      lease.shares = try #require(news[0]?.shares)
      return lease.shares
    }
    var first = try #require(try await test.claim("first"))
    #expect(first.shares == 1)
    // The first one has everything, so that this one begins with next to nothing.
    var second = try #require(try await test.claim("second"))
    #expect(second.shares == 16 * 8)
    #expect(try await renewed(&first, "first") == 2)
    // The answer might be lost.
    #expect(try await renewed(&second, "second") == 16 * 8)
    #expect(try await renewed(&first, "first") == 2)
    #expect(try await renewed(&second, "second") == 2)
    let third = try await test.runs.claim(
      run: test.run, by: "third", lease: .seconds(60), except: [], atMost: 2)
    #expect(third.map(\.shares) == [16 * 8, 16 * 8])
    for lease in [second] + third {
      try await test.runs.release(
        lease, by: lease.shares == 2 ? "second" : "third", done: nil, isUnfinished: true)
    }
    #expect(try await renewed(&first, "first") == 1)
    await test.close()
  }

  @Test func `a worker hears of a shard that is released, and of what a user asks for`()
    async throws
  {
    // No other test speaks in this schema.
    let runs = try await PostgreSQLRuns(
      address: try #require(server), schema: "heard_\(UInt32.random(in: 0 ... .max))",
      patience: .zero)
    let (heard, hears) = AsyncStream<Bool>.makeStream()
    guard await runs.listen({ hears.yield($0) }) else {
      #expect(server?.contains("/pool") == true, "only a pooler reports nothing")
      return await runs.close()
    }
    var words = heard.makeAsyncIterator()
    let run = try await TestRun.created(in: runs, shards: 1)
    try await TestRun.load(run, in: runs, items: ["a.jpg"])
    #expect(await words.next() == true, "it is loaded")
    let lease = try #require(try await runs.claim(run: run, by: "a", lease: .seconds(60)).first)
    try await runs.release(lease, by: "a", done: nil, isUnfinished: true)
    #expect(await words.next() == false, "it is released, and no claim was reported")
    try await runs.pause(run, "why")
    #expect(await words.next() == true, "it is paused")
    #expect(try await runs.wish(.cancel, of: run) == 1)
    #expect(await words.next() == true, "it is to be cancelled")
    let last = try #require(try await runs.claim(run: run, by: "a", lease: .seconds(60)).first)
    let store = runs.store(of: run, shard: 1, pipeline: Sample.pipeline)
    try await store.begin(epoch: last.epoch)
    var state = try await store.load()
    state.status = .cancelled
    try await store.commit(batch(last, state))
    await store.close()
    try await runs.release(last, by: "a", done: .cancel, isUnfinished: false)
    try await runs.pause(run, "why else")
    #expect(await words.next() == true, "the end of a shard, which frees nothing, was not reported")
    await runs.close()
  }

  @Test func `runs share the workers by their weights, and a higher priority comes first`()
    async throws
  {
    let runs = try await TestRun.connect()
    func run(_ priority: Int, _ weight: Int) async throws -> StoredRun {
      let run = try await runs.create(
        RunID("run-\(UInt64.random(in: 0 ... .max))"), name: nil, pipeline: Sample.pipeline,
        shards: 4, slots: 4, priority: priority, weight: weight,
        material: .init(definition: "", used: "{}", origin: "{}"))
      try await TestRun.load(run, in: runs, items: (0..<20).map { "\($0).jpg" })
      return run
    }
    let others = try await runs.all()
    // Higher than those of other tests.
    let (large, small) = (try await run(1_000_000, 2), try await run(1_000_000, 1))
    let urgent = try await run(1_000_001, 1)
    var claimed: [RunID] = []
    for _ in 0..<10 {
      let leases = try await runs.claim(run: nil, by: "a", lease: .seconds(60), except: others)
      claimed.append(try #require(leases.first).run.id)
    }
    #expect(claimed.prefix(4).allSatisfy { $0 == urgent.id })
    #expect(
      claimed.dropFirst(4) == [large.id, small.id, large.id, large.id, small.id, large.id][...])
    for run in [large, small, urgent] { try await runs.pause(run, "why") }
    await runs.close()
  }

  @Test func `a shard with nothing to do is free again when its time has come`() async throws {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    let lease = try #require(try await test.claim("a"))
    try await test.runs.release(
      lease, by: "a", done: nil, isUnfinished: false, pause: .seconds(3600))
    #expect(try await test.claim("b") == nil)
    #expect(try await !test.runs.isAtRest(test.run))
    #expect(try await test.runs.shards(of: test.run)[0].refusal?.hasPrefix("nothing to do") == true)
    // The user does not wait.
    #expect(try await test.runs.wish(.resume, of: test.run) == 1)
    let again = try #require(try await test.claim("b"))
    try await test.runs.release(
      again, by: "b", done: .resume, isUnfinished: false, pause: .milliseconds(-1))
    #expect(try await test.claim("a") != nil)
    await test.close()
  }

  @Test func `a machine does not get back the shards that it released, and three end the shard`()
    async throws
  {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    for (number, worker) in ["a#1", "b#1", "c#1"].enumerated() {
      let lease = try #require(try await test.claim(worker))
      try await test.runs.release(
        lease, by: worker, done: nil, isUnfinished: true, refusal: ShardRefusal("no mount", .files))
      #expect(try await test.claim(String(worker.prefix(2)) + "2") == nil, "\(number)")
    }
    #expect(try await test.claim("d#1") == nil)
    let shard = try await test.runs.shards(of: test.run)[0]
    #expect(shard.trouble == "left to other workers by a, b, c: no mount")
    #expect(try await test.runs.wish(.resume, of: test.run) == 1)
    #expect(try await test.claim("d#1") != nil)
    await test.close()
  }

  @Test func `workers that lack different things do not agree`() async throws {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    let lacks: [Lack] = [.files, .credentials, .files, .files]
    for (number, lack) in lacks.enumerated() {
      let worker = "\(number)#1"
      let lease = try #require(try await test.claim(worker))
      try await test.runs.release(
        lease, by: worker, done: nil, isUnfinished: true, refusal: ShardRefusal("why", lack))
    }
    // Two lack files after the last one that has an old password, which is not enough.
    let last = try #require(try await test.claim("4#1"))
    try await test.runs.release(
      last, by: "4#1", done: nil, isUnfinished: true, refusal: ShardRefusal("why", .files))
    #expect(try await test.claim("5#1") == nil)
    await test.close()
  }

  @Test
  func `a shard whose lease has run out is another's, and commits of the first change nothing`()
    async throws
  {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    let first = try #require(try await test.claim("first", lease: .zero))
    let store = test.store(1)
    try await store.begin(epoch: first.epoch)
    let second = try #require(try await test.claim("second"))
    #expect(second.shard == first.shard && second.epoch > first.epoch)

    var late = try await store.load()
    late.status = .cancelled
    await #expect(throws: StoreFailure.self) { try await store.commit(batch(first, late)) }
    #expect(try await store.load().status == .running)
    await #expect(throws: StoreFailure.self) { try await store.begin(epoch: first.epoch) }
    #expect(try await test.runs.renew([first], by: "first", for: .seconds(60)) == [nil])
    #expect(
      try await !test.runs.release(first, by: "first", done: nil, isUnfinished: false))
    let news = try await test.runs.renew([second], by: "second", for: .seconds(60))
    #expect(news.first??.pauseReason == nil)
    await store.close()
    await test.close()
  }

  @Test func `no more shards are worked on at once than the run has slots`() async throws {
    let test = try await TestRun.loaded(items: 20, shards: 4, slots: 2)
    let first = try #require(try await test.claim("a"))
    #expect(try await test.claim("b") != nil)
    #expect(try await test.claim("c") == nil)
    try await test.runs.release(first, by: "a", done: nil, isUnfinished: false)
    #expect(try await test.claim("c") != nil)
    await test.close()
  }

  @Test func `an expired lease is not renewed while another has the slot`() async throws {
    let test = try await TestRun.loaded(items: 20, shards: 2, slots: 1)
    // The second time, so that the shard waits before it is claimed again, and the other worker gets the other shard.
    _ = try #require(try await test.claim("a", lease: .zero))
    let first = try #require(try await test.claim("a", lease: .zero))
    let second = try #require(try await test.claim("b"))
    #expect(first.shard != second.shard)
    #expect(try await test.runs.renew([first], by: "a", for: .seconds(60)) == [nil])
    #expect(try await test.runs.renew([second], by: "b", for: .seconds(60)) != [nil])
    try await test.runs.release(second, by: "b", done: nil, isUnfinished: true)
    #expect(try await test.runs.renew([first], by: "a", for: .seconds(60)) != [nil])
    #expect(try await test.claim("b") == nil)
    await test.close()
  }

  @Test func `a paused run is claimed only to be cancelled, and continues when the pause ends`()
    async throws
  {
    let test = try await TestRun.loaded(items: 20, shards: 2)
    let held = try #require(try await test.claim("a"))
    try await test.runs.pause(test.run, "a full disk")
    let news = try await test.runs.renew([held], by: "a", for: .seconds(60))
    #expect(news.first??.pauseReason == "a full disk")
    #expect(try await test.claim("b") == nil)
    #expect(try await !test.runs.isAtRest(test.run), "one shard is worked on")
    try await test.runs.release(held, by: "a", done: nil, isUnfinished: true)
    #expect(try await test.runs.isAtRest(test.run))
    #expect(try await test.runs.wish(.cancel, of: test.run) == 2)
    #expect(try await test.claim("b")?.wish == .cancel)
    try await test.runs.pause(test.run, nil)
    #expect(try await !test.runs.isAtRest(test.run))
    await test.close()
  }

  @Test func `a wish stays until a worker has fulfilled it`() async throws {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    #expect(try await test.runs.wish(.cancel, of: test.run) == 1)
    let lost = try #require(try await test.claim("killed", lease: .zero))
    let again = try #require(try await test.claim("next"))
    #expect(lost.wish == .cancel && again.wish == .cancel)
    try await test.runs.release(again, by: "next", done: .cancel, isUnfinished: false)
    #expect(try await test.runs.shards(of: test.run).first?.wish == nil)
    await test.close()
  }

  @Test func `a shard that a stopped worker has paused waits for another`() async throws {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    let lease = try #require(try await test.claim("stopped"))
    let store = test.store(1)
    try await store.begin(epoch: lease.epoch)
    var state = try await store.load()
    state.status = .paused
    try await store.commit(batch(lease, state))
    try await test.runs.release(lease, by: "stopped", done: nil, isUnfinished: true)
    #expect(try await test.claim("next")?.wish == .resume)
    await store.close()
    await test.close()
  }

  @Test func `a worker commits nothing to a shard that it has given back`() async throws {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    let lease = try #require(try await test.claim("stopped"))
    let store = test.store(1)
    try await store.begin(epoch: lease.epoch)
    var state = try await store.load()
    try await test.runs.release(lease, by: "stopped", done: nil, isUnfinished: true)
    // The pause that it was asked for before it gave the shard back: no worker would continue it.
    state.status = .paused
    let late = batch(lease, state)
    await #expect(throws: StoreFailure.self) { try await store.commit(late) }
    let next = try #require(try await test.claim("next"))
    #expect(next.epoch > lease.epoch && next.wish == nil)
    await store.close()
    await test.close()
  }

  @Test func `a worker is notified of one that has fewer shards and could claim one`()
    async throws
  {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    let (busy, idle) = ("busy-\(test.run.id)", "idle-\(test.run.id)")
    _ = try await test.runs.report(busy, held: 2, atMost: 4, run: test.run, lease: .seconds(60))
    let seen = try await test.runs.report(
      idle, held: 0, atMost: 1, run: test.run, lease: .seconds(60))
    #expect(seen.isShardFree)
    let others = try await test.runs.report(
      busy, held: 2, atMost: 4, run: test.run, lease: .seconds(60))
    #expect(others.fewestHeld == 0)
    for worker in [busy, idle] { try await test.runs.leave(worker) }
    await test.close()
  }

  @Test func `a shard that ends its workers is tried five times, while others continue`()
    async throws
  {
    let test = try await TestRun.loaded(items: 20, shards: 2)
    let poisoned = try #require(try await test.claim("0", lease: .zero))
    for attempt in 2...5 {
      try await test.shift(poisoned, by: .seconds(8 * 3600))
      let lease = try await test.claim("\(attempt)", lease: .zero)
      #expect(lease?.shard == poisoned.shard, "attempt \(attempt)")
      let other = try #require(try await test.claim("other", lease: .zero))
      #expect(other.shard != poisoned.shard, "attempt \(attempt)")
      try await test.runs.release(other, by: "other", done: nil, isUnfinished: true)
    }
    try await test.shift(poisoned, by: .seconds(100 * 3600))
    let healthy = try #require(try await test.claim("healthy"))
    #expect(healthy.shard != poisoned.shard)
    #expect(try await test.claim("last") == nil)
    let shards = try await test.runs.shards(of: test.run)
    #expect(shards.filter { $0.trouble != nil }.map(\.number) == [poisoned.shard])
    try await test.runs.release(healthy, by: "healthy", done: nil, isUnfinished: false)
    #expect(try await test.runs.wish(.resume, of: test.run) > 0)
    #expect(try await test.claim("again") != nil)
    #expect(try await test.runs.shards(of: test.run).allSatisfy { $0.trouble == nil })
    await test.close()
  }

  @Test func `a shard released with a reason waits longer each time, and shows the last reason`()
    async throws
  {
    let test = try await TestRun.loaded(items: 5, shards: 1)
    for attempt in 1...5 {
      let lease = try #require(try await test.claim("w"), "attempt \(attempt)")
      try await test.runs.release(
        lease, by: "w", done: nil, isUnfinished: true, trouble: "trouble \(attempt)")
      if attempt > 1 { #expect(try await test.claim("w") == nil) }
      try await test.shift(lease, by: .seconds(8 * 3600))
    }
    #expect(try await test.claim("w") == nil)
    #expect(try await test.runs.isAtRest(test.run))
    #expect(try await test.runs.shards(of: test.run).first?.trouble == "trouble 5; tried 5 times")
    await test.close()
  }

  @Test func `a shard whose items make progress does not fail to run`() async throws {
    let test = try await TestRun.loaded(items: 9, shards: 1)
    for done in 1...8 {
      let lease = try #require(try await test.claim("\(done)", lease: .zero))
      let store = test.store(1)
      try await store.begin(epoch: lease.epoch)
      var state = try await store.load()
      state.loops[0].counts[.pending] = 9 - done
      state.loops[0].counts[.done] = done
      try await store.commit(batch(lease, state))
      await store.close()
    }
    #expect(try await test.runs.shards(of: test.run).first?.trouble == nil)
    await test.close()
  }
}
