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
      if let key = id.item { Reversal(key: key, now: now).conclude(verdict, in: &self) }
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

  mutating func endStep(
    _ place: StepPlace, as what: RetryPolicy.Exhausted, _ failure: Failure,
    next: StepState.Status, isExhausted: Bool = false, at now: Instant
  ) {
    ledger.release(place, in: &frames)
    let lack = limits.lack(failure, at: place.step, isExhausted: isExhausted, in: pipeline)
    frames.putBack(place, as: next, failure, at: now)
    let status: Item.Status = what == .pause ? .paused : .failed
    if let key = place.key, let lack {
      leaveToOthers(key, as: status, failure.saying(failure.message, lacking: lack), at: now)
    } else if let key = place.key {
      leaveWindow(key, as: status, reason: failure, at: now)
    } else {
      let title = "step '\(pipeline.steps[place.step].id)': "
      let text = failure.message.hasPrefix(title) ? failure.message : title + failure.message
      halt(failure.saying(text, lacking: lack ?? failure.lacking), at: now)
      waiting.blockers[nil] = .stopped
    }
  }

  /// Removes the frames of all parts from all queues, and deletes their files.
  mutating func dropParts(of step: Int, _ key: ItemKey?, partials: Bool = true) {
    guard let key, let parts = frames.stepState(step, for: key)?.parts else { return }
    for number in parts.active.keys.sorted() {
      let own = frames.part(number, of: step, key)
      leaveQueues(own)
      discardFiles(of: own, frames.frame(own), partials: partials)
    }
    agenda.dueParts.removeAll { $0.whole == key }
    frames.lists[key] = nil
    partsInProgress.closing.remove(key)
  }

  /// Deletes the files of a frame, with `partials` also those that it has begun to save; `false` if there are none.
  @discardableResult
  mutating func discardFiles(of key: ItemKey?, _ frame: Frame, partials: Bool = true) -> Bool {
    let hasSaves = partials && frames.hasBegunSaves(key, frame)
    guard hasSaves || frame.contains(where: { $0.holdsFile || $0.reservedBytes > 0 }) else {
      return false
    }
    discard(key, frame.reservedBytes, partials: hasSaves)
    return true
  }

  /// How many workers must fail in the same way before the shortage counts as the item's failure.
  static let agreement = 3
  /// How long a worker waits for a missing resource before it leaves the run to others.
  static let patience = Duration.seconds(30)

  /// Leaves an item to the other workers, or ends it as `status` if enough of them have failed in the same way.
  mutating func leaveToOthers(
    _ key: ItemKey, as status: Item.Status, _ failure: Failure, at now: Instant
  ) {
    guard let worker = limits.worker, var names = frames.item(key.whole)?.refusedBy else { return }
    if failure.lacking?.isDeliberate != true, !names.contains(worker) { names.append(worker) }
    let isAgreed = names.count >= Self.agreement
    frames.update(key.whole) { $0.refusedBy = isAgreed ? [] : names }
    guard isAgreed else { return leaveWindow(key, as: .paused, reason: failure, at: now) }
    let text = "\(failure.message) (at \(names.joined(separator: ", ")))"
    leaveWindow(key, as: status, reason: failure.saying(text, lacking: nil), at: now)
  }
}
