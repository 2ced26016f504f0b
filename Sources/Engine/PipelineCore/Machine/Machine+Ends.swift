extension Machine {
  mutating func endStep(
    _ place: StepPlace, as what: RetryPolicy.Exhausted, _ failure: Failure,
    next: StepState.Status, isExhausted: Bool = false, at now: Instant
  ) {
    release(place)
    let lack = frames.lack(failure, at: place.step, isExhausted: isExhausted)
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

  /// Pauses the run because of the response to a step, which is repeated when the user continues the run.
  mutating func pauseRun(
    _ place: StepPlace, _ failure: Failure, next: StepState.Status, at now: Instant
  ) {
    guard place.key != nil, state.status != .cancelling else {
      endStep(place, as: .pause, failure, next: next, at: now)
      return
    }
    release(place)
    let probe = pipeline.steps[place.step].probe
    frames.update(place) { step in
      step.putBack(as: next, probe, at: now)
      step.failure = failure
      step.note(failure.status)
    }
    haltRefused(failure, at: now)
    waiting.blockers[place.key] = .stopped
  }

  mutating func finishItem(
    _ place: StepPlace, as status: Item.Status, _ reason: Failure?, at now: Instant
  ) {
    release(place)
    skip(place, at: now)
    if let key = place.key {
      leaveWindow(key, as: status, reason: reason, at: now)
    } else {
      advance(nil, at: now)
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
}
