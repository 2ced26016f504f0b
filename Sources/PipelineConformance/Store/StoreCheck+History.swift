import CEL
import PipelineCore
import PipelineEngine

extension StoreCheck {
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
