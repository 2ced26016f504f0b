import Synchronization

/// Lets exchanges continue while a shard is surely this worker's, counted from before its lease was asked for, even while the machine sleeps.
package final class LeaseGate: Sendable {
  /// `nil` once it is closed for good.
  private let end: Mutex<ContinuousClock.Instant?>

  /// Opens it for as long as the lease lasts.
  package init(until end: ContinuousClock.Instant) { self.end = Mutex(end) }

  /// Moves the end; a renewal that was under way when the gate was closed does not open it again.
  package func extend(to new: ContinuousClock.Instant) {
    end.withLock { $0 = $0.map { max($0, new) } }
  }

  /// Closes it for good.
  package func close() { end.withLock { $0 = nil } }

  /// Whether the shard is surely this worker's.
  package var isOpen: Bool { end.withLock { $0.map { $0 > .now } ?? false } }

  /// Performs an exchange once the gate is open, and interrupts it when the gate closes: what comes after that belongs to another worker.
  package func during<Outcome: Sendable>(
    _ exchange: @escaping @Sendable () async -> Outcome
  ) async -> Outcome {
    while !isOpen, (try? await Task.sleep(for: .milliseconds(50))) != nil {}
    return await withTaskGroup(of: Outcome?.self) { group in
      group.addTask { await exchange() }
      group.addTask {
        await self.closing()
        return nil
      }
      for await outcome in group {
        // Whichever ends first, the other one ends soon.
        group.cancelAll()
        if let outcome { return outcome }
      }
      preconditionFailure("an exchange has an outcome")
    }
  }

  /// Returns when the gate closes, or the task is cancelled.
  private func closing() async {
    while let end = end.withLock({ $0 }), end > .now {
      guard (try? await Task.sleep(until: end)) != nil else { return }
    }
  }
}
