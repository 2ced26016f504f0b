extension Machine {
  /// Maximum number of items that wait as their author specifies, such as for a poll or an earliest time.
  static func intendedLimit(_ loop: Loop) -> Int { max(64, 8 * loop.concurrency) }
  /// Maximum number of items in the window: those being worked on,
  /// those that wait after a failure or as their author specifies, and those queued for a batch.
  func windowLimit(_ loop: Int) -> Int {
    let declaration = pipeline.loops[loop]
    let batches = declaration.steps.reduce(0) { $0 + (pipeline.steps[$1].batch?.items ?? 0) }
    return declaration.concurrency + declaration.waitingLimit + Self.intendedLimit(declaration)
      + batches
  }
  static func readAhead(_ loop: Loop) -> Int { max(64, 2 * loop.concurrency) }

  /// Checks whether a loop lets the run's frame continue, and starts the loop if it does not.
  mutating func passLoop(_ loop: Int, at now: Instant) -> Bool {
    let current = state.loops[loop]
    guard current.isEnumerated else {
      blockers[nil] = .enumeration(loop: loop)
      if requestedEnumerations.insert(loop).inserted { effects.append(.enumerate(loop: loop)) }
      return false
    }
    if current.counts[.pending] == 0, current.active.values.allSatisfy(Self.isOnlyCleaning) {
      if !current.holdsBack(pipeline.loops[loop]) { return true }
      if current.active.isEmpty {
        finishRun(heldBack(by: loop), at: now)
        return false
      }
    }
    blockers[nil] = .loop(loop)
    unfilled.insert(loop)
    return false
  }

  mutating func itemsEnumerated(_ loop: Int, _ count: Int, at now: Instant) {
    guard state.loops.indices.contains(loop), !state.loops[loop].isEnumerated else { return }
    requestedEnumerations.remove(loop)
    state.loops[loop].isEnumerated = true
    state.loops[loop].counts[.pending] = count
    changes.isRunChanged = true
    isRunDue = true
  }

  mutating func enumerationFailed(_ loop: Int, _ failure: Failure, at now: Instant) {
    guard requestedEnumerations.remove(loop) != nil else { return }
    halt(failure, at: now)
    blockers[nil] = .stopped
  }

  mutating func itemsLoaded(_ loop: Int, _ items: [Item], _ isLast: Bool, at now: Instant) {
    guard state.loops.indices.contains(loop), state.loops[loop].isLoading else { return }
    state.loops[loop].isLoading = false
    unfilled.insert(loop)
    if outdatedLoads.remove(loop) != nil { return }
    for item in items where item.key.ordinal > state.loops[loop].cursor {
      state.loops[loop].cursor = item.key.ordinal
      state.loops[loop].ready.append(item)
    }
    if state.status == .cancelling {
      abandonLoaded(loop, isLast: isLast)
    } else if items.isEmpty,
      state.loops[loop].counts[.pending] > state.loops[loop].ready.count
    {
      // Each further request would return the same result.
      halt(Failure("the store has lost pending items of loop \(loop)"), at: now)
    }
  }

  /// Without its items, the loop cannot continue: the run stops, and the next process reads them again.
  mutating func loadFailed(_ loop: Int, _ failure: Failure, at now: Instant) {
    guard state.loops.indices.contains(loop), state.loops[loop].isLoading else { return }
    state.loops[loop].isLoading = false
    outdatedLoads.remove(loop)
    haltUnreadable(
      Failure(
        "items of '\(pipeline.loops[loop].label)' could not be read from the run's store: "
          + failure.message), at: now)
  }

  /// Items of the loop that are being worked on, not just waiting for a point in time, a batch or space.
  func workingItems(in loop: Int) -> Int {
    state.loops[loop].active.count - waiting.count(in: loop) - itemsWithoutPlace(in: loop)
      - itemsWaitingForSpace(in: loop)
  }

  private func itemsWaitingForSpace(in loop: Int) -> Int {
    queues.disk.isEmpty ? 0 : queues.disk.frames.count { $0?.loop == loop && $0?.part == nil }
  }

  /// Whether a new item may start.
  ///
  /// An item that waits for space leaves its place to items that have started, not to new ones: those would only
  /// wait for space as well, while their results from the server expire. Items that wait after a failure do not
  /// block the rest, but only as many as the loop permits; and while a host refuses most requests, those that have
  /// started try first, or else one new item. But a batch that waits for members to be sent again needs them.
  func mayBegin(in loop: Int) -> Bool {
    guard state.loops[loop].active.count < windowLimit(loop) else { return false }
    if queues.batches.values.contains(where: { !$0.resends.isEmpty }) { return true }
    let working = workingItems(in: loop) + itemsWaitingForSpace(in: loop)
    let begun = working + waiting.failed(in: loop)
    if isRefused(loop) { return begun == 0 }
    let declaration = pipeline.loops[loop]
    return working < declaration.concurrency
      && begun < declaration.concurrency + declaration.waitingLimit
  }

  /// Assigns free places to full batches, then to delayed items, waiting batches, and new items.
  mutating func fillWindow(_ loop: Int, at now: Instant) {
    guard state.status == .running else { return }
    let declaration = pipeline.loops[loop]
    while workingItems(in: loop) < declaration.concurrency {
      if sendCompleteBatch(loop, at: now) {
        continue
      } else if let key = waiting.popDue(in: loop) {
        advance(key, at: now)
      } else if sendWaitingBatch(loop, at: now) {
        continue
      } else if mayBegin(in: loop),
        let item = state.loops[loop].ready.popFirst()
      {
        activate(item, at: now)
      } else {
        break
      }
    }
    let current = state.loops[loop]
    if !current.isLoading, current.ready.count < declaration.concurrency,
      current.counts[.pending] > current.ready.count
    {
      state.loops[loop].isLoading = true
      effects.append(
        .loadItems(
          loop: loop, status: .pending, after: current.cursor, limit: Self.readAhead(declaration)))
    }
  }

  private mutating func activate(_ item: Item, at now: Instant) {
    var item = item
    let key = item.key
    item.status = .active
    item.reason = nil
    if let left = item.abandoning {
      // It continues from its results, except for those that were undone.
      if left.isUndone { item.frame = undone(item.frame, of: key.loop) }
      item.abandoning = nil
      state.loops[key.loop].leftAtServer -= 1
    }
    if item.frame.isEmpty {
      item.frame = Frame(repeating: StepState(), count: pipeline.loops[key.loop].steps.count)
    }
    for index in item.frame.indices {
      item.frame[index] = Self.triedAgain(item.frame[index])
      item.frame[index].parts = item.frame[index].parts?.with(Self.triedAgain)
      item.frame[index].batch?.failures = 0
      item.frame[index].batch?.begun = nil
      // The server has the best information on the progress of an earlier try.
      let step = pipeline.loops[key.loop].steps[index]
      if pipeline.steps[step].kind == .repeat, pipeline.steps[step].action.request != nil,
        item.frame[index].status == .succeeded, !item.frame[index].isOver
      {
        item.frame[index].isInvalidated = true
      }
    }
    state.loops[key.loop].active[key.ordinal] = item
    // An earlier step may come first.
    holdParts(of: item)
    count(key.loop, .pending, -1)
    count(key.loop, .active, 1)
    changes.touched.insert(key)
    if case .file(let file) = item.subject, let problem = file.problem {
      // Nothing was sent for it, so there is nothing to undo.
      update(key) { $0.reason = Failure(problem) }
      removeFromWindow(key, as: .failed, at: now)
    } else {
      advance(key, at: now)
    }
  }

  /// A step of an item that starts once more: its failures so far no longer count.
  private static func triedAgain(_ step: StepState) -> StepState {
    var step = step
    step.failures = 0
    step.reissues = 0
    step.unusedInvalidations = 0
    step.begun = nil
    step.notBefore = nil
    return step
  }

  mutating func count(_ loop: Int, _ status: Item.Status, _ change: Int) {
    state.loops[loop].counts[status] += change
    changes.isRunChanged = true
  }

  /// Removes an item from the window, after undoing its effects on the server if necessary.
  mutating func leaveWindow(
    _ key: ItemKey, as status: Item.Status, reason: Failure?, at now: Instant
  ) {
    // Without a copy of the item: with one, each part that ends would copy the values of all parts before it.
    guard isInWindow(key), abandonProgress(of: key) == nil else { return }
    if key.part != nil {
      endPart(key, as: status, reason: reason, at: now)
      return
    }
    leaveQueues(key)
    update(key) { $0.reason = reason }
    let isComplete = status == .done || status == .skipped
    guard
      status == .failed || status == .cancelled
        || isComplete && hasRemnants(key, endingAs: status)
    else {
      removeFromWindow(key, as: status, at: now)
      return
    }
    let compensations = pipeline.loops[key.loop].onAbandon
    var abandoning = Item.AbandonProgress(
      index: isComplete ? compensations.count : 0, attempt: 0, next: status)
    abandoning.cause = reason
    if isComplete {
      releaseFiles(ofComplete: key)
      isRunDue = true
    }
    update(key) { $0.abandoning = abandoning }
    if status != .cancelled, concluding.contains(key), state.status == .running,
      !compensations.isEmpty
    {
      // Many members may fail at once: each is undone when the loop has a place for it.
      makeDue(key)
    } else {
      abandon(key, at: now)
    }
  }

  /// Removes a frame from all queues.
  mutating func leaveQueues(_ key: ItemKey?) {
    leaveBatchQueue(key)
    blockers[key] = nil
    waiting.remove(key)
    queues.disk.remove(key)
    queues.transfers.remove(key)
    queues.allowance.remove(key)
    queues.rates.remove(key, keepsPlace: served.contains(key))
    stopWaiting(key)
    for step in queues.steps.keys { queues.steps[step]?.remove(key) }
  }

  mutating func removeFromWindow(_ key: ItemKey, as status: Item.Status, at now: Instant) {
    for step in pipeline.steps(of: key) { dropParts(of: step, key, partials: status != .paused) }
    partsInProgress.endings[key] = nil
    if !batchGroups.isEmpty {
      for step in pipeline.steps(of: key) { batchGroups[StepPlace(key: key, step: step)] = nil }
    }
    guard var item = state.loops[key.loop].active.removeValue(forKey: key.ordinal) else { return }
    leaveQueues(key)
    let wasUndone = item.abandoning?.isUndone == true && item.abandoning?.left.isEmpty == true
    item.status = status
    item.settleRemnants(compensations: pipeline.loops[key.loop].onAbandon.count)
    item.abandoning = item.abandoning.flatMap(Self.storedProgress)
    if item.isLeftAtServer { state.loops[key.loop].leftAtServer += 1 }
    changes.touched.remove(key)
    count(key.loop, .active, -1)
    count(key.loop, status, 1)
    let reserved = item.frame.reduce(0) { $0 + $1.reservedBytes }
    // A paused item continues inside its file; a complete one has released its files already.
    let hasSaves =
      status != .paused && !Self.isOnlyCleaning(item) && hasBegunSaves(key, item.frame)
    if hasSaves || item.frame.contains(where: { $0.holdsFile || $0.reservedBytes > 0 }) {
      discard(key, reserved, partials: hasSaves)
    }
    item.frame = storedFrame(of: item, wasUndone: wasUndone)
    changes.left[key] = item
    unfilled.insert(key.loop)
    if state.loops[key.loop].active.values.allSatisfy(Self.isOnlyCleaning) { isRunDue = true }
  }

  /// The part of an item that its row keeps when it leaves the window, so that a retry can continue from it.
  private func storedFrame(of item: Item, wasUndone: Bool) -> Frame {
    if item.status == .done || item.status == .skipped { return [] }
    let frame = item.frame.map { step in
      var kept = Self.withoutFile(step)
      kept.parts = kept.parts?.with(Self.withoutFile)
      if kept.status == .queued { kept.status = .pending }
      return kept
    }
    // Results that a compensation undid are created again; the server must not receive anything else twice.
    return wasUndone ? undone(frame, of: item.key.loop) : frame
  }

  /// A file is deleted with the item; it is remade only if a remaining step reads it.
  static func withoutFile(_ step: StepState) -> StepState {
    var kept = step
    kept.reservedBytes = 0
    if kept.holdsFile { kept.file = nil }
    return kept
  }

  /// The steps of an item that compensations have undone.
  ///
  /// The effect of a request whose outcome is unknown is undone only if the author declares it: otherwise the outcome must
  /// still be resolved. A key that is the same in all generations makes any repeat safe.
  private func undone(_ frame: Frame, of loop: Int) -> Frame {
    let undone = pipeline.loops[loop].onAbandon.reduce(into: Set<Int>()) {
      $0.formUnion(pipeline.undone(by: $1, of: loop))
    }
    return zip(pipeline.loops[loop].steps, frame).map { index, step in
      if step.status == .unknown, !undone.contains(index),
        pipeline.steps[index].idempotencyKey == nil
      {
        return step
      }
      var fresh = StepState()
      (fresh.generation, fresh.since, fresh.failure) = (step.generation, step.since, step.failure)
      fresh.movedTo = step.movedTo
      return fresh
    }
  }

  /// The compensations of an item that its row keeps: those that could not be carried out.
  private static func storedProgress(of abandoning: Item.AbandonProgress) -> Item.AbandonProgress? {
    guard !abandoning.left.isEmpty, abandoning.next != .done, abandoning.next != .skipped else {
      return nil
    }
    var kept = Item.AbandonProgress(
      index: 0, attempt: abandoning.attempt, next: abandoning.next, isUndone: abandoning.isUndone)
    kept.left = abandoning.left
    kept.cause = abandoning.cause
    return kept
  }
}
