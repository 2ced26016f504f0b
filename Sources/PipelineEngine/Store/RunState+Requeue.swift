package import PipelineCore

extension RunState {
  /// Takes in what rows say of a loop that was requeued when no batch has told the state of it.
  ///
  /// Requeuing changes rows; the state learns of it with the next batch. When a process ends in
  /// between, its successor would
  /// count too few pending items and leave them. Stores call this while the run is claimed.
  ///
  /// - Returns: whether the state was behind.
  package mutating func adoptRequeued(
    loop: Int, pending: Int, paused: Int, failed: Int
  ) -> Bool {
    guard loops[loop].counts[.pending] < pending else { return false }
    loops[loop].counts[.pending] = pending
    loops[loop].counts[.paused] = paused
    loops[loop].counts[.failed] = failed
    loops[loop].isRequeued = true
    if status == .finished {
      status = .running
      ended = nil
    }
    return true
  }
}
