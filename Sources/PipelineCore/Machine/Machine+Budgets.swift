/// Slots among the transfers, and space of the disk budget.
extension Machine {
  /// Whether a transfer may be handed over; it waits for its turn where not.
  mutating func hasSlot(_ place: Place) -> Bool {
    let key = place.key
    guard let limit = pipeline.budgets.transfers,
      ledger.transfers >= limit || !(queues.transfers.isEmpty || served.contains(key))
    else { return true }
    let rank = pipeline.steps[place.step].transfer?.priority ?? 0
    queues.transfers.wait(key, isFirst: served.contains(key), rank: rank)
    blockers[key] = .transfers(step: place.step, limit: limit)
    return false
  }

  mutating func reserve(
    _ place: Place, holding current: StepState, at now: Instant
  ) {
    let size: Int64
    do throws(EvaluationFailure) {
      size = try fileSize(place, at: now)
    } catch {
      refuse(place, error.failure, at: now)
      return
    }
    if let limit = pipeline.budgets.diskBytes {
      let held = frame(place.key).reduce(0) { $0 + $1.reservedBytes } - current.reservedBytes
      let shared = place.key == nil ? 0 : state.frame.reduce(0) { $0 + $1.reservedBytes }
      let others = held + shared
      guard size <= limit - others else {
        let held = others > 0 ? " beside \(others) bytes that are held until it is done" : ""
        refuse(
          place, Failure("needs \(size) bytes\(held), and the disk budget is \(limit) bytes"),
          at: now)
        return
      }
      let available = limit - ledger.diskBytes
      let isFirst = served.contains(place.key)
      let mayPass = isFirst || queues.disk.isEmpty || held + current.reservedBytes > 0
      guard mayPass, discards[place.key] == nil, size - current.reservedBytes <= available else {
        queues.disk.wait(place.key, isFirst: isFirst)
        blockers[place.key] = .disk(step: place.step, needed: size, available: available)
        return
      }
    }
    ledger.diskBytes += size - current.reservedBytes
    update(place) { $0.reservedBytes = size }
    if pipeline.steps[place.step].transfer != nil { ledger.transfers += 1 }
    issue(place, .attempt(reservedBytes: size), at: now)
  }

  /// Bytes that the step's file may take.
  private func fileSize(_ place: Place, at now: Instant) throws(EvaluationFailure) -> Int64 {
    let step = pipeline.steps[place.step]
    let scope = Scope(state, item: item(place.key), now: now)
    switch step.action {
    case .materialize(let template):
      return try evaluator.plan(template, scope, id: nextEffectID(place)).size
    case .download(let template):
      let plan = try evaluator.plan(template, scope, at: step.location)
      guard plan.limit == .max else { return plan.limit }
      // The checker asks for one of them; a file that is used knows nothing of the budget.
      guard pipeline.budgets.diskBytes == nil else {
        throw EvaluationFailure(
          message: "neither 'size' nor 'max_size' tells what the disk budget has to hold",
          location: step.location)
      }
      return 0
    case .request, .upload: return 0
    }
  }

  // MARK: Space that is given back

  /// Two items that each hold files and wait for more would wait for each other for ever: the last
  /// one gives its files up.
  ///
  /// - Returns: whether something was set in motion.
  mutating func breakDiskDeadlock(at now: Instant) -> Bool {
    guard !queues.disk.isEmpty, inFlight.isEmpty, waiting.isUndelayed, discards.isEmpty,
      queues.allowance.isEmpty
    else { return false }
    if sendSmallerBatch(at: now) { return true }
    let items = queues.disk.frames.compactMap { $0 }
    let holders = items.filter { key in frame(key).contains { $0.reservedBytes > 0 } }
    // One that need not carry a creating step out again comes before all others.
    let harmless = holders.filter { key in
      let renewed = filesNeededAgain(by: key)
      return !steps(of: key).contains { step, current in
        current.status == .succeeded && pipeline.steps[step].effect == .create
          && pipeline.steps[step].uses.contains { renewed.contains($0.step) }
      }
    }
    guard let last = harmless.max() ?? holders.max() else {
      // Nobody who waits for space holds any: those who do wait for the places of those who wait.
      guard let key = items.last(where: { waiting.hasDue(in: $0.loop) }) else { return false }
      queues.disk.remove(key)
      makeDue(key)
      return true
    }
    var bytes: Int64 = 0
    let needed = filesNeededAgain(by: last)
    for (step, current) in steps(of: last) where current.reservedBytes > 0 {
      bytes += current.reservedBytes
      let place = Place(key: last, step: step)
      // A file that has served its purpose is only let go: what was made from it stays as it is.
      if needed.contains(step) { renew(place, at: now) }
      update(place) { step in
        step.file = nil
        step.reservedBytes = 0
      }
    }
    discard(last, bytes)
    if waiting.hasDue(in: last.loop) {
      // It would make the same files again, and who waits for its place would wait for ever.
      queues.disk.remove(last)
      makeDue(last)
    }
    return true
  }

  /// The steps whose files a frame has and still has something to do with.
  private func filesNeededAgain(by key: ItemKey) -> Set<Int> {
    var toDo: Set<Int> = []
    var needed: Set<Int> = []
    for (step, current) in steps(of: key).reversed() {
      let isSettled = current.status == .succeeded || current.status == .skipped
      if current.file != nil,
        pipeline.steps.indices.contains(where: { other in
          toDo.contains(other) && pipeline.steps[other].uses.contains { $0.step == step }
        })
      {
        needed.insert(step)
        toDo.insert(step)
      } else if !isSettled || current.isDead {
        toDo.insert(step)
      }
    }
    return needed
  }

  /// Has the files of a frame deleted; until they are, their bytes are held.
  mutating func discard(_ key: ItemKey?, _ bytes: Int64) {
    ledger.discardingBytes += bytes
    discards[key, default: 0] += bytes
    effects.append(.discardFiles(key, bytes: bytes))
  }
}
