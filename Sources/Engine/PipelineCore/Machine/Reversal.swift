/// Undoing the effects that an item left on the server when it failed or was abandoned.
struct Reversal {
  let key: ItemKey
  let now: Instant

  /// Sends the next compensation whose outputs all exist, or releases the item.
  ///
  /// The progress is in the item's state: a compensation is retried like a step, even by the next process.
  func proceed(in machine: inout Machine) {
    guard var abandoning = machine.frames.abandonProgress(of: key) else { return }
    if machine.inFlight.contains(machine.frames.compensationID(key, abandoning)) { return }
    let readiness = machine.compensations.next(&abandoning, for: key, in: machine.frames, at: now)
    machine.frames.update(key) { $0.abandoning = abandoning }
    switch readiness {
    case .over: finish(abandoning, in: &machine)
    case .lost(let failure): fail(failure, isFinal: true, in: &machine)
    case .ready, .needs: send(abandoning, readiness, in: &machine)
    case .impossible: return
    }
  }

  /// Sends the compensation, or lets the item wait for what it lacks.
  private func send(
    _ abandoning: Item.AbandonProgress, _ readiness: Compensations.Readiness,
    in machine: inout Machine
  ) {
    guard machine.state.status == .running || machine.state.status == .cancelling,
      !machine.cancellation.isHalting
    else {
      machine.waiting.blockers[key] = .stopped
      return
    }
    if let notBefore = abandoning.notBefore, notBefore > now {
      machine.waiting.delay(key, until: notBefore, as: .failed)
      machine.waiting.blockers[key] = .compensation(until: notBefore)
      machine.agenda.unfilled.insert(key.loop)
      return
    }
    if case .needs(let step) = readiness {
      waitForCredential(step, in: &machine)
      return
    }
    let place = StepPlace(key: key, step: machine.pipeline.loops[key.loop].steps.first ?? 0)
    guard machine.frames.isAllowed(machine.state.pace.expectedRequest, at: now) else {
      machine.waitForAllowance(key, place.step, machine.state.pace.expectedRequest)
      return
    }
    guard let undoing = machine.frames.undoing(abandoning.index, of: key) else { return }
    let request = machine.pipeline.loops[key.loop].onAbandon[undoing.compensation].request
    let scope = machine.frames.scope(of: key, at: now)
    guard
      machine.isHostOpen(toUndo: key, request, undoing.remnant.map(scope.naming) ?? scope, at: now),
      machine.hasConnection(place), machine.hasTokenToUndo(place, at: now)
    else { return }
    issue(abandoning, in: &machine)
  }

  private func issue(_ abandoning: Item.AbandonProgress, in machine: inout Machine) {
    var abandoning = abandoning
    abandoning.attempt += 1
    abandoning.since = now
    abandoning.begun = abandoning.begun ?? now
    abandoning.notBefore = nil
    machine.frames.update(key) { $0.abandoning = abandoning }
    guard let undoing = machine.frames.undoing(abandoning.index, of: key) else { return }
    for use in machine.pipeline.loops[key.loop].onAbandon[undoing.compensation].uses {
      machine.compensations.credentials.remove(use.step)
    }
    machine.waiting.blockers[key] = .compensation()
    let scope = machine.frames.scope(of: key, at: now)
    machine.demand(
      Command(
        id: machine.frames.compensationID(key, abandoning), action: .abandon(undoing.compensation),
        scope: undoing.remnant.map(scope.naming) ?? scope))
  }

