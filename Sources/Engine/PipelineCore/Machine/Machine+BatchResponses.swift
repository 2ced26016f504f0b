extension Machine {
  /// Continues a frame; a member of a batch waits for one of its loop's places.
  mutating func continueFrame(_ key: ItemKey?, at now: Instant) {
    guard let key, agenda.concluding.contains(key), state.status == .running else {
      advance(key, at: now)
      return
    }
    guard let item = frames.item(key), item.abandoning == nil else { return }
    makeDue(key)
  }

  /// Applies a verdict on a batch to its members: the verdict on the whole to all of them, and its own to each.
  mutating func concludeBatch(
    _ id: EffectID, _ step: Int, _ members: [ItemKey], _ verdict: Verdict, at now: Instant
  ) {
    agenda.concluding = Set(members)
    defer { agenda.concluding = [] }
    let batch = OpenBatch(
      step: step, places: members.map { StepPlace(key: $0, step: step) },
      isProbe: frames.stepState(step, for: members[0], \.status) == .probing,
      isUnresolved: frames.stepState(step, for: members[0], \.isUnresolved) == true)
    if let loop = id.item?.loop { agenda.unfilled.insert(loop) }
    conclude(batch, id, verdict, at: now)
  }

  private mutating func conclude(
    _ batch: OpenBatch, _ id: EffectID, _ verdict: Verdict, at now: Instant
  ) {
    switch verdict {
    case .results(let result, let verdicts):
      take(result, verdicts, batch, at: now)
    case .success(let result):
      frames.learn(from: result, batch.places[0], isProbe: batch.isProbe)
      for place in batch.places { applyToMember(place, verdict, isProbe: batch.isProbe, at: now) }
    case .itemDone, .itemSkipped:
      for place in batch.places { applyToMember(place, verdict, at: now) }
    case .retry(let failure, let after, let progressed):
      fail(batch, failure, retryAfter: after, madeProgress: progressed, next: batch.again, at: now)
    case .unknown, .interrupted: leaveOpen(batch, verdict, at: now)
    case .stale(let failure):
      let last = frames.stepState(batch.step, for: batch.places[0].key)?.failure
      let isFirst = failure.isFirstStale(after: last)
      change(batch) { $0.failure = failure }
      leaveOpen(batch, isFirst ? .interrupted : .unknown(failure), at: now)
    case .expired(let step, let failure, let after): expire(step, failure, after, batch, at: now)
    case .fail(let failure): endStep(batch, as: .fail, failure, next: batch.again, at: now)
    case .pause(let failure): endStep(batch, as: .pause, failure, next: batch.again, at: now)
    case .pauseRun(let failure):
      haltRefused(failure, at: now)
      postpone(batch, batch.again, failure, until: nil, at: now)
    case .unavailable(let resource, let failure):
      change(batch) { step in
        step.status = batch.again
        step.since = now
        step.failure = failure
      }
      noteShortage(resource, batch.places, at: now)
    case .uncertain(let answered):
      // The server may have accepted it: it can only be sent again as a whole, or probed.
      change(batch) { $0.batch?.isOpen = true }
      guard
        let again = pipeline.safeRepeat(of: batch.step, after: batch.isProbe ? .probing : .running)
      else {
        endStep(
          batch, as: .pause, Failure.unsafeRepeat(answered.wantsRepeat ?? Failure("refused")),
          next: .pending,
          at: now)
        return
      }
      var open = batch
      open.again = again
      conclude(open, id, answered, at: now)
    case .poll(let instant, let status, _, _):
      change(batch) { $0.note(status) }
      let delay = pipeline.steps[batch.step].retry.initial
      postpone(batch, batch.again, nil, until: instant ?? now + delay, at: now)
    case .notDone:
      let current = frames.stepState(batch.step, for: batch.places[0].key)
      if let current, let moment = pipeline.nextProbe(of: batch.step, current, at: now) {
        postpone(batch, .unknown, current.failure, until: moment, at: now)
      } else {
        change(batch) { $0.batch?.isOpen = false }
        postpone(batch, .pending, current?.failure, until: nil, at: now)
      }
    }
  }

  private mutating func take(
    _ result: StepResult, _ verdicts: [Verdict], _ batch: OpenBatch, at now: Instant
  ) {
    frames.learn(from: result, batch.places[0], isProbe: batch.isProbe)
    let missing = Failure("the response to its batch does not mention it", status: result.status)
    let isCreating = pipeline.steps[batch.step].effect == .create
    var said = batch.places.indices.map { index in
      index < verdicts.count ? verdicts[index] : isCreating ? .unknown(missing) : .pause(missing)
    }
    if let unread = said.firstUnread, !batch.isProbe,
      case .repeated = frames.resolution(of: batch.places[0])
    {
      // Only the whole batch can be repeated under its key.
      guard isPartial(batch) else {
        leaveOpen(batch, .unknown(unread), at: now)
        return
      }
      said = said.map { Self.released($0) }
    }
    for (place, verdict) in zip(batch.places, said) {
      applyToMember(place, verdict, isProbe: batch.isProbe, at: now)
    }
  }

  private struct OpenBatch {
    let step: Int
    let places: [StepPlace]
    let isProbe: Bool
    /// The state of its members until it is sent again.
    var again: StepState.Status

    init(step: Int, places: [StepPlace], isProbe: Bool, isUnresolved: Bool) {
      self.step = step
      self.places = places
      self.isProbe = isProbe
      again = isUnresolved ? .unknown : .pending
    }
  }

  private mutating func change(_ batch: OpenBatch, _ change: (inout StepState) -> Void) {
    for place in batch.places { frames.update(place, change) }
  }

  /// Applies the response's result for one member, which has left the batch.
  private mutating func applyToMember(
    _ place: StepPlace, _ verdict: Verdict, isProbe: Bool = false, at now: Instant
  ) {
    frames.update(place) { step in
      step.batch = nil
      // The probe's question is answered; a member that must be sent again is queued, not probed.
      step.status = .running
      step.unknownSince = nil
    }
    guard let current = frames.stepState(place.step, for: place.key) else { return }
    if case .success(let result) = verdict {
      if isProbe { frames.restoreSources(place, current) }
      succeed(place, result, current, at: now)
    } else {
      apply(verdict, to: place, current, at: now)
    }
  }

  private mutating func leaveOpen(_ batch: OpenBatch, _ verdict: Verdict, at now: Instant) {
    change(batch) { $0.batch?.isOpen = true }
    var failure = Failure("the attempt was interrupted")
    if case .unknown(let lost) = verdict { failure = lost }
    let status: StepState.Status = batch.isProbe ? .probing : .running
    guard let next = pipeline.safeRepeat(of: batch.step, after: status) else {
      endStep(batch, as: .pause, Failure.unsafeRepeat(failure), next: .pending, at: now)
      return
    }
    if case .unknown = verdict {
      fail(batch, failure, next: next, at: now)
    } else {
      postpone(
        batch, next, frames.stepState(batch.step, for: batch.places[0].key)?.failure, until: nil,
        at: now)
    }
  }

  private func isPartial(_ batch: OpenBatch) -> Bool {
    batch.places.contains { frames.stepState($0.step, for: $0.key, \.batch)??.isPartial == true }
  }

  /// A member that was sent without the others: the response may be that to a request without it, so the user decides.
  private static func released(_ verdict: Verdict) -> Verdict {
    guard case .unknown(let failure) = verdict else { return verdict }
    return .pause(
      failure.saying(
        "\(failure.message); it was sent without others of its batch, so check the server: a retry sends it in a new batch, "
          + "under a new key"))
  }

  /// Counts a failure of the whole batch; its members' own counts stay.
  private mutating func fail(
    _ batch: OpenBatch, _ failure: Failure, retryAfter after: Instant? = nil,
    madeProgress progressed: Bool = false, next: StepState.Status, at now: Instant
  ) {
    let policy = pipeline.steps[batch.step].retry
    let known = frames.stepState(batch.step, for: batch.places[0].key)?.batch
    let failures = (progressed ? 0 : known?.failures ?? 0) + 1
    let begun = progressed ? now : (known?.begun ?? now)
    change(batch) { step in
      step.batch?.failures = failures
      step.batch?.begun = begun
      step.note(failure.status)
    }
    switch frames.retryDecision(policy, failures, since: begun, failure, wished: after, at: now) {
    case .exhausted(let reason):
      _ = frames.pauseHost(of: batch.places[0], failure, after: after, until: after ?? now, at: now)
      for place in batch.places { countExhaustion(of: place, failure, at: now) }
      endStep(batch, as: policy.exhausted, reason, next: next, at: now)
    case .at(let moment):
      let turn = frames.pauseHost(
        of: batch.places[0], failure, after: after, until: moment, at: now)
      postpone(batch, next, failure, until: turn, at: now)
    }
  }

  private mutating func postpone(
    _ batch: OpenBatch, _ status: StepState.Status, _ failure: Failure?, until moment: Instant?,
    at now: Instant
  ) {
    let probe = pipeline.steps[batch.step].probe
    change(batch) { step in
      step.putBack(as: status, probe, at: now)
      step.failure = failure
      step.notBefore = [moment, step.notBefore].compactMap { $0 }.max()
    }
    let moment = frames.stepState(batch.step, for: batch.places[0].key)?.notBefore
    for place in batch.places {
      if state.status == .running, let moment, moment > now {
        delay(place, until: moment, isEarly: false, at: now)
      } else {
        continueFrame(place.key, at: now)
      }
    }
  }

  private mutating func expire(
    _ step: Int, _ failure: Failure, _ after: Instant?, _ batch: OpenBatch, at now: Instant
  ) {
    let place = batch.places[0]
    guard let current = frames.stepState(batch.step, for: place.key), step != batch.step,
      !frames.isLeftOutOfTurns(step, by: place),
      !batch.isProbe || pipeline.isCredential(step, ofProbe: batch.step),
      frames.stepState(step, for: place.key).map({ $0.status != .skipped }) == true
    else {
      fail(batch, failure, retryAfter: after, next: batch.again, at: now)
      return
    }
    let isRefuted = frames.provesNotDone(step, failure, place, current)
    // A batch that may have taken effect is resolved before any of its members continues on its own.
    guard pipeline.steps[step].loop == nil || batch.again == .unknown && !isRefuted else {
      let verdict = Verdict.expired(step: step, failure, after: after)
      for place in batch.places { applyToMember(place, verdict, at: now) }
      return
    }
    let (again, probe) = (isRefuted ? .pending : batch.again, pipeline.steps[batch.step].probe)
    change(batch) { item in
      if isRefuted { item.batch?.isOpen = false }
      item.putBack(as: again, probe, at: now)
      item.failure = failure
      item.note(failure.status)
    }
    let owners = pipeline.steps[step].loop == nil ? [nil] : batch.places.map(\.key)
    for owner in owners {
      let key = owner ?? place.key
      guard let producer = frames.stepState(step, for: owner),
        let user = frames.stepState(batch.step, for: key),
        producer.status == .succeeded, !producer.isInvalidated,
        pipeline.isCurrent(producer, step, usedBy: owner == nil ? current : user, at: place)
      else { continue }
      // If it expired too often, the run has stopped or the item is paused, and each has its reason.
      _ = invalidateResult(step, owner, failure, after, for: key, at: now)
    }
    for place in batch.places { continueFrame(place.key, at: now) }
  }

  private mutating func endStep(
    _ batch: OpenBatch, as what: RetryPolicy.Exhausted, _ failure: Failure,
    next: StepState.Status, at now: Instant
  ) {
    change(batch) { step in
      // Only a batch that the server may have accepted must be reassembled.
      if step.batch?.isOpen != true { step.batch = nil }
    }
    for place in batch.places { endStep(place, as: what, failure, next: next, at: now) }
  }
}

extension [Verdict] {
  /// Why the response does not contain the outcome of a member; `nil` if it contains those of all.
  fileprivate var firstUnread: Failure? {
    for case .unknown(let failure) in self { return failure }
    return nil
  }
}
