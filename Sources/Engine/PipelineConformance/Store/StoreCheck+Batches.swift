import CEL
import PipelineCore
import PipelineEngine

extension StoreCheck {
  static let batches = [
    StoreCheck("each field of the run and of an active item comes back") { trial in
      let epoch = try await trial.begin(files: 9)
      var state = try await trial.store.load()
      Sample.fill(&state)
      state.loops[0].counts[.pending] = 8
      state.loops[0].counts[.active] = 1
      var item = Sample.activeItem(7)
      item.abandoning?.isUndone = true
      try await trial.store.commit(Sample.batch(epoch: epoch, [item], state: state))
      var expected = Sample.asStored(state)
      expected.loops[0].active[7] = Sample.asStored(item)
      let later = try await trial.reopened()
      trial.expect("the run", try await later.load(), is: expected)
      trial.expect("the item", try await later.item(item.key), is: Sample.asStored(item))
    },
    StoreCheck("words of a server with NUL are stored like any others") { trial in
      let epoch = try await trial.begin(files: 2)
      var state = try await trial.store.load()
      state.status = .paused
      state.reason = Failure("no \u{0} such album", status: 400)
      var item = Sample.item(1, .failed)
      item.reason = Failure("\u{0}")
      try await trial.store.commit(Sample.batch(epoch: epoch, [item], state: state))
      let later = try await trial.reopened()
      let loaded = try await later.load()
      trial.expect("the reason", loaded.reason?.message, is: "no \u{FFFD} such album")
      trial.expect("the item", try await later.item(item.key), is: item)
    },
    StoreCheck("an item that leaves the window is not loaded") { trial in
      let epoch = try await trial.begin(files: 4)
      try await trial.store.commit(
        Sample.batch(epoch: epoch, (0..<3).map { Sample.activeItem($0) }))
      let settled = [Sample.item(0, .done), Sample.item(1, .paused)]
      try await trial.store.commit(Sample.batch(epoch: epoch, settled))
      let later = try await trial.reopened()
      trial.expect("active items", try await later.load().loops[0].active.keys.sorted(), is: [2])
      for item in settled {
        trial.expect("the item \(item.key)", try await later.item(item.key), is: item)
      }
    },
    StoreCheck("values collected from parts are restored until the parts start over or end") {
      trial in
      let epoch = try await trial.begin(files: 3)
      let items = (0..<2).map { Sample.activeItem($0) }
      func concluded(_ number: Int, of ordinal: Int, generation: Int = 3) -> PartChange {
        .concluded(
          Sample.part(number, of: ordinal, generation: generation), Sample.collected(number))
      }
      try await trial.store.commit(
        Sample.batch(
          epoch: epoch, items,
          parts: [concluded(2, of: 0), concluded(1, of: 0, generation: 2), concluded(0, of: 1)]))
      var expected = items.map { Sample.asStored($0) }
      expected[0].frame[3] = Sample.parts(done: [2])
      expected[1].frame[3] = Sample.parts(done: [0])
      let later = try await trial.reopened()
      trial.expect("the first item", try await later.item(items[0].key), is: expected[0])
      trial.expect(
        "active items", try await later.load().loops[0].active.values.sorted { $0.key < $1.key },
        is: expected)
      let owner = try await later.claim()
      try await later.commit(
        Sample.batch(
          epoch: owner, [items[0]],
          parts: [.forgotten(items[0].key, step: 4), concluded(0, of: 0)]))
      expected[0].frame[3] = Sample.parts(done: [0])
      let last = try await trial.reopened()
      trial.expect("after they started over", try await last.item(items[0].key), is: expected[0])
      trial.expect("the other item", try await last.item(items[1].key), is: expected[1])
    },
    StoreCheck("a subject of each type comes back") { trial in
      let subjects = values.map { Item.Subject.value($0) } + [Sample.subject(7)]
      _ = try await trial.store.create(Sample.state(), items: [Sample.values(subjects, loop: 1)])
      let later = try await trial.reopened()
      let items = try await later.items(loop: 1, status: .pending, after: -1, limit: 99)
      trial.expect("subjects", items.map(\.subject), is: subjects)
      trial.expect("ordinals", items.map(\.key.ordinal), is: Array(subjects.indices))
    },
    StoreCheck("a target belongs to the item that claims it first, in each process") { trial in
      let epoch = try await trial.begin(files: 3)
      func claim(
        _ store: any CheckpointStore, _ ordinal: Int, _ target: UInt64, epoch: Int,
        takes: Bool = true
      ) async throws -> [ItemKey] {
        try await store.commit(
          Sample.batch(epoch: epoch, claims: [Sample.claim(ordinal, target, takes: takes)])
        ).map(\.holder)
      }
      let first = ItemKey(loop: 0, ordinal: 0)
      let store = trial.store
      trial.expect("a look", try await claim(store, 2, 1, epoch: epoch, takes: false), is: [])
      trial.expect("the first claim", try await claim(store, 0, 1, epoch: epoch), is: [])
      trial.expect("the same again", try await claim(store, 0, 1, epoch: epoch), is: [])
      trial.expect("another target", try await claim(store, 1, .max, epoch: epoch), is: [])
      let refusals = try await store.commit(
        Sample.batch(
          epoch: epoch, claims: [Sample.claim(1, 1), Sample.claim(2, 2), Sample.claim(2, 2)]))
      trial.expect(
        "refusals", refusals,
        is: [TargetClaim.Refusal(Sample.claim(1, 1), holder: first, subject: Sample.subject(0))])
      await trial.expectFailure(.staleOwner, "a claim by a stale owner") {
        _ = try await claim(store, 1, 3, epoch: epoch - 1)
      }
      let later = try await trial.reopened()
      let owner = try await later.claim()
      trial.expect("what failed", try await claim(later, 2, 3, epoch: owner), is: [])
      trial.expect("the next process", try await claim(later, 1, 1, epoch: owner), is: [first])
      trial.expect(
        "a later look", try await claim(later, 1, 1, epoch: owner, takes: false), is: [first])
    },
    StoreCheck("a batch is stored whole or not at all") { trial in
      let epoch = try await trial.begin(files: 2)
      let before = try await trial.store.load()
      await trial.expectFailure(.corrupt, "a batch with an item that does not exist") {
        var state = before
        state.status = .cancelled
        try await trial.store.commit(
          Sample.batch(
            epoch: epoch, [Sample.activeItem(0), Sample.activeItem(2)], events: [.runBegan],
            state: state, cancelledLoops: [0]))
      }
      trial.expect("the run", try await trial.store.load(), is: before)
      trial.expect("the history", try await trial.store.history(after: 0, limit: 9), is: [])
      let pending = try await trial.store.items(loop: 0, status: .pending, after: -1, limit: 9)
      trial.expect("pending items", pending.map(\.key.ordinal), is: [0, 1])
    },
  ]

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
}
