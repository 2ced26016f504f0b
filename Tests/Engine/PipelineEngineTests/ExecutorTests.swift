import CEL
import PipelineCore
import PipelineEngine
import Synchronization
import Testing

struct ExecutorTests {
  @Test func `every item completes its steps, and no file is left`() async throws {
    let fixture = try Fixture()
    let world = ScriptedWorld(clock: fixture.clock) { Fixture.respond(to: $0) }
    let end = try await fixture.executor(world).run(
      try await fixture.state(files: 7), epoch: try await fixture.store.claim(), events: [.runBegan]
    )
    #expect(end.status == .finished)
    #expect(end.loops[0].counts[.done] == 7)
    #expect(world.exchanges.count { $0.url.contains("/login") } == 1)
    for name in 0..<7 {
      #expect(world.exchanges.count { $0.url.hasSuffix("/finalize/id-\(name)") } == 1)
    }
    #expect(world.files.isEmpty)
  }

  @Test func `nothing is sent before its intent is durable`() async throws {
    let fixture = try Fixture()
    let missing = Mutex<[String]>([])
    let world = ScriptedWorld(clock: fixture.clock) { [store = fixture.store] exchange in
      // The state after a crash at this moment must include the request.
      let stored = try? await store.load()
      let frames = [stored?.frame ?? []] + (stored?.loops[0].active.values.map(\.frame) ?? [])
      let isKnown = frames.contains { $0.contains { $0.status == .running } }
      if !isKnown { missing.withLock { $0.append(exchange.url) } }
      return Fixture.respond(to: exchange)
    }
    _ = try await fixture.executor(world).run(
      try await fixture.state(files: 5), epoch: try await fixture.store.claim(), events: [.runBegan]
    )
    #expect(world.exchanges.count == 1 + 3 * 5)
    #expect(missing.withLock { $0 } == [])
  }

  @Test func `a checkpoint that fails ends the run before its effects`() async throws {
    var failures = 0
    for failing in 1... {
      let fixture = try Fixture()
      let store = FailingStore(base: fixture.store, failsAt: failing)
      let world = ScriptedWorld(clock: fixture.clock) { Fixture.respond(to: $0) }
      let state = try await fixture.state(files: 2)
      let epoch = try await fixture.store.claim()
      do {
        _ = try await fixture.executor(world, store: store).run(
          state, epoch: epoch, events: [.runBegan])
        break
      } catch {
        #expect(error.kind == .full)
        failures += 1
      }
      let sent = world.exchanges.count
      // Another process finds only the requests that were sent, and completes the run.
      let end = try await fixture.executor(world).run(
        try await fixture.reloaded(), epoch: try await fixture.store.claim(), events: [.runResumed])
      #expect(end.loops[0].counts[.done] == 2, "after \(sent) exchanges")
    }
    #expect(failures > 4, "the run has at least a commit for each step")
  }

