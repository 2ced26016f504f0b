extension Machine {
  /// Marks a result as expired; `false` if it expired too often and the frame was paused.
  mutating func invalidateResult(
    _ step: Int, _ ownerKey: ItemKey?, _ failure: Failure, _ after: Instant? = nil,
    for key: ItemKey?, at now: Instant
  ) -> Bool {
    let declaration = pipeline.steps[step]
    let limit = declaration.reissueLimit
    let producer = stepState(step, for: ownerKey)
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
        blockers[key] = .stopped
      } else if let key {
        leaveWindow(key, as: .paused, reason: reason, at: now)
      }
      return false
    }
    let isRefused = failure.status != nil
    let pause = isLost ? nil : pauseBeforeReissue(of: step, producer, ownerKey, isRefused, at: now)
    let isEarly = now - producer.since < declaration.retry.maximum
    update(StepPlace(key: ownerKey, step: step)) { step in
      step.isInvalidated = true
      step.reissues += isLost ? 0 : 1
      if !isLost { step.unusedInvalidations = isEarly ? step.unusedInvalidations + 1 : 0 }
      step.notBefore = [pause, after].compactMap { $0 }.max()
      step.failure = failure
    }
    return true
  }

  /// Records that something succeeded with a result, so its expiries so far no longer count.
  mutating func noteUse(of step: Int, by key: ItemKey?) {
    let ownerKey = owner(of: step, readFrom: key)
    guard let producer = stepState(step, for: ownerKey), !producer.isInvalidated else { return }
    guard producer.reissues > 0, pipeline.steps[step].kind != .repeat else { return }
    update(StepPlace(key: ownerKey, step: step)) { step in
      step.unusedInvalidations = 0
      // Within an item, the number of expiries stays limited, even if requests succeeded in between.
      if ownerKey == nil { step.reissues = 0 }
    }
  }

  /// When an expired result may be reissued; `nil` means at once, as for the first time.
  ///
  /// The first time is at once. If it expires repeatedly, earlier than the longest delay of its
  /// step's retry policy and before anything succeeded with it, it waits like a failure under that
  /// policy; so does a result that an item's server discards repeatedly, even if requests succeed with it in between. A
  /// run-level result that was used is reissued at most once within the policy's first delay.
  mutating func pauseBeforeReissue(
    of step: Int, _ producer: StepState, _ ownerKey: ItemKey?, _ isRefused: Bool, at now: Instant
  ) -> Instant? {
    let declaration = pipeline.steps[step]
    // The author decides when such a transfer starts.
    guard declaration.transfer?.earliest == nil else { return nil }
    let moment: Instant
    let isUnused =
      producer.unusedInvalidations > 0 && now - producer.since < declaration.retry.maximum
    let isDiscarded = ownerKey != nil && isRefused && declaration.kind != .repeat
    let discarded = isDiscarded ? producer.reissues : 0
    if isUnused || discarded > 0 {
      let policy = declaration.retry
      let count = max(isUnused ? producer.unusedInvalidations : 0, discarded)
      moment = now + jittered(policy.delay(afterFailures: count), policy)
    } else if ownerKey == nil, producer.generation > 1 {
      moment = producer.since + declaration.retry.initial
    } else {
      return nil
    }
    return moment > now ? moment : nil
  }

  /// The work that is left undone by a loop that blocks the run; `nil` if nothing comes after it.
  func heldBack(by loop: Int) -> Failure? {
    guard let place = pipeline.nodes.firstIndex(of: .loop(loop)),
      pipeline.nodes.indices.contains(place + 1)
    else { return nil }
    let counts = state.loops[loop].counts
    let stopped = [(counts[.failed], "failed"), (counts[.paused], "paused")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " and ")
    let next =
      switch pipeline.nodes[place + 1] {
      case .step(let step): "'\(pipeline.steps[step].id)'"
      case .loop(let other): "'\(pipeline.loops[other].label)'"
      }
    return Failure(
      "\(next) was not begun: of the items of '\(pipeline.loops[loop].label)' before it "
        + stopped)
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
