import PipelineCore
import PipelineEngine
import Synchronization
import Testing

/// Cancelling the task of a run is an orderly stop.
struct CancellationTests {
  /// The server's effects, whether or not a client observes them.
  private final class Server: Sendable {
    private struct Content {
      var uploads: [String: Int] = [:]
      var finalized: [String: Int] = [:]
    }

    private let content = Mutex(Content())

    var uploads: [String: Int] { content.withLock { $0.uploads } }
    var finalized: [String: Int] { content.withLock { $0.finalized } }

    /// The request takes effect when it arrives; its response is delayed, and may have no reader.
    func take(_ exchange: ScriptedWorld.ScriptedExchange) async -> ScriptedWorld.ScriptedResponse {
      let name = exchange.url.split(separator: "/").last.map(String.init) ?? ""
      let key = exchange.headers.first { $0.name == "Idempotency-Key" }?.value
      let isDone = content.withLock { content in
        if let key { content.uploads[key, default: 0] += 1 }
        if exchange.url.contains("/finalize/") { content.finalized[name, default: 0] += 1 }
        return content.finalized[name] != nil
      }
      for _ in 0..<3 { await Task.yield() }
      if exchange.url.contains("/status/") { return .init(json: #"{"done": \#(isDone)}"#) }
      return Fixture.respond(to: exchange)
    }
  }

  /// Whether the process that is stopped, and the next one, send bodies in pieces.
  private static let services = [(false, false), (true, true), (true, false), (false, true)]

  @Test(arguments: [false, true], services)
  func
    `a run that is cancelled at any turn leaves nothing running, and the next process completes it`(
      beforeCommit: Bool, sendsPieces: (first: Bool, next: Bool)
    ) async throws
  {
    var stopped = 0
    for turn in 1... {
      let fixture = try Fixture()
      let server = Server()
      let world = ScriptedWorld(clock: fixture.clock, sendsPieces: sendsPieces.first) {
        await server.take($0)
      }
      let store = WatchedStore(fixture.store, turn: turn, beforeCommit: beforeCommit)
      let executor = fixture.executor(world, store: store)
      let state = try await fixture.state(files: 2)
      let epoch = try await fixture.store.claim()
      let run = Task {
        await store.ready.pass()
        return try await executor.run(state, epoch: epoch, events: [.runBegan])
      }
      store.begin { run.cancel() }
      let rest = try await run.value
      #expect(world.running == 0, "turn \(turn)")
      #expect(store.running == 0, "turn \(turn)")
      let calls = store.calls
      let sent = world.exchanges.count
      #expect(try await fixture.store.load().status == rest.status)
      guard store.commits >= turn else {
        #expect(rest.status == .finished)
        break
      }
      stopped += 1
      if rest.status == .paused { #expect(rest.reason?.message.contains("cancelled") == true) }
      #expect(rest.status == .paused || rest.status == .finished)

      if sendsPieces.first { #expect(world.files == []) }

      let next = ScriptedWorld(clock: fixture.clock, sendsPieces: sendsPieces.next) {
        await server.take($0)
      }
      let end = try await fixture.executor(next).run(
        try await fixture.reloaded(), epoch: try await fixture.store.claim(),
        events: [.runResumed, .unpaused])
      #expect(end.status == .finished, "turn \(turn)")
      #expect(end.loops[0].counts[.done] == 2, "turn \(turn)")
      #expect(server.uploads.count == 2, "turn \(turn): \(server.uploads)")
      #expect(server.finalized == ["id-0": 1, "id-1": 1], "turn \(turn)")
      #expect(next.files.isEmpty)
      #expect(store.calls == calls, "turn \(turn): the cancelled run went on")
      #expect(world.exchanges.count == sent, "turn \(turn): the cancelled run went on")
    }
    #expect(stopped > 5, "the run has a turn for each step")
  }

  @Test func `a run whose task is cancelled before it starts sends nothing`() async throws {
    let fixture = try Fixture()
    let world = ScriptedWorld(clock: fixture.clock) { Fixture.respond(to: $0) }
    let executor = fixture.executor(world)
    let state = try await fixture.state(files: 2)
    let epoch = try await fixture.store.claim()
    let cancelled = Gate()
    let run = Task {
      await cancelled.pass()
      return try await executor.run(state, epoch: epoch, events: [.runBegan])
    }
    run.cancel()
    cancelled.open()
    #expect(try await run.value.status == .paused)
    #expect(world.exchanges.isEmpty)
  }

  /// Lets the process run until something is in flight, and never again.
  private final class LastLight: Device {
    let isOver = Gate()
    let sleeps = Gate()

    func run(_ deliver: @escaping @Sendable (DeviceChange) -> Void) async {
      deliver(.granted(until: nil))
      await isOver.pass()
      if !Task.isCancelled { deliver(.expiring) }
      await Gate().pass()
    }

    func didSuspend(transfers: Int) { sleeps.open() }
    func didHoldBack(events: Int) {}
  }

  @Test func `a suspended run that is cancelled does not wait to be resumed`() async throws {
    let fixture = try Fixture()
    let device = LastLight()
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      guard exchange.url.contains("/content/") else { return Fixture.respond(to: exchange) }
      device.isOver.open()
      let never = Gate()
      return .init(hold: { await never.pass() })
    }
    let executor = fixture.executor(world, device: device)
    let state = try await fixture.state(files: 3)
    let epoch = try await fixture.store.claim()
    let run = Task { try await executor.run(state, epoch: epoch, events: [.runBegan]) }
    await device.sleeps.pass()
    run.cancel()
    #expect(try await run.value.status == .paused)
    #expect(world.running == 0)
  }

  @Test func `a cancellation that is interrupted is continued by the next process`()
    async throws
  {
    let fixture = try Fixture(Self.undoing)
    let arrived = Gate()
    let undone = Mutex(0)
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      guard exchange.method == "DELETE" else {
        return exchange.url.contains("/hold") ? .init(hold: { await Gate().pass() }) : .init()
      }
      arrived.open()
      return .init(hold: { await Gate().pass() })
    }
    let executor = fixture.executor(world)
    let state = try await fixture.state(files: 1)
    let epoch = try await fixture.store.claim()
    let run = Task { try await executor.run(state, epoch: epoch, events: [.runBegan]) }
    while !world.exchanges.contains(where: { $0.url.contains("/hold") }) { await Task.yield() }
    executor.requestCancel()
    await arrived.pass()
    run.cancel()
    #expect(try await run.value.status == .cancelling)

    let next = ScriptedWorld(clock: fixture.clock) { exchange in
      if exchange.method == "DELETE" { undone.withLock { $0 += 1 } }
      return .init(status: 204)
    }
    let end = try await fixture.executor(next).run(
      try await fixture.reloaded(), epoch: try await fixture.store.claim(), events: [.runResumed])
    #expect(end.status == .cancelled)
    #expect(undone.withLock { $0 } == 1)
    #expect(end.loops[0].leftAtServer == 0)
  }

  private static let undoing = """
    pipeline: undoing
    inputs:
      files: { type: files }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: make
            request: { method: PUT, url: "http://server/make/${{ file.name }}" }
          - id: hold
            request: { url: "http://server/hold" }
        on_abandon:
          - request: { method: DELETE, url: "http://server/make/${{ file.name }}" }
    """
}

/// A store that ends a run at one of its commits, and counts the calls.
final class WatchedStore: CheckpointStore {
  private struct Content {
    var commits = 0
    var calls = 0
    var running = 0
    var action: (@Sendable () -> Void)?
  }

