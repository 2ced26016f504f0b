import CEL
import PipelineCore
import PipelineEngine

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
    },
    StoreCheck("a stale owner changes nothing", staleOwner),
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
}
