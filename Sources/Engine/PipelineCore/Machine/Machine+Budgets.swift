extension Machine {
  /// Whether a transfer may be handed over; if not, it waits for its turn.
  mutating func hasSlot(_ place: StepPlace) -> Bool {
    let key = place.key
    guard let limit = pipeline.budgets.transfers.map({ max($0 / frames.limits.shares, 1) }),
      ledger.transfers >= limit || !(waiting.transfers.isEmpty || agenda.served.contains(key))
    else { return true }
    let rank = pipeline.steps[place.step].transfer?.priority ?? 0
    waiting.transfers.enqueue(key, isFirst: agenda.served.contains(key), rank: rank)
    waiting.blockers[key] = .transfers(step: place.step, limit: limit)
    return false
  }
}
