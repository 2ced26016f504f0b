/// Cancelling a run: everything that its items left at servers is undone, if possible.
extension Machine {
  /// Abandons items until one must wait for a response.
  mutating func giveUpItems(at now: Instant) {
    var isMoving = true
    while isMoving, state.status == .cancelling, inFlight.isEmpty, !cancellation.isHalting {
      let before = state.loops.reduce(0) { $0 + $1.active.count }
      finishCancelling(at: now)
      drain(at: now)
      isMoving = state.loops.reduce(0) { $0 + $1.active.count } < before
    }
  }

  /// With nothing in flight: abandons active items, paused ones, leftovers, then the rest.
  private mutating func finishCancelling(at now: Instant) {
    for loop in state.loops.indices {
      for ordinal in state.loops[loop].active.keys.sorted() {
        let key = ItemKey(loop: loop, ordinal: ordinal)
        if frames.abandonProgress(of: key) == nil {
          leaveWindow(key, as: .cancelled, reason: frames.item(key)?.reason, at: now)
        } else if waiting.delays[key] == nil {
          advance(key, at: now)
        }
      }
      guard state.loops[loop].active.isEmpty else { return }
      if state.loops[loop].counts[.paused] > 0 {
        loadLeftovers(loop, .paused, after: -1)
        return
      }
      if let rows = cancellation.nextLeftovers(of: loop) {
        loadLeftovers(loop, rows.status, after: cancellation.leftovers[rows] ?? -1)
        return
      }
      let pending = state.loops[loop].counts[.pending]
      if pending > 0 {
        frames.changes.cancelledLoops.append(loop)
        frames.count(loop, .pending, -pending)
        frames.count(loop, .cancelled, pending)
      }
      if state.loops[loop].isRequeued { state.loops[loop].isRequeued = false }
    }
    guard inFlight.isEmpty else { return }
    endRun(as: .cancelled, nil, at: now)
  }

  private mutating func loadLeftovers(_ loop: Int, _ status: Item.Status, after: Int) {
    guard !state.loops[loop].isLoading else { return }
    state.loops[loop].isLoading = true
    state.loops[loop].cursor = after
    agenda.effects.append(
      .loadItems(loop: loop, status: status, after: after, limit: pipeline.loops[loop].readAhead))
  }

  mutating func abandonLoaded(_ loop: Int, isLast: Bool) {
    let items = state.loops[loop].ready
    state.loops[loop].ready = []
    guard !cancellation.isHalting else { return }
    let isPass = state.loops[loop].counts[.paused] == 0
    // As many at once as the loop permits; the others are read again.
    let limit = pipeline.loops[loop].concurrency
    var next = items.startIndex
    while next < items.endIndex, state.loops[loop].active.count < limit {
      var item = items[next]
      next += 1
      switch item.status {
      case .paused: break
      case .failed: guard item.isLeftAtServer else { continue }
      case .pending: guard item.frame.contains(where: { $0.generation > 0 }) else { continue }
      case .active, .done, .skipped, .cancelled: continue
      }
      if let left = item.abandoning {
        state.loops[loop].leftAtServer -= 1
        item.abandoning = left.restarted
        item.reason = left.cause
      }
      frames.count(loop, item.status, -1)
      frames.count(loop, .active, 1)
      item.status = .active
      state.loops[loop].active[item.key.ordinal] = item
      holdParts(of: item)
    }
    guard isPass, let rows = cancellation.nextLeftovers(of: loop) else { return }
    if next == items.endIndex, isLast || items.isEmpty {
      cancellation.leftovers[rows] = nil
    } else if next > items.startIndex {
      cancellation.leftovers[rows] = items[next - 1].key.ordinal
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

extension StepConclusion {
  /// Handles the result of an attempt at a credential while the run is being cancelled; retries are as usual.
  func concludeCredential(_ verdict: Verdict, in machine: inout Machine) {
    let next = machine.pipeline.statusAfter(verdict, place, current)
    func rest(_ failure: Failure?, until moment: Instant?) {
      machine.frames.putBack(place, as: next ?? .pending, failure, until: moment, at: now)
      machine.agenda.isRunDue = true
    }
    func again(_ failure: Failure, _ after: Instant?) {
      let failures = current.failures + 1
      machine.frames.update(place) { $0.failures = failures }
      switch machine.frames.retryDecision(
        machine.pipeline.steps[place.step].retry, failures, since: current.begun ?? now, failure,
        wished: after, at: now)
      {
      case .at(let moment): rest(failure, until: moment)
      case .exhausted(let reason):
        rest(reason, until: nil)
        machine.giveUpCredentials(reason, at: now)
      }
    }
    // An uncertain response is judged as it is: how the step is repeated was decided above.
    var said = verdict
    while case .uncertain(let answered) = said { said = answered }
    if next == nil {
      let failure = Failure.unsafeRepeat(said.wantsRepeat ?? Failure("the attempt was interrupted"))
      rest(failure, until: nil)
      machine.giveUpCredentials(failure, at: now)
      return
    }
    switch said {
    case .success, .results, .uncertain: return
    case .interrupted, .notDone: rest(current.failure, until: nil)
    case .poll(let moment, _, _, _):
      rest(nil, until: moment ?? now + machine.pipeline.steps[place.step].retry.initial)
    case .retry(let failure, let after, _): again(failure, after)
    case .unavailable(let resource, let failure): again(failure, now + resource.firstPause)
    case .unknown(let failure), .stale(let failure): again(failure, nil)
    case .expired(let step, let failure, let after):
      if machine.frames.stepState(step, for: nil, \.status) == .succeeded,
        machine.pipeline.steps[step].loop == nil
      {
        machine.frames.update(StepPlace(key: nil, step: step)) { $0.isInvalidated = true }
      }
      again(failure, after)
    case .fail(let failure), .pause(let failure), .pauseRun(let failure), .itemSkipped(let failure):
      rest(failure, until: nil)
      machine.giveUpCredentials(failure, at: now)
    case .itemDone:
      rest(nil, until: nil)
      machine.giveUpCredentials(Failure("the step was skipped"), at: now)
    }
  }
}
