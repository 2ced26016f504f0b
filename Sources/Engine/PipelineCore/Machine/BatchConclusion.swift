/// Applies the verdict on a batch that was in flight to its members.
struct BatchConclusion {
  let step: Int
  let places: [StepPlace]
  let isProbe: Bool
  let now: Instant
  /// The state of its members until it is sent again.
  var again: StepState.Status

  /// Applies the verdict: that on the whole to all members, and its own to each.
  func conclude(_ verdict: Verdict, in machine: inout Machine) {
    switch verdict {
    case .results(let result, let verdicts): take(result, verdicts, in: &machine)
    case .success(let result):
      machine.frames.learn(from: result, places[0], isProbe: isProbe)
      for place in places { apply(verdict, to: place, isProbe: isProbe, in: &machine) }
    case .itemDone, .itemSkipped: for place in places { apply(verdict, to: place, in: &machine) }
    case .retry(let failure, let after, let progressed):
      fail(failure, retryAfter: after, madeProgress: progressed, next: again, in: &machine)
    case .unknown, .interrupted: leaveOpen(verdict, in: &machine)
    case .stale(let failure):
      let last = machine.frames.stepState(step, for: places[0].key)?.failure
      let isFirst = failure.isFirstStale(after: last)
      change(in: &machine) { $0.failure = failure }
      leaveOpen(isFirst ? .interrupted : .unknown(failure), in: &machine)
    case .expired(let source, let failure, let after):
      expire(source, failure, retryAfter: after, in: &machine)
    case .fail(let failure): endStep(as: .fail, failure, next: again, in: &machine)
    case .pause(let failure): endStep(as: .pause, failure, next: again, in: &machine)
    case .pauseRun(let failure):
      machine.haltRefused(failure, at: now)
      postpone(again, failure, until: nil, in: &machine)
    case .unavailable(let resource, let failure):
      change(in: &machine) { step in
        step.status = again
        step.since = now
        step.failure = failure
      }
      machine.noteShortage(resource, places, at: now)
    case .uncertain(let answered):
      // The server may have accepted it: it can only be sent again as a whole, or probed.
      change(in: &machine) { $0.batch?.isOpen = true }
      guard let again = machine.pipeline.safeRepeat(of: step, after: isProbe ? .probing : .running)
      else {
        endStep(
          as: .pause, Failure.unsafeRepeat(answered.wantsRepeat ?? Failure("refused")),
          next: .pending, in: &machine)
        return
      }
      var open = self
      open.again = again
      open.conclude(answered, in: &machine)
    case .poll(let instant, let status, _, _):
      change(in: &machine) { $0.note(status) }
      let delay = machine.pipeline.steps[step].retry.initial
      postpone(again, nil, until: instant ?? now + delay, in: &machine)
    case .notDone:
      let current = machine.frames.stepState(step, for: places[0].key)
      if let current, let moment = machine.pipeline.nextProbe(of: step, current, at: now) {
        postpone(.unknown, current.failure, until: moment, in: &machine)
      } else {
        change(in: &machine) { $0.batch?.isOpen = false }
        postpone(.pending, current?.failure, until: nil, in: &machine)
      }
    }
  }

  private func take(_ result: StepResult, _ verdicts: [Verdict], in machine: inout Machine) {
    machine.frames.learn(from: result, places[0], isProbe: isProbe)
    let missing = Failure("the response to its batch does not mention it", status: result.status)
    let isCreating = machine.pipeline.steps[step].effect == .create
    var said = places.indices.map { index in
      index < verdicts.count ? verdicts[index] : isCreating ? .unknown(missing) : .pause(missing)
    }
    if let unread = said.firstUnread, !isProbe,
      case .repeated = machine.frames.resolution(of: places[0])
    {
      // Only the whole batch can be repeated under its key.
      guard isPartial(in: machine) else {
        leaveOpen(.unknown(unread), in: &machine)
        return
      }
      said = said.map { Self.released($0) }
    }
    for (place, verdict) in zip(places, said) {
      apply(verdict, to: place, isProbe: isProbe, in: &machine)
    }
  }

  private func change(in machine: inout Machine, _ change: (inout StepState) -> Void) {
    for place in places { machine.frames.update(place, change) }
  }

  /// Applies the response's result for one member, which has left the batch.
  private func apply(
    _ verdict: Verdict, to place: StepPlace, isProbe: Bool = false, in machine: inout Machine
  ) {
    machine.frames.update(place) { step in
      step.batch = nil
      // The probe's question is answered; a member that must be sent again is queued, not probed.
      step.status = .running
      step.unknownSince = nil
    }
    guard let current = machine.frames.stepState(place.step, for: place.key) else { return }
    let conclusion = StepConclusion(place: place, current: current, now: now)
    if case .success(let result) = verdict {
      if isProbe { machine.frames.restoreSources(place, current) }
      conclusion.succeed(result, in: &machine)
    } else {
      conclusion.conclude(verdict, in: &machine)
    }
  }