  /// Opens when the action is known.
  let ready = Gate()
  private let base: InMemoryCheckpointStore
  private let turn: Int
  private let beforeCommit: Bool
  private let content = Mutex(Content())

  init(_ base: InMemoryCheckpointStore, turn: Int, beforeCommit: Bool) {
    self.base = base
    self.turn = turn
    self.beforeCommit = beforeCommit
  }

  var commits: Int { content.withLock { $0.commits } }
  var calls: Int { content.withLock { $0.calls } }
  var running: Int { content.withLock { $0.running } }

  /// Does `action` at the turn.
  func begin(_ action: @escaping @Sendable () -> Void) {
    content.withLock { $0.action = action }
    ready.open()
  }

  private func enter() {
    content.withLock { content in
      content.calls += 1
      content.running += 1
    }
  }

  private func leave() { content.withLock { $0.running -= 1 } }

  func commit(_ batch: CheckpointBatch) async throws(StoreFailure) -> [TargetClaim.Refusal] {
    enter()
    defer { leave() }
    let action = content.withLock { content in
      content.commits += 1
      return content.commits == turn ? content.action : nil
    }
    if beforeCommit { action?() }
    let refusals = try await base.commit(batch)
    if !beforeCommit { action?() }
    return refusals
  }

  func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item] {
    enter()
    defer { leave() }
    await Task.yield()
    return try await base.items(loop: loop, status: status, after: after, limit: limit)
  }

  func enumerate(
    loop: Int, subjects: [Item.Subject], epoch: Int
  ) async throws(StoreFailure) {
    enter()
    defer { leave() }
    try await base.enumerate(loop: loop, subjects: subjects, epoch: epoch)
  }

  func claim() async throws(StoreFailure) -> Int { try await base.claim() }
  func load() async throws(StoreFailure) -> RunState { try await base.load() }
  func close() async {}

  func create(
    _ state: RunState, items: [EnumeratedLoop]
  ) async throws(StoreFailure) -> RunState {
    try await base.create(state, items: items)
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
