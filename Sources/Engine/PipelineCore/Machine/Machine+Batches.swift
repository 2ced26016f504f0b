import CEL

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
    else { return }
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

  /// The next time at which something is due.
  func nextMoment(after now: Instant) -> Instant? {
    // A batch whose time has passed waits for a place, not for the clock.
    let batch =
      batches.queues.isEmpty ? nil : batches.deadlines(in: pipeline).filter { $0 > now }.min()
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
    guard !batches.isUnderWay(before: keys, step, in: frames, at: now) else {
      for key in keys { waiting.blockers[key] = .batchUnderWay(step: step) }
      return false
    }
    guard frames.isAllowed(needed, at: now) else {
      for key in keys { waiting.blockers[key] = .allowance(step: step, needed: needed) }
      return false
    }
    if let limit = limits.exchanges, ledger.exchanges >= limit {
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
      batches.remove(key, step)
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
      if waiting.queuedBatchStep(of: key, in: pipeline) != nil { makeDue(key) }
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

  /// The role of an item in its batch; `nil` if that cannot be evaluated, which then has ended the step.
  mutating func batchShare(_ place: StepPlace, at now: Instant) -> BatchShare? {
    guard let policy = pipeline.steps[place.step].batch, !policy.ofItems.isEmpty else {
      return BatchShare()
    }
    do throws(EvaluationFailure) {
      var share = BatchShare()
      let scope = frames.scope(of: place.key, at: now)
      if let by = policy.by { share.group = try evaluator.value(by, scope) }
      if let bytes = policy.bytes {
        guard case .int(let size) = try evaluator.value(bytes.size, scope), size >= 0 else {
          throw EvaluationFailure(
            message: "expected a number of bytes", location: bytes.size.location)
        }
        share.bytes = size
      }
      return share
    } catch {
      failEvaluation(place, error.failure, at: now)
      return nil
    }
  }

  /// Sends a batch that no further item can join; returns whether anything was started.
  mutating func sendCompleteBatch(_ loop: Int, at now: Instant) -> Bool {
    guard !batches.queues.isEmpty else { return false }
    for step in pipeline.loops[loop].steps {
      guard let policy = pipeline.steps[step].batch, let queue = batches.queues[step] else {
        continue
      }
      for batch in queue.resends.keys.sorted() {
        guard let members = queue.resends[batch], members.count >= frames.size(of: members, step),
          !frames.isInFlight(batchOf: members[0], step, loop)
        else { continue }
        if send(members, step, at: now) { return true }
      }
      for batch in queue.next(policy) where batch.isFull {
        if send(batch.members, step, at: now) { return true }
      }
    }
    return false
  }

  /// Sends a batch that is due or full; returns whether anything was started.
  mutating func sendWaitingBatch(_ loop: Int, at now: Instant) -> Bool {
    guard !batches.queues.isEmpty else { return false }
    for step in pipeline.loops[loop].steps {
      guard let policy = pipeline.steps[step].batch, let queue = batches.queues[step] else {
        continue
      }
      let isLast = !queue.fresh.isEmpty && !canJoinBatch(step, loop)
      for batch in queue.next(policy) where isLast || batch.begun + policy.within <= now {
        if send(batch.members, step, at: now) { return true }
      }
      for batch in queue.resends.keys.sorted() {
        guard let members = queue.resends[batch], let first = members.first,
          let membership = frames.stepState(step, for: first)?.batch
        else { continue }
        let present = frames.members(of: membership, step, loop)
        guard present.count < frames.size(of: present, step), !canActivate(loop) else { continue }
        disband(present, step, at: now)
        return true
      }
    }
    return false
  }

  /// Sends a batch that is smaller than it could be, because it holds the resource that all others wait for.
  mutating func sendSmallerBatch(at now: Instant) -> Bool {
    for step in batches.queues.keys.sorted() {
      guard let policy = pipeline.steps[step].batch, let queue = batches.queues[step] else {
        continue
      }
      for batch in queue.next(policy) { if send(batch.members, step, at: now) { return true } }
    }
    return false
  }

  private func canActivate(_ loop: Int) -> Bool {
    let current = state.loops[loop]
    guard current.counts[.pending] > 0 else { return false }
    return current.active.count < pipeline.windowLimit(loop)
      || batches.itemsWithoutPlace(in: loop, of: pipeline) < current.active.count
  }

  /// Whether an item may still arrive for the step's next batch.
  private func canJoinBatch(_ step: Int, _ loop: Int) -> Bool {
    if canActivate(loop) { return true }
    let position = pipeline.steps[step].position
    return state.loops[loop].active.values.contains { item in
      guard item.abandoning == nil, item.frame.indices.contains(position) else { return false }
      let current = item.frame[position]
      switch current.status {
      case .pending: return current.batch == nil
      case .queued: return waiting.queuedBatchStep(of: item.key, in: pipeline) == nil
      // Its response was secret and was lost with the process: the item must ask again, unless
      // its command in flight ends without it.
      case .succeeded: return current.outputs.contains { $0.value == nil }
      case .running, .probing, .unknown, .skipped: return false
      }
    }
  }
}
