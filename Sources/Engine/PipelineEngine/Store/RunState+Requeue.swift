extension RunState {
  /// Updates the loops from their rows if these were requeued and no batch has recorded it.
  ///
  /// Requeuing changes rows; the state learns of it with the next batch. If a process ends in
  /// between, its successor would count too few pending items and skip them. Stores call this while the run is claimed.
  ///
  /// - Returns: Whether the state was out of date.
  package mutating func adoptRequeued<Problem: Error>(
    _ counts: (_ loop: Int) throws(Problem) -> (pending: Int, paused: Int, failed: Int)
  ) throws(Problem) -> Bool {
    var hasChanged = false
    for loop in loops.indices where loops[loop].isEnumerated {
      let (pending, paused, failed) = try counts(loop)
      guard loops[loop].counts[.pending] < pending else { continue }
      loops[loop].counts[.pending] = pending
      loops[loop].counts[.paused] = paused
      loops[loop].counts[.failed] = failed
      loops[loop].isRequeued = true
      hasChanged = true
      guard status == .finished else { continue }
      status = .running
      ended = nil
    }
    return hasChanged
  }
}
