extension Machine {
  enum AdvanceOutcome {
    case again
    case wait
  }

  /// Issues the frame's next command, if order, lifetimes, budgets and the allowance permit it.
  mutating func advance(_ key: ItemKey?, at now: Instant) {
    if let key, !frames.isInWindow(key) { return }
    leaveQueues(key)
    if let key, state.status == .running, !mayContinue(key) { return }
    if let key, frames.abandonProgress(of: key) != nil {
      guard let part = key.part else {
        Reversal(key: key, now: now).proceed(in: &self)
        return
      }
      // What undoes an item is the item's own: a part that still waited has nothing more to do.
      waiting.blockers[key] = .parts(step: part.step)
      return
    }
    guard state.status == .running else {
      waiting.blockers[key] = .stopped
      if key == nil, state.status == .cancelling { obtainCredentials(at: now) }
      return
    }
    if key != nil, renewals.pending[key] != nil {
      answerRenewal(key, at: now)
      return
    }
    // Each round settles, skips or reissues a step, each at most once before something is issued.
    for _ in 0...(4 * pipeline.steps.count + 4) {
      guard let step = nextStep(key, at: now) else { return }
      guard case .again = move(step, key, at: now) else { return }
    }
  }

  /// The first step that is not settled; the frame's end is handled here.
  private mutating func nextStep(_ key: ItemKey?, at now: Instant) -> Int? {
    guard let key else { return nextRunStep(at: now) }
    guard frames.isInWindow(key) else { return nil }
    let steps = pipeline.steps(of: key)
    if let step = frames.openStep(in: key) { return frames.prerequisite(of: step, in: key) ?? step }
    for step in steps {
      if let next = frames.unsettled(step, for: key) {
        return closesParts(of: key, at: now) ? nil : next
      }
      if frames.hasOpenParts(step, for: key), !workOnParts(step, key, at: now) { return nil }
    }
    // An item of which nothing was to be done was not sent.
    let isLeftOut =
      key.part == nil && !steps.isEmpty
      && steps.allSatisfy { frames.stepState($0, for: key, \.status) == .skipped }
    leaveWindow(
      key, as: isLeftOut ? .skipped : .done,
      reason: isLeftOut ? Failure("each step was left out by its `if`") : nil, at: now)
    return nil
  }

  private mutating func nextRunStep(at now: Instant) -> Int? {
    if let step = frames.openStep(in: nil) { return frames.prerequisite(of: step, in: nil) ?? step }
    for node in pipeline.nodes {
      switch node {
      case .step(let step):
        if !frames.isLeftToLead(step), let next = frames.unsettled(step, for: nil) { return next }
      case .loop(let loop): if !passLoop(loop, at: now) { return nil }
      }
    }
    if let loop = state.loops.indices.first(where: { !state.loops[$0].active.isEmpty }) {
      // What replaced results left is still being undone.
      waiting.blockers[nil] = .loop(loop)
      return nil
    }
    finishRun(at: now)
    return nil
  }

  mutating func move(_ step: Int, _ key: ItemKey?, at now: Instant) -> AdvanceOutcome {
    let place = StepPlace(key: key, step: step)
    guard let current = frames.stepState(step, for: key) else { return .wait }
    if refusesToRemake(step, at: now) { return .wait }
    switch current.status {
    case .running:
      waiting.blockers[key] = .attempt(step: step)
      answerRenewal(key, at: now)
      return .wait
    case .probing:
      waiting.blockers[key] = .probe(step: step)
      return .wait
    case .succeeded:
      if frames.isSettled(step, for: key) { return Turn(place: place, now: now).end(in: &self) }
      if let outcome = keepForUnresolved(place, at: now) { return outcome }
      prepareReissue(place, at: now)
      frames.reconsiderSkips(after: step, in: key)
      return .again
    case .pending, .queued, .unknown, .skipped: break
    }
    if let notBefore = current.notBefore, notBefore > now {
      return wait(place, current, until: notBefore, at: now)
    }
    if current.status == .unknown, case .lost(let failure) = frames.resolution(of: place, current) {
      giveUpResolving(place, failure, at: now)
      return .wait
    }
    if let outcome = ensureSources(of: place, current, at: now) { return outcome }
    if current.status == .pending, current.attempt > 0 || current.turn > 0,
      !frames.isMadeFromCurrent(current, step, for: key)
    {
      // The repeat would not be the same request, so it must not have the same fence and idempotency
      // key; and a new upload is not where the old one was.
      prepareReissue(place, at: now)
      return .again
    }
    if current.status == .pending, current.attempt == 0,
      let condition = pipeline.steps[step].condition
    {
      do throws(EvaluationFailure) {
        guard try evaluator.isTrue(condition, frames.scope(of: key, at: now)) else {
          skip(place, at: now)
          return .again
        }
      } catch {
        failEvaluation(place, error.failure, at: now)
        return .wait
      }
    }
    if let outcome = Turn(place: place, now: now).begin(in: &self) ?? beginParts(place, at: now) {
      return outcome
    }
    if let waits = holdUntilEarliest(place, current, at: now) { return waits }
    return admit(place, at: now)
  }

