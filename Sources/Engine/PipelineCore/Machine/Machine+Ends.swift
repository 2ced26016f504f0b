extension Machine {
  mutating func endStep(
    _ place: StepPlace, as what: RetryPolicy.Exhausted, _ failure: Failure,
    next: StepState.Status, isExhausted: Bool = false, at now: Instant
  ) {
    ledger.release(place, in: &frames)
    let lack = limits.lack(failure, at: place.step, isExhausted: isExhausted, in: pipeline)
    let probe = pipeline.steps[place.step].probe
    frames.update(place) { step in
      step.putBack(as: next, probe, at: now)
      step.failure = failure
    }
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
      discardFiles(ofPart: own, partials: partials)
    }
    agenda.dueParts.removeAll { $0.whole == key }
    frames.lists[key] = nil
    partsInProgress.closing.remove(key)
  }

  mutating func discardFiles(ofPart key: ItemKey, partials: Bool = true) {
    let frame = frames.frame(key)
    let hasSaves = partials && frames.hasBegunSaves(key, frame)
    if hasSaves || frame.contains(where: { $0.holdsFile || $0.reservedBytes > 0 }) {
      discard(key, frame.reduce(0) { $0 + $1.reservedBytes }, partials: hasSaves)
    }
  }

  /// How many workers must fail in the same way before the shortage counts as the item's failure.
  static let agreement = 3
  /// How long a worker waits for a missing resource before it leaves the run to others.
  static let patience = Duration.seconds(30)

  /// Leaves an item to the other workers, or ends it as `status` if enough of them have failed in the same way.
  mutating func leaveToOthers(
    _ key: ItemKey, as status: Item.Status, _ failure: Failure, at now: Instant
  ) {
    guard let worker = limits.worker, var names = frames.item(key.whole)?.refusedBy else {
      return
    }
    if failure.lacking?.isDeliberate != true, !names.contains(worker) { names.append(worker) }
    let isAgreed = names.count >= Self.agreement
    frames.update(key.whole) { $0.refusedBy = isAgreed ? [] : names }
    guard isAgreed else { return leaveWindow(key, as: .paused, reason: failure, at: now) }
    let text = "\(failure.message) (at \(names.joined(separator: ", ")))"
    leaveWindow(key, as: status, reason: failure.saying(text, lacking: nil), at: now)
  }
}
