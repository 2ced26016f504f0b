import CEL
import Foundation
import PipelineCore
import PipelineEngine
import PipelineSQLite

/// How fast checkpoints become durable, and how fast a run is open again.
enum StoreFigures {
  /// An item in the middle of its steps.
  private static func item(_ ordinal: Int, _ round: Int) -> Item {
    var allocated = StepState()
    allocated.status = .succeeded
    allocated.generation = 1
    allocated.attempt = 1
    allocated.since = Instant(milliseconds: 1_800_000_000_000)
    allocated.outputs = [OutputValue(value: .string("upload-\(ordinal)-\(round)"))]
    var running = StepState()
    running.status = .running
    running.generation = 1
    running.attempt = round
    running.since = allocated.since
    let file = FileValue(
      path: "/photos/\(ordinal).jpg", name: "\(ordinal).jpg", size: 1, modified: 0)
    return Item(
      key: ItemKey(loop: 0, ordinal: ordinal), subject: .file(file), status: .active,
      frame: [allocated, running, StepState(), StepState()])
  }

  static func print() async throws {
    for size in [1, 8, 64, 256] {
      var rates: [Double] = []
      for _ in 0..<5 { rates.append(try await rate(batch: size)) }
      Swift.print(
        "durable checkpoints/s, \(size) to a commit: \(Int(median(rates))) "
          + "(\(Int(rates.min() ?? 0))–\(Int(rates.max() ?? 0)))")
    }
  }

  private static func rate(batch size: Int) async throws -> Double {
    try await withTemporaryFolder { folder in
      let pipeline = Sample.pipeline()
      let store = try await SQLiteCheckpointStore(path: folder + "/run.sqlite", pipeline: pipeline)
      let epoch = try await store.claim()
      let state = try await store.create(Sample.state(pipeline), items: [Sample.files(10_000)])
      let id = EffectID(
        run: state.id, item: ItemKey(loop: 0, ordinal: 1), step: 1, generation: 1, attempt: 1)
      let event = Event.concluded(id, .success(StepResult(status: 201)))
      let rounds = max(20_000 / size, 400)
      let taken = try await ContinuousClock().measure {
        for round in 0..<rounds {
          try await store.commit(
            CheckpointBatch(
              epoch: epoch, at: state.began, events: Array(repeating: event, count: size),
              checkpoint: Checkpoint(
                items: (0..<size).map { item((round * size + $0) % 10_000, round) }, state: state,
                isDurable: true)))
        }
      }
      await store.close()
      return Double(rounds * size) / seconds(taken)
    }
  }

  static func printReopening() async throws {
    try await withTemporaryFolder { folder in
      let pipeline = Sample.pipeline()
      let path = folder + "/run.sqlite"
      let store = try await SQLiteCheckpointStore(path: path, pipeline: pipeline)
      let epoch = try await store.claim()
      let state = try await store.create(Sample.state(pipeline), items: [Sample.files(100_000)])
      try await store.commit(
        CheckpointBatch(
          epoch: epoch, at: state.began, events: [.runBegan],
          checkpoint: Checkpoint(
            items: (0..<64).map { item($0, 1) }, state: state, isDurable: true)))
      await store.close()
      var times: [Double] = []
      for _ in 0..<7 {
        let clock = ContinuousClock()
        let begun = clock.now
        let again = try await SQLiteCheckpointStore(path: path, pipeline: pipeline)
        _ = try await again.claim()
        var machine = Machine(try await again.load(), evaluator: Evaluator(pipeline))
        _ = machine.apply(.runResumed, at: state.began)
        _ = try await again.items(loop: 0, status: .pending, after: -1, limit: 128)
        times.append(seconds(begun.duration(to: clock.now)))
        await again.close()
      }
      Swift.print("reopening a run of 100,000 open items: \(median(times)) s")
    }
  }
}
