import CEL

/// The parts of items: starting them, collecting their values, and ending the item with them.
///
/// A `for_each` step succeeds when its list is known, and ends when all parts are done. Until then its item waits for
/// the parts, each of which has a frame of its own. Only while everything before the step is settled are parts worked on:
/// when an earlier result expires, commands in flight are interrupted first,
/// and then the item goes back to that step.
extension Machine {
  /// How an item ends once its parts have nothing in flight.
  struct PartsEnding: Hashable {
    let step: Int
    let status: Item.Status
    let reason: Failure?
  }

  /// The state of parts, derived from the run's state.
  struct PartsInProgress: Hashable {
    var lists: [ItemKey: [Value]] = [:]
    /// Items of which a part has failed or paused.
    var endings: [ItemKey: PartsEnding] = [:]
    /// Items that wait for interrupted parts before they go back to an earlier step.
    var closing: Set<ItemKey> = []
    /// Parts that may continue, checked after the event.
    var due: [ItemKey] = []
    /// Items that may continue because of their parts, checked after the event.
    var dueItems: Set<ItemKey> = []
  }

  /// The parts that a part belongs to, in its item's frame; `nil` if they have started over since, or have ended.
  func parts(_ part: ItemKey.Part, in frame: Frame) -> PartsState? {
    let position = pipeline.steps[part.step].position
    guard frame.indices.contains(position), frame[position].generation == part.generation else {
      return nil
    }
    return frame[position].parts
  }

  /// The key of an item's part.
  func part(_ number: Int, of step: Int, _ key: ItemKey) -> ItemKey {
    key.part(number, of: step, generation: stepState(step, for: key, \.generation) ?? 0)
  }

  /// The scope of a frame: the run's, an item's or a part's.
  func scope(of key: ItemKey?, at now: Instant) -> Scope {
    let scope = Scope(state, item: item(key), now: now)
    guard let key, let value = partValue(key) else { return scope }
    return scope.of(key, part: value, frame(key))
  }

  /// The part as expressions see it.
  func partValue(_ key: ItemKey) -> Value? {
    guard let part = key.part, let list = partsInProgress.lists[key.whole],
      list.indices.contains(part.number)
    else { return nil }
    return list[part.number]
  }

  /// Changes the frame of a part, and records that its item must become durable.
  mutating func updatePart(
    _ key: ItemKey, _ part: ItemKey.Part, _ change: (inout Frame) -> Void
  ) {
    guard isInWindow(key) else { return }
    let position = pipeline.steps[part.step].position
    state.loops[key.loop].active[key.ordinal, default: Self.placeholder].frame[position]
      .parts?.update(part.number, change)
    changes.touched.insert(key.whole)
  }

  private func template(of step: Int) -> PartsTemplate? {
    if case .forEach(let template) = pipeline.steps[step].action { template } else { nil }
  }

