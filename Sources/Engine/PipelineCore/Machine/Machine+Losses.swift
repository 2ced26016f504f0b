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
      let isDiscarded = ownerKey != nil && failure.status != nil && declaration.kind != .repeat
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
      isLost
      ? nil : frames.pauseBeforeReissue(of: step, producer, ownerKey, isRefused: isRefused, at: now)
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

  /// Stops the shard instead of recreating a result that all shards use, which would exist twice.
  ///
  /// A shard with items never creates it. The lead does until it has passed a loop, because the others start after that.
  mutating func refusesToRemake(_ step: Int, at now: Instant) -> Bool {
    guard state.shard != nil, pipeline.isOncePerRun(step), !pipeline.isAfterLoop(step) else {
      return false
    }
    guard frames.isLed || state.loops.contains(where: \.isEnumerated) else { return false }
    halt(
      Failure(
        "step '\(pipeline.steps[step].id)' is done once per run, and its result cannot be used any longer: begin another run"
      ), at: now)
    waiting.blockers[nil] = .stopped
    return true
  }

  /// Prepares a step to be reissued after its result expired.
  mutating func prepareReissue(_ place: StepPlace, at now: Instant) {
    let batch = frames.stepState(place.step, for: place.key)?.batch
    defer { if let batch { leaveBatch(place, from: batch, at: now) } }
    let keepsTurn = frames.keepsTurn(place)
    if !keepsTurn { frames.noteRemnants(of: place) }
    dropParts(of: place.step, place.key)
    let readsPrevious = pipeline.readsPrevious.contains(pipeline.steps[place.step].id)
    frames.update(place) { step in
      // An expired result may have to wait before its step is reissued.
      if !step.isInvalidated { step.notBefore = nil }
      step.status = .pending
      step.attempt = 0
      step.failures = 0
      step.isInvalidated = false
      step.isForeign = false
      step.begun = nil
      step.slower = nil
      step.statuses = []
      if !keepsTurn {
        if readsPrevious, !step.outputs.isEmpty { step.previous = step.outputs }
        step.outputs = []
        step.turn = 0
        step.isOver = false
        step.farthest = nil
        // A turn that is kept keeps its sources, so that it starts over if they expire in the meantime.
        step.sources = []
      }
      step.file = nil
      step.parts = nil
      step.batch = nil
      step.since = now
    }
  }

  /// Ends a step whose outcome can no longer be determined: the user decides.
  mutating func giveUpResolving(_ place: StepPlace, _ failure: Failure, at now: Instant) {
    guard let key = place.key, let batch = frames.stepState(place.step, for: key)?.batch else {
      endStep(place, as: .pause, failure, next: .pending, at: now)
      return
    }
    // What one member has lost, the others may have lost as well.
    for other in frames.members(of: batch, place.step, key.loop) {
      let member = StepPlace(key: other, step: place.step)
      guard let current = frames.stepState(place.step, for: other), !current.isInFlight else {
        continue
      }
      var own = other == key ? failure : nil
      if case .lost(let failure) = frames.resolution(of: member, current) { own = failure }
      guard let own else { continue }
      frames.update(member) { $0.batch = nil }
      endStep(member, as: .pause, own, next: .pending, at: now)
    }
    disband(frames.members(of: batch, place.step, key.loop), place.step, at: now)
  }

  /// Keeps a result that would be replaced while the outcome of a request made from it is unknown.
  mutating func keepForUnresolved(_ place: StepPlace, at now: Instant) -> AdvanceOutcome? {
    if let step = frames.openStep(in: place.key), step != place.step,
      pipeline.isMade(step, from: place.step)
    {
      let open = StepPlace(key: place.key, step: step)
      guard frames.stepState(step, for: place.key, \.status) == .unknown else { return nil }
      giveUpResolving(open, pipeline.unrepeatable(step, without: place.step), at: now)
      return .wait
    }
    guard let key = place.key else {
      guard let user = unresolvedUser(of: place.step) else { return nil }
      waiting.blockers[nil] = .loop(user.loop)
      return .wait
    }
    guard key.part == nil else { return nil }
    for own in frames.unresolvedParts(of: key) {
      guard let part = own.part, let step = frames.openStep(in: own),
        part.step == place.step || pipeline.isMade(step, from: place.step)
      else { continue }
      let failure = pipeline.unrepeatable(step, without: place.step)
      frames.update(StepPlace(key: own, step: step)) { state in
        state.status = .pending
        state.unknownSince = nil
        state.failure = failure
      }
      leaveWindow(key, as: .paused, reason: failure, at: now)
      return .wait
    }
    return nil
  }

  /// An item with an unresolved request that depends on the run-level result; one that waits for another run-level
  /// result itself is not counted, because each would wait for the other.
  private func unresolvedUser(of step: Int) -> ItemKey? {
    for (key, frame) in frames.all() {
      guard let key else { continue }
      guard frame.contains(where: \.isUnresolved), !waiting.isHeldByOthers(key),
        frames.abandonProgress(of: key) == nil, let open = frames.openStep(in: key),
        pipeline.isMade(open, from: step),
        !pipeline.steps[open].uses.contains(where: { $0.step == step && $0.isCredential })
      else { continue }
      return key
    }
    return nil
  }

  /// Whether a run-level result is kept for an unresolved request, so the run's frame is checked.
  var isKeepingResult: Bool {
    guard state.status == .running, case .loop? = waiting.blockers[nil] else { return false }
    return pipeline.runSteps.contains { step in
      !frames.isLeftToLead(step) && frames.stepState(step, for: nil, \.status) == .succeeded
        && !frames.isSettled(step, for: nil)
    }
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
