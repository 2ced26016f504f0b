import CEL
import PipelineCore
import PipelineEngine

extension StoreCheck {
  private static let statuses: [Item.Status] = [
    .done, .paused, .failed, .pending, .done, .skipped, .cancelled, .paused, .active, .pending,
  ]

  /// Ten items, each with its status from ``statuses``.
  private static func mix(_ trial: StoreTrial) async throws -> Int {
    let epoch = try await trial.begin(files: statuses.count)
    var state = try await trial.store.load()
    state.loops[0].counts = ItemCounts()
    for status in statuses { state.loops[0].counts[status] += 1 }
    let items = statuses.enumerated().map { Sample.item($0, $1) }.filter { $0.status != .pending }
    try await trial.store.commit(Sample.batch(epoch: epoch, items, state: state))
    return epoch
  }

  private static func ordinals(
    _ store: any CheckpointStore, _ status: Item.Status?, after: Int = -1, limit: Int = 99
  ) async throws -> [Int] {
    try await store.items(loop: 0, status: status, after: after, limit: limit).map(\.key.ordinal)
  }

  static let lists = [
    StoreCheck("items are listed by status in order") { trial in
      _ = try await mix(trial)
      for status in Item.Status.allCases {
        let expected = statuses.indices.filter { statuses[$0] == status }
        trial.expect("\(status) items", try await ordinals(trial.store, status), is: expected)
      }
    },
    StoreCheck("pages follow each other without gap or repetition") { trial in
      _ = try await trial.begin(files: 10)
      var pages: [[Int]] = []
      var after = -1
      // A store that returns the same items again must not cause an endless loop.
      while pages.count < 9 {
        let page = try await ordinals(trial.store, .pending, after: after, limit: 4)
        guard let last = page.last else { break }
        pages.append(page)
        after = last
      }
      trial.expect("pages", pages, is: [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
      let eighth = try await ordinals(trial.store, nil, after: 7, limit: 1)
      trial.expect("one item after 7", eighth, is: [8])
      trial.expect("no items", try await ordinals(trial.store, nil, limit: 0), is: [])
      let none = try await ordinals(trial.store, .pending, after: 9)
      trial.expect("items after the last", none, is: [])
    },
    StoreCheck("loops do not see each other's items") { trial in
      let epoch = try await trial.begin(files: 3)
      let subjects = [Item.Subject.value(.int(1)), .value(.int(2))]
      try await trial.store.enumerate(loop: 1, subjects: subjects, epoch: epoch)
      let files = try await trial.store.items(loop: 0, status: nil, after: -1, limit: 9)
      trial.expect("items of the first loop", files.count, is: 3)
      let tags = try await trial.store.items(loop: 1, status: nil, after: -1, limit: 9)
      trial.expect("subjects of the second loop", tags.map(\.subject), is: subjects)
      let others = try await trial.store.items(loop: 2, status: nil, after: -1, limit: 9)
      trial.expect("items of a loop that does not exist", others, is: [])
      for key in [(0, 3), (2, 0), (0, -1)].map({ ItemKey(loop: $0, ordinal: $1) }) {
        trial.expect("the item \(key)", try await trial.store.item(key), is: nil)
      }
    },
    StoreCheck("a second enumeration replaces the first") { trial in
      let epoch = try await trial.begin(files: 3)
      try await trial.store.enumerate(
        loop: 1, subjects: (0..<5).map { .value(.int($0)) }, epoch: epoch)
      try await trial.store.enumerate(loop: 1, subjects: [.value(.string("a"))], epoch: epoch)
      let store = try await trial.reopened()
      let tags = try await store.items(loop: 1, status: .pending, after: -1, limit: 9)
      trial.expect("subjects", tags.map(\.subject), is: [.value(.string("a"))])
      let files = try await store.items(loop: 0, status: nil, after: -1, limit: 9)
      trial.expect("items of the other loop", files.count, is: 3)
    },
    StoreCheck("cancelling a loop changes only its pending items") { trial in
      let epoch = try await mix(trial)
      try await trial.store.enumerate(loop: 1, subjects: [.value(.int(1))], epoch: epoch)
      try await trial.store.commit(Sample.batch(epoch: epoch, cancelledLoops: [0]))
      let store = try await trial.reopened()
      let found = try await store.items(loop: 0, status: nil, after: -1, limit: 99)
      trial.expect(
        "statuses", found.map(\.status), is: statuses.map { $0 == .pending ? .cancelled : $0 })
      let others = try await store.items(loop: 1, status: .pending, after: -1, limit: 9)
      trial.expect("pending items of the other loop", others.count, is: 1)
    },
  ]

  static let requeues = [
    StoreCheck("requeuing all includes paused and failed items") { trial in
      let epoch = try await mix(trial)
      let counts = try await trial.store.requeue(nil, epoch: epoch)
      trial.expect("loop, paused, failed", counts.map { [$0.0, $0.1, $0.2] }, is: [[0, 2, 1]])
      let store = try await trial.reopened()
      trial.expect("pending items", try await ordinals(store, .pending), is: [1, 2, 3, 7, 9])
      trial.expect("items that are done", try await ordinals(store, .done), is: [0, 4])
      let again = try await store.requeue(nil, epoch: epoch)
      trial.expect(again.isEmpty, "requeued once more: \(again)")
    },
    StoreCheck("requeuing some leaves the others") { trial in
      let epoch = try await mix(trial)
      let keys = [2, 0, 7, 7, 8, 99].map { ItemKey(loop: 0, ordinal: $0) }
      let counts = try await trial.store.requeue(keys, epoch: epoch)
      trial.expect("loop, paused, failed", counts.map { [$0.0, $0.1, $0.2] }, is: [[0, 1, 1]])
      trial.expect("pending items", try await ordinals(trial.store, .pending), is: [2, 3, 7, 9])
      trial.expect("paused items", try await ordinals(trial.store, .paused), is: [1])
      let none = try await trial.store.requeue([], epoch: epoch)
      trial.expect(none.isEmpty, "requeued without keys: \(none)")
    },
    StoreCheck("a requeued item keeps its valid results") { trial in
      let epoch = try await trial.begin(files: 1)
      var item = Sample.asStored(Sample.activeItem(0))
      item.status = .paused
      try await trial.store.commit(Sample.batch(epoch: epoch, [item]))
      _ = try await trial.store.requeue(nil, epoch: epoch)
      item.status = .pending
      trial.expect("the item", try await trial.store.item(item.key), is: item)
    },
    StoreCheck("a requeue that no batch has reported is counted by the next owner") { trial in
      let epoch = try await mix(trial)
      var finished = try await trial.store.load()
      finished.status = .finished
      finished.ended = Sample.began
      try await trial.store.commit(Sample.batch(epoch: epoch, state: finished))
      _ = try await trial.store.requeue(nil, epoch: epoch)
      let before = try await trial.store.load()
      trial.expect("paused items before", before.loops[0].counts[.paused], is: 2)
      let store = try await trial.reopened()
      _ = try await store.claim()
      let state = try await store.load()
      trial.expect("pending items", state.loops[0].counts[.pending], is: 5)
      trial.expect("paused items", state.loops[0].counts[.paused], is: 0)
      trial.expect("failed items", state.loops[0].counts[.failed], is: 0)
      trial.expect("the total", state.loops[0].counts.total, is: statuses.count)
      trial.expect("the run's status", state.status, is: .running)
      trial.expect("the run's end", state.ended, is: nil)
    },
  ]
}
