extension Machine {
  /// Applies a verdict; one without the current fence changes nothing (invariant 4).
  mutating func conclude(_ id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard id.run == state.id, inFlight.remove(id) != nil else { return }
    defer { if isExchange(id) { releaseConnection(at: now) } }
    learn(ofResourcesFrom: verdict, at: now)
    noteHost(of: id, verdict, at: now)
    countRefusal(of: id, verdict, at: now)
    defer { haltIfRefused(at: now) }
    guard let step = id.step else {
      concludeCompensation(id, verdict, at: now)
      return
    }
    if let members = batchesInFlight.removeValue(forKey: id) {
      concludeBatch(id, step, members, verdict, at: now)
      return
    }
    let place = StepPlace(key: id.item, step: step)
    if pendingRenewals[id.item]?.step == step { removePendingRenewal(id.item) }
    let isWithdrawn = withdrawn.remove(id) != nil
    let verdict = isWithdrawn && verdict == .interrupted ? .notDone : verdict
    guard let current = stepState(step, for: id.item), current.isInFlight else { return }
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
    if let next = safeRepeat(of: place.step, after: current.status) {
      apply(answered, to: place, current, again: next, at: now)
    } else if let failure = answered.wantsRepeat {
      endStep(place, as: .pause, Self.unsafeRepeat(failure), next: .pending, at: now)
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
      learn(from: result, place, isProbe: current.status == .probing)
      succeed(place, result, current, at: now)
    case .retry(let failure, let after, let progressed):
      fail(place, failure, after, progressed, next: again, at: now)
    case .unknown(let failure):
      guard let next = safeRepeat(of: place.step, after: current.status) else {
        endStep(place, as: .pause, Self.unsafeRepeat(failure), next: .pending, at: now)
        return
      }
      fail(place, failure, nil, false, next: next, at: now)
    case .uncertain(let answered):
      apply(answered, to: place, current, again: again, at: now)
    case .expired(let step, let failure, let after):
      expire(step, failure, after, place, current, next: again, at: now)
    case .fail(let failure): endStep(place, as: .fail, failure, next: again, at: now)
    case .pause(let failure): endStep(place, as: .pause, failure, next: again, at: now)
    case .pauseRun(let failure): pauseRun(place, failure, next: again, at: now)
    case .unavailable(let resource, let failure):
      release(place)
      update(place) { step in
        step.status = again
        step.since = now
        step.failure = failure
      }
      noteShortage(resource, [place], at: now)
    case .poll(let instant, let status, let words, let slower):
      update(place) { step in
        step.note(status)
        if let slower { step.slower = (step.slower ?? .zero) + slower }
      }
      if let instant, status != nil {
        let failure = Failure(words ?? "not ready", status: status)
        _ = pauseHost(of: place, failure, after: instant, until: instant, at: now)
      }
      release(place)
      if askAgain(place, at: instant, again, words, current, now: now) { return }
      let delay = pipeline.steps[place.step].retry.initial
      postpone(place, again, nil, until: instant ?? now + delay, at: now)
    case .stale(let failure): repeatStale(place, failure, current, again: again, at: now)
    case .interrupted: interrupted(place, current, at: now)
    case .notDone:
      release(place)
      // A repeat that was withdrawn was not sent, so the outcome of the attempt before it stays unknown.
      let isRepeat = current.status == .running && current.isUnresolved
      let moment = nextProbe(of: place.step, current, at: now)
      postpone(
        place, moment == nil && !isRepeat ? .pending : .unknown, current.failure, until: moment,
        at: now)
    case .itemDone: finishItem(place, as: .done, nil, at: now)
    case .itemSkipped(let failure): finishItem(place, as: .skipped, failure, at: now)
    }
  }

  /// When to repeat a probe that reported "not done" too early; `nil` if its result counts.
  ///
  /// The server may still be working on the request. A response describes the time at which the probe was sent,
  /// however late it arrives.
  func nextProbe(of step: Int, _ current: StepState, at now: Instant) -> Instant? {
    guard let probe = pipeline.steps[step].probe, current.status == .probing,
      let ready = current.unknownSince.map({ $0 + probe.until }), current.since < ready
    else { return nil }
    return min(now + probe.interval, max(now, ready))
  }

  /// Puts a step back that is to be issued again, or probed once the time has come.
  static func returnStep(
    _ step: inout StepState, to status: StepState.Status, _ probe: Probe?, at now: Instant
  ) {
    if status != .unknown {
      step.unknownSince = nil
    } else if step.status == .running {
      step.unknownSince = now
      if let probe, probe.after > .zero { step.notBefore = now + probe.after }
    }
    step.status = status
    step.since = now
  }

  static func unsafeRepeat(_ failure: Failure) -> Failure {
    failure.saying(
      "outcome unknown, and the step has neither an idempotency key nor a probe to make a repeat "
        + "safe: \(failure.message)")
  }