  /// Makes a step wait for its time: here, or with the service if only the service may run by then.
  private mutating func wait(
    _ place: StepPlace, _ current: StepState, until notBefore: Instant, at now: Instant
  ) -> AdvanceOutcome {
    // Before the first attempt of a transfer, only the author's setting delays it.
    let isEarly = current.attempt == 0 && pipeline.steps[place.step].transfer?.earliest != nil
    guard isEarly, frames.serviceHoldsUntilEarliest(place.step) else {
      delay(place, until: notBefore, isEarly: isEarly, at: now)
      return .wait
    }
    frames.update(place) { step in
      step.earliest = notBefore
      step.notBefore = nil
    }
    return .again
  }

  /// Delays a transfer's first attempt until its author's time; `nil` if nothing holds it.
  private mutating func holdUntilEarliest(_ place: StepPlace, _ current: StepState, at now: Instant)
    -> AdvanceOutcome?
  {
    guard current.status == .pending, current.attempt == 0, current.notBefore == nil,
      let policy = pipeline.steps[place.step].transfer, let earliest = policy.earliest
    else { return nil }
    if current.earliest != nil { return nil }
    do throws(EvaluationFailure) {
      let moment = try evaluator.moment(earliest, frames.scope(of: place.key, at: now))
      if frames.serviceHoldsUntilEarliest(place.step) {
        frames.update(place) { $0.earliest = moment }
        return nil
      }
      guard moment > now else { return nil }
      frames.update(place) { $0.notBefore = moment }
      delay(place, until: moment, isEarly: true, at: now)
    } catch { failEvaluation(place, error.failure, at: now) }
    return .wait
  }

  mutating func skip(_ place: StepPlace, at now: Instant) {
    ledger.releaseClaim(place, in: &frames)
    frames.update(place) { step in
      step.status = .skipped
      step.since = now
      // Results derived from an earlier result must be recreated without it.
      if step.generation > 0 { step.generation += 1 }
    }
    if place.key == nil { wakeDependents(of: place.step, at: now) }
  }

  /// Ensures that everything the step reads exists and stays valid long enough; returns `nil` if so.
  private mutating func ensureSources(of place: StepPlace, _ current: StepState, at now: Instant)
    -> AdvanceOutcome?
  {
    // Computed only if something with a lifetime is read.
    var need: Duration?
    for use in frames.requiredUses(of: place) {
      guard let producer = frames.stepState(use.step, for: place.key) else { continue }
      if producer.status == .skipped || frames.isLeftOutOfTurns(use.step, by: place) { continue }
      let ownerKey = frames.owner(of: use.step, readFrom: place.key)
      var isAlive = producer.hasResult
      if isAlive, need == nil, use.output != nil,
        producer.outputs.contains(where: { $0.staleFrom != nil })
      {
        need = frames.expectedDuration(of: place, probing: frames.isProbed(place, current), at: now)
      }
      if isAlive, use.output == nil, pipeline.steps[use.step].makesFile, producer.file == nil {
        // A file that was only released is recreated as it was, without anything that was derived from it.
        isAlive = false
        frames.remakeFile(StepPlace(key: ownerKey, step: use.step), at: now)
      }
      if isAlive,
        let failure = frames.reasonUnusable(of: use, producer, at: now, need: need ?? .zero)
      {
        isAlive = false
        guard invalidateResult(use.step, ownerKey, failure, for: place.key, at: now) else {
          return .wait
        }
      }
      if isAlive { continue }
      if let key = place.key, key.part != nil, ownerKey == key.whole {
        waiting.blockers[key] = .parts(step: use.step)
        agenda.dueItems.insert(key.whole)
        return .wait
      }
      if ownerKey == nil, place.key != nil {
        waiting.steps[use.step, default: FrameQueue()].enqueue(place.key, isFirst: false)
        waiting.blockers[place.key] = .dependency(step: place.step, on: use.step)
        agenda.isRunDue = true
        return .wait
      }
      return .again
    }
    return nil
  }

