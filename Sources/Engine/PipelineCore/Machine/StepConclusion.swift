import CEL

/// Applies the verdict on an attempt or a probe to its step.
struct StepConclusion {
  let place: StepPlace
  /// The step as it was when the verdict arrived.
  let current: StepState
  let now: Instant

  /// Applies a verdict with the current fence.
  func conclude(_ verdict: Verdict, in machine: inout Machine) {
    if place.key == nil, machine.state.status == .cancelling, !verdict.isSuccess {
      concludeCredential(verdict, in: &machine)
      return
    }
    let again: StepState.Status = current.isUnresolved ? .unknown : .pending
    if resync(after: verdict, in: &machine) { return }
    guard case .uncertain(let answered) = verdict else {
      apply(verdict, again: again, in: &machine)
      return
    }
    if let next = machine.pipeline.safeRepeat(of: place.step, after: current.status) {
      apply(answered, again: next, in: &machine)
    } else if let failure = answered.wantsRepeat {
      machine.endStep(place, as: .pause, Failure.unsafeRepeat(failure), next: .pending, at: now)
    } else {
      apply(answered, again: .pending, in: &machine)
    }
  }

  /// Applies a verdict; if it asks for a repeat, the step has the status `again` until then.
  private func apply(_ verdict: Verdict, again: StepState.Status, in machine: inout Machine) {
    switch verdict {
    // Only a batch has results for members, and this step was issued for itself.
    case .success(let result), .results(let result, _):
      machine.frames.learn(from: result, place, isProbe: current.status == .probing)
      succeed(result, in: &machine)
    case .retry(let failure, let after, let progressed):
      fail(failure, retryAfter: after, madeProgress: progressed, next: again, in: &machine)
    case .unknown(let failure):
      guard let next = machine.pipeline.safeRepeat(of: place.step, after: current.status) else {
        machine.endStep(place, as: .pause, Failure.unsafeRepeat(failure), next: .pending, at: now)
        return
      }
      fail(failure, next: next, in: &machine)
    case .uncertain(let answered): apply(answered, again: again, in: &machine)
    case .expired(let step, let failure, let after):
      expire(step, failure, retryAfter: after, next: again, in: &machine)
    case .fail(let failure): machine.endStep(place, as: .fail, failure, next: again, at: now)
    case .pause(let failure): machine.endStep(place, as: .pause, failure, next: again, at: now)
    case .pauseRun(let failure): pauseRun(failure, next: again, in: &machine)
    case .unavailable(let resource, let failure):
      machine.ledger.release(place, in: &machine.frames)
      machine.frames.update(place) { step in
        step.status = again
        step.since = now
        step.failure = failure
      }
      machine.noteShortage(resource, [place], at: now)
    case .poll(let instant, let status, let words, let slower):
      machine.frames.update(place) { step in
        step.note(status)
        if let slower { step.slower = (step.slower ?? .zero) + slower }
      }
      if let instant, status != nil {
        let failure = Failure(words ?? "not ready", status: status)
        _ = machine.frames.pauseHost(of: place, failure, after: instant, until: instant, at: now)
      }
      machine.ledger.release(place, in: &machine.frames)
      if askAgain(at: instant, again, words, in: &machine) { return }
      let delay = machine.pipeline.steps[place.step].retry.initial
      postpone(again, nil, until: instant ?? now + delay, in: &machine)
    case .stale(let failure): repeatStale(failure, again: again, in: &machine)
    case .interrupted: interrupted(in: &machine)
    case .notDone:
      machine.ledger.release(place, in: &machine.frames)
      // A repeat that was withdrawn was not sent, so the outcome of the attempt before it stays unknown.
      let isRepeat = current.status == .running && current.isUnresolved
      let moment = machine.pipeline.nextProbe(of: place.step, current, at: now)
      postpone(
        moment == nil && !isRepeat ? .pending : .unknown, current.failure, until: moment,
        in: &machine)
    case .itemDone: finishItem(as: .done, nil, in: &machine)
    case .itemSkipped(let failure): finishItem(as: .skipped, failure, in: &machine)
    }
  }

