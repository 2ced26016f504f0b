public import PipelineCore
public import PipelineEngine
import CEL

/// One sentence of the contract of ``CheckpointStore``, and how to find out whether a store obeys it.
///
/// A test of your own store, in any framework:
///
/// ```swift for check in StoreCheck.all {
///   let failures = await check.failures { pipeline in
///     let path = temporaryPath()
///     return StoreUnderTest(try MyStore(path, pipeline), reopened: { try MyStore(path, pipeline) })
///   }
///   for failure in failures { XCTFail(failure.description) }
/// }
/// ```
///
/// No check can cut the power: that an acknowledged batch survives it is for you to show.
public struct StoreCheck: Sendable, CustomStringConvertible {
  /// Makes a store without a run, which shares nothing with the stores made before.
  public typealias Factory = @Sendable (Pipeline) async throws -> StoreUnderTest

  /// The behavior of a store that passes.
  public let name: String
  private let body: @Sendable (StoreTrial) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (StoreTrial) async throws -> Void) {
    (self.name, self.body) = (name, body)
  }

  public var description: String { name }

  /// All checks; a store that passes them is one that runs can use.
  public static let all = runs + batches + lists + requeues + histories

  /// The faults of the stores that `make` creates; empty if there are none.
  public func failures(of make: Factory) async -> [ConformanceFailure] {
    let trial: StoreTrial
    do { trial = StoreTrial(name, try await make(Sample.pipeline)) } catch {
      return [
        ConformanceFailure(
          check: name, message: "no store was created: \(error)", fileID: #fileID,
          filePath: #filePath, line: #line)
      ]
    }
    do { try await body(trial) } catch { trial.fail("the store failed: \(error)") }
    return trial.failures
  }
}

/// A store for one check, and a way to open its stored content a second time.
public struct StoreUnderTest: Sendable {
  let store: any CheckpointStore
  let reopened: @Sendable () async throws -> any CheckpointStore

  /// A store, and the store that a later process opens in its place; without it, the same store is looked at again.
  public init(
    _ store: any CheckpointStore,
    reopened: (@Sendable () async throws -> any CheckpointStore)? = nil
  ) {
    self.store = store
    self.reopened =
      if let reopened {
        {
          await store.close()
          return try await reopened()
        }
      } else { { store } }
  }
}

/// A finding of a check: an implementation that violates its contract.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Name of the check.
  public let check: String
  /// The found and the expected value.
  public let message: String
  /// Where the check looked, as `#fileID`.
  public let fileID: String
  /// Where the check looked, as `#filePath`.
  public let filePath: String
  /// The line in that file.
  public let line: Int

  /// The line, the check and its finding.
  public var description: String { "\(fileID):\(line): \(check): \(message)" }
}

extension StoreCheck {
  private struct Unreadable: Error {}

  static let runs = [
    StoreCheck("a store without a run reports that") { trial in
      let store = trial.store
      await trial.expectFailure(.notFound, "load") { _ = try await store.load() }
      let epoch = try await store.claim()
      await trial.expectFailure(.notFound, "commit") {
        try await store.commit(Sample.batch(epoch: epoch, state: Sample.state()))
      }
      let items = try await store.items(loop: 0, status: nil, after: -1, limit: 10)
      trial.expect("items", items, is: [])
    },
    StoreCheck("a failed enumeration does not leave a run") { trial in
      await trial.expectFailure(.enumeration, "create") {
        _ = try await trial.store.create(
          Sample.state(),
          items: [
            Sample.files(3),
            EnumeratedLoop(loop: 1) { yield in
              for ordinal in 0..<5000 { try yield(Sample.subject(ordinal)) }
              throw Unreadable()
            },
          ])
      }
      await trial.expectFailure(.notFound, "load") { _ = try await trial.store.load() }
      let later = try await trial.reopened()
      await trial.expectFailure(.notFound, "a later load") { _ = try await later.load() }
      let state = try await later.create(Sample.state(), items: [Sample.files(2)])
      trial.expect("pending items", state.loops[0].counts[.pending], is: 2)
      let items = try await later.items(loop: 0, status: nil, after: -1, limit: 10)
      trial.expect("number of items", items.count, is: 2)
    },
    StoreCheck("a store's failure inside an enumeration comes out as it is") { trial in
      let failure = StoreFailure(.readOnly, message: "the folder cannot be read")
      let found = await trial.expectFailure(.readOnly, "create") {
        _ = try await trial.store.create(
          Sample.state(), items: [EnumeratedLoop(loop: 0) { _ in throw failure }])
      }
      trial.expect("the failure", found, is: failure)
    },
    StoreCheck("a run is never created over another") { trial in
      _ = try await trial.begin(files: 3)
      await trial.expectFailure(.system, "create") {
        _ = try await trial.store.create(Sample.state(), items: [Sample.files(1)])
      }
      trial.expect("the total", try await trial.store.load().loops[0].counts.total, is: 3)
      let items = try await trial.store.items(loop: 0, status: nil, after: -1, limit: 9)
      trial.expect("number of items", items.count, is: 3)
    },
    StoreCheck("a new run comes back as it was, without its secrets") { trial in
      var begun = Sample.state()
      Sample.fill(&begun)
      let created = try await trial.store.create(begun, items: [Sample.files(4)])
      trial.expect("secrets of the created run", created.secrets, is: begun.secrets)
      trial.expect(created.loops[0].isEnumerated, "the loop is not enumerated")
      trial.expect(!created.loops[1].isEnumerated, "a loop without items is enumerated")
      trial.expect("pending items", created.loops[0].counts[.pending], is: 4)
      trial.expect("the run", try await trial.reopened().load(), is: Sample.asStored(created))
    },
    StoreCheck("each claim is greater than all before it") { trial in
      let first = try await trial.store.claim()
      let second = try await trial.store.claim()
      let third = try await trial.reopened().claim()
      trial.expect(
        0 < first && first < second && second < third,
        "the claims are \(first), \(second), \(third)")
    }, StoreCheck("a stale owner changes nothing", staleOwner),
  ]