  /// Checks budgets and allowance, and issues the step.
  private mutating func admit(_ place: StepPlace, at now: Instant) -> AdvanceOutcome {
    let key = place.key
    guard let current = frames.stepState(place.step, for: key) else { return .wait }
    let isProbe = frames.isProbed(place, current)
    if pipeline.steps[place.step].batch != nil {
      // Waiting in a batch needs no allowance; sending the batch does.
      enqueueForBatch(place, current, at: now)
      return .wait
    }
    if state.allowance != .unlimited {
      let needed = frames.expectedDuration(of: place, probing: isProbe, at: now)
      guard isAllowed(place, isProbe: isProbe, needed: needed, at: now) else {
        waitForAllowance(key, place.step, needed)
        return .wait
      }
    }
    guard !isLacking(place, probing: isProbe), isHostOpen(place, probing: isProbe, at: now) else {
      return .wait
    }
    if isProbe {
      if hasConnection(place), hasToken(place, at: now) { issue(place, .probe, at: now) }
      return .wait
    }
    let kind = pipeline.steps[place.step].kind
    // The slot is checked first and acquired last, so that none is held while waiting for space.
    guard !kind.isTransfer || hasSlot(place), !kind.hasResponse || hasConnection(place),
      hasToken(place, at: now)
    else { return .wait }
    if kind.makesFile {
      reserve(place, at: now)
    } else {
      if kind.isTransfer { ledger.transfers += 1 }
      issue(place, .attempt(reservedBytes: 0), at: now)
    }
    return .wait
  }

  mutating func issue(_ place: StepPlace, _ action: Command.Action, at now: Instant) {
    beginAttempt(place, action, at: now)
    demand(
      Command(
        id: frames.effectID(place), action: action, scope: frames.scope(of: place.key, at: now)))
  }

  /// Performs a command once the state that requires it is durable.
  mutating func demand(_ command: Command) {
    launch(command.id)
    limits.takeTokens(
      for: command.id, probing: command.action == .probe, in: &frames, at: command.scope.now)
    if limits.hasEffect(command, in: pipeline) { frames.changes.isDurable = true }
    if let claim = evaluator.claim(of: command) { frames.changes.claims.append(claim) }
    agenda.effects.append(.perform(command))
  }

  mutating func beginAttempt(_ place: StepPlace, _ action: Command.Action, at now: Instant) {
    let sources = frames.sources(of: place.step, for: place.key)
    frames.update(place) { step in
      if step.attempt == 0 { step.generation += 1 }
      step.attempt += 1
      step.status = action == .probe ? .probing : .running
      step.since = now
      step.begun = step.begun ?? now
      step.notBefore = nil
      step.challenges = 0
      step.sources =
        action == .probe
        ? Array(step.sources.prefix(sources.uses.count)) + sources.probe : sources.uses
    }
    waiting.blockers[place.key] =
      action == .probe ? .probe(step: place.step) : .attempt(step: place.step)
  }

  /// A definition that does not fit the values it was evaluated with: no repeat can help.
  mutating func failEvaluation(_ place: StepPlace, _ failure: Failure, at now: Instant) {
    frames.update(place) { $0.failure = failure }
    if let key = place.key {
      leaveWindow(key, as: .failed, reason: failure, at: now)
    } else {
      halt(failure, at: now)
      waiting.blockers[nil] = .stopped
    }
  }
}
