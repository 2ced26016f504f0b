import CEL
import PipelineCore
import PipelineEngine
import Testing

/// What every store owes: creating, loading, and keeping batches.
struct CheckpointStoreConformanceTests {
  struct Unreadable: Error {}

  @Test(arguments: StoreKind.allCases)
  func `a store without a run says so`(_ kind: StoreKind) async throws {
    let store = try await StoreFixture(kind).store
    await expectFailure(.notFound) { _ = try await store.load() }
    let epoch = try await store.claim()
    await expectFailure(.notFound) {
      try await store.commit(Sample.batch(epoch: epoch, state: Sample.state()))
    }
    #expect(try await store.items(loop: 0, status: nil, after: -1, limit: 10) == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `an enumeration that fails leaves no run`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    await expectFailure(.enumeration) {
      _ = try await fixture.store.create(
        Sample.state(),
        items: [
          Sample.files(3),
          EnumeratedLoop(loop: 1) { yield in
            for ordinal in 0..<5000 { try yield(Sample.subject(ordinal)) }
            throw Unreadable()
          },
        ])
    }
    await expectFailure(.notFound) { _ = try await fixture.store.load() }
    let later = try await fixture.reopened()
    await expectFailure(.notFound) { _ = try await later.load() }
    let state = try await later.create(Sample.state(), items: [Sample.files(2)])
    #expect(state.loops[0].counts[.pending] == 2)
    #expect(try await later.items(loop: 0, status: nil, after: -1, limit: 10).count == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `a store's failure inside an enumeration comes out as it is`(_ kind: StoreKind) async throws
  {
    let store = try await StoreFixture(kind).store
    let failure = StoreFailure(.readOnly, message: "the folder cannot be read")
    let found = await expectFailure(.readOnly) {
      _ = try await store.create(
        Sample.state(), items: [EnumeratedLoop(loop: 0) { _ in throw failure }])
    }
    #expect(found == failure)
  }

  @Test(arguments: StoreKind.allCases)
  func `a run is never created over another`(_ kind: StoreKind) async throws {
    let (fixture, _) = try await StoreFixture.begun(kind, files: 3)
    await expectFailure(.system) {
      _ = try await fixture.store.create(Sample.state(), items: [Sample.files(1)])
    }
    #expect(try await fixture.store.load().loops[0].counts.total == 3)
    #expect(try await fixture.store.items(loop: 0, status: nil, after: -1, limit: 9).count == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `a new run comes back as it was, without its secrets`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    var begun = Sample.state()
    Sample.fill(&begun)
    let created = try await fixture.store.create(begun, items: [Sample.files(4)])
    #expect(created.secrets == begun.secrets)
    #expect(created.loops[0].isEnumerated)
    #expect(!created.loops[1].isEnumerated)
    #expect(created.loops[0].counts[.pending] == 4)
    #expect(try await fixture.reopened().load() == Sample.asStored(created))
  }

