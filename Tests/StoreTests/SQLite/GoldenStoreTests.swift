import CEL
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import StoreSupport
import Testing

/// Stores of every released version, as text, which this version must go on reading.
struct GoldenStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder("run.sqlite") }
  static func golden(_ version: Int) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/version-\(version).sql")
  }

  init() throws { folder = try TemporaryFolder() }

  /// The form that this version writes.
  static let latest = 11

  private static let tags: [Item.Subject] = [
    .value(.null), .value(.double(0.5)), .value(.bytes([0, 255])),
    .value(.map(MapValue([("$uint", .uint(.max)), ("at", .timestamp(Sample.began.timestamp))]))),
  ]

  /// The run with what form 3 added, or without.
  static func state(_ version: Int) -> RunState {
    var state = Sample.state(
      keySeed: version < 3 ? nil : "5eed0123456789abcdef",
      shard: version < 11 ? nil : Shard(3, of: 16))
    if version >= 3 {
      state.loops[0].leftAtServer = 1
      state.loops[1].isRequeued = true
    }
    Sample.fill(&state)
    if version < 7 { state.buckets = [:] }
    if version < 6 { state.frame = state.frame.map(Sample.beforeVersion6) }
    if version < 5 { state.frame = state.frame.map(Sample.beforeVersion5) }
    if version < 4 {
      state.frame = state.frame.map(Sample.beforeVersion4)
      state.time = nil
    }
    state.loops[0].isEnumerated = true
    state.loops[0].counts[.pending] = 1
    state.loops[0].counts[.active] = 1
    state.loops[0].counts[.paused] = 1
    return state
  }

  private static var paused: Item {
    var item = Sample.item(2, .paused)
    item.reason = Failure("the server says 409", status: 409)
    return item
  }

  /// The item on its way out, with what form 3 added to it, or without.
  static func leaving(_ version: Int) -> Item {
    var item = Sample.activeItem(1)
    if version < 6 { item.frame[3] = StepState() }
    if version < 6 { item.frame = item.frame.map(Sample.beforeVersion6) }
    if version < 5 { item.frame = item.frame.map(Sample.beforeVersion5) }
    if version < 4 { item.frame = item.frame.map(Sample.beforeVersion4) }
    if version < 8 { item.remnants = [] }
    guard version >= 3 else { return item }
    item.abandoning?.isUndone = true
    item.abandoning?.failures = 2
    item.abandoning?.begun = Sample.began
    item.abandoning?.since = Sample.began + .seconds(1)
    item.abandoning?.notBefore = Sample.began + .seconds(2)
    item.abandoning?.failure = Failure("DELETE answered 503", status: 503)
    item.abandoning?.only = [0]
    item.abandoning?.left = [0]
    item.abandoning?.cause = Failure("gave up")
    return item
  }

  private static var events: [[Event]] {
    let id = EffectID(
      run: Sample.state().id, item: ItemKey(loop: 0, ordinal: 1), step: 1, generation: 2, attempt: 3
    )
    let result = StepResult(
      outputs: [OutputValue(value: .string("u-1"), expires: Sample.began)], status: 201,
      duration: .milliseconds(87), bytes: 12)
    let again = Verdict.retry(Failure("503", status: 503), after: Sample.began, progressed: true)
    return [
      [.runBegan, .itemsLoaded(loop: 0, [Sample.item(1, .pending)], isLast: true)],
      [.concluded(id, .success(result)), .concluded(id, again)],
      [.concluded(id, .expired(step: 0, Failure("401"))), .filesDiscarded(nil, bytes: 7)],
    ]
  }

  private func write() async throws {
    let store = try await SQLiteCheckpointStore(path: path, pipeline: Sample.pipeline)
    let epoch = try await store.claim()
    let state = Self.state(Self.latest)
    _ = try await store.create(Sample.state(keySeed: state.keySeed), items: [Sample.files(3)])
    try await store.enumerate(loop: 1, subjects: Self.tags, epoch: epoch)
    for events in Self.events { try await store.commit(Sample.batch(epoch: epoch, events: events)) }
    try await store.commit(
      Sample.batch(
        epoch: epoch, [Self.leaving(Self.latest), Self.paused],
        parts: [.concluded(Sample.part(2, of: 1), Sample.collected(2))], state: state))
    await store.close()
  }

  @Test func `this version writes form 10 as it was released`() async throws {
    try await write()
    let text = try StoreText.dump(path)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: Self.golden(Self.latest))
    }
    #expect(try text == String(decoding: Data(contentsOf: Self.golden(Self.latest)), as: UTF8.self))
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  func `a store of an earlier form is read whole`(version: Int) async throws {
    let sql = String(decoding: try Data(contentsOf: Self.golden(version)), as: UTF8.self)
    try StoreText.restore(sql, to: path)
    let store = try await SQLiteCheckpointStore(path: path, pipeline: Sample.pipeline)
    var expected = Sample.asStored(Self.state(version))
    expected.loops[0].active[1] = Sample.asStored(Self.leaving(version))
    if version >= 6 {
      expected.loops[0].active[1]?.frame[3] = Sample.parts(done: [2])
    }
    if version < 9 { expected = Sample.beforeVersion9(expected) }
    #expect(try await store.load() == expected)
    let items = try await store.items(loop: 0, status: nil, after: -1, limit: 9)
    #expect(items.map(\.status) == [.pending, .active, .paused])
    #expect(items.last == Self.paused)
    let tags = try await store.items(loop: 1, status: .pending, after: -1, limit: 9)
    #expect(tags.map(\.subject) == Self.tags)
    let coding = HistoryCoding(Sample.pipeline)
    let history = try await store.history(after: 0, limit: 9)
    #expect(history.map(\.events) == Self.events.map { coding.encode($0) })
    #expect(try await store.claim() == 2)
    await store.close()
  }

  @Test(arguments: [1, 2])
  func `a run of an earlier form continues with the keys that it began with`(version: Int)
    async throws
  {
    let sql = String(decoding: try Data(contentsOf: Self.golden(version)), as: UTF8.self)
    try StoreText.restore(sql, to: path)
    // Inspecting reads it as it is; resuming brings it up to date.
    let reader = try await SQLiteCheckpointStore.openReadOnly(path: path, pipeline: Sample.pipeline)
    #expect(try await reader.load().keySeed == nil)
    await reader.close()
    let store = try await SQLiteCheckpointStore(path: path, pipeline: Sample.pipeline)
    let state = try await store.load()
    await store.close()
    let item = try #require(state.loops[0].active[1])
    let scope = Scope(state, item: item, now: Sample.began)
    let id = EffectID(run: state.id, item: item.key, step: 1, generation: 3, attempt: 4)
    #expect(
      Evaluator(Sample.pipeline).idempotencyKey(id, scope)
        == "photos-20260314-101502-k3f9-0.1-allocate-3")
    let key = try #require(
      Environment.standard.declaring("item.key", as: .string).compile("item.key").expression)
    #expect(
      try Evaluator(Sample.pipeline).value(
        Expression(key, at: SourceLocation(file: "", line: 1, column: 1)), scope)
        == .string("photos-20260314-101502-k3f9-0.1"))
  }
}
