extension Machine {
  /// Queues an item for a batch; its own inputs are available.
  mutating func enqueueForBatch(_ place: StepPlace, _ current: StepState, at now: Instant) {
    guard let key = place.key else { return }
    unfilled.insert(key.loop)
    guard let share = batchShare(place, at: now) else { return }
    batchGroups[place] = share.group
    if current.batch == nil, current.status == .unknown {
      let alone = BatchMembership(
        first: key.ordinal, generation: current.generation, items: 1, isOpen: true)
      update(place) { $0.batch = alone }
    }
    defer { setBatchBlocker(place.step, key) }
    if let batch = stepState(place.step, for: key)?.batch {
      queues.batches[place.step, default: BatchQueue()].enqueue(key, for: batch)
      return
    }
    if current.status != .queued {
      update(place) { step in
        step.status = .queued
        step.since = now
        // A new batch is a new request, so its members start a new generation.
        step.attempt = 0
        step.notBefore = nil
      }
    }
    let since = stepState(place.step, for: key)?.since ?? now
    queues.batches[place.step, default: BatchQueue()].enqueue(key, share, since: since)
  }

  private mutating func setBatchBlocker(_ step: Int, _ key: ItemKey) {
    guard let policy = pipeline.steps[step].batch, let current = stepState(step, for: key) else {
      return
    }
    blockers[key] =
      current.batch.map { .batch(step: step, items: $0.items, until: nil) }
      ?? .batch(step: step, items: policy.items, until: current.since + policy.within)
  }

  /// Sets the blockers of queued items: they wait for their batch, no longer for an allowance or a connection.
  mutating func setBatchBlockers(where isOver: (Blocker?) -> Bool = { _ in true }) {
    for (step, queue) in queues.batches {
      for key in queue.fresh + queue.resends.values.joined()
      where !queues.rates.contains(key) && isOver(blockers[key]) {
        setBatchBlocker(step, key)
      }
    }
  }

  func queuedBatchStep(of key: ItemKey) -> Int? {
    if case .batch(let step, _, _)? = blockers[key] { return step }
    switch blockers[key] {
    case .allowance(let step, _)?, .connections(let step, _)?, .rate(_, let step, _)?,
      .host(_, let step, _)?, .batchUnderWay(let step)?:
      return pipeline.steps[step].batch == nil ? nil : step
    case .attempt, .probe, .compensation, .delay, .earliest, .concurrency, .disk, .transfers,
      .shortage, .dependency, .renewal, .batch, .parts, .loop, .enumeration, .stopped, nil:
      return nil
    }
  }

  /// The step at which an item was queued for a batch when its process ended.
  func queuedPlace(of item: Item) -> StepPlace? {
    let steps = pipeline.loops[item.key.loop].steps
    guard let step = zip(steps, item.frame).first(where: { $1.status == .queued })?.0,
      // The values of its group may have been secret, and lost.
      pipeline.steps[step].batch?.ofItems.isEmpty == true,
      steps.prefix(while: { $0 != step }).allSatisfy({ isSettled($0, for: item.key) })
    else { return nil }
    return StepPlace(key: item.key, step: step)
  }

  mutating func leaveBatchQueue(_ key: ItemKey?) {
    guard let key, let step = queuedBatchStep(of: key) else { return }
    queues.batches[step]?.remove(key)
    if queues.batches[step]?.isEmpty == true { queues.batches[step] = nil }
  }

  /// Items that are queued for a batch, or whose batch has a single place for all.
  func itemsWithoutPlace(in loop: Int) -> Int {
    guard !queues.batches.isEmpty || !batchesInFlight.isEmpty else { return 0 }
    var count = 0
    for (step, queue) in queues.batches where pipeline.steps[step].loop == loop {
      count += queue.count
    }
    for (id, members) in batchesInFlight where id.item?.loop == loop { count += members.count - 1 }
    return count
  }

  /// When the first batch of each group is sent even if it is not full.
  var batchDeadlines: [Instant] {
    queues.batches.flatMap { step, queue in
      pipeline.steps[step].batch.map { policy in queue.begun.map { $0 + policy.within } } ?? []
    }
  }

  /// The next time at which something is due.
  func nextMoment(after now: Instant) -> Instant? {
    // A batch whose time has passed waits for a place, not for the clock.
    let batch = queues.batches.isEmpty ? nil : batchDeadlines.filter { $0 > now }.min()
    return [waiting.earliest, batch, nextTrial, nextToken, nextOpening(after: now)]
      .compactMap { $0 }.min()
  }