  @Test(arguments: StoreKind.allCases)
  func `each field of the run and of an active item comes back`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: 9)
    var state = try await fixture.store.load()
    Sample.fill(&state)
    state.loops[0].counts[.pending] = 8
    state.loops[0].counts[.active] = 1
    var item = Sample.activeItem(7)
    item.abandoning?.isUndone = true
    try await fixture.store.commit(Sample.batch(epoch: epoch, [item], state: state))
    var expected = Sample.asStored(state)
    expected.loops[0].active[7] = Sample.asStored(item)
    let later = try await fixture.reopened()
    #expect(try await later.load() == expected)
    #expect(try await later.item(item.key) == Sample.asStored(item))
  }

  @Test(arguments: StoreKind.allCases)
  func `an item that leaves the window is not loaded`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: 4)
    try await fixture.store.commit(
      Sample.batch(epoch: epoch, (0..<3).map { Sample.activeItem($0) }))
    try await fixture.store.commit(
      Sample.batch(epoch: epoch, [Sample.item(0, .done), Sample.item(1, .paused)]))
    let later = try await fixture.reopened()
    #expect(try await later.load().loops[0].active.keys.sorted() == [2])
    #expect(try await later.item(ItemKey(loop: 0, ordinal: 0)) == Sample.item(0, .done))
    #expect(try await later.item(ItemKey(loop: 0, ordinal: 1)) == Sample.item(1, .paused))
  }

  private static let otherKeys: MapValue = {
    var map = MapValue()
    map.insert(.string("one"), for: .int(1))
    map.insert(.null, for: .bool(false))
    return map
  }()

  private static let values: [Value] = [
    .null, .bool(true), .int(.min), .int(.max), .uint(.max), .double(-0.0),
    .double(.leastNonzeroMagnitude),
    .double(.infinity), .double(3), .string(""), .string("\u{0}\u{1F}\"\\/ é 📷"),
    .bytes([0, 255, 127]), .duration(.milliseconds(-1500)), .list([.null, .list([])]),
    .map(MapValue()), .map(MapValue([("$double", .string("1")), ("a", .int(1))])),
    .map(MapValue([("$bytes", .list([.int(1)]))])),
    .map(otherKeys),
    Timestamp(seconds: -1, nanoseconds: 999_999_999).map { .timestamp($0) } ?? .null,
  ]

  @Test(arguments: StoreKind.allCases)
  func `a subject of each type comes back`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    let subjects = Self.values.map { Item.Subject.value($0) } + [Sample.subject(7)]
    _ = try await fixture.store.create(Sample.state(), items: [Sample.values(subjects, loop: 1)])
    let items = try await fixture.reopened().items(loop: 1, status: .pending, after: -1, limit: 99)
    #expect(items.map(\.subject) == subjects)
    #expect(items.map(\.key.ordinal) == Array(subjects.indices))
  }

  @Test(arguments: StoreKind.allCases)
  func `a batch is kept whole or not at all`(_ kind: StoreKind) async throws {
    let (fixture, epoch) = try await StoreFixture.begun(kind, files: 2)
    let before = try await fixture.store.load()
    await expectFailure(.corrupt) {
      var state = before
      state.status = .cancelled
      try await fixture.store.commit(
        Sample.batch(
          epoch: epoch, [Sample.activeItem(0), Sample.activeItem(2)], events: [.runBegan],
          state: state, cancelledLoops: [0]))
    }
    #expect(try await fixture.store.load() == before)
    #expect(try await fixture.store.history(after: 0, limit: 9) == [])
    #expect(
      try await fixture.store.items(loop: 0, status: .pending, after: -1, limit: 9).count == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `a stale owner changes nothing`(_ kind: StoreKind) async throws {
    let (fixture, stale) = try await StoreFixture.begun(kind, files: 2)
    let store = try await fixture.reopened()
    let epoch = try await store.claim()
    #expect(epoch > stale)
    try await store.commit(Sample.batch(epoch: epoch, [Sample.item(1, .paused)]))
    let before = try await store.load()
    await expectFailure(.staleOwner) {
      var state = before
      state.status = .cancelled
      try await store.commit(
        Sample.batch(
          epoch: stale, [Sample.activeItem(0)], events: [.runBegan], state: state,
          cancelledLoops: [0]))
    }
    await expectFailure(.staleOwner) { _ = try await store.requeue(nil, epoch: stale) }
    await expectFailure(.staleOwner) {
      try await store.enumerate(loop: 0, subjects: [], epoch: stale)
    }
    #expect(try await store.load() == before)
    #expect(try await store.history(after: 0, limit: 9) == [])
    let statuses = try await store.items(loop: 0, status: nil, after: -1, limit: 9).map(\.status)
    #expect(statuses == [.pending, .paused])
  }

  @Test(arguments: StoreKind.allCases)
  func `each claim is greater than all before it`(_ kind: StoreKind) async throws {
    let fixture = try await StoreFixture(kind)
    let first = try await fixture.store.claim()
    let second = try await fixture.store.claim()
    let third = try await fixture.reopened().claim()
    #expect(first > 0)
    #expect(second > first)
    #expect(third > second)
  }
}