  /// Applies the verdict on a compensation.
  func conclude(_ verdict: Verdict, in machine: inout Machine) {
    guard var abandoning = machine.frames.abandonProgress(of: key) else { return }
    switch verdict {
    case .uncertain(let answered): conclude(answered, in: &machine)
    case .interrupted:
      // Our own interruption: the compensation is sent again as soon as possible.
      proceed(in: &machine)
    case .success, .results, .notDone, .itemDone, .itemSkipped:
      // The item's current result still exists after a remnant is undone.
      if machine.frames.undoing(abandoning.index, of: key)?.remnant == nil {
        abandoning.isUndone = true
      }
      abandoning.advanceToNext()
      machine.frames.update(key) { $0.abandoning = abandoning }
      proceed(in: &machine)
    case .poll(let moment, _, _, _):
      abandoning.notBefore = moment ?? now + machine.frames.policy(of: abandoning, key).initial
      machine.frames.update(key) { $0.abandoning = abandoning }
      proceed(in: &machine)
    case .expired(let step, let failure, _):
      rejectCredential(step, failure, sent: abandoning.since ?? now, in: &machine)
      fail(failure, isFinal: false, in: &machine)
    case .retry(let failure, let after, _):
      fail(failure, after: after, isFinal: false, in: &machine)
    case .stale(let failure) where failure.isFirstStale(after: abandoning.failure):
      machine.frames.update(key) { $0.abandoning?.failure = failure }
      proceed(in: &machine)
    case .unknown(let failure), .stale(let failure): fail(failure, isFinal: false, in: &machine)
    case .unavailable(let resource, let failure):
      guard machine.state.status == .running else {
        // Cancelling a run waits for this end, so it counts as an attempt, too.
        fail(failure, isFinal: false, in: &machine)
        return
      }
      abandoning.failure = failure
      abandoning.notBefore = now + resource.longestPause
      machine.frames.update(key) { $0.abandoning = abandoning }
      proceed(in: &machine)
    case .fail(let failure), .pause(let failure), .pauseRun(let failure):
      fail(failure, isFinal: true, in: &machine)
    }
  }

  /// Counts a failed attempt: another one follows after the back-off, or the compensation is left over.
  private func fail(
    _ failure: Failure, after: Instant? = nil, isFinal: Bool, in machine: inout Machine
  ) {
    guard var abandoning = machine.frames.abandonProgress(of: key) else { return }
    let policy = machine.frames.policy(of: abandoning, key)
    abandoning.failures += 1
    abandoning.failure = failure
    var reason = failure
    var moment: Instant?
    if !isFinal {
      switch machine.frames.retryDecision(
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
      machine.frames.update(key) { $0.reason = whole }
    }
    machine.frames.update(key) { $0.abandoning = abandoning }
    proceed(in: &machine)
  }

  /// Releases an item whose compensations have ended; one that left something on the server waits for the user.
  private func finish(_ abandoning: Item.AbandonProgress, in machine: inout Machine) {
    let isLeft = !abandoning.left.isEmpty
    machine.removeFromWindow(
      key, as: isLeft && abandoning.next == .cancelled ? .failed : abandoning.next, at: now)
  }

  /// Makes a compensation wait for a credential that expired, or that was lost with the last process.
  private func waitForCredential(_ step: Int, in machine: inout Machine) {
    if let producer = machine.frames.stepState(step, for: nil), producer.hasResult {
      let failure = Failure("the result of step '\(machine.pipeline.steps[step].id)' has expired")
      if machine.state.status == .cancelling {
        machine.frames.update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
      } else if !machine.invalidateResult(step, nil, failure, for: key, at: now) {
        machine.waiting.blockers[key] = .stopped
        return
      }
    }
    machine.waiting.steps[step, default: FrameQueue()].enqueue(key, isFirst: false)
    machine.waiting.blockers[key] = .dependency(
      step: machine.pipeline.loops[key.loop].steps.first ?? 0, on: step)
    machine.agenda.isRunDue = true
  }

  /// The server refused a credential that a compensation was sent with.
  private func rejectCredential(
    _ step: Int, _ failure: Failure, sent: Instant, in machine: inout Machine
  ) {
    guard machine.pipeline.steps[step].loop == nil,
      let producer = machine.frames.stepState(step, for: nil), producer.hasResult,
      producer.since <= sent
    else { return }
    if machine.state.status == .running {
      _ = machine.invalidateResult(step, nil, failure, for: key, at: now)
    } else {
      machine.frames.update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
    }
  }
}
