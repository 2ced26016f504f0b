import Synchronization

/// Transfers that asked for a new request and wait for the machine's decision.
final class RenewalContinuations: Sendable {
  private let waiting = Mutex<[EffectID: CheckedContinuation<RenewalDecision, Never>]>([:])

  /// Waits for the decision on the event that `post` sends to the machine, or until the task is cancelled.
  func wait(_ id: EffectID, post: () -> Void) async -> RenewalDecision {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0[id] = continuation }
        // An earlier cancellation found nothing to resume.
        if Task.isCancelled { resume(id, .unchanged) } else { post() }
      }
    } onCancel: {
      resume(id, .unchanged)
    }
  }

  /// Lets the transfer continue; does nothing if it is not waiting.
  func resume(_ id: EffectID, _ decision: RenewalDecision) {
    waiting.withLock { $0.removeValue(forKey: id) }?.resume(returning: decision)
  }
}