  /// How to repeat a step with an unknown outcome; `nil` if it must not be repeated.
  func safeRepeat(of step: Int, after status: StepState.Status) -> StepState.Status? {
    let declaration = pipeline.steps[step]
    if status == .probing { return .unknown }
    switch declaration.effect {
    case .repeatable: return .pending
    case .create:
      return declaration.probe == nil && declaration.keyPlace == nil ? nil : .unknown
    }
  }

  mutating func succeed(
    _ place: StepPlace, _ result: StepResult, _ current: StepState, at now: Instant
  ) {
    let uses = pipeline.steps[place.step].uses
    for use in uses { noteUse(of: use.step, by: place.key) }
    // A probe shows that the values were used, but not when.
    if current.status == .running {
      renewLifetimes(of: uses, by: place, from: current, since: now - result.duration)
    }
    if current.status == .probing { restoreSources(place, current) }
    // Without a budget, a download of unknown size has reserved nothing.
    let most = pipeline.budgets.diskBytes == nil ? Int64.max : current.reservedBytes
    let held =
      result.file.map { $0.isInRunFolder ? min($0.size, most) : 0 } ?? current.reservedBytes
    let spare = current.reservedBytes - held
    let isForeign =
      pipeline.steps[place.step].effect == .create && current.status == .running
      && result.status.map { !(200..<300).contains($0) } ?? false
    ledger.diskBytes -= spare
    update(place) { step in
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
      obtainedCredentials.insert(place.step)
      wakeDependents(of: place.step, at: now)
    }
    continueFrame(place.key, at: now)
    if place.key == nil { wakeDependents(of: place.step, at: now) }
  }

  /// The probe shows that the step took effect, so its sources, direct or through other steps, had not
  /// expired before that, regardless of the response to the attempt.
  mutating func restoreSources(_ place: StepPlace, _ current: StepState) {
    for (use, source) in zip(pipeline.steps[place.step].uses, current.sources)
    where !use.isCredential && pipeline.steps[use.step].loop != nil {
      guard let producer = stepState(use.step, for: place.key), producer.status == .succeeded,
        producer.generation == source
      else { continue }
      let origin = StepPlace(key: place.key, step: use.step)
      restoreSources(origin, producer)
      guard producer.isInvalidated else { continue }
      update(origin) { step in
        step.isInvalidated = false
        step.reissues = max(0, step.reissues - 1)
        step.failure = nil
      }
    }
  }

  mutating func learn(from result: StepResult, _ place: StepPlace, isProbe: Bool) {
    let kind = pipeline.steps[place.step].kind
    guard kind.hasResponse else { return }
    if let clock = result.clock { learn(clock) }
    if kind == .request || kind == .poll || isProbe {
      state.pace.learn(request: result.duration)
    } else if kind == .upload {
      state.pace.learn(upload: result.bytes, in: result.duration)
    }
    changes.isRunChanged = true
  }

  private mutating func fail(
    _ place: StepPlace, _ failure: Failure, _ after: Instant?, _ progressed: Bool,
    next: StepState.Status, at now: Instant
  ) {
    release(place)
    let policy = pipeline.steps[place.step].retry
    guard let current = stepState(place.step, for: place.key) else { return }
    // Receiving part of a download does not count as a failure,
    // but with a server that also discards it, the step would never end.
    let isDownload = pipeline.steps[place.step].kind == .download
    let failures =
      progressed ? max(isDownload ? current.failures : 1, 1) : current.failures + 1
    update(place) { step in
      step.failures = failures
      step.note(failure.status)
    }
    let begun = progressed ? now : (current.begun ?? now)
    switch retryDecision(policy, failures, since: begun, failure, wished: after, at: now) {
    case .exhausted(let reason):
      // Others have attempts left.
      _ = pauseHost(of: place, failure, after: after, until: after ?? now, at: now)
      countExhaustion(of: place, failure, at: now)
      endStep(place, as: policy.exhausted, reason, next: next, isExhausted: true, at: now)
    case .at(var moment):
      if pipeline.steps[place.step].kind == .poll {
        guard let end = deadline(of: place, current, at: now) else { return }
        guard now < end else {
          let text =
            "no answer before the deadline of \(Self.seconds(now - begun)) s: \(failure.message)"
          endStep(
            place, as: policy.exhausted, failure.saying(text), next: next, at: now)
          return
        }
        moment = min(moment, end)
      }
      moment = pauseHost(of: place, failure, after: after, until: moment, at: now)
      if progressed { update(place) { $0.begun = now } }
      postpone(place, next, failure, until: moment, at: now)
    }
  }