  private func leaveOpen(_ verdict: Verdict, in machine: inout Machine) {
    change(in: &machine) { $0.batch?.isOpen = true }
    var failure = Failure("the attempt was interrupted")
    if case .unknown(let lost) = verdict { failure = lost }
    let status: StepState.Status = isProbe ? .probing : .running
    guard let next = machine.pipeline.safeRepeat(of: step, after: status) else {
      endStep(as: .pause, Failure.unsafeRepeat(failure), next: .pending, in: &machine)
      return
    }
    if case .unknown = verdict {
      fail(failure, next: next, in: &machine)
    } else {
      postpone(
        next, machine.frames.stepState(step, for: places[0].key)?.failure, until: nil, in: &machine)
    }
  }

  private func isPartial(in machine: Machine) -> Bool {
    places.contains { machine.frames.stepState($0.step, for: $0.key, \.batch)??.isPartial == true }
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
  private func fail(
    _ failure: Failure, retryAfter after: Instant? = nil, madeProgress progressed: Bool = false,
    next: StepState.Status, in machine: inout Machine
  ) {
    let policy = machine.pipeline.steps[step].retry
    let known = machine.frames.stepState(step, for: places[0].key)?.batch
    let failures = (progressed ? 0 : known?.failures ?? 0) + 1
    let begun = progressed ? now : (known?.begun ?? now)
    change(in: &machine) { step in
      step.batch?.failures = failures
      step.batch?.begun = begun
      step.note(failure.status)
    }
    switch machine.frames.retryDecision(
      policy, failures, since: begun, failure, wished: after, at: now)
    {
    case .exhausted(let reason):
      _ = machine.frames.pauseHost(
        of: places[0], failure, after: after, until: after ?? now, at: now)
      for place in places { machine.countExhaustion(of: place, failure, at: now) }
      endStep(as: policy.exhausted, reason, next: next, in: &machine)
    case .at(let moment):
      let turn = machine.frames.pauseHost(
        of: places[0], failure, after: after, until: moment, at: now)
      postpone(next, failure, until: turn, in: &machine)
    }
  }

  private func postpone(
    _ status: StepState.Status, _ failure: Failure?, until moment: Instant?,
    in machine: inout Machine
  ) {
    for place in places {
      machine.frames.putBack(place, as: status, failure, until: moment, at: now)
    }
    let moment = machine.frames.stepState(step, for: places[0].key)?.notBefore
    for place in places {
      if machine.state.status == .running, let moment, moment > now {
        machine.delay(place, until: moment, isEarly: false, at: now)
      } else {
        machine.continueFrame(place.key, at: now)
      }
    }
  }

  private func expire(
    _ source: Int, _ failure: Failure, retryAfter after: Instant?, in machine: inout Machine
  ) {
    let (place, pipeline) = (places[0], machine.pipeline)
    guard let current = machine.frames.stepState(step, for: place.key), source != step,
      !machine.frames.isLeftOutOfTurns(source, by: place),
      !isProbe || pipeline.isCredential(source, ofProbe: step),
      machine.frames.stepState(source, for: place.key).map({ $0.status != .skipped }) == true
    else {
      fail(failure, retryAfter: after, next: again, in: &machine)
      return
    }
    let isRefuted = machine.frames.provesNotDone(source, failure, place, current)
    // A batch that may have taken effect is resolved before any of its members continues on its own.
    guard pipeline.steps[source].loop == nil || again == .unknown && !isRefuted else {
      let verdict = Verdict.expired(step: source, failure, after: after)
      for place in places { apply(verdict, to: place, in: &machine) }
      return
    }
    for place in places {
      machine.frames.putBack(place, as: isRefuted ? .pending : again, failure, at: now)
    }
    change(in: &machine) { item in
      if isRefuted { item.batch?.isOpen = false }
      item.note(failure.status)
    }
    let owners = pipeline.steps[source].loop == nil ? [nil] : places.map(\.key)
    for owner in owners {
      let key = owner ?? place.key
      guard let producer = machine.frames.stepState(source, for: owner),
        let user = machine.frames.stepState(step, for: key), producer.hasResult,
        pipeline.isCurrent(producer, source, usedBy: owner == nil ? current : user, at: place)
      else { continue }
      // If it expired too often, the run has stopped or the item is paused, and each has its reason.
      _ = machine.invalidateResult(source, owner, failure, after, for: key, at: now)
    }
    for place in places { machine.continueFrame(place.key, at: now) }
  }

  private func endStep(
    as what: RetryPolicy.Exhausted, _ failure: Failure, next: StepState.Status,
    in machine: inout Machine
  ) {
    change(in: &machine) { step in
      // Only a batch that the server may have accepted must be reassembled.
      if step.batch?.isOpen != true { step.batch = nil }
    }
    for place in places { machine.endStep(place, as: what, failure, next: next, at: now) }
  }
}

extension [Verdict] {
  /// Why the response does not contain the outcome of a member; `nil` if it contains those of all.
  fileprivate var firstUnread: Failure? {
    for case .unknown(let failure) in self { return failure }
    return nil
  }
}
