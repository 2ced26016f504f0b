extension Machine {
  /// Queues an item for a batch; its own inputs are available.
  mutating func enqueueForBatch(_ place: StepPlace, _ current: StepState, at now: Instant) {
    guard let key = place.key else { return }
    agenda.unfilled.insert(key.loop)
    guard let share = batchShare(place, at: now) else { return }
    batches.groups[place] = share.group
    if current.batch == nil, current.status == .unknown {
      let alone = BatchMembership(
        first: key.ordinal, generation: current.generation, items: 1, isOpen: true)
      frames.update(place) { $0.batch = alone }
    }
    defer { setBatchBlocker(place.step, key) }
    if let batch = frames.stepState(place.step, for: key)?.batch {
      batches.queues[place.step, default: BatchQueue()].enqueue(key, for: batch)
      return
    }
    if current.status != .queued {
      frames.update(place) { step in
        step.status = .queued
        step.since = now
        // A new batch is a new request, so its members start a new generation.
        step.attempt = 0
        step.notBefore = nil
      }
    }
    let since = frames.stepState(place.step, for: key)?.since ?? now
    batches.queues[place.step, default: BatchQueue()].enqueue(key, share, since: since)
  }

  private mutating func setBatchBlocker(_ step: Int, _ key: ItemKey) {
    guard let policy = pipeline.steps[step].batch, let current = frames.stepState(step, for: key)
    else {
      return
    }
    waiting.blockers[key] =
      current.batch.map { .batch(step: step, items: $0.items, until: nil) }
      ?? .batch(step: step, items: policy.items, until: current.since + policy.within)
  }

  /// Sets the blockers of queued items: they wait for their batch, no longer for an allowance or a connection.
  mutating func setBatchBlockers(where isOver: (Blocker?) -> Bool = { _ in true }) {
    for (step, queue) in batches.queues {
      for key in queue.fresh + queue.resends.values.joined()
      where !waiting.rates.contains(key) && isOver(waiting.blockers[key]) {
        setBatchBlocker(step, key)
      }
    }
  }

  func queuedBatchStep(of key: ItemKey) -> Int? {
    if case .batch(let step, _, _)? = waiting.blockers[key] { return step }
    switch waiting.blockers[key] {
    case .allowance(let step, _)?, .connections(let step, _)?, .rate(_, let step, _)?,
      .host(_, let step, _)?, .batchUnderWay(let step)?:
      return pipeline.steps[step].batch == nil ? nil : step
    case .attempt, .probe, .compensation, .delay, .earliest, .concurrency, .disk, .transfers,
      .shortage, .dependency, .renewal, .batch, .parts, .loop, .enumeration, .stopped, nil:
      return nil
    }
  }

  mutating func leaveBatchQueue(_ key: ItemKey?) {
    guard let key, let step = queuedBatchStep(of: key) else { return }
    batches.queues[step]?.remove(key)
    if batches.queues[step]?.isEmpty == true { batches.queues[step] = nil }
  }

  /// Items that are queued for a batch, or whose batch has a single place for all.
  func itemsWithoutPlace(in loop: Int) -> Int {
    guard !batches.queues.isEmpty || !batches.inFlight.isEmpty else { return 0 }
    var count = 0
    for (step, queue) in batches.queues where pipeline.steps[step].loop == loop {
      count += queue.count
    }
    for (id, members) in batches.inFlight where id.item?.loop == loop { count += members.count - 1 }
    return count
  }

  /// When the first batch of each group is sent even if it is not full.
  var batchDeadlines: [Instant] {
    batches.queues.flatMap { step, queue in
      pipeline.steps[step].batch.map { policy in queue.begun.map { $0 + policy.within } } ?? []
    }
  }

  /// The next time at which something is due.
  func nextMoment(after now: Instant) -> Instant? {
    // A batch whose time has passed waits for a place, not for the clock.
    let batch = batches.queues.isEmpty ? nil : batchDeadlines.filter { $0 > now }.min()
    return [waiting.earliest, batch, nextTrial, nextToken, nextOpening(after: now)]
      .compactMap { $0 }.min()
  }

  /// Sends a batch, or releases members without which it is sent; `false` if not allowed yet.
  mutating func send(_ members: [ItemKey], _ step: Int, at now: Instant) -> Bool {
    let keys = members.sorted()
    // Its first member may wait for a token; if it now waits for something else, it keeps its place.
    for key in keys { waiting.rates.remove(key, keepsPlace: true) }
    let first = StepPlace(key: keys[0], step: step)
    let isProbe = frames.stepState(step, for: keys[0]).map { frames.isProbed(first, $0) } ?? false
    let needed = frames.expectedDuration(of: first, probing: isProbe, at: now)
    guard !isBatchUnderWay(before: keys, step, at: now) else {
      for key in keys { waiting.blockers[key] = .batchUnderWay(step: step) }
      return false
    }
    guard frames.isAllowed(needed, at: now) else {
      for key in keys { waiting.blockers[key] = .allowance(step: step, needed: needed) }
      return false
    }
    if let limit = frames.limits.exchanges, ledger.exchanges >= limit {
      for key in keys { waiting.blockers[key] = .connections(step: step, limit: limit) }
      return false
    }
    let unfit = keys.filter { key in
      !frames.isFit(StepPlace(key: key, step: step), needed: needed, at: now)
    }
    guard unfit.isEmpty else {
      for key in unfit { makeDue(key) }
      return true
    }
    guard isHostOpen(forBatch: keys, step, probing: isProbe, at: now),
      hasToken(forBatch: keys, step, at: now)
    else { return false }
    for key in keys {
      leaveBatchQueue(key)
      waiting.rates.remove(key, keepsPlace: false)
    }
    // One request has one fence: members that were left out of an attempt catch up.
    let attempt = keys.compactMap { frames.stepState(step, for: $0, \.attempt) }.max() ?? 0
    for key in keys { frames.update(StepPlace(key: key, step: step)) { $0.attempt = attempt } }
    let action = isProbe ? Command.Action.probe : .attempt(reservedBytes: 0)
    for key in keys { beginAttempt(StepPlace(key: key, step: step), action, at: now) }
    let known = keys.compactMap { frames.stepState(step, for: $0)?.batch }
    var batch =
      known.first
      ?? BatchMembership(
        first: keys[0].ordinal, generation: frames.stepState(step, for: keys[0], \.generation) ?? 0,
        items: keys.count, begun: now)
    // Once a member was sent without the others, the server may have recorded the key for that member only.
    batch.isPartial = known.contains { $0.isPartial }
    batch.items = keys.count
    batch.begun = batch.begun ?? now
    for key in keys { frames.update(StepPlace(key: key, step: step)) { $0.batch = batch } }
    let id = frames.effectID(first)
    batches.inFlight[id] = keys
    demand(
      Command(
        id: id, action: action,
        scope: Scope(state, batch: keys.compactMap { frames.item($0) }, now: now)))
    return true
  }

  /// A member must be reissued, so the others cannot be sent as they were.
  mutating func leaveBatch(_ place: StepPlace, from batch: BatchMembership, at now: Instant) {
    guard let key = place.key else { return }
    disband(frames.members(of: batch, place.step, key.loop), place.step, at: now)
  }

  /// Releases members without those that are missing: to a new batch, to their probe, or to the user.
  ///
  /// Those that the server cannot have accepted are queued for a new batch. The others are probed, or wait
  /// for the user if the whole batch would have to be sent again under its key. If the user continues them
  /// without the others, they are sent under that key:
  /// a server that accepted the whole batch replays its response.
  mutating func disband(_ members: [ItemKey], _ step: Int, at now: Instant) {
    let rest = members.filter { frames.stepState(step, for: $0, \.isInFlight) == false }
    guard let first = rest.first, let current = frames.stepState(step, for: first),
      let batch = current.batch
    else { return }
    let isProbed = pipeline.steps[step].probe != nil && current.status == .unknown
    let isLost = batch.isOpen && !isProbed && pipeline.steps[step].effect == .create
    var smaller: BatchMembership?
    if isProbed {
      smaller = BatchMembership(
        first: first.ordinal, generation: current.generation, items: rest.count,
        failures: batch.failures, begun: batch.begun, isOpen: true)
    }
    if isLost {
      pauseLostBatch(rest, batch, step, at: now)
      return
    }
    for key in rest {
      frames.update(StepPlace(key: key, step: step)) { $0.batch = smaller }
      if queuedBatchStep(of: key) != nil { makeDue(key) }
    }
  }

  private mutating func pauseLostBatch(
    _ members: [ItemKey], _ batch: BatchMembership, _ step: Int, at now: Instant
  ) {
    // A member with a request in flight reaches this step later, and then finds that its batch is gone.
    let idle = members.filter { key in !steps(of: key).contains(where: \.state.isInFlight) }
    let reason = Failure(
      "the server may have taken the batch of \(batch.items) items that it was sent in, but not all of "
        + "them are available to send it again: retry them together, or retry this one without the others, "
        + "under the batch's key")
    for key in idle {
      frames.update(StepPlace(key: key, step: step)) { state in
        state.batch?.items = idle.count
        state.batch?.isPartial = true
      }
      leaveWindow(key, as: .paused, reason: reason, at: now)
    }
  }

  func batchViolations() -> [String] {
    var found: [String] = []
    for (step, queue) in batches.queues {
      for key in queue.fresh + queue.resends.values.joined() {
        let current = frames.stepState(step, for: key)
        let isRight =
          switch current?.status {
          case .queued?: current?.batch == nil
          case .pending?, .unknown?: current?.batch != nil
          case .running?, .probing?, .succeeded?, .skipped?, nil: false
          }
        if !isRight {
          found.append(
            "item \(key) is queued for a batch of step \(step), but its status does not allow it")
        }
      }
    }
    for (id, members) in batches.inFlight {
      let areIn = members.allSatisfy { key in
        guard let step = id.step else { return false }
        return frames.stepState(step, for: key, \.isInFlight) == true
          && frames.effectID(StepPlace(key: key, step: step)) == id
      }
      if !areIn || !inFlight.contains(id) {
        found.append("\(id) is a batch of \(members), but not all of them are in it")
      }
    }
    return found
  }
}
