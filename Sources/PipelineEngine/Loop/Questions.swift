import PipelineCore
import Synchronization

/// Transfers that asked for their request anew and wait for what the machine says.
final class Questions: Sendable {
  private let waiting = Mutex<[EffectID: CheckedContinuation<RenewalAnswer, Never>]>([:])

  /// Waits for the answer to what `post` puts to the machine, or until the task is cancelled.
  func ask(_ id: EffectID, post: () -> Void) async -> RenewalAnswer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0[id] = continuation }
        // A cancellation that came before has found nobody to wake.
        if Task.isCancelled { answer(id, .asItWas) } else { post() }
      }
    } onCancel: {
      answer(id, .asItWas)
    }
  }

  /// Lets the transfer go on; nothing happens where it does not wait.
  func answer(_ id: EffectID, _ answer: RenewalAnswer) {
    waiting.withLock { $0.removeValue(forKey: id) }?.resume(returning: answer)
  }
}
