import CEL

extension Machine {
  /// Applies a verdict; one without the current fence changes nothing (invariant 4).
  mutating func conclude(_ id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard id.run == state.id, inFlight.remove(id) != nil else { return }
    defer { if pipeline.isExchange(id) { releaseConnection(at: now) } }
    learn(ofResourcesFrom: verdict, at: now)
    noteHost(of: id, verdict, at: now)
    countRefusal(of: id, verdict, at: now)
    defer { haltIfRefused(at: now) }
    guard let step = id.step else {
      concludeCompensation(id, verdict, at: now)
      return
    }
    if let members = batches.inFlight.removeValue(forKey: id) {
      concludeBatch(id, step, members, verdict, at: now)
      return
    }
    let place = StepPlace(key: id.item, step: step)
    if renewals.pending[id.item]?.step == step { removePendingRenewal(id.item) }
    let isWithdrawn = renewals.withdrawn.remove(id) != nil
    let verdict = isWithdrawn && verdict == .interrupted ? .notDone : verdict
    guard let current = frames.stepState(step, for: id.item), current.isInFlight else { return }
    if current.status == .running, pipeline.steps[step].transfer != nil { ledger.transfers -= 1 }
    apply(verdict, to: place, current, at: now)
    if current.status == .running, pipeline.steps[step].transfer != nil { wakeTransfers(at: now) }
  }

  mutating func apply(
    _ verdict: Verdict, to place: StepPlace, _ current: StepState, at now: Instant
  ) {
    if place.key == nil, state.status == .cancelling, !verdict.isSuccess {
      concludeCredential(place, verdict, current, at: now)
      return
    }
    let again: StepState.Status = current.isUnresolved ? .unknown : .pending
    if resync(after: verdict, place, current, at: now) { return }
    guard case .uncertain(let answered) = verdict else {
      apply(verdict, to: place, current, again: again, at: now)
      return
    }
    if let next = pipeline.safeRepeat(of: place.step, after: current.status) {
      apply(answered, to: place, current, again: next, at: now)
    } else if let failure = answered.wantsRepeat {
      endStep(place, as: .pause, Failure.unsafeRepeat(failure), next: .pending, at: now)
    } else {
      apply(answered, to: place, current, again: .pending, at: now)
    }
  }

  /// Applies a verdict; if it asks for a repeat, the step has the status `again` until then.
  private mutating func apply(
    _ verdict: Verdict, to place: StepPlace, _ current: StepState, again: StepState.Status,
    at now: Instant
  ) {
    switch verdict {
    // Only a batch has results for members, and this step was issued for itself.
    case .success(let result), .results(let result, _):
      frames.learn(from: result, place, isProbe: current.status == .probing)
      succeed(place, result, current, at: now)
    case .retry(let failure, let after, let progressed):
      fail(place, failure, retryAfter: after, madeProgress: progressed, next: again, at: now)
    case .unknown(let failure):
      guard let next = pipeline.safeRepeat(of: place.step, after: current.status) else {
        endStep(place, as: .pause, Failure.unsafeRepeat(failure), next: .pending, at: now)
        return
      }
      fail(place, failure, next: next, at: now)
    case .uncertain(let answered):
      apply(answered, to: place, current, again: again, at: now)
    case .expired(let step, let failure, let after):
      expire(step, failure, retryAfter: after, place, current, next: again, at: now)
    case .fail(let failure): endStep(place, as: .fail, failure, next: again, at: now)
    case .pause(let failure): endStep(place, as: .pause, failure, next: again, at: now)
    case .pauseRun(let failure): pauseRun(place, failure, next: again, at: now)
    case .unavailable(let resource, let failure):
      ledger.release(place, in: &frames)
      frames.update(place) { step in
        step.status = again
        step.since = now
        step.failure = failure
      }
      noteShortage(resource, [place], at: now)
    case .poll(let instant, let status, let words, let slower):
      frames.update(place) { step in
        step.note(status)
        if let slower { step.slower = (step.slower ?? .zero) + slower }
      }
      if let instant, status != nil {
        let failure = Failure(words ?? "not ready", status: status)
        _ = frames.pauseHost(of: place, failure, after: instant, until: instant, at: now)
      }
      ledger.release(place, in: &frames)
      if askAgain(place, at: instant, again, words, current, now: now) { return }
      let delay = pipeline.steps[place.step].retry.initial
      postpone(place, again, nil, until: instant ?? now + delay, at: now)
    case .stale(let failure): repeatStale(place, failure, current, again: again, at: now)
    case .interrupted: interrupted(place, current, at: now)
    case .notDone:
      ledger.release(place, in: &frames)
      // A repeat that was withdrawn was not sent, so the outcome of the attempt before it stays unknown.
      let isRepeat = current.status == .running && current.isUnresolved
      let moment = pipeline.nextProbe(of: place.step, current, at: now)
      postpone(
        place, moment == nil && !isRepeat ? .pending : .unknown, current.failure, until: moment,
        at: now)
    case .itemDone: finishItem(place, as: .done, nil, at: now)
    case .itemSkipped(let failure): finishItem(place, as: .skipped, failure, at: now)
    }
  }

