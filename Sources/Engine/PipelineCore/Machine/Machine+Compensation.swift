/// Undoing the effects that an item left on the server when it failed or was abandoned.
extension Machine {
  /// Sends the next compensation whose outputs all exist, or releases the item.
  ///
  /// The progress is in the item's state: a compensation is retried like a step, even by the next process.
  mutating func abandon(_ key: ItemKey, at now: Instant) {
    guard var abandoning = frames.abandonProgress(of: key) else { return }
    if inFlight.contains(frames.compensationID(key, abandoning)) { return }
    let readiness = compensations.next(&abandoning, for: key, in: frames, at: now)
    frames.update(key) { $0.abandoning = abandoning }
    switch readiness {
    case .over: finishAbandoning(key, abandoning, at: now)
    case .lost(let failure): failCompensation(key, failure, isFinal: true, at: now)
    case .ready, .needs: continueAbandoning(key, abandoning, readiness, at: now)
    case .impossible: return
    }
  }

  private mutating func continueAbandoning(
    _ key: ItemKey, _ abandoning: Item.AbandonProgress, _ readiness: Compensations.Readiness,
    at now: Instant
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
      compensations.credentials.remove(use.step)
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
      abandoning.notBefore = moment ?? now + frames.policy(of: abandoning, key).initial
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
