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
    else { return }
    let place = StepPlace(key: key, step: asking.step)
    waiting.blockers[key] = .attempt(step: asking.step)
    guard renewals.sourcesHold(place, current, asking.renewal, in: frames, at: now) else {
      withdraw(place)
      return
    }
    switch renewals.missingInput(place, current, asking.renewal, in: frames, at: now) {
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

  /// Sends the reply; this is durable before the transfer receives it.
  private mutating func renewRequest(_ place: StepPlace, _ renewal: Renewal, at now: Instant) {
    let id = frames.effectID(place)
    let sources = frames.sources(of: place.step, for: place.key).uses
    frames.update(place) { step in
      step.sources = sources
      if renewal == .challenge { step.challenges += 1 }
    }
    removePendingRenewal(place.key)
    if renewal == .challenge { limits.takeTokens(for: id, in: &frames, at: now) }
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
  @discardableResult mutating func removePendingRenewal(_ key: ItemKey?) -> Renewals.Pending? {
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
}
