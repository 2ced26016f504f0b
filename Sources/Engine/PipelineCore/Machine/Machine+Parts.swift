import CEL

/// The parts of items: starting them, collecting their values, and ending the item with them.
///
/// A `for_each` step succeeds when its list is known, and ends when all parts are done. Until then its item waits for
/// the parts, each of which has a frame of its own. Only while everything before the step is settled are parts worked on:
/// when an earlier result expires, commands in flight are interrupted first,
/// and then the item goes back to that step.
extension Machine {
  /// Starts a `for_each` step with its list; `nil` for any other step.
  mutating func beginParts(_ place: StepPlace, at now: Instant) -> AdvanceOutcome? {
    guard let template = pipeline.partsTemplate(of: place.step), let key = place.key else {
      return nil
    }
    let list: [Value]
    do throws(EvaluationFailure) { list = try frames.list(template, key, at: now) } catch {
      failEvaluation(place, error.failure, at: now)
      return .wait
    }
    let sources = frames.sources(of: place.step, for: key).uses
    frames.lists[key] = list
    frames.forgetParts(of: place.step, key)
    frames.update(place) { step in
      step.status = .succeeded
      step.generation += 1
      step.attempt = 1
      step.parts = PartsState(count: list.count)
      step.sources = sources
      step.since = now
      step.begun = step.begun ?? now
      step.notBefore = nil
      step.failure = nil
      step.isInvalidated = false
    }
    return .again
  }

  /// Lets the parts of an item that enters the window wait until its turn has come to their step.
  mutating func holdParts(of item: Item) {
    for (step, current) in zip(pipeline.steps(of: item.key), item.frame) {
      for number in (current.parts?.active ?? [:]).keys {
        waiting.blockers[frames.part(number, of: step, item.key)] = .parts(step: step)
      }
    }
  }

  /// Continues idle parts, and starts others while there are places; returns whether all are done.
  mutating func workOnParts(_ step: Int, _ key: ItemKey, at now: Instant) -> Bool {
    guard let template = pipeline.partsTemplate(of: step), frames.recoverParts(step, key, at: now)
    else {
      agenda.dueItems.insert(key)
      waiting.blockers[key] = .parts(step: step)
      return false
    }
    waiting.blockers[key] = .parts(step: step)
    guard !partsInProgress.isClosing(key, inFlight) else { return false }
    for number in frames.stepState(step, for: key)?.parts?.active.keys.sorted() ?? [] {
      let own = frames.part(number, of: step, key)
      if isIdle(own) { advance(own, at: now) }
    }
    while let current = frames.stepState(step, for: key)?.parts, current.done < current.count {
      guard state.status == .running, current.active.count < template.concurrency,
        partsInProgress.endings[key] == nil, frames.isOpen(step, for: key),
        let number = frames.beginPart(of: step, key)
      else { return false }
      advance(frames.part(number, of: step, key), at: now)
    }
    frames.finishParts(StepPlace(key: key, step: step), template, at: now)
    return true
  }

  /// Whether nothing but its item keeps a part from continuing.
  private func isIdle(_ key: ItemKey) -> Bool {
    switch waiting.blockers[key] {
    case nil, .parts, .stopped: !inFlight.contains { $0.item == key }
    case .attempt, .probe, .compensation, .delay, .earliest, .concurrency, .disk, .transfers,
      .connections, .host, .rate, .shortage, .dependency, .renewal, .batch, .batchUnderWay,
      .allowance, .loop, .enumeration:
      false
    }
  }

  /// Whether an item or a part may continue, as far as its parts are concerned.
  mutating func mayContinue(_ key: ItemKey) -> Bool {
    let whole = key.whole
    guard let part = key.part else {
      guard let ending = partsInProgress.endings[whole] else { return true }
      waiting.blockers[key] = .parts(step: ending.step)
      return false
    }
    if partsInProgress.endings[whole] == nil, frames.abandonProgress(of: whole) == nil,
      frames.frame(key).contains(where: \.isUnresolved)
        || !partsInProgress.closing.contains(whole) && frames.isOpen(part.step, for: whole)
    {
      return true
    }
    waiting.blockers[key] = .parts(step: part.step)
    agenda.dueItems.insert(whole)
    return false
  }

