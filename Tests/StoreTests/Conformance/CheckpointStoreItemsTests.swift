import CEL
import Foundation
import PipelineCore
import PipelineEngine
import Testing

/// What every store owes: lists of items, changes of many rows at once, and the history.
struct CheckpointStoreItemsTests {
  private static let statuses: [Item.Status] = [
    .done, .paused, .failed, .pending, .done, .skipped, .cancelled, .paused, .active, .pending,
  ]

  /// Ten items, each where ``statuses`` says.
  private static func mixed(_ kind: StoreKind) async throws -> (StoreFixture, epoch: Int) {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: statuses.count)
    var state = try await fixture.store.load()
    state.loops[0].counts = ItemCounts()
    for status in statuses { state.loops[0].counts[status] += 1 }
    let items = statuses.enumerated().map { Sample.item($0, $1) }.filter { $0.status != .pending }
    try await fixture.store.commit(Sample.batch(epoch: epoch, items, state: state))
    return (fixture, epoch)
  }

  private static func ordinals(
    _ store: any CheckpointStore, _ status: Item.Status?, after: Int = -1, limit: Int = 99
  ) async throws -> [Int] {
    try await store.items(loop: 0, status: status, after: after, limit: limit).map(\.key.ordinal)
  }

  @Test(arguments: StoreKind.allCases, Item.Status.allCases)
  func `items are listed by status in order`(_ kind: StoreKind, _ status: Item.Status) async throws
  {
    let (fixture, _) = try await Self.mixed(kind)
    let expected = Self.statuses.indices.filter { Self.statuses[$0] == status }
    #expect(try await Self.ordinals(fixture.store, status) == expected)
  }

  @Test(arguments: StoreKind.allCases)
  func `pages follow each other without gap or repetition`(_ kind: StoreKind) async throws {
    let (fixture, _) = try await StoreFixture.begun(kind, files: 10)
    var pages: [[Int]] = []
    var after = -1
    while true {
      let page = try await Self.ordinals(fixture.store, .pending, after: after, limit: 4)
      guard let last = page.last else { break }
      pages.append(page)
      after = last
    }
    #expect(pages == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
    #expect(try await Self.ordinals(fixture.store, nil, after: 7, limit: 1) == [8])
    #expect(try await Self.ordinals(fixture.store, nil, limit: 0) == [])
    #expect(try await Self.ordinals(fixture.store, .pending, after: 9) == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `loops do not see each other's items`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: 3)
    try await fixture.store.enumerate(
      loop: 1, subjects: [.value(.int(1)), .value(.int(2))], epoch: epoch)
    #expect(try await fixture.store.items(loop: 0, status: nil, after: -1, limit: 9).count == 3)
    let tags = try await fixture.store.items(loop: 1, status: nil, after: -1, limit: 9)
    #expect(tags.map(\.subject) == [.value(.int(1)), .value(.int(2))])
    #expect(try await fixture.store.items(loop: 2, status: nil, after: -1, limit: 9) == [])
    #expect(try await fixture.store.item(ItemKey(loop: 0, ordinal: 3)) == nil)
    #expect(try await fixture.store.item(ItemKey(loop: 2, ordinal: 0)) == nil)
    #expect(try await fixture.store.item(ItemKey(loop: 0, ordinal: -1)) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `a second enumeration replaces the first`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: 3)
    try await fixture.store.enumerate(
      loop: 1, subjects: (0..<5).map { .value(.int($0)) }, epoch: epoch)
    try await fixture.store.enumerate(loop: 1, subjects: [.value(.string("a"))], epoch: epoch)
    let store = try await fixture.reopened()
    let tags = try await store.items(loop: 1, status: .pending, after: -1, limit: 9)
    #expect(tags.map(\.subject) == [.value(.string("a"))])
    #expect(try await store.items(loop: 0, status: nil, after: -1, limit: 9).count == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `cancelling a loop touches its pending items alone`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await Self.mixed(kind)
    try await fixture.store.enumerate(loop: 1, subjects: [.value(.int(1))], epoch: epoch)
    try await fixture.store.commit(Sample.batch(epoch: epoch, cancelledLoops: [0]))
    let found = try await fixture.reopened().items(loop: 0, status: nil, after: -1, limit: 99)
    #expect(found.map(\.status) == Self.statuses.map { $0 == .pending ? .cancelled : $0 })
    let store = try await fixture.reopened()
    #expect(try await store.items(loop: 1, status: .pending, after: -1, limit: 9).count == 1)
  }

  // MARK: Requeuing

  @Test(arguments: StoreKind.allCases)
  func `requeuing all takes paused and failed items`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await Self.mixed(kind)
    let counts = try await fixture.store.requeue(nil, epoch: epoch)
    #expect(counts.map { [$0.loop, $0.paused, $0.failed] } == [[0, 2, 1]])
    let store = try await fixture.reopened()
    #expect(try await Self.ordinals(store, .pending) == [1, 2, 3, 7, 9])
    #expect(try await Self.ordinals(store, .done) == [0, 4])
    let again = try await store.requeue(nil, epoch: epoch)
    #expect(again.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `requeuing some leaves the others`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await Self.mixed(kind)
    let keys = [2, 0, 7, 7, 8, 99].map { ItemKey(loop: 0, ordinal: $0) }
    let counts = try await fixture.store.requeue(keys, epoch: epoch)
    #expect(counts.map { [$0.loop, $0.paused, $0.failed] } == [[0, 1, 1]])
    #expect(try await Self.ordinals(fixture.store, .pending) == [2, 3, 7, 9])
    #expect(try await Self.ordinals(fixture.store, .paused) == [1])
    let none = try await fixture.store.requeue([], epoch: epoch)
    #expect(none.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `a requeued item keeps its valid results`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: 1)
    var item = Sample.asStored(Sample.activeItem(0))
    item.status = .paused
    try await fixture.store.commit(Sample.batch(epoch: epoch, [item]))
    _ = try await fixture.store.requeue(nil, epoch: epoch)
    item.status = .pending
    #expect(try await fixture.store.item(item.key) == item)
  }

  @Test(arguments: StoreKind.allCases)
  func `a requeue that no batch has told of is counted by the next owner`(
    _ kind: StoreKind
  ) async throws {
    let (fixture, epoch) = try await Self.mixed(kind)
    var finished = try await fixture.store.load()
    finished.status = .finished
    finished.ended = Sample.began
    try await fixture.store.commit(Sample.batch(epoch: epoch, state: finished))
    _ = try await fixture.store.requeue(nil, epoch: epoch)
    #expect(try await fixture.store.load().loops[0].counts[.paused] == 2)
    let store = try await fixture.reopened()
    _ = try await store.claim()
    let state = try await store.load()
    #expect(state.loops[0].counts[.pending] == 5)
    #expect(state.loops[0].counts[.paused] == 0)
    #expect(state.loops[0].counts[.failed] == 0)
    #expect(state.loops[0].counts.total == Self.statuses.count)
    #expect(state.status == .running)
    #expect(state.ended == nil)
  }

  // MARK: History and secrets

  @Test(arguments: StoreKind.allCases)
  func `the history keeps every batch with events, in order`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: 1)
    for events: [Event] in [[.runBegan], [], [.timerFired, .unpaused], [.cancelRequested]] {
      try await fixture.store.commit(Sample.batch(epoch: epoch, events: events))
    }
    let store = try await fixture.reopened()
    let batches = try await store.history(after: 0, limit: 99)
    #expect(batches.map(\.sequence) == [1, 2, 3])
    #expect(batches.allSatisfy { $0.at == Sample.began })
    let texts = batches.map { String(decoding: $0.events, as: UTF8.self) }
    #expect(
      texts == [
        #"[{"event":"run_began"}]"#, #"[{"event":"timer_fired"},{"event":"unpaused"}]"#,
        #"[{"event":"cancel_requested"}]"#,
      ])
    #expect(try await store.history(after: 1, limit: 1).map(\.sequence) == [2])
    #expect(try await store.history(after: 3, limit: 1) == [])
    #expect(try await store.history(after: 0, limit: 0) == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `the history contains no secret`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: 1)
    let id = EffectID(run: Sample.state().id, item: nil, step: 0, generation: 1, attempt: 1)
    let token = OutputValue(value: .string(Sample.secret), isSecret: true, expires: Sample.began)
    let result = StepResult(outputs: [token], status: 200, duration: .milliseconds(12))
    try await fixture.store.commit(
      Sample.batch(epoch: epoch, events: [.concluded(id, .success(result))]))
    let batch = try #require(try await fixture.store.history(after: 0, limit: 1).first)
    let text = String(decoding: batch.events, as: UTF8.self)
    #expect(text.contains(#""step":"sign_in""#))
    #expect(text.contains(#""secret":true"#))
    #expect(!text.contains(Sample.secret))
  }
}
