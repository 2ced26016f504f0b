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

  /// A credential cannot be reissued: effects that wait for it are left on the server, and reported.
  mutating func giveUpCredentials(_ failure: Failure, at now: Instant) {
    for step in waiting.steps.keys.sorted() {
      compensations.credentials.insert(step)
      frames.update(StepPlace(key: nil, step: step)) { $0.failure = failure }
      wakeDependents(of: step, at: now)
    }
  }
}
