import PipelineEngine
import PipelinePostgreSQL
import Synchronization

/// What a worker knows of a shard that it works on, and what it asks of the shard's executor, which may not be there yet.
final class ShardControl: Sendable {
  let lease: ShardLease
  let gate: LeaseGate

  private struct State {
    var executor: Executor?
    var pause: String?
    var isCancelled = false
  }
  private let state = Mutex(State())

  init(_ lease: ShardLease, _ gate: LeaseGate) { (self.lease, self.gate) = (lease, gate) }

  /// Whether the worker has stopped it for a reason of its own, so that it must go on elsewhere.
  var isStopped: Bool { state.withLock { $0.pause != nil } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Passes on what was asked before there was an executor.
  func begin(_ executor: Executor) {
    let (pause, isCancelled) = state.withLock { state in
      state.executor = executor
      return (state.pause, state.isCancelled)
    }
    if isCancelled { executor.requestCancel() }
    if let pause { executor.requestPause(pause) }
  }

  func pause(_ reason: String) {
    let executor = state.withLock { state -> Executor? in
      guard state.pause == nil else { return nil }
      state.pause = reason
      return state.executor
    }
    executor?.requestPause(reason)
  }

  func cancel() {
    let executor = state.withLock { state -> Executor? in
      guard !state.isCancelled else { return nil }
      state.isCancelled = true
      return state.executor
    }
    executor?.requestCancel()
  }

  /// The shard is another worker's: nothing more is sent, and what is in flight is interrupted.
  func lose() {
    gate.close()

    pause("another worker has taken the shard over")
  }
}