  mutating func succeed(
    _ place: StepPlace, _ result: StepResult, _ current: StepState, at now: Instant
  ) {
    let uses = pipeline.steps[place.step].uses
    for use in uses { frames.noteUse(of: use.step, by: place.key) }
    // A probe shows that the values were used, but not when.
    if current.status == .running {
      frames.renewLifetimes(of: uses, by: place, from: current, since: now - result.duration)
    }
    if current.status == .probing { frames.restoreSources(place, current) }
    // Without a budget, a download of unknown size has reserved nothing.
    let most = pipeline.budgets.diskBytes == nil ? Int64.max : current.reservedBytes
    let held =
      result.file.map { $0.isInRunFolder ? min($0.size, most) : 0 } ?? current.reservedBytes
    let spare = current.reservedBytes - held
    let isForeign =
      pipeline.steps[place.step].effect == .create && current.status == .running
      && result.status.map { !(200..<300).contains($0) } ?? false
    ledger.diskBytes -= spare
    frames.update(place) { step in
      step.status = .succeeded
      step.since = now
      step.outputs = result.outputs
      step.previous = []
      step.file = result.file
      step.reservedBytes = held
      step.isForeign = isForeign
      step.failures = 0
      step.failure = nil
      step.unknownSince = nil
      step.note(result.status)
    }
    noteResync(place, from: current, at: now)
    guard checkTurn(place, at: now) else { return }
    if place.key == nil, state.status == .cancelling {
      compensations.credentials.insert(place.step)
      wakeDependents(of: place.step, at: now)
    }
    continueFrame(place.key, at: now)
    if place.key == nil { wakeDependents(of: place.step, at: now) }
  }

  private mutating func fail(
    _ place: StepPlace, _ failure: Failure, retryAfter after: Instant? = nil,
    madeProgress progressed: Bool = false, next: StepState.Status, at now: Instant
  ) {
    ledger.release(place, in: &frames)
    let policy = pipeline.steps[place.step].retry
    guard let current = frames.stepState(place.step, for: place.key) else { return }
    // Receiving part of a download does not count as a failure,
    // but with a server that also discards it, the step would never end.
    let isDownload = pipeline.steps[place.step].kind == .download
    let failures = progressed ? max(isDownload ? current.failures : 1, 1) : current.failures + 1
    frames.update(place) { step in
      step.failures = failures
      step.note(failure.status)
    }
    let begun = progressed ? now : (current.begun ?? now)
    switch frames.retryDecision(policy, failures, since: begun, failure, wished: after, at: now) {
    case .exhausted(let reason):
      // Others have attempts left.
      _ = frames.pauseHost(of: place, failure, after: after, until: after ?? now, at: now)
      countExhaustion(of: place, failure, at: now)
      endStep(place, as: policy.exhausted, reason, next: next, isExhausted: true, at: now)
    case .at(var moment):
      if pipeline.steps[place.step].kind == .poll {
        guard let end = deadline(of: place, current, at: now) else { return }
        guard now < end else {
          let text =
            "no answer before the deadline of \((now - begun).wholeSeconds) s: \(failure.message)"
          endStep(place, as: policy.exhausted, failure.saying(text), next: next, at: now)
          return
        }
        moment = min(moment, end)
      }
      moment = frames.pauseHost(of: place, failure, after: after, until: moment, at: now)
      if progressed { frames.update(place) { $0.begun = now } }
      postpone(place, next, failure, until: moment, at: now)
    }
  }

