extension Machine {
  /// Rebuilds everything derived, as the first thing that a new process does, and reissues the
  /// commands that were in flight when the last process ended (invariant 3); nothing else moves yet.
  ///
  /// - Returns: The items that had something in flight.
  mutating func recover(at now: Instant) -> [ItemKey] {
    isRecovered = true
    changes.isRunChanged = true
    if state.status == .cancelling { findLeftovers() }
    recoverParts(at: now)
    recoverBuckets(at: now)
    state.pauses = state.pauses.filter { $0.value.until - now <= RetryPolicy.longestRetryAfter }
    rebuildLedger()
    var interrupted: [ItemKey] = []
    for (key, frame) in frames() {
      let steps = pipeline.steps(of: key)
      for (step, current) in zip(steps, frame) where current.isInFlight {
        let place = StepPlace(key: key, step: step)
        if isAdoptable(current, step), key.map({ $0.part == nil || partValue($0) != nil }) ?? true {
          adopt(place, current, at: now)
        } else {
          if let key, !interrupted.contains(key.whole) { interrupted.append(key.whole) }
          recoverAttempt(place, current, at: now)
        }
      }
      if let key, let abandoning = abandonProgress(of: key), abandoning.since != nil,
        abandoning.notBefore == nil
      {
        // Its compensation was in flight, and had the item's place.
        interrupted.append(key)
      }
      if let key, isInWindow(key), blockers[key] == nil { blockers[key] = .stopped }
    }
    return interrupted
  }

  private mutating func clearQueues() {
    queues = Queues()
    shortages = [:]
    served = []
  }

  /// A materialization that was in flight left nothing: the sweep deleted its unfinished file.
  private mutating func rebuildLedger() {
    for (key, frame) in frames() {
      let steps = pipeline.steps(of: key)
      let holdsFiles = frame.contains(where: \.holdsFile)
      for (step, current) in zip(steps, frame) where current.reservedBytes > 0 {
        if !holdsFiles, !isAdoptable(current, step) {
          update(StepPlace(key: key, step: step)) { $0.reservedBytes = 0 }
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
        let key = ItemKey(loop: loop, ordinal: ordinal)
        result.append((key, item.frame))
        for (step, current) in zip(pipeline.loops[loop].steps, item.frame) {
          for (number, frame) in current.parts?.active.sorted(by: { $0.key < $1.key }) ?? [] {
            result.append((key.part(number, of: step, generation: current.generation), frame))
          }
        }
      }
    }
    return result
  }

  /// Continues every frame that has nothing in flight, while there are places.
  mutating func resumeFrames(first: [ItemKey], at now: Instant) {
    clearQueues()
    isRunDue = true
    guard state.status == .running else { return }
    let busy = Set(inFlight.flatMap { batchesInFlight[$0] ?? [$0.item].compactMap { $0 } })
    let keys = first + frames().compactMap(\.key).filter { !first.contains($0) }
    for key in keys where !busy.contains(key) {
      if let part = key.part {
        // Its item continues it, unless it has just left the window.
        guard isInWindow(key) else { continue }
        leaveQueues(key)
        blockers[key] = .parts(step: part.step)
        continue
      }
      guard let item = item(key) else { continue }
      if let place = queuedPlace(of: item), let current = stepState(place.step, for: key) {
        // An item queued for a batch needs no place, and its inputs are checked before the batch is sent.
        enqueueForBatch(place, current, at: now)
      } else if isInBackOff(item, at: now) {
        // It needs no place before its time, so it would be wrong that it waits for one.
        advance(key, at: now)
      } else {
        makeDue(key)
      }
    }
  }

  private func isInBackOff(_ item: Item, at now: Instant) -> Bool {
    if let abandoning = item.abandoning { return abandoning.notBefore.map { $0 > now } ?? false }
    guard !item.frame.contains(where: { $0.parts != nil }) else { return false }
    let open = openStep(in: item.key)
    if let open, prerequisite(of: open, in: item.key) != nil { return false }
    let steps = pipeline.steps(of: item.key)
    guard let step = open ?? steps.lazy.compactMap({ unsettled($0, for: item.key) }).first else {
      return false
    }
    return stepState(step, for: item.key) { current in
      [.pending, .unknown].contains(current.status) && current.notBefore.map { $0 > now } ?? false
    } ?? false
  }

  /// Whether the attempt may have outlived its process: the transfer service is another one (TX4).
  private func isAdoptable(_ current: StepState, _ step: Int) -> Bool {
    state.status == .running && current.status == .running && pipeline.steps[step].transfer != nil
  }

  /// Issues the same attempt again, under the same fence.
  private mutating func adopt(_ place: StepPlace, _ current: StepState, at now: Instant) {
    let id = effectID(place)
    launch(id)
    ledger.transfers += 1
    blockers[place.key] = .attempt(step: place.step)
    effects.append(
      .perform(
        Command(
          id: id, action: .adopt(reservedBytes: current.reservedBytes),
          scope: scope(of: place.key, at: now))))
  }

  /// A process ended with the attempt in flight: an interruption, not a failure.
  private mutating func recoverAttempt(_ place: StepPlace, _ current: StepState, at now: Instant) {
    if resyncInterrupted(place, at: now) { return }
    if let next = safeRepeat(of: place.step, after: current.status) {
      let probe = pipeline.steps[place.step].probe
      update(place) { step in
        Self.returnStep(&step, to: next, probe, at: now)
        step.batch?.isOpen = true
      }
    } else {
      interrupted(place, current, at: now)
    }
  }
}
