import PipelineCore
import Synchronization

/// Transfers that asked for their request anew and wait for what the machine says.
final class RenewalContinuations: Sendable {
  private let waiting = Mutex<[EffectID: CheckedContinuation<RenewalDecision, Never>]>([:])

  /// Waits for the decision on what `post` puts to the machine, or until the task is cancelled.
  func wait(_ id: EffectID, post: () -> Void) async -> RenewalDecision {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0[id] = continuation }
        // A cancellation that came before has found nobody to wake.
        if Task.isCancelled { resume(id, .unchanged) } else { post() }
      }
    } onCancel: {
      resume(id, .unchanged)
    }
  }

  /// Lets the transfer go on; nothing happens where it does not wait.
  func resume(_ id: EffectID, _ decision: RenewalDecision) {
    waiting.withLock { $0.removeValue(forKey: id) }?.resume(returning: decision)
  }
}
