extension Machine {
  /// Checks whether a loop lets the run's frame continue, and starts the loop if it does not.
  mutating func passLoop(_ loop: Int, at now: Instant) -> Bool {
    let current = state.loops[loop]
    guard current.isEnumerated else {
      waiting.blockers[nil] = .enumeration(loop: loop)
      if reading.enumerations.insert(loop).inserted {
        agenda.effects.append(.enumerate(loop: loop))
      }
      return false
    }
    if current.counts[.pending] == 0, current.active.values.allSatisfy(\.isOnlyCleaning) {
      if !current.holdsBack(pipeline.loops[loop]) { return true }
      if current.active.isEmpty {
        finishRun(frames.heldBack(by: loop), at: now)
        return false
      }
    }
    waiting.blockers[nil] = .loop(loop)
    agenda.unfilled.insert(loop)
    return false
  }

  mutating func itemsEnumerated(_ loop: Int, _ count: Int, at now: Instant) {
    guard state.loops.indices.contains(loop), !state.loops[loop].isEnumerated else { return }
    reading.enumerations.remove(loop)
    state.loops[loop].isEnumerated = true
    state.loops[loop].counts[.pending] = count
    frames.changes.isRunChanged = true
    agenda.isRunDue = true
  }

  mutating func enumerationFailed(_ loop: Int, _ failure: Failure, at now: Instant) {
    guard reading.enumerations.remove(loop) != nil else { return }
    halt(failure, at: now)
    waiting.blockers[nil] = .stopped
  }

  mutating func itemsLoaded(_ loop: Int, _ items: [Item], isLast: Bool, at now: Instant) {
    guard state.loops.indices.contains(loop), state.loops[loop].isLoading else { return }
    state.loops[loop].isLoading = false
    agenda.unfilled.insert(loop)
    if reading.outdated.remove(loop) != nil { return }
    for item in items where item.key.ordinal > state.loops[loop].cursor {
      state.loops[loop].cursor = item.key.ordinal
      state.loops[loop].ready.append(item)
    }
    if state.status == .cancelling {
      abandonLoaded(loop, isLast: isLast)
    } else if items.isEmpty, state.loops[loop].counts[.pending] > state.loops[loop].ready.count {
      // Each further request would return the same result.
      halt(Failure("the store has lost pending items of loop \(loop)"), at: now)
    }
  }

  /// Without its items, the loop cannot continue: the run stops, and the next process reads them again.
  mutating func loadFailed(_ loop: Int, _ failure: Failure, at now: Instant) {
    guard state.loops.indices.contains(loop), state.loops[loop].isLoading else { return }
    state.loops[loop].isLoading = false
    reading.outdated.remove(loop)
    haltUnreadable(
      Failure(
        "items of '\(pipeline.loops[loop].label)' could not be read from the run's store: "
          + failure.message), at: now)
  }

  /// Items of the loop that are being worked on, not just waiting for a point in time, a batch or space.
  func workingItems(in loop: Int) -> Int {
    state.loops[loop].active.count - waiting.count(in: loop)
      - batches.itemsWithoutPlace(in: loop, of: pipeline) - waiting.itemsWaitingForSpace(in: loop)
  }