  @Test func `an owner that was replaced sends nothing more`() async throws {
    let fixture = try Fixture()
    let store = fixture.store
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      if exchange.url.contains("/login") { _ = try? await store.claim() }
      return Fixture.respond(to: exchange)
    }
    let state = try await fixture.state(files: 3)
    let failure = await #expect(throws: StoreFailure.self) {
      try await fixture.executor(world).run(
        state, epoch: try await store.claim(), events: [.runBegan])
    }
    #expect(failure?.kind == .staleOwner)
    #expect(world.exchanges.map(\.url) == ["http://server/login"])
  }

  @Test func `a pause interrupts commands in flight, and resuming does not count as an attempt`()
    async throws
  {
    let fixture = try Fixture()
    let arrived = Gate()
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      guard exchange.url.contains("/content/") else { return Fixture.respond(to: exchange) }
      arrived.open()
      let never = Gate()
      return .init(hold: { await never.pass() })
    }
    let executor = fixture.executor(world)
    let state = try await fixture.state(files: 3)
    let epoch = try await fixture.store.claim()
    async let run = executor.run(state, epoch: epoch, events: [.runBegan])
    await arrived.pass()
    executor.requestPause("enough")
    let rest = try await run
    #expect(rest.status == .paused)
    #expect(rest.reason?.message == "enough")
    let failures = rest.loops[0].active.values.flatMap(\.frame).map(\.failures)
    #expect(failures.allSatisfy { $0 == 0 })

    let second = ScriptedWorld(clock: fixture.clock) { Fixture.respond(to: $0) }
    let end = try await fixture.executor(second).run(
      try await fixture.reloaded(), epoch: try await fixture.store.claim(),
      events: [.runResumed, .unpaused])
    #expect(end.loops[0].counts[.done] == 3)
    #expect(second.exchanges.count { $0.url.contains("/login") } == 1, "the secret token is gone")
  }

  @Test func `a pause before the start of the run is passed on to the process that continues it`()
    async throws
  {
    let fixture = try Fixture()
    let world = ScriptedWorld(clock: fixture.clock) { Fixture.respond(to: $0) }
    let executor = fixture.executor(world)
    executor.requestPause("stopped by a signal")
    let rest = try await executor.run(
      try await fixture.state(files: 3), epoch: try await fixture.store.claim(),
      events: [.runBegan, .unpaused])
    #expect(rest.status == .paused)
    #expect(rest.reason?.message == "stopped by a signal")
    #expect(rest.loops[0].counts[.done] == 0)
  }

  @Test func `no more items are worked on than the loop allows, and no more transfers are queued`()
    async throws
  {
    let fixture = try Fixture()
    let world = ScriptedWorld(clock: fixture.clock) { Fixture.respond(to: $0) }
    _ = try await fixture.executor(world).run(
      try await fixture.state(files: 20), epoch: try await fixture.store.claim(),
      events: [.runBegan])
    #expect(world.mostRunning <= 2)
  }

  @Test func `a list that depends on a step is created once and kept`() async throws {
    let fixture = try Fixture(
      """
      pipeline: parts
      steps:
        - id: plan
          request: { method: POST, url: "http://server/plan" }
          effect: repeatable
          outputs:
            urls: { value: "${{ response.json.urls }}" }
        - for_each: url
          in: ${{ steps.plan.urls }}
          steps:
            - id: fetch
              request: { url: "http://server/${{ url }}" }
      """)
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      exchange.url.hasSuffix("/plan") ? .init(json: #"{"urls": ["a", "b", "c"]}"#) : .init()
    }
    let end = try await fixture.executor(world).run(
      try await fixture.state(files: 0), epoch: try await fixture.store.claim(), events: [.runBegan]
    )
    #expect(end.loops[0].counts[.done] == 3)
    #expect(
      Set(world.exchanges.map(\.url)) == [
        "http://server/plan", "http://server/a", "http://server/b", "http://server/c",
      ])
  }
}

/// A store whose disk is full at one commit.
final class FailingStore: CheckpointStore {
  private let base: InMemoryCheckpointStore
  private let failsAt: Int
  private let commits = Mutex(0)

  init(base: InMemoryCheckpointStore, failsAt: Int) {
    self.base = base
    self.failsAt = failsAt
  }

  func commit(_ batch: CheckpointBatch) async throws(StoreFailure) -> [TargetClaim.Refusal] {
    let number = commits.withLock { count in
      count += 1
      return count
    }
    guard number != failsAt else { throw StoreFailure(.full, message: "the disk is full") }
    return try await base.commit(batch)
  }

  func claim() async throws(StoreFailure) -> Int { try await base.claim() }
  func load() async throws(StoreFailure) -> RunState { try await base.load() }
  func close() async {}

  func create(
    _ state: RunState, items: [EnumeratedLoop]
  ) async throws(StoreFailure) -> RunState {
    try await base.create(state, items: items)
  }

  func enumerate(
    loop: Int, subjects: [Item.Subject], epoch: Int
  ) async throws(StoreFailure) {
    try await base.enumerate(loop: loop, subjects: subjects, epoch: epoch)
  }

  func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item] {
    try await base.items(loop: loop, status: status, after: after, limit: limit)
  }

  func item(_ key: ItemKey) async throws(StoreFailure) -> Item? { try await base.item(key) }

  func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) async throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)] {
    try await base.requeue(keys, epoch: epoch)
  }

  func history(
    after sequence: Int, limit: Int
  ) async throws(StoreFailure) -> [HistoryBatch] {
    try await base.history(after: sequence, limit: limit)
  }
}