  /// Sends a batch, or releases members without which it is sent; `false` if not allowed yet.
  mutating func send(_ members: [ItemKey], _ step: Int, at now: Instant) -> Bool {
    let keys = members.sorted()
    // Its first member may wait for a token; if it now waits for something else, it keeps its place.
    for key in keys { queues.rates.remove(key, keepsPlace: true) }
    let first = StepPlace(key: keys[0], step: step)
    let isProbe = stepState(step, for: keys[0]).map { isProbed(first, $0) } ?? false
    let needed = expectedDuration(of: first, probing: isProbe, at: now)
    guard !isBatchUnderWay(before: keys, step, at: now) else {
      for key in keys { blockers[key] = .batchUnderWay(step: step) }
      return false
    }
    guard isAllowed(needed, at: now) else {
      for key in keys { blockers[key] = .allowance(step: step, needed: needed) }
      return false
    }
    if let limit = limits.exchanges, ledger.exchanges >= limit {
      for key in keys { blockers[key] = .connections(step: step, limit: limit) }
      return false
    }
    let unfit = keys.filter { key in
      !isFit(StepPlace(key: key, step: step), needed: needed, at: now)
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
      queues.rates.remove(key, keepsPlace: false)
    }
    // One request has one fence: members that were left out of an attempt catch up.
    let attempt = keys.compactMap { stepState(step, for: $0, \.attempt) }.max() ?? 0
    for key in keys { update(StepPlace(key: key, step: step)) { $0.attempt = attempt } }
    let action = isProbe ? Command.Action.probe : .attempt(reservedBytes: 0)
    for key in keys { beginAttempt(StepPlace(key: key, step: step), action, at: now) }
    let known = keys.compactMap { stepState(step, for: $0)?.batch }
    var batch =
      known.first
      ?? BatchMembership(
        first: keys[0].ordinal, generation: stepState(step, for: keys[0], \.generation) ?? 0,
        items: keys.count, begun: now)
    // Once a member was sent without the others, the server may have recorded the key for that member only.
    batch.isPartial = known.contains { $0.isPartial }
    batch.items = keys.count
    batch.begun = batch.begun ?? now
    for key in keys { update(StepPlace(key: key, step: step)) { $0.batch = batch } }
    let id = effectID(first)
    batchesInFlight[id] = keys
    demand(
      Command(
        id: id, action: action,
        scope: Scope(state, batch: keys.compactMap { item($0) }, now: now)))
    return true
  }

  /// Whether everything that the batch reads of one member exists and stays valid long enough.
  func isFit(_ place: StepPlace, needed: Duration, at now: Instant) -> Bool {
    guard let current = stepState(place.step, for: place.key) else { return false }
    if current.status == .unknown, case .lost = resolution(of: place, current) { return false }
    if current.status == .pending, !isMadeFromCurrent(current, place.step, for: place.key) {
      return false
    }
    return requiredUses(of: place).allSatisfy { use in
      guard let producer = stepState(use.step, for: place.key) else { return true }
      if producer.status == .skipped || isLeftOutOfTurns(use.step, by: place) { return true }
      return producer.status == .succeeded && !producer.isInvalidated
        && reasonUnusable(of: use, producer, at: now, need: needed) == nil
    }
  }

  /// The active items that were sent in the batch and whose result is unknown.
  func members(of batch: BatchMembership, _ step: Int, _ loop: Int) -> [ItemKey] {
    let position = pipeline.steps[step].position
    return state.loops[loop].active.values.compactMap { item in
      guard item.frame.indices.contains(position), let other = item.frame[position].batch,
        other.first == batch.first, other.generation == batch.generation
      else { return nil }
      return item.key
    }.sorted()
  }

  /// The first of those that one request is sent for; `nil` if the step's request is for one item.
  func carrier(of place: StepPlace) -> ItemKey? {
    guard let key = place.key, let batch = stepState(place.step, for: key)?.batch else {
      return nil
    }
    let isSent = stepState(place.step, for: key, \.isInFlight)
    return members(of: batch, place.step, key.loop).first {
      stepState(place.step, for: $0, \.isInFlight) == isSent
    }
  }

  /// A member must be reissued, so the others cannot be sent as they were.
  mutating func leaveBatch(_ place: StepPlace, from batch: BatchMembership, at now: Instant) {
    guard let key = place.key else { return }
    disband(members(of: batch, place.step, key.loop), place.step, at: now)
  }

  /// Releases members without those that are missing: to a new batch, to their probe, or to the user.
  ///
  /// Those that the server cannot have accepted are queued for a new batch. The others are probed, or wait
  /// for the user if the whole batch would have to be sent again under its key. If the user continues them
  /// without the others, they are sent under that key:
  /// a server that accepted the whole batch replays its response.
  mutating func disband(_ members: [ItemKey], _ step: Int, at now: Instant) {
    let rest = members.filter { stepState(step, for: $0, \.isInFlight) == false }
    guard let first = rest.first, let current = stepState(step, for: first),
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
      update(StepPlace(key: key, step: step)) { $0.batch = smaller }
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
      update(StepPlace(key: key, step: step)) { state in
        state.batch?.items = idle.count
        state.batch?.isPartial = true
      }
      leaveWindow(key, as: .paused, reason: reason, at: now)
    }
  }

  func batchViolations() -> [String] {
    var found: [String] = []
    for (step, queue) in queues.batches {
      for key in queue.fresh + queue.resends.values.joined() {
        let current = stepState(step, for: key)
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
    for (id, members) in batchesInFlight {
      let areIn = members.allSatisfy { key in
        guard let step = id.step else { return false }
        return stepState(step, for: key, \.isInFlight) == true
          && effectID(StepPlace(key: key, step: step)) == id
      }
      if !areIn || !inFlight.contains(id) {
        found.append("\(id) is a batch of \(members), but not all of them are in it")
      }
    }
    return found
  }
}
