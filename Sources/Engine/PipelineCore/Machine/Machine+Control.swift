extension Machine {
  mutating func fireTimer(at now: Instant) {
    timer = nil
    tryResources(at: now)
    serveRates(at: now)
    for key in waiting.removeOver(at: now) {
      if let key {
        // An abandoned item needs no place.
        if state.status == .cancelling { advance(key, at: now) } else { makeDue(key) }
      } else {
        isRunDue = true
      }
    }
    for step in queues.batches.keys {
      if let loop = pipeline.steps[step].loop { unfilled.insert(loop) }
    }
  }

  /// Makes an item that may continue wait for one of its loop's places.
  mutating func makeDue(_ key: ItemKey) {
    leaveQueues(key)
    if key.part != nil {
      // Its item has the place, so that it continues within this event.
      partsInProgress.due.append(key)
      return
    }
    waiting.makeDue(key)
    blockers[key] = .concurrency(limit: pipeline.loops[key.loop].concurrency)
    unfilled.insert(key.loop)
  }

  mutating func filesDiscarded(_ key: ItemKey?, at now: Instant) {
    guard let bytes = discards.removeValue(forKey: key) else { return }
    ledger.discardingBytes -= bytes
    ledger.diskBytes -= bytes
    // The deleted files may have caused the shortage.
    if shortages[.diskSpace]?.queue.isEmpty == false { tryResource(.diskSpace, at: now) }
  }

  mutating func wakeTransfers(at now: Instant) {
    while state.status == .running, let key = queues.transfers.frames.first {
      serve(key, at: now)
      if queues.transfers.frames.first == .some(key) { return }
    }
  }

  mutating func serve(_ key: ItemKey?, at now: Instant) {
    served.insert(key)
    advance(key, at: now)
    served.remove(key)
  }

  mutating func wakeDependents(of step: Int, at now: Instant) {
    guard var queue = queues.steps.removeValue(forKey: step) else { return }
    for key in queue.removeAll() { advance(key, at: now) }
  }

  mutating func grantAllowance(_ until: Instant?, at now: Instant) {
    state.allowance = until.map { .until($0) } ?? .unlimited
    isAllowanceEnding = false
    for key in queues.allowance.removeAll() { advance(key, at: now) }
    if until != nil { handOverToService() }
    setBatchBlockers()
    for loop in state.loops.indices where state.loops[loop].isEnumerated { unfilled.insert(loop) }
  }

  /// With a limited allowance, transfers wait for their earliest time with the service (TX14).
  private mutating func handOverToService() {
    let early = waiting.delays.keys.filter { key in
      if case .earliest = blockers[key] { true } else { false }
    }
    for key in early.compactMap({ $0 }).sorted() { makeDue(key) }
    if early.contains(nil) { isRunDue = true }
  }

  mutating func expireAllowance() {
    state.allowance = .none
    isAllowanceEnding = true
    // The end of an allowance is the only sign that it was refused (BT5).
    handOverToService()
    // The process that would handle their responses no longer runs.
    releasePendingRenewals()
    for id in inFlight.sorted(by: Self.order) where needsAllowance(id) {
      effects.append(.interrupt(id))
    }
  }

  private static func order(_ left: EffectID, _ right: EffectID) -> Bool {
    (left.item ?? ItemKey(loop: -1, ordinal: -1), left.step ?? .max)
      < (right.item ?? ItemKey(loop: -1, ordinal: -1), right.step ?? .max)
  }

  /// Stops the run because a run-level step, or a list, cannot continue; commands in flight end.
  mutating func halt(_ reason: Failure, at now: Instant) {
    guard state.status == .running else { return }
    endRun(as: .paused, reason, at: now)
  }

  /// Stops a run that cannot read its items, even if they are to be abandoned.
  mutating func haltUnreadable(_ reason: Failure, at now: Instant) {
    guard state.status == .running || state.status == .cancelling else { return }
    endRun(as: .paused, reason, at: now)
    blockers[nil] = .stopped
  }

  /// Stops the run; a run that is being cancelled stays so, and the next process continues to cancel it.
  mutating func pause(_ reason: Failure, at now: Instant) {
    switch state.status {
    case .running: endRun(as: .paused, reason, at: now)
    case .cancelling:
      guard !isHalting else { return }
      isHalting = true
    case .paused, .cancelled, .finished: return
    }
    interruptAll()
  }

  mutating func unpause(at now: Instant) {
    forgetLongWaits(at: now)
    guard state.status == .paused else { return }
    continueRun(at: now)
    resumeFrames(first: [], at: now)
  }

  /// The user continues the run: long waits that a server asked for are tried now.
  private mutating func forgetLongWaits(at now: Instant) {
    guard state.status == .running || state.status == .paused else { return }
    let longest = RetryPolicy.standard.maximum
    state.pauses = state.pauses.filter { $0.value.until - now <= longest }
    for (key, frame) in frames() {
      let steps = pipeline.steps(of: key)
      for (step, current) in zip(steps, frame) {
        // Before its first attempt, a transfer waits for the time that its author set.
        guard current.attempt > 0 || pipeline.steps[step].transfer?.earliest == nil,
          let notBefore = current.notBefore,
          notBefore - now > pipeline.steps[step].retry.maximum
        else { continue }
        update(StepPlace(key: key, step: step)) { $0.notBefore = nil }
        // When a run that was paused continues, all its frames do, and parts with their item.
        guard state.status == .running, blockers[key]?.queue == .moment else { continue }
        if let key { makeDue(key) } else { isRunDue = true }
      }
    }
  }

  mutating func cancel(at now: Instant) {
    switch state.status {
    case .running, .paused, .finished: break
    case .cancelled: guard state.loops.contains(where: { $0.leftAtServer > 0 }) else { return }
    case .cancelling:
      guard isHalting else { return }
      isHalting = false
      hasStopped = false
      return
    }
    hasStopped = false
    state.status = .cancelling
    state.reason = nil
    state.ended = nil
    resetAttempts()
    findLeftovers()
    obtainedCredentials = []
    // Abandoned items do not wait for shortages.
    for key in shortages.values.flatMap(\.queue.frames) { blockers[key] = .stopped }
    shortages = [:]
    // Items read ahead to be started are not those read to be abandoned.
    for loop in state.loops.indices {
      state.loops[loop].ready = []
      if state.loops[loop].isLoading { outdatedLoads.insert(loop) }
    }
    changes.isRunChanged = true
    releasePendingRenewals()
    // A result that is being created must be known before it can be undone.
    let steps = pipeline.steps
    interruptAll { $0.step.map { steps[$0].effect != .create } ?? true }
  }

  mutating func itemsRequeued(_ loop: Int, _ paused: Int, _ failed: Int, at now: Instant) {
    guard state.loops.indices.contains(loop), state.status != .cancelled else { return }
    count(loop, .paused, -paused)
    count(loop, .failed, -failed)
    count(loop, .pending, paused + failed)
    state.loops[loop].isRequeued = true
    state.loops[loop].cursor = -1
    state.loops[loop].ready = []
    if state.loops[loop].isLoading { outdatedLoads.insert(loop) }
    // The run has been cancelled in the meantime: the rows are pending anyway, and are abandoned as such.
    if state.status == .cancelling {
      leftoverCursors[LeftoverRows(loop: loop, status: .pending)] = -1
    }
    if state.status == .finished || state.status == .paused {
      continueRun(at: now)
      resumeFrames(first: [], at: now)
    }
    isRunDue = true
  }

  /// Ends a run that has nothing left to do; the reason states the unfinished work.
  mutating func finishRun(_ reason: Failure? = nil, at now: Instant) {
    guard state.status == .running else { return }
    endRun(as: .finished, reason, at: now)
    blockers[nil] = .stopped
  }

  private mutating func continueRun(at now: Instant) {
    refusals = nil
    outage = nil
    state.status = .running
    state.reason = nil
    state.ended = nil
    hasStopped = false
    resetAttempts()
    changes.isRunChanged = true
  }

  /// Resets the failure counts of run-level steps.
  private mutating func resetAttempts() {
    for index in state.frame.indices {
      state.frame[index].failures = 0
      state.frame[index].reissues = 0
      state.frame[index].unusedInvalidations = 0
      state.frame[index].begun = nil
      state.frame[index].notBefore = nil
    }
  }

  mutating func endRun(as status: RunState.Status, _ reason: Failure?, at now: Instant) {
    state.status = status
    state.reason = reason
    state.ended = now
    changes.isRunChanged = true
    releasePendingRenewals()
    if isOver { discardOwnFiles() }
  }

  private var isOver: Bool {
    switch state.status {
    case .cancelled: true
    case .finished:
      state.loops.allSatisfy { $0.counts[.paused] == 0 && $0.counts[.failed] == 0 }
    case .running, .paused, .cancelling: false
    }
  }

  /// Files of run-level steps are deleted with the run.
  private mutating func discardOwnFiles() {
    let hasSaves = hasBegunSaves(nil, state.frame)
    guard hasSaves || state.frame.contains(where: { $0.holdsFile || $0.reservedBytes > 0 }) else {
      return
    }
    discard(nil, state.frame.reduce(0) { $0 + $1.reservedBytes }, partials: hasSaves)
    for index in state.frame.indices {
      state.frame[index].file = nil
      state.frame[index].reservedBytes = 0
    }
  }

  private mutating func interruptAll(where isMeant: (EffectID) -> Bool = { _ in true }) {
    for id in inFlight.sorted(by: Self.order) where isMeant(id) { effects.append(.interrupt(id)) }
  }
}
