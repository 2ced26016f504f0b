extension Machine {
  /// Whether a transfer may be handed over; if not, it waits for its turn.
  mutating func hasSlot(_ place: StepPlace) -> Bool {
    let key = place.key
    guard let limit = pipeline.budgets.transfers.map({ max($0 / limits.shares, 1) }),
      ledger.transfers >= limit || !(queues.transfers.isEmpty || served.contains(key))
    else { return true }
    let rank = pipeline.steps[place.step].transfer?.priority ?? 0
    queues.transfers.enqueue(key, isFirst: served.contains(key), rank: rank)
    blockers[key] = .transfers(step: place.step, limit: limit)
    return false
  }
}
