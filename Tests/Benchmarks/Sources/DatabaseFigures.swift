import Foundation
import PipelineCore
import PipelineEngine
import PipelineFiles
import PipelinePostgreSQL

/// Durable steps in a PostgreSQL database, against servers that answer at once: a run is loaded by one process, and drained by workers.
enum DatabaseFigures {
  /// Nothing renews it, and a shard of a large run lasts minutes.
  private static let lease = Duration.seconds(86_400)

  /// `load ADDRESS ITEMS SHARDS`, which prints the run's ID, or `work ADDRESS RUN AT_MOST`.
  static func print(_ arguments: [String]) async throws {
    guard arguments.count >= 3 else { return }
    let runs = try await PostgreSQLRuns(address: arguments[1])
    let pipeline = Sample.pipeline(concurrency: 64)
    if arguments[0] == "load" {
      try await load(
        runs, pipeline, items: Int(arguments[2]) ?? 100_000,
        shards: arguments.count > 3 ? Int(arguments[3]) ?? 64 : 64)
    } else if let run = try await runs.runs(called: arguments[2]).first {
      try await work(
        runs, run, pipeline, atMost: arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1)
    }
    await runs.close()
  }

  private static func load(
    _ runs: PostgreSQLRuns, _ pipeline: Pipeline, items: Int, shards: Int
  ) async throws {
    let begun = ContinuousClock.now
    let run = try await runs.create(
      RunID("figures-\(UInt32.random(in: 0 ... .max))"), name: nil, pipeline: pipeline,
      shards: shards, slots: shards, material: .init(definition: "", used: "{}", origin: "{}"))
    let sample = Sample.state(pipeline)
    try await runs.load(run, [Sample.files(items)], pipeline: pipeline) { number in
      RunState(
        id: run.id(ofShard: number), pipeline: pipeline, inputs: sample.inputs, secrets: [:],
        seed: UInt64(number), began: sample.began, keySeed: RunState.randomKeySeed(),
        shard: Shard(number, of: shards))
    }
    let taken = seconds(begun.duration(to: .now))
    Swift.print(
      "\(run.id) \(items) items loaded in \(taken) s, memory \(WindowFigures.peakMemory())")
  }

  private static func work(
    _ runs: PostgreSQLRuns, _ run: StoredRun, _ pipeline: Pipeline, atMost: Int
  ) async throws {
    let begun = ContinuousClock.now
    let steps = try await withThrowingTaskGroup { group in
      for _ in 0..<atMost { group.addTask { try await drain(runs, run, pipeline) } }
      return try await group.reduce(0, +)
    }
    let taken = seconds(begun.duration(to: .now))
    Swift.print("\(steps) steps in \(taken) s, memory \(WindowFigures.peakMemory())")
  }

  /// Works on one shard after the other until none is left; returns how many steps that were.
  private static func drain(
    _ runs: PostgreSQLRuns, _ run: StoredRun, _ pipeline: Pipeline
  ) async throws -> Int {
    let name = "worker-\(ProcessInfo.processInfo.processIdentifier)"
    var (items, shards) = (0, 0)
    while let lease = try await runs.claim(run: run, by: name, lease: lease).first {
      let store = runs.store(of: run, shard: lease.shard, pipeline: pipeline)
      try await store.begin(epoch: lease.epoch)
      let state = try await store.load()
      let world = WindowFigures.NullWorld()
      let executor = Executor(
        evaluator: Evaluator(pipeline),
        ports: .init(
          store: store, requests: world, transfers: world, files: world, clock: SteadyClock()),
        taskExecutor: BlockingPool(threads: 1))
      let end = try await executor.run(state, epoch: lease.epoch, events: [.runBegan])
      await store.close()
      try await runs.release(lease, by: name, done: nil, isUnfinished: false)
      items += end.loops[0].counts[.done]
      shards += 1
    }
    return items * pipeline.loops[0].steps.count + shards
  }
}