  func succeed(_ result: StepResult, in machine: inout Machine) {
    let uses = machine.pipeline.steps[place.step].uses
    for use in uses { machine.frames.noteUse(of: use.step, by: place.key) }
    // A probe shows that the values were used, but not when.
    if current.status == .running {
      machine.frames.renewLifetimes(
        of: uses, by: place, from: current, since: now - result.duration)
    }
    if current.status == .probing { machine.frames.restoreSources(place, current) }
    // Without a budget, a download of unknown size has reserved nothing.
    let most = machine.pipeline.budgets.diskBytes == nil ? Int64.max : current.reservedBytes
    let held =
      result.file.map { $0.isInRunFolder ? min($0.size, most) : 0 } ?? current.reservedBytes
    let spare = current.reservedBytes - held
    let isForeign =
      machine.pipeline.steps[place.step].effect == .create && current.status == .running
      && result.status.map { !(200..<300).contains($0) } ?? false
    machine.ledger.diskBytes -= spare
    machine.frames.update(place) { step in
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
    Turn(place: place, now: now).noteResync(from: current, in: &machine)
    guard Turn(place: place, now: now).check(in: &machine) else { return }
    if place.key == nil, machine.state.status == .cancelling {
      machine.compensations.credentials.insert(place.step)
      machine.wakeDependents(of: place.step, at: now)
    }
    machine.continueFrame(place.key, at: now)
    if place.key == nil { machine.wakeDependents(of: place.step, at: now) }
  }

  private func fail(
    _ failure: Failure, retryAfter after: Instant? = nil, madeProgress progressed: Bool = false,
    next: StepState.Status, in machine: inout Machine
  ) {
    machine.ledger.release(place, in: &machine.frames)
    let policy = machine.pipeline.steps[place.step].retry
    guard let current = machine.frames.stepState(place.step, for: place.key) else { return }
    // Receiving part of a download does not count as a failure,
    // but with a server that also discards it, the step would never end.
    let isDownload = machine.pipeline.steps[place.step].kind == .download
    let failures = progressed ? max(isDownload ? current.failures : 1, 1) : current.failures + 1
    machine.frames.update(place) { step in
      step.failures = failures
      step.note(failure.status)
    }
    let begun = progressed ? now : (current.begun ?? now)
    switch machine.frames.retryDecision(
      policy, failures, since: begun, failure, wished: after, at: now)
    {
    case .exhausted(let reason):
      // Others have attempts left.
      _ = machine.frames.pauseHost(of: place, failure, after: after, until: after ?? now, at: now)
      machine.countExhaustion(of: place, failure, at: now)
      machine.endStep(place, as: policy.exhausted, reason, next: next, isExhausted: true, at: now)
    case .at(var moment):
      if machine.pipeline.steps[place.step].kind == .poll {
        guard let end = deadline(in: &machine) else { return }
        guard now < end else {
          let text =
            "no answer before the deadline of \((now - begun).wholeSeconds) s: \(failure.message)"
          machine.endStep(place, as: policy.exhausted, failure.saying(text), next: next, at: now)
          return
        }
        moment = min(moment, end)
      }
      moment = machine.frames.pauseHost(of: place, failure, after: after, until: moment, at: now)
      if progressed { machine.frames.update(place) { $0.begun = now } }
      postpone(next, failure, until: moment, in: &machine)
    }
  }

  private func expire(
    _ step: Int, _ failure: Failure, retryAfter after: Instant?, next: StepState.Status,
    in machine: inout Machine
  ) {
    machine.ledger.release(place, in: &machine.frames)
    let next =
      next == .unknown && machine.frames.provesNotDone(step, failure, place, current)
      ? .pending : next
    let ownerKey = machine.frames.owner(of: step, readFrom: place.key)
    guard let producer = machine.frames.stepState(step, for: ownerKey), producer.status != .skipped,
      StepPlace(key: ownerKey, step: step) != place,
      !machine.frames.isLeftOutOfTurns(step, by: place),
      current.status != .probing || machine.pipeline.isCredential(step, ofProbe: place.step)
    else {
      // Nothing that could be reissued would change the response.
      fail(failure, retryAfter: after, next: next, in: &machine)
      return
    }
    machine.frames.putBack(place, as: next, failure, at: now)
    machine.frames.update(place) { $0.note(failure.status) }
    // Many responses may report the same result as expired: only the first raises its generation.
    if producer.hasResult, machine.pipeline.isCurrent(producer, step, usedBy: current, at: place),
      !machine.invalidateResult(step, ownerKey, failure, after, for: place.key, at: now)
    {
      return
    }
    machine.continueFrame(place.key, at: now)
  }

  /// Keeps the step waiting until `moment`; does not count as an attempt.
  private func postpone(
    _ status: StepState.Status, _ failure: Failure?, until moment: Instant?,
    in machine: inout Machine
  ) {
    machine.frames.putBack(place, as: status, failure, until: moment, at: now)
    machine.continueFrame(place.key, at: now)
  }

  /// Repeats a request that met a stale connection at once; if the repeat meets another one, the outcome is unknown.
  private func repeatStale(_ failure: Failure, again: StepState.Status, in machine: inout Machine) {
    if failure.isFirstStale(after: current.failure) {
      interrupted(failure, in: &machine)
    } else if !resync(after: .unknown(failure), in: &machine) {
      apply(.unknown(failure), again: again, in: &machine)
    }
  }

  /// Our own interruption is not a failed attempt.
  func interrupted(_ failure: Failure? = nil, in machine: inout Machine) {
    machine.ledger.release(place, in: &machine.frames)
    if let failure { machine.frames.update(place) { $0.failure = failure } }
    if Turn(place: place, now: now).resyncInterrupted(in: &machine) {
      machine.advance(place.key, at: now)
      return
    }
    guard let next = machine.pipeline.safeRepeat(of: place.step, after: current.status) else {
      let failure = Failure.unsafeRepeat(failure ?? Failure("the attempt was interrupted"))
      machine.endStep(place, as: .pause, failure, next: .pending, at: now)
      return
    }
    let probe = machine.pipeline.steps[place.step].probe
    machine.frames.update(place) { $0.putBack(as: next, probe, at: now) }
    machine.advance(place.key, at: now)
  }

  /// Makes a `poll` step wait for its next question, or ends it; `false` for steps of another kind.
  private func askAgain(
    at wished: Instant?, _ again: StepState.Status, _ words: String?, in machine: inout Machine
  ) -> Bool {
    guard case .poll = machine.pipeline.steps[place.step].action else { return false }
    guard let end = deadline(in: &machine) else { return true }
    let policy = machine.pipeline.steps[place.step].retry
    // The response that was just noted.
    let noted = machine.frames.stepState(place.step, for: place.key)
    let status = noted?.statuses.last
    guard now < end else {
      let begun = current.begun ?? now
      let text = "still not ready after \((now - begun).spelled)" + (words.map { ": \($0)" } ?? "")
      machine.endStep(
        place, as: policy.exhausted, Failure(text, status: status), next: again, at: now)
      return true
    }
    // A server that answers is not failing.
    machine.frames.update(place) { $0.failures = 0 }
    let next =
      max(wished ?? now + PollTemplate.defaultInterval, now + PollTemplate.shortestInterval)
      + (noted?.slower ?? .zero)
    postpone(
      again, words.map { Failure("not ready: \($0)", status: status) }, until: min(next, end),
      in: &machine)
    return true
  }

  /// When the last request of a `poll` step is sent; also `nil` if that cannot be evaluated.
  private func deadline(in machine: inout Machine) -> Instant? {
    guard case .poll(let poll) = machine.pipeline.steps[place.step].action else { return nil }
    do throws(EvaluationFailure) {
      let value = try machine.evaluator.value(
        poll.deadline, machine.frames.scope(of: place.key, at: now))
      guard case .duration(let time) = value else {
        throw EvaluationFailure(message: "expected a duration", location: poll.deadline.location)
      }
      return (current.begun ?? now) + time
    } catch {
      machine.failEvaluation(place, error.failure, at: now)
      return nil
    }
  }

  /// Pauses the run because of the response to a step, which is repeated when the user continues the run.
  private func pauseRun(_ failure: Failure, next: StepState.Status, in machine: inout Machine) {
    guard place.key != nil, machine.state.status != .cancelling else {
      machine.endStep(place, as: .pause, failure, next: next, at: now)
      return
    }
    machine.ledger.release(place, in: &machine.frames)
    machine.frames.putBack(place, as: next, failure, at: now)
    machine.frames.update(place) { $0.note(failure.status) }
    machine.haltRefused(failure, at: now)
    machine.waiting.blockers[place.key] = .stopped
  }

  private func finishItem(as status: Item.Status, _ reason: Failure?, in machine: inout Machine) {
    machine.ledger.release(place, in: &machine.frames)
    machine.skip(place, at: now)
    if let key = place.key {
      machine.leaveWindow(key, as: status, reason: reason, at: now)
    } else {
      machine.advance(nil, at: now)
    }
  }

  /// Asks the server for the progress of a failed turn; `false` if the verdict stands.
  private func resync(after verdict: Verdict, in machine: inout Machine) -> Bool {
    guard let turns = machine.pipeline.resynced(place.step), current.status == .running else {
      return false
    }
    switch verdict {
    case .retry(let failure, let after, _): resync(turns, failure, retryAfter: after, in: &machine)
    case .unknown(let failure): resync(turns, failure, in: &machine)
    case .uncertain(let answered): return resync(after: answered, in: &machine)
    case .success, .results, .expired, .fail, .pause, .pauseRun, .unavailable, .poll, .stale,
      .interrupted, .notDone, .itemDone, .itemSkipped:
      return false
    }
    return true
  }

  private func resync(
    _ turns: Int, _ failure: Failure, retryAfter after: Instant? = nil, in machine: inout Machine
  ) {
    let after = after.map {
      machine.frames.pauseHost(of: place, failure, after: $0, until: $0, at: now)
    }
    machine.ledger.release(place, in: &machine.frames)
    machine.frames.update(place) { step in
      step.status = .pending
      step.since = now
      step.failure = failure
      step.note(failure.status)
    }
    let asked = StepPlace(key: place.key, step: turns)
    if let known = machine.frames.stepState(turns, for: place.key), known.hasResult,
      case .wait = Turn(place: asked, now: now).stall(
        failure, machine.pipeline.steps[place.step].retry, after: after, in: &machine)
    {
      return
    }
    machine.continueFrame(place.key, at: now)
  }
}