  private static func staleOwner(_ trial: StoreTrial) async throws {
    let stale = try await trial.begin(files: 2)
    let store = try await trial.reopened()
    let epoch = try await store.claim()
    trial.expect(epoch > stale, "the claim is \(epoch), after \(stale)")
    try await store.commit(Sample.batch(epoch: epoch, [Sample.item(1, .paused)]))
    let before = try await store.load()
    await trial.expectFailure(.staleOwner, "commit") {
      var state = before
      state.status = .cancelled
      try await store.commit(
        Sample.batch(
          epoch: stale, [Sample.activeItem(0)], events: [.runBegan], state: state,
          cancelledLoops: [0]))
    }
    await trial.expectFailure(.staleOwner, "requeue") {
      _ = try await store.requeue(nil, epoch: stale)
    }
    await trial.expectFailure(.staleOwner, "enumerate") {
      try await store.enumerate(loop: 0, subjects: [], epoch: stale)
    }
    trial.expect("the run", try await store.load(), is: before)
    trial.expect("the history", try await store.history(after: 0, limit: 9), is: [])
    let statuses = try await store.items(loop: 0, status: nil, after: -1, limit: 9).map(\.status)
    trial.expect("the items' statuses", statuses, is: [.pending, .paused])
  }

  static let histories = [
    StoreCheck("the history has every batch with events, in order") { trial in
      let epoch = try await trial.begin(files: 1)
      for events: [Event] in [[.runBegan], [], [.timerFired, .unpaused], [.cancelRequested]] {
        try await trial.store.commit(Sample.batch(epoch: epoch, events: events))
      }
      let store = try await trial.reopened()
      let batches = try await store.history(after: 0, limit: 99)
      trial.expect("sequence", batches.map(\.sequence), is: [1, 2, 3])
      trial.expect("times", Set(batches.map(\.at)), is: [Sample.began])
      trial.expect(
        "events", batches.map { String(decoding: $0.events, as: UTF8.self) },
        is: [
          #"[{"event":"run_began"}]"#, #"[{"event":"timer_fired"},{"event":"unpaused"}]"#,
          #"[{"event":"cancel_requested"}]"#,
        ])
      let second = try await store.history(after: 1, limit: 1)
      trial.expect("one batch after the first", second.map(\.sequence), is: [2])
      trial.expect("after the last", try await store.history(after: 3, limit: 1), is: [])
      trial.expect("no batches", try await store.history(after: 0, limit: 0), is: [])
    },
    StoreCheck("the history contains no secret") { trial in
      let epoch = try await trial.begin(files: 1)
      let id = EffectID(run: Sample.state().id, item: nil, step: 0, generation: 1, attempt: 1)
      let token = OutputValue(value: .string(Sample.secret), isSecret: true, expires: Sample.began)
      let result = StepResult(outputs: [token], status: 200, duration: .milliseconds(12))
      try await trial.store.commit(
        Sample.batch(epoch: epoch, events: [.concluded(id, .success(result))]))
      let batches = try await trial.store.history(after: 0, limit: 1)
      let text = batches.map { String(decoding: $0.events, as: UTF8.self) }.joined()
      trial.expect(text.contains(#""step":"sign_in""#), "the step is not named: \(text)")
      trial.expect(text.contains(#""secret":true"#), "the output is not called secret: \(text)")
      trial.expect(!text.contains(Sample.secret), "the history contains the secret: \(text)")
    },
  ]

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
