extension Machine {
  mutating func waitForAllowance(_ key: ItemKey?, _ step: Int, _ needed: Duration) {
    waiting.allowance.enqueue(key, isFirst: false)
    waiting.blockers[key] = .allowance(step: step, needed: needed)
  }

  func isAllowed(_ place: StepPlace, isProbe: Bool, needed: Duration, at now: Instant) -> Bool {
    // A transfer is only handed over; its duration is not limited by the allowance. If it waited for
    // its earliest time, it can be handed over even while the allowance ends (BT5).
    if pipeline.steps[place.step].transfer != nil, !isProbe {
      let isEarly = frames.stepState(place.step, for: place.key)?.earliest != nil
      return frames.isAllowed(.zero, at: now) || isAllowanceEnding && isEarly
    }
    return frames.isAllowed(needed, at: now)
  }
}