  /// Starts a `for_each` step with its list; `nil` for any other step.
  mutating func beginParts(_ place: StepPlace, at now: Instant) -> AdvanceOutcome? {
    guard let template = template(of: place.step), let key = place.key else { return nil }
    let list: [Value]
    do throws(EvaluationFailure) {
      list = try self.list(template, key, at: now)
    } catch {
      failEvaluation(place, error.failure, at: now)
      return .wait
    }
    let sources = sources(of: place.step, for: key).uses
    partsInProgress.lists[key] = list
    forgetParts(of: place.step, key)
    update(place) { step in
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

  private func list(
    _ template: PartsTemplate, _ key: ItemKey, at now: Instant
  ) throws(EvaluationFailure) -> [Value] {
    guard let list = try evaluator.value(template.items, scope(of: key, at: now)).listValue else {
      throw EvaluationFailure(message: "expected a list", location: template.items.location)
    }
    return Array(list)
  }

  /// Evaluates the list again in a process that has not seen it; `false` if its sources were lost.
  @discardableResult
  mutating func recoverParts(_ step: Int, _ key: ItemKey, at now: Instant) -> Bool {
    if partsInProgress.lists[key] != nil { return true }
    guard let template = template(of: step), let known = stepState(step, for: key)?.parts else {
      return false
    }
    if let list = try? list(template, key, at: now), list.count == known.count {
      partsInProgress.lists[key] = list
      return true
    }
    update(StepPlace(key: key, step: step)) { $0.isInvalidated = true }
    return false
  }

  /// Evaluates the lists of all items that have parts in progress.
  mutating func recoverParts(at now: Instant) {
    for case (let key?, let frame) in frames() where key.part == nil {
      for (step, current) in zip(pipeline.steps(of: key), frame) where current.parts != nil {
        recoverParts(step, key, at: now)
      }
    }
  }

  /// Lets the parts of an item that enters the window wait until its turn has come to their step.
  mutating func holdParts(of item: Item) {
    for (step, current) in zip(pipeline.steps(of: item.key), item.frame) {
      for number in (current.parts?.active ?? [:]).keys {
        blockers[part(number, of: step, item.key)] = .parts(step: step)
      }
    }
  }

  /// Whether the step's parts are being worked on.
  func hasOpenParts(_ step: Int, for key: ItemKey?) -> Bool {
    stepState(step, for: key) { $0.parts != nil } == true
  }

  /// Continues idle parts, and starts others while there are places; returns whether all are done.
  mutating func workOnParts(_ step: Int, _ key: ItemKey, at now: Instant) -> Bool {
    guard let template = template(of: step), recoverParts(step, key, at: now) else {
      partsInProgress.dueItems.insert(key)
      blockers[key] = .parts(step: step)
      return false
    }
    blockers[key] = .parts(step: step)
    guard !isClosing(key) else { return false }
    for number in stepState(step, for: key)?.parts?.active.keys.sorted() ?? [] {
      let own = part(number, of: step, key)
      if isIdle(own) { advance(own, at: now) }
    }
    while let current = stepState(step, for: key)?.parts, current.done < current.count {
      guard state.status == .running, current.active.count < template.concurrency,
        partsInProgress.endings[key] == nil, isOpen(step, for: key),
        let number = beginPart(of: step, key)
      else { return false }
      advance(part(number, of: step, key), at: now)
    }
    finishParts(StepPlace(key: key, step: step), template, at: now)
    return true
  }

  private mutating func beginPart(of step: Int, _ key: ItemKey) -> Int? {
    let fresh = Frame(repeating: StepState(), count: pipeline.partSteps(of: step).count)
    var number: Int?
    update(StepPlace(key: key, step: step)) { state in
      number = state.parts?.takeNext()
      if let number { state.parts?.active[number] = fresh }
    }
    return number
  }

  /// Whether nothing but its item keeps a part from continuing.
  private func isIdle(_ key: ItemKey) -> Bool {
    switch blockers[key] {
    case nil, .parts, .stopped: !inFlight.contains { $0.item == key }
    case .attempt, .probe, .compensation, .delay, .earliest, .concurrency, .disk, .transfers,
      .connections, .host, .rate, .shortage, .dependency, .renewal, .batch, .batchUnderWay,
      .allowance,
      .loop, .enumeration:
      false
    }
  }

  /// Whether everything before the step, and its list, is as it was when the parts started.
  private func isOpen(_ step: Int, for key: ItemKey) -> Bool {
    for other in pipeline.steps(of: key) {
      guard unsettled(other, for: key) == nil else { return false }
      if other == step { return true }
    }
    return false
  }

  /// Whether an item or a part may continue, as far as its parts are concerned.
  mutating func mayContinue(_ key: ItemKey) -> Bool {
    let whole = key.whole
    guard let part = key.part else {
      guard let ending = partsInProgress.endings[whole] else { return true }
      blockers[key] = .parts(step: ending.step)
      return false
    }
    if partsInProgress.endings[whole] == nil, abandonProgress(of: whole) == nil,
      frame(key).contains(where: \.isUnresolved)
        || !partsInProgress.closing.contains(whole) && isOpen(part.step, for: whole)
    {
      return true
    }
    blockers[key] = .parts(step: part.step)
    partsInProgress.dueItems.insert(whole)
    return false
  }

  /// Whether the item waits for parts that were interrupted.
  private mutating func isClosing(_ key: ItemKey) -> Bool {
    guard partsInProgress.closing.contains(key) else { return false }
    if !partsInFlight(of: key).isEmpty { return true }
    partsInProgress.closing.remove(key)
    return false
  }

  /// Interrupts the commands in flight of an item's parts, because the item must go back to an earlier step, and lets those
  /// whose outcome is unknown resolve it first.
  ///
  /// - Returns: Whether something is still in flight or unknown.
  mutating func closesParts(of key: ItemKey, at now: Instant) -> Bool {
    guard
      let step = pipeline.steps(of: key).first(where: { hasOpenParts($0, for: key) })
    else { return false }
    blockers[key] = .parts(step: step)
    let ids = partsInFlight(of: key)
    if !ids.isEmpty, partsInProgress.closing.insert(key).inserted {
      for id in ids { effects.append(.interrupt(id)) }
    }
    let unresolved = unresolvedParts(of: key)
    // An item that has just entered the window has not evaluated the list yet that their requests read.
    if !unresolved.isEmpty { recoverParts(step, key, at: now) }
    for own in unresolved where isIdle(own) { advance(own, at: now) }
    // A part that waits for the item needs a result that the item recreates.
    let isResolving = unresolvedParts(of: key).contains { own in
      if case .parts? = blockers[own] { false } else { true }
    }
    guard partsInProgress.endings[key] == nil, isResolving || !partsInFlight(of: key).isEmpty else {
      partsInProgress.closing.remove(key)
      return false
    }
    return true
  }

  /// The parts of an item whose outcome is unknown.
  func unresolvedParts(of key: ItemKey) -> [ItemKey] {
    pipeline.steps(of: key).flatMap { step in
      (stepState(step, for: key)?.parts?.active ?? [:]).filter {
        $0.value.contains(where: \.isUnresolved)
      }.keys.sorted().map { part($0, of: step, key) }
    }
  }

  private func partsInFlight(of key: ItemKey) -> [EffectID] {
    inFlight.filter { $0.item?.part != nil && $0.item?.whole == key }
      .sorted { ($0.item ?? key, $0.step ?? 0) < ($1.item ?? key, $1.step ?? 0) }
  }

  /// Moves one part, or one item, that may continue; returns whether there was one.
  mutating func advanceDueParts(at now: Instant) -> Bool {
    if !partsInProgress.due.isEmpty {
      advance(partsInProgress.due.removeFirst(), at: now)
      return true
    }
    if let key = partsInProgress.dueItems.min() {
      partsInProgress.dueItems.remove(key)
      if case .parts? = blockers[key] { advance(key, at: now) }
      return true
    }
    return endItemOfParts(at: now)
  }

  /// Ends a part: it is done, or its item ends with it.
  mutating func endPart(
    _ key: ItemKey, as status: Item.Status, reason: Failure?, at now: Instant
  ) {
    guard let part = key.part, isInWindow(key) else { return }
    leaveQueues(key)
    if status == .done || status == .skipped {
      conclude(key, part, at: now)
    } else {
      end(key, part, as: status, reason, at: now)
    }
  }

  private mutating func conclude(_ key: ItemKey, _ part: ItemKey.Part, at now: Instant) {
    guard let template = template(of: part.step) else { return }
    var values: [Value] = []
    do throws(EvaluationFailure) {
      let scope = scope(of: key, at: now)
      for one in template.collect { values.append(try evaluator.value(one.value, scope)) }
    } catch {
      end(key, part, as: .failed, error.failure, at: now)
      return
    }
    discardFiles(ofPart: key)
    update(StepPlace(key: key.whole, step: part.step)) { $0.parts?.conclude(part.number, values) }
    changes.parts.append(.concluded(key, values))
    partsInProgress.dueItems.insert(key.whole)
  }

  private mutating func end(
    _ key: ItemKey, _ part: ItemKey.Part, as status: Item.Status, _ reason: Failure?,
    at now: Instant
  ) {
    let whole = key.whole
    blockers[key] = .parts(step: part.step)
    // A failure outweighs a pause.
    if let known = partsInProgress.endings[whole], known.status == .failed || status != .failed {
      return
    }
    let isFirst = partsInProgress.endings[whole] == nil
    let reason = reason.map { $0.saying("part \(part.number + 1): \($0.message)") }
    partsInProgress.endings[whole] = PartsEnding(
      step: part.step, status: status, reason: reason)
    guard isFirst else { return }
    for id in partsInFlight(of: whole) { effects.append(.interrupt(id)) }
  }

  /// Ends an item whose parts no longer have anything in flight.
  private mutating func endItemOfParts(at now: Instant) -> Bool {
    for key in partsInProgress.endings.keys.sorted() where partsInFlight(of: key).isEmpty {
      guard let ending = partsInProgress.endings.removeValue(forKey: key) else { continue }
      leaveWindow(key, as: ending.status, reason: ending.reason, at: now)
      return true
    }
    return false
  }

  private mutating func finishParts(
    _ place: StepPlace, _ template: PartsTemplate, at now: Instant
  ) {
    update(place) { step in
      let parts = step.parts
      step.outputs = template.collect.indices.map { index in
        OutputValue(value: .list(parts?.values(at: index) ?? []))
      }
      step.parts = nil
      step.isOver = true
      step.since = now
    }
    if let key = place.key {
      partsInProgress.lists[key] = nil
      forgetParts(of: place.step, key)
    }
  }

  /// Lets the store drop the rows of the parts that are done.
  private mutating func forgetParts(of step: Int, _ key: ItemKey) {
    changes.parts.append(.forgotten(key, step: step))
  }
}
