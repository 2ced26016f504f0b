extension Machine {
  /// Makes a compensation wait for a credential that expired, or that was lost with the last process.
  mutating func waitForCredential(_ key: ItemKey, _ step: Int, at now: Instant) {
    if let producer = frames.stepState(step, for: nil), producer.status == .succeeded,
      !producer.isInvalidated
    {
      let failure = Failure("the result of step '\(pipeline.steps[step].id)' has expired")
      if state.status == .cancelling {
        frames.update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
      } else if !invalidateResult(step, nil, failure, for: key, at: now) {
        waiting.blockers[key] = .stopped
        return
      }
    }
    waiting.steps[step, default: FrameQueue()].enqueue(key, isFirst: false)
    waiting.blockers[key] = .dependency(step: pipeline.loops[key.loop].steps.first ?? 0, on: step)
    agenda.isRunDue = true
  }

  /// The server refused a credential that a compensation was sent with.
  mutating func rejectCredential(
    _ step: Int, _ failure: Failure, sent: Instant, for key: ItemKey, at now: Instant
  ) {
    guard pipeline.steps[step].loop == nil, let producer = frames.stepState(step, for: nil),
      producer.status == .succeeded, !producer.isInvalidated, producer.since <= sent
    else { return }
    if state.status == .running {
      _ = invalidateResult(step, nil, failure, for: key, at: now)
    } else {
      frames.update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
    }
  }

  /// Reissues, while the run is being cancelled, the credentials that compensations wait for.
  mutating func obtainCredentials(at now: Instant) {
    guard !cancellation.isHalting else { return }
    for wanted in waiting.steps.keys.sorted() where waiting.steps[wanted]?.isEmpty == false {
      for _ in 0...pipeline.steps.count {
        let unsettled = pipeline.runSteps.first { $0 <= wanted && !frames.isSettled($0, for: nil) }
        guard let step = unsettled, case .again = move(step, nil, at: now) else { break }
      }
      guard !isRunFrameBusy else { return }
      let id = pipeline.steps[wanted].id
      giveUpCredentials(Failure("step '\(id)' cannot be carried out again"), at: now)
      return
    }
  }

  /// Whether the run's frame will continue by itself: through a response, a timer, or a resource.
  private var isRunFrameBusy: Bool {
    state.frame.contains(where: \.isInFlight) || waiting.delays[nil] != nil
      || [waiting.allowance, waiting.disk, waiting.transfers].contains { $0.frames.contains(nil) }
      || waiting.rates.contains(nil)
  }

  /// Handles the result of an attempt at a credential while the run is being cancelled; retries are as usual.
  mutating func concludeCredential(
    _ place: StepPlace, _ verdict: Verdict, _ current: StepState, at now: Instant
  ) {
    let next = pipeline.statusAfter(verdict, place, current)
    let probe = pipeline.steps[place.step].probe
    func rest(_ failure: Failure?, until moment: Instant?) {
      frames.update(place) { step in
        step.putBack(as: next ?? .pending, probe, at: now)
        step.failure = failure
        step.notBefore = [moment, step.notBefore].compactMap { $0 }.max()
      }
      agenda.isRunDue = true
    }
    func again(_ failure: Failure, _ after: Instant?) {
      let failures = current.failures + 1
      frames.update(place) { $0.failures = failures }
      switch frames.retryDecision(
        pipeline.steps[place.step].retry, failures, since: current.begun ?? now, failure,
        wished: after, at: now)
      {
      case .at(let moment): rest(failure, until: moment)
      case .exhausted(let reason):
        rest(reason, until: nil)
        giveUpCredentials(reason, at: now)
      }
    }
    // An uncertain response is judged as it is: how the step is repeated was decided above.
    var said = verdict
    while case .uncertain(let answered) = said { said = answered }
    if next == nil {
      let failure = Failure.unsafeRepeat(said.wantsRepeat ?? Failure("the attempt was interrupted"))
      rest(failure, until: nil)
      giveUpCredentials(failure, at: now)
      return
    }
    switch said {
    case .success, .results, .uncertain: return
    case .interrupted, .notDone: rest(current.failure, until: nil)
    case .poll(let moment, _, _, _):
      rest(nil, until: moment ?? now + pipeline.steps[place.step].retry.initial)
    case .retry(let failure, let after, _): again(failure, after)
    case .unavailable(let resource, let failure): again(failure, now + resource.firstPause)
    case .unknown(let failure), .stale(let failure): again(failure, nil)
    case .expired(let step, let failure, let after):
      if frames.stepState(step, for: nil, \.status) == .succeeded, pipeline.steps[step].loop == nil
      {
        frames.update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
      }
      again(failure, after)
    case .fail(let failure), .pause(let failure), .pauseRun(let failure),
      .itemSkipped(let failure):
      rest(failure, until: nil)
      giveUpCredentials(failure, at: now)
    case .itemDone:
      rest(nil, until: nil)
      giveUpCredentials(Failure("the step was skipped"), at: now)
    }
  }

  /// A credential cannot be reissued: effects that wait for it are left on the server, and reported.
  private mutating func giveUpCredentials(_ failure: Failure, at now: Instant) {
    for step in waiting.steps.keys.sorted() {
      compensations.credentials.insert(step)
      frames.update(StepPlace(key: nil, step: step)) { $0.failure = failure }
      wakeDependents(of: step, at: now)
    }
  }
}
