extension Machine {
  /// Rebuilds everything derived, as the first thing that a new process does, and reissues the
  /// commands that were in flight when the last process ended (invariant 3); nothing else moves yet.
  ///
  /// - Returns: The items that had something in flight.
  mutating func recover(at now: Instant) -> [ItemKey] {
    isRecovered = true
    frames.changes.isRunChanged = true
    if state.status == .cancelling { cancellation.findLeftovers(in: state.loops) }
    frames.recoverParts(at: now)
    limits.recoverBuckets(in: &frames, at: now)
    state.pauses = state.pauses.filter { $0.value.until - now <= RetryPolicy.longestRetryAfter }
    ledger.recover(&frames)
    var interrupted: [ItemKey] = []
    for (key, frame) in frames.all() {
      let steps = pipeline.steps(of: key)
      for (step, current) in zip(steps, frame) where current.isInFlight {
        let place = StepPlace(key: key, step: step)
        if frames.isAdoptable(current, step),
          key.map({ $0.part == nil || frames.partValue($0) != nil }) ?? true
        {
          adopt(place, current, at: now)
        } else {
          if let key, !interrupted.contains(key.whole) { interrupted.append(key.whole) }
          recoverAttempt(place, current, at: now)
        }
      }
      if let key, let abandoning = frames.abandonProgress(of: key), abandoning.since != nil,
        abandoning.notBefore == nil
      {
        // Its compensation was in flight, and had the item's place.
        interrupted.append(key)
      }
      if let key, frames.isInWindow(key), waiting.blockers[key] == nil {
        waiting.blockers[key] = .stopped
      }
    }
    return interrupted
  }

  /// Continues every frame that has nothing in flight, while there are places.
  mutating func resumeFrames(first: [ItemKey], at now: Instant) {
    waiting.clearQueues()
    batches.queues = [:]
    agenda.isRunDue = true
    guard state.status == .running else { return }
    let busy = Set(inFlight.flatMap { batches.inFlight[$0] ?? [$0.item].compactMap { $0 } })
    let keys = first + frames.all().compactMap(\.key).filter { !first.contains($0) }
    for key in keys where !busy.contains(key) {
      if let part = key.part {
        // Its item continues it, unless it has just left the window.
        guard frames.isInWindow(key) else { continue }
        leaveQueues(key)
        waiting.blockers[key] = .parts(step: part.step)
        continue
      }
      guard let item = frames.item(key) else { continue }
      if let place = frames.queuedPlace(of: item),
        let current = frames.stepState(place.step, for: key)
      {
        // An item queued for a batch needs no place, and its inputs are checked before the batch is sent.
        enqueueForBatch(place, current, at: now)
      } else if frames.isInBackOff(item, at: now) {
        // It needs no place before its time, so it would be wrong that it waits for one.
        advance(key, at: now)
      } else {
        makeDue(key)
      }
    }
  }

  /// Issues the same attempt again, under the same fence.
  private mutating func adopt(_ place: StepPlace, _ current: StepState, at now: Instant) {
    let id = frames.effectID(place)
    launch(id)
    ledger.transfers += 1
    waiting.blockers[place.key] = .attempt(step: place.step)
    agenda.effects.append(
      .perform(
        Command(
          id: id, action: .adopt(reservedBytes: current.reservedBytes),
          scope: frames.scope(of: place.key, at: now))))
  }

  /// A process ended with the attempt in flight: an interruption, not a failure.
  private mutating func recoverAttempt(_ place: StepPlace, _ current: StepState, at now: Instant) {
    if Turn(place: place, now: now).resyncInterrupted(in: &self) { return }
    if let next = pipeline.safeRepeat(of: place.step, after: current.status) {
      let probe = pipeline.steps[place.step].probe
      frames.update(place) { step in
        step.putBack(as: next, probe, at: now)
        step.batch?.isOpen = true
      }
    } else {
      StepConclusion(place: place, current: current, now: now).interrupted(in: &self)
    }
  }
}
