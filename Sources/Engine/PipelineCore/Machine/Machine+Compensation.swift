/// Undoing the effects that an item left on the server when it failed or was abandoned.
extension Machine {
  /// Sends the next compensation whose outputs all exist, or releases the item.
  ///
  /// The progress is in the item's state: a compensation is retried like a step, even by the next process.
  mutating func abandon(_ key: ItemKey, at now: Instant) {
    guard var abandoning = frames.abandonProgress(of: key) else { return }
    if inFlight.contains(frames.compensationID(key, abandoning)) { return }
    let readiness = nextCompensation(&abandoning, for: key, at: now)
    frames.update(key) { $0.abandoning = abandoning }
    switch readiness {
    case .over: finishAbandoning(key, abandoning, at: now)
    case .lost(let failure): failCompensation(key, failure, isFinal: true, at: now)
    case .ready, .needs: continueAbandoning(key, abandoning, readiness, at: now)
    case .impossible: return
    }
  }

  private mutating func continueAbandoning(
    _ key: ItemKey, _ abandoning: Item.AbandonProgress, _ readiness: Readiness, at now: Instant
  ) {
    guard state.status == .running || state.status == .cancelling, !cancellation.isHalting else {
      waiting.blockers[key] = .stopped
      return
    }
    if let notBefore = abandoning.notBefore, notBefore > now {
      waiting.delay(key, until: notBefore, as: .failed)
      waiting.blockers[key] = .compensation(until: notBefore)
      agenda.unfilled.insert(key.loop)
      return
    }
    if case .needs(let step) = readiness {
      waitForCredential(key, step, at: now)
      return
    }
    let place = StepPlace(key: key, step: pipeline.loops[key.loop].steps.first ?? 0)
    guard frames.isAllowed(state.pace.expectedRequest, at: now) else {
      waitForAllowance(key, place.step, state.pace.expectedRequest)
      return
    }
    guard let undoing = frames.undoing(abandoning.index, of: key) else { return }
    let request = pipeline.loops[key.loop].onAbandon[undoing.compensation].request
    let scope = frames.scope(of: key, at: now)
    guard isHostOpen(toUndo: key, request, undoing.remnant.map(scope.naming) ?? scope, at: now),
      hasConnection(place), hasTokenToUndo(place, at: now)
    else { return }
    issueCompensation(key, abandoning, at: now)
  }

  private enum Readiness: Hashable {
    /// Everything that it names exists and is valid.
    case ready
    /// The credential from this run-level step must be reissued first.
    case needs(Int)
    /// The effect to undo was never created, or has expired.
    case impossible
    /// The effect to undo exists, but can no longer be undone.
    case lost(Failure)
    case over
  }

  /// Moves on to the first compensation that has something to undo.
  private func nextCompensation(
    _ abandoning: inout Item.AbandonProgress, for key: ItemKey, at now: Instant
  ) -> Readiness {
    while let next = frames.undoing(abandoning.index, of: key) {
      if abandoning.only.isEmpty || abandoning.only.contains(abandoning.index) {
        let readiness = readiness(of: next, abandoning.next, for: key, at: now)
        if readiness != .impossible { return readiness }
      }
      abandoning.advanceToNext()
    }
    return .over
  }

  private func readiness(
    of undoing: Frames.Undoing, _ status: Item.Status, for key: ItemKey, at now: Instant
  ) -> Readiness {
    let compensation = pipeline.loops[key.loop].onAbandon[undoing.compensation]
    guard let remnant = undoing.remnant else {
      return readiness(of: compensation.uses, for: key, at: now)
    }
    if frames.isKept(remnant, by: key, endingAs: status) { return .impossible }
    let isNamed = { (use: OutputUse) in
      !use.isCredential && self.pipeline.steps[use.step].loop != nil
    }
    let rest = readiness(of: compensation.uses.filter { !isNamed($0) }, for: key, at: now)
    guard rest == .ready else { return rest }
    for use in compensation.uses where isNamed(use) {
      let named = remnant.frame[pipeline.steps[use.step].position]
      if let loss = frames.loss(of: use, named) { return .lost(loss) }
    }
    return .ready
  }

  private func readiness(of uses: [OutputUse], for key: ItemKey, at now: Instant) -> Readiness {
    var credential: Int?
    var lost: Failure?
    for use in uses where frames.isForeign(use, for: key) {
      // It is unknown whether an earlier attempt made it, so it is not deleted but reported.
      guard let producer = frames.stepState(use.step, for: key), producer.attempt > 1 else {
        return .impossible
      }
      let id = pipeline.steps[use.step].id
      return .lost(Failure("what step '\(id)' names may have existed before"))
    }
    for use in uses where !frames.isValid(use, for: key, at: now) {
      if use.isCredential, pipeline.steps[use.step].loop == nil {
        credential = credential ?? use.step
      } else if let failure = frames.stepState(use.step, for: key).flatMap({
        frames.loss(of: use, $0)
      }) {
        lost = lost ?? failure
      } else {
        return .impossible
      }
    }
    if let lost { return .lost(lost) }
    guard let credential else { return .ready }
    guard state.status == .cancelling, cancellation.credentials.contains(credential),
      frames.stepState(credential, for: nil, \.isInFlight) != true
    else { return .needs(credential) }
    let failure = frames.stepState(credential, for: nil)?.failure
    let reason = failure.map { ": \($0.message)" } ?? " that is valid"
    return .lost(
      Failure("step '\(pipeline.steps[credential].id)' gives no credential\(reason)"))
  }

