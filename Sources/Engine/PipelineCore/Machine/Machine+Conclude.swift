import CEL

extension Machine {
  /// Applies a verdict; one without the current fence changes nothing (invariant 4).
  mutating func conclude(_ id: EffectID, _ verdict: Verdict, at now: Instant) {
    guard id.run == state.id, inFlight.remove(id) != nil else { return }
    defer { if pipeline.isExchange(id) { releaseConnection(at: now) } }
    learn(ofResourcesFrom: verdict, at: now)
    noteHost(of: id, verdict, at: now)
    countRefusal(of: id, verdict, at: now)
    defer { haltIfRefused(at: now) }
    guard let step = id.step else {
      concludeCompensation(id, verdict, at: now)
      return
    }
    if let members = batches.inFlight.removeValue(forKey: id) {
      concludeBatch(id, step, members, verdict, at: now)
      return
    }
    let place = StepPlace(key: id.item, step: step)
    if renewals.pending[id.item]?.step == step { removePendingRenewal(id.item) }
    let isWithdrawn = renewals.withdrawn.remove(id) != nil
    let verdict = isWithdrawn && verdict == .interrupted ? .notDone : verdict
    guard let current = frames.stepState(step, for: id.item), current.isInFlight else { return }
    if current.status == .running, pipeline.steps[step].transfer != nil { ledger.transfers -= 1 }
    StepConclusion(place: place, current: current, now: now).conclude(verdict, in: &self)
    if current.status == .running, pipeline.steps[step].transfer != nil { wakeTransfers(at: now) }
  }

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
    let isUnresolved = frames.stepState(step, for: members[0], \.isUnresolved) == true
    let batch = BatchConclusion(
      step: step, places: members.map { StepPlace(key: $0, step: step) },
      isProbe: frames.stepState(step, for: members[0], \.status) == .probing, now: now,
      again: isUnresolved ? .unknown : .pending)
    if let loop = id.item?.loop { agenda.unfilled.insert(loop) }
    batch.conclude(verdict, in: &self)
  }
}
