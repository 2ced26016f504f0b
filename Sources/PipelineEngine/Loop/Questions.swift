import PipelineCore
import Synchronization

/// Transfers that asked for their request anew and wait for what the machine says.
final class Questions: Sendable {
  private let waiting = Mutex<[EffectID: CheckedContinuation<RenewalDecision, Never>]>([:])

  /// Waits for the answer to what `post` puts to the machine, or until the task is cancelled.
  func ask(_ id: EffectID, post: () -> Void) async -> RenewalDecision {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0[id] = continuation }
        // A cancellation that came before has found nobody to wake.
        if Task.isCancelled { answer(id, .unchanged) } else { post() }
      }
    } onCancel: {
      answer(id, .unchanged)
    }
  }

  /// Lets the transfer go on; nothing happens where it does not wait.
  func answer(_ id: EffectID, _ answer: RenewalDecision) {
    waiting.withLock { $0.removeValue(forKey: id) }?.resume(returning: answer)
  }
}
