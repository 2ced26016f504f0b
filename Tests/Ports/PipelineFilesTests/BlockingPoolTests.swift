import PipelineEngine
import PipelineFiles
import Synchronization
import Testing

struct BlockingPoolTests {
  @Test func `a cancelled task's work sees the flag`() async {
    let pool = BlockingPool(threads: 1)
    let (started, signal) = AsyncStream<Void>.makeStream()
    let task = Task {
      await Result { () async throws(FileFailure) in
        try await pool.run { flag throws(FileFailure) in
          signal.finish()
          while true { try flag.check() }
        }
      }
    }
    for await _ in started {}
    task.cancel()
    let result = await task.value
    #expect(throws: FileFailure(.interrupted, message: "interrupted")) { try result.get() }
  }

  @Test func `all jobs are done, and at most as many at once as there are threads`() async {
    let pool = BlockingPool(threads: 3)
    let counts = Counts()
    await withTaskGroup { group in
      for _ in 0..<2000 {
        group.addTask {
          _ = await Result { () async throws(FileFailure) in
            try await pool.run { _ throws(FileFailure) in
              counts.begin()
              counts.end()
            }
          }
        }
      }
    }
    #expect(counts.done == 2000)
    #expect((1...3).contains(counts.most))
  }
}

private final class Counts: Sendable {
  private let state = Mutex((running: 0, most: 0, done: 0))

  var done: Int { state.withLock { $0.done } }
  var most: Int { state.withLock { $0.most } }

  func begin() {
    state.withLock {
      $0.running += 1
      $0.most = max($0.most, $0.running)
    }
  }

  func end() {
    state.withLock {
      $0.running -= 1
      $0.done += 1
    }
  }
}

extension Result where Success: Sendable {
  /// The outcome of asynchronous work.
  init(_ body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
