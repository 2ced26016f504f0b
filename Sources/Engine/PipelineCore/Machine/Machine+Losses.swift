extension Machine {
  /// Marks a result as expired; `false` if it expired too often and the frame was paused.
  mutating func invalidateResult(
    _ step: Int, _ ownerKey: ItemKey?, _ failure: Failure, _ after: Instant? = nil,
    for key: ItemKey?, at now: Instant
  ) -> Bool {
    let declaration = pipeline.steps[step]
    let limit = declaration.reissueLimit
    let producer = frames.stepState(step, for: ownerKey)
    // Losing a secret with its process is an interruption, which does not count.
    let isLost = producer?.outputs.contains { $0.value == nil } ?? false
    guard let producer, isLost || producer.reissues < limit else {
      // Results that an item's server discards may have been used successfully before.
      let isDiscarded =
        ownerKey != nil && failure.status != nil && declaration.kind != .repeat
      let what =
        isDiscarded
        ? "what step '\(declaration.id)' made disappeared \(limit + 1) times: "
        : "step '\(declaration.id)' was reissued \(limit) times without progress: "
      let reason = Failure(what + failure.message, status: failure.status)
      if ownerKey == nil {
        halt(reason, at: now)
        waiting.blockers[key] = .stopped
      } else if let key {
        leaveWindow(key, as: .paused, reason: reason, at: now)
      }
      return false
    }
    let isRefused = failure.status != nil
    let pause =
      isLost ? nil : frames.pauseBeforeReissue(of: step, producer, ownerKey, isRefused, at: now)
    let isEarly = now - producer.since < declaration.retry.maximum
    frames.update(StepPlace(key: ownerKey, step: step)) { step in
      step.isInvalidated = true
      step.reissues += isLost ? 0 : 1
      if !isLost { step.unusedInvalidations = isEarly ? step.unusedInvalidations + 1 : 0 }
      step.notBefore = [pause, after].compactMap { $0 }.max()
      step.failure = failure
    }
    return true
  }
}

extension LoopState {
  /// Whether items block the steps after the loop, now that none is being worked on.
  public func holdsBack(_ loop: Loop) -> Bool {
    switch loop.failures {
    case .stop: counts[.paused] + counts[.failed] > 0
    case .allow: counts[.paused] > 0
    }
  }
}
