extension Machine {
  /// Makes a compensation wait for a credential that expired, or that was lost with the last process.
  mutating func waitForCredential(_ key: ItemKey, _ step: Int, at now: Instant) {
    if let producer = stepState(step, for: nil), producer.status == .succeeded,
      !producer.isInvalidated
    {
      let failure = Failure("the result of step '\(pipeline.steps[step].id)' has expired")
      if state.status == .cancelling {
        update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
      } else if !invalidateResult(step, nil, failure, for: key, at: now) {
        blockers[key] = .stopped
        return
      }
    }
    queues.steps[step, default: FrameQueue()].enqueue(key, isFirst: false)
    blockers[key] = .dependency(step: pipeline.loops[key.loop].steps.first ?? 0, on: step)
    isRunDue = true
  }

  /// The server refused a credential that a compensation was sent with.
  mutating func rejectCredential(
    _ step: Int, _ failure: Failure, sent: Instant, for key: ItemKey, at now: Instant
  ) {
    guard pipeline.steps[step].loop == nil, let producer = stepState(step, for: nil),
      producer.status == .succeeded, !producer.isInvalidated, producer.since <= sent
    else { return }
    if state.status == .running {
      _ = invalidateResult(step, nil, failure, for: key, at: now)
    } else {
      update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
    }
  }

  /// Reissues, while the run is being cancelled, the credentials that compensations wait for.
  mutating func obtainCredentials(at now: Instant) {
    guard !isHalting else { return }
    for wanted in queues.steps.keys.sorted() where queues.steps[wanted]?.isEmpty == false {
      for _ in 0...pipeline.steps.count {
        let unsettled = pipeline.runSteps.first { $0 <= wanted && !isSettled($0, for: nil) }
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
      || [queues.allowance, queues.disk, queues.transfers].contains { $0.frames.contains(nil) }
      || queues.rates.contains(nil)
  }

  /// Handles the result of an attempt at a credential while the run is being cancelled; retries are as usual.
  mutating func concludeCredential(
    _ place: StepPlace, _ verdict: Verdict, _ current: StepState, at now: Instant
  ) {
    let next = statusAfter(verdict, place, current)
    let probe = pipeline.steps[place.step].probe
    func rest(_ failure: Failure?, until moment: Instant?) {
      update(place) { step in
        Self.returnStep(&step, to: next ?? .pending, probe, at: now)
        step.failure = failure
        step.notBefore = [moment, step.notBefore].compactMap { $0 }.max()
      }
      isRunDue = true
    }
    func again(_ failure: Failure, _ after: Instant?) {
      let failures = current.failures + 1
      update(place) { $0.failures = failures }
      switch retryDecision(
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
      let failure = Self.unsafeRepeat(said.wantsRepeat ?? Failure("the attempt was interrupted"))
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
      if stepState(step, for: nil, \.status) == .succeeded, pipeline.steps[step].loop == nil {
        update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
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

  /// The state of a run-level step after an unsuccessful response; `nil` if it must not be repeated.
  private func statusAfter(
    _ verdict: Verdict, _ place: StepPlace, _ current: StepState
  ) -> StepState.Status? {
    switch verdict {
    case .uncertain, .unknown, .stale, .interrupted:
      safeRepeat(of: place.step, after: current.status)
    case .notDone: .pending
    case .success, .results, .retry, .expired, .fail, .pause, .pauseRun, .unavailable, .poll,
      .itemDone, .itemSkipped:
      current.status == .probing ? .unknown : .pending
    }
  }

  /// A credential cannot be reissued: effects that wait for it are left on the server, and reported.
  private mutating func giveUpCredentials(_ failure: Failure, at now: Instant) {
    for step in queues.steps.keys.sorted() {
      obtainedCredentials.insert(step)
      update(StepPlace(key: nil, step: step)) { $0.failure = failure }
      wakeDependents(of: step, at: now)
    }
  }
}
