import Basics
import CEL
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import StoreSupport
import Testing

/// A store of the current version as text, so that no change of the stored form goes unnoticed.
struct GoldenStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder("run.sqlite") }
  static let golden = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Golden/version-1.sql")

  init() throws { folder = try TemporaryFolder() }

  private static let tags: [Item.Subject] = [
    .value(.null), .value(.double(0.5)), .value(.bytes([0, 255])),
    .value(.map(MapValue([("$uint", .uint(.max)), ("at", .timestamp(Sample.began.timestamp))]))),
  ]

  /// A run in which no stored field has its initial value.
  static var state: RunState {
    var state = Sample.state(keySeed: "5eed0123456789abcdef", shard: Shard(3, of: 16))
    state.loops[0].leftAtServer = 1
    state.loops[1].isRequeued = true
    Sample.fill(&state)
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

  /// An item on its way out in which no stored field has its initial value.
  static var leaving: Item {
    var item = Sample.activeItem(1)
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
    let state = Self.state
    _ = try await store.create(Sample.state(keySeed: state.keySeed), items: [Sample.files(3)])
    try await store.enumerate(loop: 1, subjects: Self.tags, epoch: epoch)
    for events in Self.events { try await store.commit(Sample.batch(epoch: epoch, events: events)) }
    try await store.commit(
      Sample.batch(
        epoch: epoch, [Self.leaving, Self.paused],
        parts: [.concluded(Sample.part(2, of: 1), Sample.collected(2))], state: state))
    await store.close()
  }

  @Test func `the stored form is the one that is recorded`() async throws {
    try await write()
    // The form does not change with each version of the program.
    let text = try StoreText.dump(path).replacing("'\(Version.current)'", with: "'1.2.3'")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: Self.golden)
    }
    #expect(try text == String(decoding: Data(contentsOf: Self.golden), as: UTF8.self))
  }

  @Test func `a store is read whole`() async throws {
    let sql = String(decoding: try Data(contentsOf: Self.golden), as: UTF8.self)
    try StoreText.restore(sql, to: path)
    let store = try await SQLiteCheckpointStore(path: path, pipeline: Sample.pipeline)
    var expected = Sample.asStored(Self.state)
    expected.loops[0].active[1] = Sample.asStored(Self.leaving)
    expected.loops[0].active[1]?.frame[3] = Sample.parts(done: [2])
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
}