  mutating func expire(
    _ step: Int, _ failure: Failure, retryAfter after: Instant?, _ place: StepPlace,
    _ current: StepState, next: StepState.Status, at now: Instant
  ) {
    ledger.release(place, in: &frames)
    let probe = pipeline.steps[place.step].probe
    let next =
      next == .unknown && frames.provesNotDone(step, failure, place, current) ? .pending : next
    let ownerKey = frames.owner(of: step, readFrom: place.key)
    guard let producer = frames.stepState(step, for: ownerKey), producer.status != .skipped,
      StepPlace(key: ownerKey, step: step) != place, !frames.isLeftOutOfTurns(step, by: place),
      current.status != .probing || pipeline.isCredential(step, ofProbe: place.step)
    else {
      // Nothing that could be reissued would change the response.
      fail(place, failure, retryAfter: after, next: next, at: now)
      return
    }
    frames.update(place) { item in
      item.putBack(as: next, probe, at: now)
      item.failure = failure
      item.note(failure.status)
    }
    // Many responses may report the same result as expired: only the first raises its generation.
    if producer.status == .succeeded, !producer.isInvalidated,
      pipeline.isCurrent(producer, step, usedBy: current, at: place),
      !invalidateResult(step, ownerKey, failure, after, for: place.key, at: now)
    {
      return
    }
    continueFrame(place.key, at: now)
  }

  /// Keeps the step waiting until `moment`; does not count as an attempt.
  mutating func postpone(
    _ place: StepPlace, _ status: StepState.Status, _ failure: Failure?, until moment: Instant?,
    at now: Instant
  ) {
    let probe = pipeline.steps[place.step].probe
    frames.update(place) { step in
      step.putBack(as: status, probe, at: now)
      step.failure = failure
      step.notBefore = [moment, step.notBefore].compactMap { $0 }.max()
    }
    continueFrame(place.key, at: now)
  }

  /// Repeats a request that met a stale connection at once; if the repeat meets another one, the outcome is unknown.
  private mutating func repeatStale(
    _ place: StepPlace, _ failure: Failure, _ current: StepState, again: StepState.Status,
    at now: Instant
  ) {
    if failure.isFirstStale(after: current.failure) {
      interrupted(place, current, failure, at: now)
    } else if !resync(after: .unknown(failure), place, current, at: now) {
      apply(.unknown(failure), to: place, current, again: again, at: now)
    }
  }

  /// Our own interruption is not a failed attempt.
  mutating func interrupted(
    _ place: StepPlace, _ current: StepState, _ failure: Failure? = nil, at now: Instant
  ) {
    ledger.release(place, in: &frames)
    if let failure { frames.update(place) { $0.failure = failure } }
    if resyncInterrupted(place, at: now) {
      advance(place.key, at: now)
      return
    }
    guard let next = pipeline.safeRepeat(of: place.step, after: current.status) else {
      let failure = Failure.unsafeRepeat(failure ?? Failure("the attempt was interrupted"))
      endStep(place, as: .pause, failure, next: .pending, at: now)
      return
    }
    let probe = pipeline.steps[place.step].probe
    frames.update(place) { $0.putBack(as: next, probe, at: now) }
    advance(place.key, at: now)
  }

  /// Makes a `poll` step wait for its next question, or ends it; `false` for steps of another kind.
  mutating func askAgain(
    _ place: StepPlace, at wished: Instant?, _ again: StepState.Status, _ words: String?,
    _ current: StepState, now: Instant
  ) -> Bool {
    guard case .poll = pipeline.steps[place.step].action else { return false }
    guard let end = deadline(of: place, current, at: now) else { return true }
    let policy = pipeline.steps[place.step].retry
    // The response that was just noted.
    let noted = frames.stepState(place.step, for: place.key)
    let status = noted?.statuses.last
    guard now < end else {
      let begun = current.begun ?? now
      let text = "still not ready after \((now - begun).spelled)" + (words.map { ": \($0)" } ?? "")
      endStep(place, as: policy.exhausted, Failure(text, status: status), next: again, at: now)
      return true
    }
    // A server that answers is not failing.
    frames.update(place) { $0.failures = 0 }
    let next =
      max(wished ?? now + PollTemplate.defaultInterval, now + PollTemplate.shortestInterval)
      + (noted?.slower ?? .zero)
    postpone(
      place, again, words.map { Failure("not ready: \($0)", status: status) },
      until: min(next, end), at: now)
    return true
  }

  /// When the last request of a `poll` step is sent; also `nil` if that cannot be evaluated.
  mutating func deadline(of place: StepPlace, _ current: StepState, at now: Instant) -> Instant? {
    guard case .poll(let poll) = pipeline.steps[place.step].action else { return nil }
    do throws(EvaluationFailure) {
      let value = try evaluator.value(poll.deadline, frames.scope(of: place.key, at: now))
      guard case .duration(let time) = value else {
        throw EvaluationFailure(message: "expected a duration", location: poll.deadline.location)
      }
      return (current.begun ?? now) + time
    } catch {
      failEvaluation(place, error.failure, at: now)
      return nil
    }
  }
}
