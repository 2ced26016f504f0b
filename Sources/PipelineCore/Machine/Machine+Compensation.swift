/// Undoing at the server what an item left there when it failed or is given up.
extension Machine {
  /// Sends the next compensation whose outputs are all there, or lets the item go.
  mutating func abandon(
    _ key: ItemKey, from index: Int, next: Item.Status, at now: Instant
  ) {
    let known = item(key)?.abandoning
    if let known, inFlight.contains(compensationID(key, known)) { return }
    let compensations = pipeline.loops[key.loop].onAbandon
    var index = index
    var readiness = Readiness.impossible
    while index < compensations.count {
      readiness = self.readiness(of: compensations[index], for: key, at: now)
      if readiness != .impossible { break }
      index += 1
    }
    guard index < compensations.count else {
      remove(key, as: next, at: now)
      return
    }
    var abandoning = Item.Abandoning(
      index: index, attempt: known?.attempt ?? 0, next: next, isUndone: known?.isUndone ?? false)
    defer { state.loops[key.loop].active[key.ordinal]?.abandoning = abandoning }
    checkpoint.touched.insert(key)
    guard state.status == .running || state.status == .cancelling else {
      blockers[key] = .stopped
      return
    }
    if case .needs(let step) = readiness {
      waitForCredential(key, step, at: now)
      return
    }
    guard isAllowed(state.pace.expectedRequest, at: now) else {
      waitForAllowance(
        key, pipeline.loops[key.loop].steps.first ?? 0, state.pace.expectedRequest)
      return
    }
    abandoning.attempt += 1
    issueCompensation(key, abandoning, at: now)
  }

  /// Whether a compensation can be sent.
  private enum Readiness: Hashable {
    /// All that it names is there and alive.
    case ready
    /// The credential that this step of run scope makes has to be made anew first.
    case needs(Int)
    /// What it would undo was never made, or is dead.
    case impossible
  }

  private func readiness(
    of compensation: Abandonment, for key: ItemKey, at now: Instant
  ) -> Readiness {
    var credential: Int?
    for use in compensation.uses {
      guard !isAlive(use, for: key, at: now) else { continue }
      guard use.isCredential, pipeline.steps[use.step].loop == nil,
        !obtainedCredentials.contains(use.step) || stepState(use.step, for: nil)?.isInFlight == true
      else { return .impossible }
      credential = use.step
    }
    return credential.map { .needs($0) } ?? .ready
  }

  private func isAlive(_ use: OutputUse, for key: ItemKey, at now: Instant) -> Bool {
    guard let producer = stepState(use.step, for: key), producer.status == .succeeded,
      !producer.isDead
    else { return false }
    guard let output = use.output else { return true }
    return producer.outputs.indices.contains(output)
      && producer.outputs[output].isAlive(at: now)
  }

  /// Lets a compensation wait for a credential that died, or that was lost with the last process.
  private mutating func waitForCredential(_ key: ItemKey, _ step: Int, at now: Instant) {
    if let producer = stepState(step, for: nil), producer.status == .succeeded, !producer.isDead {
      let failure = Failure("the result of step '\(pipeline.steps[step].id)' has expired")
      if state.status == .cancelling {
        update(Place(key: nil, step: step)) { $0.isDead = true }
      } else if !kill(step, nil, failure, for: key, at: now) {
        blockers[key] = .stopped
        return
      }
    }
    queues.steps[step, default: Line()].wait(key, isFirst: false)
    blockers[key] = .dependency(step: pipeline.loops[key.loop].steps.first ?? 0, on: step)
    isRunDue = true
  }

  /// Makes, while the run is given up, the credentials that compensations wait for: each once, as a
  /// compensation itself has one attempt.
  mutating func obtainCredentials(at now: Instant) {
    for wanted in queues.steps.keys.sorted() where queues.steps[wanted]?.isEmpty == false {
      for _ in 0...pipeline.steps.count {
        let unsettled = pipeline.runSteps.first { $0 <= wanted && !isSettled($0, for: nil) }
        guard let step = unsettled else { break }
        let place = Place(key: nil, step: step)
        if stepState(step, for: nil)?.notBefore != nil { update(place) { $0.notBefore = nil } }
        guard case .again = move(step, nil, at: now) else {
          if stepState(wanted, for: nil)?.isInFlight == true { obtainedCredentials.insert(wanted) }
          break
        }
      }
    }
  }

  /// A credential could not be made: whatever waits for one goes on without.
  mutating func giveUpCredentials(_ place: Place, at now: Instant) {
    update(place) { step in
      step.status = .pending
      step.since = now
    }
    blockers[nil] = .stopped
    for step in queues.steps.keys.sorted() {
      obtainedCredentials.insert(step)
      wakeDependents(of: step, at: now)
    }
  }

  /// The fence of a compensation: its generation is 0, which no step ever has.
  private func compensationID(_ key: ItemKey, _ abandoning: Item.Abandoning) -> EffectID {
    EffectID(
      run: state.id, item: key, step: pipeline.loops[key.loop].steps.first ?? 0, generation: 0,
      attempt: abandoning.attempt)
  }

  private mutating func issueCompensation(
    _ key: ItemKey, _ abandoning: Item.Abandoning, at now: Instant
  ) {
    let id = compensationID(key, abandoning)
    launch(id)
    blockers[key] = .compensation
    checkpoint.holdsIntents = true
    effects.append(
      .perform(
        Command(
          id: id, action: .abandon(abandoning.index),
          scope: Scope(state, item: item(key), now: now))))
  }

  mutating func concludeCompensation(_ id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard let key = id.item, let abandoning = item(key)?.abandoning else { return }
    switch verdict {
    case .uncertain(let answered): concludeCompensation(id, answered, at: now)
    case .interrupted:
      // Our own interruption: the compensation is sent again as soon as it may be.
      abandon(key, from: abandoning.index, next: abandoning.next, at: now)
    case .success, .results, .notDone, .poll, .itemDone, .itemSkipped, .expired:
      state.loops[key.loop].active[key.ordinal]?.abandoning?.isUndone = true
      abandon(key, from: abandoning.index + 1, next: abandoning.next, at: now)
    case .retry(let failure, _, _), .fail(let failure), .pause(let failure),
      .unknown(let failure), .unavailable(_, let failure):
      let reason = item(key)?.reason
      let text = [reason?.message, "not undone at the server: \(failure.message)"]
        .compactMap { $0 }.joined(separator: "; ")
      state.loops[key.loop].active[key.ordinal]?.reason = Failure(text, status: reason?.status)
      abandon(key, from: abandoning.index + 1, next: abandoning.next, at: now)
    }
  }
}