  private mutating func issueCompensation(
    _ key: ItemKey, _ abandoning: Item.AbandonProgress, at now: Instant
  ) {
    var abandoning = abandoning
    abandoning.attempt += 1
    abandoning.since = now
    abandoning.begun = abandoning.begun ?? now
    abandoning.notBefore = nil
    frames.update(key) { $0.abandoning = abandoning }
    guard let undoing = frames.undoing(abandoning.index, of: key) else { return }
    for use in pipeline.loops[key.loop].onAbandon[undoing.compensation].uses {
      cancellation.credentials.remove(use.step)
    }
    waiting.blockers[key] = .compensation()
    let scope = frames.scope(of: key, at: now)
    demand(
      Command(
        id: frames.compensationID(key, abandoning), action: .abandon(undoing.compensation),
        scope: undoing.remnant.map(scope.naming) ?? scope))
  }

  mutating func concludeCompensation(_ id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard let key = id.item, var abandoning = frames.abandonProgress(of: key) else { return }
    switch verdict {
    case .uncertain(let answered): concludeCompensation(id, answered, at: now)
    case .interrupted:
      // Our own interruption: the compensation is sent again as soon as possible.
      abandon(key, at: now)
    case .success, .results, .notDone, .itemDone, .itemSkipped:
      // The item's current result still exists after a remnant is undone.
      if frames.undoing(abandoning.index, of: key)?.remnant == nil { abandoning.isUndone = true }
      abandoning.advanceToNext()
      frames.update(key) { $0.abandoning = abandoning }
      abandon(key, at: now)
    case .poll(let moment, _, _, _):
      abandoning.notBefore =
        moment ?? now + frames.policy(of: abandoning, key).initial
      frames.update(key) { $0.abandoning = abandoning }
      abandon(key, at: now)
    case .expired(let step, let failure, _):
      rejectCredential(step, failure, sent: abandoning.since ?? now, for: key, at: now)
      failCompensation(key, failure, isFinal: false, at: now)
    case .retry(let failure, let after, _):
      failCompensation(key, failure, after: after, isFinal: false, at: now)
    case .stale(let failure) where failure.isFirstStale(after: abandoning.failure):
      frames.update(key) { $0.abandoning?.failure = failure }
      abandon(key, at: now)
    case .unknown(let failure), .stale(let failure):
      failCompensation(key, failure, isFinal: false, at: now)
    case .unavailable(let resource, let failure):
      guard state.status == .running else {
        // Cancelling a run waits for this end, so it counts as an attempt, too.
        failCompensation(key, failure, isFinal: false, at: now)
        return
      }
      abandoning.failure = failure
      abandoning.notBefore = now + resource.longestPause
      frames.update(key) { $0.abandoning = abandoning }
      abandon(key, at: now)
    case .fail(let failure), .pause(let failure), .pauseRun(let failure):
      failCompensation(key, failure, isFinal: true, at: now)
    }
  }

  /// Counts a failed attempt: another one follows after the back-off, or the compensation is left over.
  private mutating func failCompensation(
    _ key: ItemKey, _ failure: Failure, after: Instant? = nil, isFinal: Bool, at now: Instant
  ) {
    guard var abandoning = frames.abandonProgress(of: key) else { return }
    let policy = frames.policy(of: abandoning, key)
    abandoning.failures += 1
    abandoning.failure = failure
    var reason = failure
    var moment: Instant?
    if !isFinal {
      switch frames.retryDecision(
        policy, abandoning.failures, since: abandoning.begun ?? now, failure, wished: after, at: now
      ) {
      case .at(let next): moment = next
      case .exhausted(let failure): reason = failure
      }
    }
    if let moment {
      abandoning.notBefore = moment
    } else {
      abandoning.left.append(abandoning.index)
      abandoning.advanceToNext()
      let text = [abandoning.cause?.message, "not undone at the server: \(reason.message)"]
        .compactMap { $0 }.joined(separator: "; ")
      let whole = abandoning.cause?.saying(text) ?? Failure(text)
      frames.update(key) { $0.reason = whole }
    }
    frames.update(key) { $0.abandoning = abandoning }
    abandon(key, at: now)
  }

  /// Releases an item whose compensations have ended; one that left something on the server waits for the user.
  private mutating func finishAbandoning(
    _ key: ItemKey, _ abandoning: Item.AbandonProgress, at now: Instant
  ) {
    let isLeft = !abandoning.left.isEmpty
    removeFromWindow(
      key, as: isLeft && abandoning.next == .cancelled ? .failed : abandoning.next, at: now)
  }
}

extension Item.AbandonProgress {
  /// Moves on to the next request; what concerns the item as a whole stays.
  fileprivate mutating func advanceToNext() {
    var turn = Self(index: index + 1, attempt: attempt, next: next, isUndone: isUndone)
    (turn.only, turn.left, turn.cause) = (only, left, cause)
    self = turn
  }
}
