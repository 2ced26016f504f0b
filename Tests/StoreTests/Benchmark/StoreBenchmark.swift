import CEL
import Foundation
import PipelineCore
import PipelineEngine
import PipelineSQLite
import Testing

/// Speed of the durable store, printed; run it in a release build with `STORE_BENCHMARK=1`.
///
/// The numbers in `docs/checkpoints.md` come from here.
@Suite(
  .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["STORE_BENCHMARK"] != nil, "a benchmark"))
struct StoreBenchmark {
  private let folder: TemporaryFolder
  private let stopwatch = ContinuousClock()

  init() throws { folder = try TemporaryFolder() }

  private func open() async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore(path: folder("run.sqlite"), pipeline: Sample.pipeline)
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }

  /// An item in the middle of its steps, as large as those of a usual pipeline.
  private static func item(_ ordinal: Int, _ round: Int) -> Item {
    var allocated = StepState()
    allocated.status = .succeeded
    allocated.generation = 1
    allocated.attempt = 1
    allocated.since = Sample.began
    allocated.outputs = [
      OutputValue(value: .string("upload-\(ordinal)-\(round)"), expires: Sample.began)
    ]
    var running = StepState()
    running.status = .running
    running.generation = 1
    running.attempt = round
    running.since = Sample.began
    var item = Sample.item(ordinal, .active)
    item.frame = [allocated, running, StepState()]
    return item
  }

  @Test(arguments: [1, 8, 64, 256])
  func `durable checkpoints a second`(_ size: Int) async throws {
    let store = try await open()
    let epoch = try await store.claim()
    let state = try await store.create(Sample.state(), items: [Sample.files(10_000)])
    let id = EffectID(
      run: state.id, item: ItemKey(loop: 0, ordinal: 1), step: 1, generation: 1, attempt: 1)
    let event = Event.concluded(id, .success(StepResult(status: 201, duration: .milliseconds(87))))
    let batches = (0..<max(20_000 / size, 400)).map { round in
      Sample.batch(
        epoch: epoch, (0..<size).map { Self.item((round * size + $0) % 10_000, round) },
        events: Array(repeating: event, count: size), state: state)
    }
    let began = Self.processorSeconds()
    let taken = try await stopwatch.measure {
      for batch in batches { try await store.commit(batch) }
    }
    let busy = Self.processorSeconds() - began
    let count = Double(batches.count * size)
    print(
      "batch \(size): \(Int(count / Self.seconds(taken))) checkpoints/s,",
      "\(Int(Double(batches.count) / Self.seconds(taken))) commits/s,",
      "\(Int(count / busy)) checkpoints per second of processor time")
    await store.close()
  }

  @Test func `a million items`() async throws {
    let store = try await open()
    let created = try await stopwatch.measure {
      _ = try await store.create(Sample.state(), items: [Sample.files(1_000_000)])
    }
    print("create 1,000,000 items: \(Self.seconds(created)) s, peak \(Self.peakMemory())")
    await store.close()
    let reopened = try await stopwatch.measure {
      let store = try await open()
      _ = try await store.claim()
      _ = try await store.load()
      _ = try await store.items(loop: 0, status: .pending, after: -1, limit: 64)
      await store.close()
    }
    print("reopen 1,000,000 pending: \(Self.seconds(reopened)) s")
  }

  @Test func `reopening a hundred thousand`() async throws {
    let store = try await open()
    let epoch = try await store.claim()
    _ = try await store.create(Sample.state(), items: [Sample.files(100_000)])
    try await store.commit(Sample.batch(epoch: epoch, (0..<100).map { Self.item($0, 1) }))
    await store.close()
    let reopened = try await stopwatch.measure {
      let store = try await open()
      _ = try await store.claim()
      _ = try await store.load()
      _ = try await store.items(loop: 0, status: .pending, after: -1, limit: 64)
    }
    print("reopen 100,000 items: \(Self.seconds(reopened)) s")
    let peeked = try await stopwatch.measure {
      for _ in 0..<100 { _ = try await SQLiteCheckpointStore.peek(path: folder("run.sqlite")) }
    }
    print("peek: \(Self.seconds(peeked) / 100) s")
  }

  /// Processor time of this process; on a machine that others use too, it says more than the clock.
  private static func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

  private static func peakMemory() -> String {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM") })
    else { return "unknown" }
    return String(line)
  }
}
