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
}