  mutating func expire(
    _ step: Int, _ failure: Failure, _ after: Instant?, _ place: StepPlace,
    _ current: StepState, next: StepState.Status, at now: Instant
  ) {
    release(place)
    let probe = pipeline.steps[place.step].probe
    let next = next == .unknown && provesNotDone(step, failure, place, current) ? .pending : next
    let ownerKey = owner(of: step, readFrom: place.key)
    guard let producer = stepState(step, for: ownerKey), producer.status != .skipped,
      StepPlace(key: ownerKey, step: step) != place, !isLeftOutOfTurns(step, by: place),
      current.status != .probing || isCredential(step, ofProbe: place.step)
    else {
      // Nothing that could be reissued would change the response.
      fail(place, failure, after, false, next: next, at: now)
      return
    }
    update(place) { item in
      Self.returnStep(&item, to: next, probe, at: now)
      item.failure = failure
      item.note(failure.status)
    }
    // Many responses may report the same result as expired: only the first raises its generation.
    if producer.status == .succeeded, !producer.isInvalidated,
      isCurrent(producer, step, usedBy: current, at: place),
      !invalidateResult(step, ownerKey, failure, after, for: place.key, at: now)
    {
      return
    }
    continueFrame(place.key, at: now)
  }

  /// Whether a response that reports the result of `step` as expired implies that the request was not
  /// carried out, and never will be.
  ///
  /// That is the author's assumption, and only of what identifies the request: a refused credential does not show the
  /// outcome of an earlier attempt. A step that has a probe asks it.
  func provesNotDone(
    _ step: Int, _ failure: Failure, _ place: StepPlace, _ current: StepState
  ) -> Bool {
    guard case .repeated = resolution(of: place, current) else { return false }
    let uses = pipeline.steps[place.step].uses.filter { $0.step == step }
    guard uses.contains(where: \.isCredential) else { return true }
    return failure.status != 401 && !uses.allSatisfy(\.isCredential)
  }

  /// Whether a probe uses the step's outputs only as credentials; the object of its query must stay
  /// unchanged until it has reported the outcome of the attempt.
  func isCredential(_ step: Int, ofProbe probing: Int) -> Bool {
    let uses = pipeline.steps[probing].probe?.uses ?? []
    return uses.contains { $0.step == step && $0.isCredential }
  }

  /// Whether the attempt or probe was sent with the producer's current result.
  func isCurrent(
    _ producer: StepState, _ step: Int, usedBy current: StepState, at place: StepPlace
  ) -> Bool {
    let declaration = pipeline.steps[place.step]
    var uses = declaration.uses
    if current.status == .probing { uses += declaration.probe?.uses ?? [] }
    guard let index = uses.lastIndex(where: { $0.step == step }),
      current.sources.indices.contains(index)
    else { return current.since >= producer.since }
    return current.sources[index] == producer.generation
  }

  /// Keeps the step waiting until `moment`; does not count as an attempt.
  mutating func postpone(
    _ place: StepPlace, _ status: StepState.Status, _ failure: Failure?, until moment: Instant?,
    at now: Instant
  ) {
    let probe = pipeline.steps[place.step].probe
    update(place) { step in
      Self.returnStep(&step, to: status, probe, at: now)
      step.failure = failure
      step.notBefore = [moment, step.notBefore].compactMap { $0 }.max()
    }
    continueFrame(place.key, at: now)
  }

  /// Whether an attempt met a stale connection, and the one before it did not: such an attempt counts as no failure.
  static func isFirstStale(_ failure: Failure, after last: Failure?) -> Bool {
    failure.message != last?.message
  }

  /// Repeats a request that met a stale connection at once; if the repeat meets another one, the outcome is unknown.
  private mutating func repeatStale(
    _ place: StepPlace, _ failure: Failure, _ current: StepState, again: StepState.Status,
    at now: Instant
  ) {
    if Self.isFirstStale(failure, after: current.failure) {
      interrupted(place, current, failure, at: now)
    } else if !resync(after: .unknown(failure), place, current, at: now) {
      apply(.unknown(failure), to: place, current, again: again, at: now)
    }
  }

  /// Our own interruption is not a failed attempt.
  mutating func interrupted(
    _ place: StepPlace, _ current: StepState, _ failure: Failure? = nil, at now: Instant
  ) {
    release(place)
    if let failure { update(place) { $0.failure = failure } }
    if resyncInterrupted(place, at: now) {
      advance(place.key, at: now)
      return
    }
    guard let next = safeRepeat(of: place.step, after: current.status) else {
      let failure = Self.unsafeRepeat(failure ?? Failure("the attempt was interrupted"))
      endStep(place, as: .pause, failure, next: .pending, at: now)
      return
    }
    let probe = pipeline.steps[place.step].probe
    update(place) { Self.returnStep(&$0, to: next, probe, at: now) }
    advance(place.key, at: now)
  }
}
