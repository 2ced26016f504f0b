extension Machine {
  /// Records a transfer's query; one that is no longer in flight does not get a reply.
  mutating func requestRenewal(_ id: EffectID, _ renewal: Renewal, at now: Instant) {
    guard id.run == state.id, inFlight.contains(id) else { return }
    guard let step = id.step, state.status == .running, !renewals.withdrawn.contains(id),
      frames.stepState(step, for: id.item, \.status) == .running,
      frames.effectID(StepPlace(key: id.item, step: step)) == id,
      pipeline.steps[step].transfer?.renewals.contains(renewal) == true
    else {
      agenda.effects.append(.answerRenewal(id, .unchanged))
      return
    }
    renewals.pending[id.item] = Renewals.Pending(step: step, renewal: renewal)
    if id.item == nil { agenda.isRunDue = true } else { advance(id.item, at: now) }
  }

  /// Lets all transfers that asked continue unchanged: nothing will be reissued for them.
  mutating func releasePendingRenewals() {
    for key in renewals.pending.keys.sorted(by: ItemKey.precedes) { releaseUnchanged(key) }
  }

  /// Replies to the frame's transfer if everything that its request reads is valid; else reissues it.
  mutating func answerRenewal(_ key: ItemKey?, at now: Instant) {
    guard let asking = renewals.pending[key], let current = frames.stepState(asking.step, for: key)
    else {
      return
    }
    let place = StepPlace(key: key, step: asking.step)
    waiting.blockers[key] = .attempt(step: asking.step)
    guard sourcesHold(place, current, asking.renewal, at: now) else {
      withdraw(place)
      return
    }
    switch missingInput(place, current, asking.renewal, at: now) {
    case .nothing:
      // The reply to a challenge is sent in addition; a starting transfer was counted when it was handed over.
      guard asking.renewal != .challenge || hasToken(place, at: now) else { return }
      renewRequest(place, asking.renewal, at: now)
    case .freshness: releaseUnchanged(key)
    case .result(let step, let failure):
      // Reissuing it needs a short request, and it must not be sent now.
      guard state.allowance != .none else {
        releaseUnchanged(key)
        return
      }
      if let failure {
        guard invalidateResult(step, nil, failure, for: key, at: now) else {
          // The run was halted, which has let the transfer continue unchanged.
          waiting.blockers[key] = .attempt(step: asking.step)
          return
        }
      }
      // Without a failure, the run's own frame is already about to reissue the step, or has it in flight.
      if failure != nil { agenda.isRunDue = true }
      guard key != nil else { return }
      waiting.steps[step, default: FrameQueue()].enqueue(key, isFirst: false)
      waiting.blockers[key] = .renewal(step: asking.step, on: step)
    }
  }

  private enum MissingInput {
    case nothing
    /// A result other than the one that was refused.
    case freshness
    /// The result of this run-level step, and why it expired unless it is being reissued.
    case result(Int, Failure?)
  }

  private func missingInput(
    _ place: StepPlace, _ current: StepState, _ renewal: Renewal, at now: Instant
  ) -> MissingInput {
    let uses = pipeline.steps[place.step].uses
    let need = frames.expectedDuration(of: place, probing: false, at: now)
    var isFresh = renewal != .challenge
    for (use, source) in zip(uses, current.sources) where mayChange(use, of: place, current) {
      guard let producer = frames.stepState(use.step, for: nil), producer.status != .skipped else {
        continue
      }
      guard producer.status == .succeeded, !producer.isInvalidated else {
        return .result(use.step, nil)
      }
      if let failure = frames.reasonUnusable(of: use, producer, at: now, need: need) {
        return .result(use.step, failure)
      }
      guard renewal == .challenge, use.isCredential else { continue }
      if producer.generation != source {
        isFresh = true
      } else if current.challenges == 0 {
        let text = "the server challenged what step '\(pipeline.steps[use.step].id)' made"
        return .result(use.step, Failure(text, status: 401))
      }
    }
    return isFresh ? .nothing : .freshness
  }

  /// Whether the result may differ when the transfer continues, as a credential always may.
  private func mayChange(_ use: OutputUse, of place: StepPlace, _ current: StepState) -> Bool {
    guard pipeline.steps[use.step].loop == nil else { return false }
    let uses = pipeline.steps[place.step].uses
    if use.isCredential, !uses.contains(where: { $0.step == use.step && !$0.isCredential }) {
      return true
    }
    return renewals.pending[place.key]?.renewal == .begin && current.attempt == 1
      && place.key != nil
      && use.output != nil
  }

  /// Whether the transfer's sources are valid, except for those that may change.
  private func sourcesHold(
    _ place: StepPlace, _ current: StepState, _ renewal: Renewal, at now: Instant
  ) -> Bool {
    // A repeat is the original request, even if results have expired since.
    if current.isUnresolved { return true }
    let need = frames.expectedDuration(of: place, probing: false, at: now)
    for (use, source) in zip(pipeline.steps[place.step].uses, current.sources)
    where !mayChange(use, of: place, current) {
      guard let producer = frames.stepState(use.step, for: place.key) else { return false }
      if producer.status == .skipped || frames.isLeftOutOfTurns(use.step, by: place) { continue }
      if use.isCredential {
        // A challenge of it is left to the matchers.
        if renewal == .challenge { continue }
      } else if producer.generation != source {
        return false
      }
      guard producer.status == .succeeded, !producer.isInvalidated else { return false }
      guard let output = use.output, producer.outputs.indices.contains(output) else { continue }
      let value = producer.outputs[output]
      // The URL is evaluated again only when the transfer starts.
      if value.value == nil, renewal == .begin { return false }
      if let staleFrom = value.staleFrom, now + need >= staleFrom { return false }
    }
    guard let key = place.key else { return true }
    let earlier = pipeline.steps(of: key).prefix { $0 != place.step }
    return earlier.allSatisfy { frames.isSettled($0, for: key) }
  }

  /// Sends the reply; this is durable before the transfer receives it.
  private mutating func renewRequest(_ place: StepPlace, _ renewal: Renewal, at now: Instant) {
    let id = frames.effectID(place)
    let sources = frames.sources(of: place.step, for: place.key).uses
    frames.update(place) { step in
      step.sources = sources
      if renewal == .challenge { step.challenges += 1 }
    }
    removePendingRenewal(place.key)
    if renewal == .challenge { frames.takeTokens(for: id, at: now) }
    frames.changes.isDurable = true
    let scope = frames.scope(of: place.key, at: now)
    agenda.effects.append(
      .answerRenewal(id, renewal == .challenge ? .authorization(scope) : .request(scope)))
  }

  private mutating func releaseUnchanged(_ key: ItemKey?) {
    guard let asking = removePendingRenewal(key) else { return }
    waiting.blockers[key] = .attempt(step: asking.step)
    agenda.effects.append(
      .answerRenewal(frames.effectID(StepPlace(key: key, step: asking.step)), .unchanged))
  }

  /// The frame's transfer no longer waits for a reply.
  @discardableResult
  mutating func removePendingRenewal(_ key: ItemKey?) -> Renewals.Pending? {
    if case .renewal(_, let step)? = waiting.blockers[key] {
      waiting.steps[step]?.remove(key)
      if waiting.steps[step]?.isEmpty == true { waiting.steps[step] = nil }
    }
    waiting.rates.remove(key, keepsPlace: false)
    return renewals.pending.removeValue(forKey: key)
  }

  /// Cancels the transfer: unchanged it would fail, and nothing of it has taken effect.
  private mutating func withdraw(_ place: StepPlace) {
    let id = frames.effectID(place)
    removePendingRenewal(place.key)
    renewals.withdrawn.insert(id)
    agenda.effects.append(.interrupt(id))
  }

  func renewalViolations() -> [String] {
    renewals.pending.compactMap { key, asking in
      let place = StepPlace(key: key, step: asking.step)
      guard inFlight.contains(frames.effectID(place)), state.status == .running,
        frames.stepState(asking.step, for: key, \.status) == .running
      else { return "\(frames.effectID(place)) asked for a new request, but is not in flight" }
      guard key != nil else { return nil }
      if case .renewal = waiting.blockers[key] { return nil }
      if case .rate = waiting.blockers[key] { return nil }
      return "\(frames.effectID(place)) asked for a new request, but its blocker is not a renewal"
    }
  }
}