  /// Whether a new item may start.
  ///
  /// An item that waits for space leaves its place to items that have started, not to new ones: those would only
  /// wait for space as well, while their results from the server expire. Items that wait after a failure do not
  /// block the rest, but only as many as the loop permits; and while a host refuses most requests, those that have
  /// started try first, or else one new item. But a batch that waits for members to be sent again needs them.
  func mayBegin(in loop: Int) -> Bool {
    guard state.loops[loop].active.count < pipeline.windowLimit(loop) else { return false }
    if batches.queues.values.contains(where: { !$0.resends.isEmpty }) { return true }
    let working = workingItems(in: loop) + waiting.itemsWaitingForSpace(in: loop)
    let begun = working + waiting.failed(in: loop)
    if hosts.isRefused(loop) { return begun == 0 }
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
      } else if mayBegin(in: loop), let item = state.loops[loop].ready.popFirst() {
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
      agenda.effects.append(
        .loadItems(
          loop: loop, status: .pending, after: current.cursor, limit: declaration.readAhead))
    }
  }

  private mutating func activate(_ item: Item, at now: Instant) {
    var item = item
    let key = item.key
    item.status = .active
    item.reason = nil
    if let left = item.abandoning {
      // It continues from its results, except for those that were undone.
      if left.isUndone { item.frame = pipeline.undone(item.frame, of: key.loop) }
      item.abandoning = nil
      state.loops[key.loop].leftAtServer -= 1
    }
    if item.frame.isEmpty {
      item.frame = Frame(repeating: StepState(), count: pipeline.loops[key.loop].steps.count)
    }
    for index in item.frame.indices {
      item.frame[index] = item.frame[index].triedAgain
      item.frame[index].parts = item.frame[index].parts?.with(\.triedAgain)
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
    frames.count(key.loop, .pending, -1)
    frames.count(key.loop, .active, 1)
    frames.changes.touched.insert(key)
    if case .file(let file) = item.subject, let problem = file.problem {
      // Nothing was sent for it, so there is nothing to undo.
      frames.update(key) { $0.reason = Failure(problem) }
      removeFromWindow(key, as: .failed, at: now)
    } else {
      advance(key, at: now)
    }
  }

  /// Removes an item from the window, after undoing its effects on the server if necessary.
  mutating func leaveWindow(
    _ key: ItemKey, as status: Item.Status, reason: Failure?, at now: Instant
  ) {
    // Without a copy of the item: with one, each part that ends would copy the values of all parts before it.
    guard frames.isInWindow(key), frames.abandonProgress(of: key) == nil else { return }
    if key.part != nil {
      endPart(key, as: status, reason: reason, at: now)
      return
    }
    leaveQueues(key)
    frames.update(key) { $0.reason = reason }
    let isComplete = status == .done || status == .skipped
    guard
      status == .failed || status == .cancelled
        || isComplete && frames.item(key)?.hasRemnants(endingAs: status) == true
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
      agenda.isRunDue = true
    }
    frames.update(key) { $0.abandoning = abandoning }
    if status != .cancelled, agenda.concluding.contains(key), state.status == .running,
      !compensations.isEmpty
    {
      // Many members may fail at once: each is undone when the loop has a place for it.
      makeDue(key)
    } else {
      Reversal(key: key, now: now).proceed(in: &self)
    }
  }

  /// Removes a frame from all queues.
  mutating func leaveQueues(_ key: ItemKey?) {
    if let key, let step = waiting.queuedBatchStep(of: key, in: pipeline) {
      batches.remove(key, step)
    }
    waiting.leave(key, keepsRate: agenda.served.contains(key))
  }

  mutating func removeFromWindow(_ key: ItemKey, as status: Item.Status, at now: Instant) {
    for step in pipeline.steps(of: key) { dropParts(of: step, key, partials: status != .paused) }
    partsInProgress.endings[key] = nil
    if !batches.groups.isEmpty {
      for step in pipeline.steps(of: key) { batches.groups[StepPlace(key: key, step: step)] = nil }
    }
    guard var item = state.loops[key.loop].active.removeValue(forKey: key.ordinal) else { return }
    leaveQueues(key)
    let wasUndone = item.abandoning?.isUndone == true && item.abandoning?.left.isEmpty == true
    item.status = status
    item.settleRemnants(compensations: pipeline.loops[key.loop].onAbandon.count)
    item.abandoning = item.abandoning.flatMap(\.stored)
    if item.isLeftAtServer { state.loops[key.loop].leftAtServer += 1 }
    frames.changes.touched.remove(key)
    frames.count(key.loop, .active, -1)
    frames.count(key.loop, status, 1)
    // A paused item continues inside its file; a complete one has released its files already.
    discardFiles(of: key, item.frame, partials: status != .paused && !item.isOnlyCleaning)
    item.frame = pipeline.storedFrame(of: item, wasUndone: wasUndone)
    frames.changes.left[key] = item
    agenda.unfilled.insert(key.loop)
    if state.loops[key.loop].active.values.allSatisfy(\.isOnlyCleaning) { agenda.isRunDue = true }
  }
}
