/// Taking a run over from the store.
extension Machine {
  /// Builds again all that is derived, and demands again what was in flight when the last process ended (DESIGN law 3).
  mutating func resume(at now: Instant) {
    inFlight = []
    blockers = [:]
    delayed = [:]
    due = []
    queues = Queues()
    timer = nil
    hasStopped = false
    requestedEnumerations = []
    checkpoint.isRunChanged = true
    rebuildLedger()
    for loop in state.loops.indices {
      state.loops[loop].isLoading = false
      state.loops[loop].ready = []
      // Items that were active are in the window; those read ahead and not begun are still pending rows.
      state.loops[loop].cursor = -1
    }
    if state.status == .running || state.status == .cancelling { resumeFrames(at: now) }
  }

  /// A materialization that was in flight left nothing: the sweep removed what it had begun.
  private mutating func rebuildLedger() {
    ledger = Ledger()
    for (key, frame) in frames() {
      let steps = key.map { pipeline.loops[$0.loop].steps } ?? pipeline.runSteps
      for (step, current) in zip(steps, frame) where current.reservedBytes > 0 {
        if current.file == nil {
          update(Place(key: key, step: step)) { $0.reservedBytes = 0 }
        } else {
          ledger.diskBytes += current.reservedBytes
        }
      }
    }
  }

  /// All frames of the window, the run's first, items in order.
  func frames() -> [(key: ItemKey?, frame: Frame)] {
    var result: [(ItemKey?, Frame)] = [(nil, state.frame)]
    for (loop, current) in state.loops.enumerated() {
      for ordinal in current.active.keys.sorted() {
        guard let item = current.active[ordinal] else { continue }
        result.append((ItemKey(loop: loop, ordinal: ordinal), item.frame))
      }
    }
    return result
  }

  mutating func resumeFrames(at now: Instant) {
    for (key, frame) in frames() {
      let steps = key.map { pipeline.loops[$0.loop].steps } ?? pipeline.runSteps
      for (step, current) in zip(steps, frame) where current.isInFlight {
        let place = Place(key: key, step: step)
        guard !inFlight.contains(effectID(place)) else { continue }
        recover(place, current, at: now)
      }
    }
    for (key, _) in frames() {
      guard let key else { continue }
      if let abandoning = item(key)?.abandoning {
        if state.status == .running { issueCompensation(key, abandoning, at: now) }
        if state.status == .cancelling { blockers[key] = .stopped }
      } else if !queued(key) {
        advance(key, at: now)
      }
    }
    advance(nil, at: now)
  }

  /// A process ended with the attempt in flight: an interruption, not a failure.
  private mutating func recover(_ place: Place, _ current: StepState, at now: Instant) {
    if let next = safeRepeat(of: place.step, after: current.status) {
      update(place) { step in
        step.status = next
        step.since = now
      }
    } else {
      interrupted(place, current, at: now)
    }
  }

  /// Whether the frame has been advanced already and waits somewhere.
  private func queued(_ key: ItemKey) -> Bool {
    guard let blocker = blockers[key] else { return false }
    return blocker != .stopped
  }
}