  /// Interrupts the commands in flight of an item's parts, because the item must go back to an earlier step, and lets those
  /// whose outcome is unknown resolve it first.
  ///
  /// - Returns: Whether something is still in flight or unknown.
  mutating func closesParts(of key: ItemKey, at now: Instant) -> Bool {
    guard let step = pipeline.steps(of: key).first(where: { frames.hasOpenParts($0, for: key) })
    else { return false }
    waiting.blockers[key] = .parts(step: step)
    let ids = partsInProgress.effects(of: key, in: inFlight)
    if !ids.isEmpty, partsInProgress.closing.insert(key).inserted {
      for id in ids { agenda.effects.append(.interrupt(id)) }
    }
    let unresolved = frames.unresolvedParts(of: key)
    // An item that has just entered the window has not evaluated the list yet that their requests read.
    if !unresolved.isEmpty { frames.recoverParts(step, key, at: now) }
    for own in unresolved where isIdle(own) { advance(own, at: now) }
    // A part that waits for the item needs a result that the item recreates.
    let isResolving = frames.unresolvedParts(of: key).contains { own in
      if case .parts? = waiting.blockers[own] { false } else { true }
    }
    guard partsInProgress.endings[key] == nil,
      isResolving || !partsInProgress.effects(of: key, in: inFlight).isEmpty
    else {
      partsInProgress.closing.remove(key)
      return false
    }
    return true
  }

  /// Moves one part, or one item, that may continue; returns whether there was one.
  mutating func advanceDueParts(at now: Instant) -> Bool {
    if !agenda.dueParts.isEmpty {
      advance(agenda.dueParts.removeFirst(), at: now)
      return true
    }
    if let key = agenda.dueItems.min() {
      agenda.dueItems.remove(key)
      if case .parts? = waiting.blockers[key] { advance(key, at: now) }
      return true
    }
    return endItemOfParts(at: now)
  }

  /// Ends a part: it is done, or its item ends with it.
  mutating func endPart(_ key: ItemKey, as status: Item.Status, reason: Failure?, at now: Instant) {
    guard let part = key.part, frames.isInWindow(key) else { return }
    leaveQueues(key)
    if status == .done || status == .skipped {
      conclude(key, part, at: now)
    } else {
      end(key, part, as: status, reason, at: now)
    }
  }

  private mutating func conclude(_ key: ItemKey, _ part: ItemKey.Part, at now: Instant) {
    guard let template = pipeline.partsTemplate(of: part.step) else { return }
    var values: [Value] = []
    do throws(EvaluationFailure) {
      let scope = frames.scope(of: key, at: now)
      for one in template.collect { values.append(try evaluator.value(one.value, scope)) }
    } catch {
      end(key, part, as: .failed, error.failure, at: now)
      return
    }
    discardFiles(of: key, frames.frame(key))
    frames.update(StepPlace(key: key.whole, step: part.step)) {
      $0.parts?.conclude(part.number, values)
    }
    frames.changes.parts.append(.concluded(key, values))
    agenda.dueItems.insert(key.whole)
  }

  private mutating func end(
    _ key: ItemKey, _ part: ItemKey.Part, as status: Item.Status, _ reason: Failure?,
    at now: Instant
  ) {
    let whole = key.whole
    waiting.blockers[key] = .parts(step: part.step)
    // A failure outweighs a pause.
    if let known = partsInProgress.endings[whole], known.status == .failed || status != .failed {
      return
    }
    let isFirst = partsInProgress.endings[whole] == nil
    let reason = reason.map { $0.saying("part \(part.number + 1): \($0.message)") }
    partsInProgress.endings[whole] = PartsInProgress.Ending(
      step: part.step, status: status, reason: reason)
    guard isFirst else { return }
    for id in partsInProgress.effects(of: whole, in: inFlight) {
      agenda.effects.append(.interrupt(id))
    }
  }

  /// Ends an item whose parts no longer have anything in flight.
  private mutating func endItemOfParts(at now: Instant) -> Bool {
    for key in partsInProgress.endings.keys.sorted()
    where partsInProgress.effects(of: key, in: inFlight).isEmpty {
      guard let ending = partsInProgress.endings.removeValue(forKey: key) else { continue }
      leaveWindow(key, as: ending.status, reason: ending.reason, at: now)
      return true
    }
    return false
  }
}
