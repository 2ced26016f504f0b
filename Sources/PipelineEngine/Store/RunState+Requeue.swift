package import PipelineCore

extension RunState {
  /// Updates the state of a loop from its rows if they were requeued and no batch has recorded it.
  ///
  /// Requeuing changes rows; the state learns of it with the next batch. If a process ends in
  /// between, its successor would count too few pending items and skip them. Stores call this while the run is claimed.
  package mutating func adoptRequeued(loop: Int, pending: Int, paused: Int, failed: Int) -> Bool {
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
