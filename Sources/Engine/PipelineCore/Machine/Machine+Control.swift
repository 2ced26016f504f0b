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
        agenda.isRunDue = true
      }
    }
    for step in batches.queues.keys {
      if let loop = pipeline.steps[step].loop { agenda.unfilled.insert(loop) }
    }
  }

  /// Makes an item that may continue wait for one of its loop's places.
  mutating func makeDue(_ key: ItemKey) {
    leaveQueues(key)
    if key.part != nil {
      // Its item has the place, so that it continues within this event.
      agenda.dueParts.append(key)
      return
    }
    waiting.makeDue(key)
    waiting.blockers[key] = .concurrency(limit: pipeline.loops[key.loop].concurrency)
    agenda.unfilled.insert(key.loop)
  }

  mutating func filesDiscarded(_ key: ItemKey?, at now: Instant) {
    guard let bytes = ledger.discards.removeValue(forKey: key) else { return }
    ledger.diskBytes -= bytes
    // The deleted files may have caused the shortage.
    if waiting.shortages[.diskSpace]?.queue.isEmpty == false { tryResource(.diskSpace, at: now) }
  }

  mutating func wakeTransfers(at now: Instant) {
    while state.status == .running, let key = waiting.transfers.frames.first {
      serve(key, at: now)
      if waiting.transfers.frames.first == .some(key) { return }
    }
  }

  mutating func serve(_ key: ItemKey?, at now: Instant) {
    agenda.served.insert(key)
    advance(key, at: now)
    agenda.served.remove(key)
  }

  mutating func wakeDependents(of step: Int, at now: Instant) {
    guard var queue = waiting.steps.removeValue(forKey: step) else { return }
    for key in queue.removeAll() { advance(key, at: now) }
  }

  mutating func grantAllowance(_ until: Instant?, at now: Instant) {
    state.allowance = until.map { .until($0) } ?? .unlimited
    isAllowanceEnding = false
    for key in waiting.allowance.removeAll() { advance(key, at: now) }
    if until != nil { handOverToService() }
    setBatchBlockers()
    for loop in state.loops.indices where state.loops[loop].isEnumerated {
      agenda.unfilled.insert(loop)
    }
  }

  /// With a limited allowance, transfers wait for their earliest time with the service (TX14).
  private mutating func handOverToService() {
    let early = waiting.delays.keys.filter { key in
      if case .earliest = waiting.blockers[key] { true } else { false }
    }
    for key in early.compactMap({ $0 }).sorted() { makeDue(key) }
    if early.contains(nil) { agenda.isRunDue = true }
  }

  mutating func expireAllowance() {
    state.allowance = .none
    isAllowanceEnding = true
    // The end of an allowance is the only sign that it was refused (BT5).
    handOverToService()
    // The process that would handle their responses no longer runs.
    releasePendingRenewals()
    for id in inFlight.sorted(by: EffectID.order) where frames.needsAllowance(id) {
      agenda.effects.append(.interrupt(id))
    }
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
    waiting.blockers[nil] = .stopped
  }

  /// Stops the run; a run that is being cancelled stays so, and the next process continues to cancel it.
  mutating func pause(_ reason: Failure, at now: Instant) {
    switch state.status {
    case .running: endRun(as: .paused, reason, at: now)
    case .cancelling:
      guard !cancellation.isHalting else { return }
      cancellation.isHalting = true
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
    for (key, frame) in frames.all() {
      let steps = pipeline.steps(of: key)
      for (step, current) in zip(steps, frame) {
        // Before its first attempt, a transfer waits for the time that its author set.
        guard current.attempt > 0 || pipeline.steps[step].transfer?.earliest == nil,
          let notBefore = current.notBefore, notBefore - now > pipeline.steps[step].retry.maximum
        else { continue }
        frames.update(StepPlace(key: key, step: step)) { $0.notBefore = nil }
        // When a run that was paused continues, all its frames do, and parts with their item.
        guard state.status == .running, waiting.blockers[key]?.queue == .moment else { continue }
        if let key { makeDue(key) } else { agenda.isRunDue = true }
      }
    }
  }

  mutating func cancel(at now: Instant) {
    switch state.status {
    case .running, .paused, .finished: break
    case .cancelled: guard state.loops.contains(where: { $0.leftAtServer > 0 }) else { return }
    case .cancelling:
      guard cancellation.isHalting else { return }
      cancellation.isHalting = false
      hasStopped = false
      return
    }
    hasStopped = false
    state.status = .cancelling
    state.reason = nil
    state.ended = nil
    frames.resetAttempts()
    cancellation.findLeftovers(in: state.loops)
    compensations.credentials = []
    // Abandoned items do not wait for shortages.
    for key in waiting.shortages.values.flatMap(\.queue.frames) { waiting.blockers[key] = .stopped }
    waiting.shortages = [:]
    // Items read ahead to be started are not those read to be abandoned.
    for loop in state.loops.indices {
      state.loops[loop].ready = []
      if state.loops[loop].isLoading { reading.outdated.insert(loop) }
    }
    frames.changes.isRunChanged = true
    releasePendingRenewals()
    // A result that is being created must be known before it can be undone.
    let steps = pipeline.steps
    interruptAll { $0.step.map { steps[$0].effect != .create } ?? true }
  }

  mutating func itemsRequeued(_ loop: Int, _ paused: Int, _ failed: Int, at now: Instant) {
    guard state.loops.indices.contains(loop), state.status != .cancelled else { return }
    frames.count(loop, .paused, -paused)
    frames.count(loop, .failed, -failed)
    frames.count(loop, .pending, paused + failed)
    state.loops[loop].isRequeued = true
    state.loops[loop].cursor = -1
    state.loops[loop].ready = []
    if state.loops[loop].isLoading { reading.outdated.insert(loop) }
    // The run has been cancelled in the meantime: the rows are pending anyway, and are abandoned as such.
    if state.status == .cancelling {
      cancellation.leftovers[Cancellation.LeftoverRows(loop: loop, status: .pending)] = -1
    }
    if state.status == .finished || state.status == .paused {
      continueRun(at: now)
      resumeFrames(first: [], at: now)
    }
    agenda.isRunDue = true
  }

  /// Ends a run that has nothing left to do; the reason states the unfinished work.
  mutating func finishRun(_ reason: Failure? = nil, at now: Instant) {
    guard state.status == .running else { return }
    endRun(as: .finished, reason, at: now)
    waiting.blockers[nil] = .stopped
  }

  private mutating func continueRun(at now: Instant) {
    hosts.refusals = nil
    hosts.outage = nil
    state.status = .running
    state.reason = nil
    state.ended = nil
    hasStopped = false
    frames.resetAttempts()
    frames.changes.isRunChanged = true
  }

  mutating func endRun(as status: RunState.Status, _ reason: Failure?, at now: Instant) {
    state.status = status
    state.reason = reason
    state.ended = now
    frames.changes.isRunChanged = true
    releasePendingRenewals()
    if frames.isOver { discardOwnFiles() }
  }

  /// Files of run-level steps are deleted with the run.
  private mutating func discardOwnFiles() {
    guard discardFiles(of: nil, state.frame) else { return }
    for index in state.frame.indices {
      state.frame[index].file = nil
      state.frame[index].reservedBytes = 0
    }
  }

  private mutating func interruptAll(where isMeant: (EffectID) -> Bool = { _ in true }) {
    for id in inFlight.sorted(by: EffectID.order) where isMeant(id) {
      agenda.effects.append(.interrupt(id))
    }
  }
}
