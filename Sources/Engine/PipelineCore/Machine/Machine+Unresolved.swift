/// Requests whose outcome is unknown: each is resolved with the original request, repeated under its key or asked about by
/// its probe, before any of its sources is replaced (invariant 11).
extension Machine {
  /// Ends a step whose outcome can no longer be determined: the user decides.
  mutating func giveUpResolving(_ place: StepPlace, _ failure: Failure, at now: Instant) {
    guard let key = place.key, let batch = frames.stepState(place.step, for: key)?.batch else {
      endStep(place, as: .pause, failure, next: .pending, at: now)
      return
    }
    // What one member has lost, the others may have lost as well.
    for other in frames.members(of: batch, place.step, key.loop) {
      let member = StepPlace(key: other, step: place.step)
      guard let current = frames.stepState(place.step, for: other), !current.isInFlight else {
        continue
      }
      var own = other == key ? failure : nil
      if case .lost(let failure) = frames.resolution(of: member, current) { own = failure }
      guard let own else { continue }
      frames.update(member) { $0.batch = nil }
      endStep(member, as: .pause, own, next: .pending, at: now)
    }
    disband(frames.members(of: batch, place.step, key.loop), place.step, at: now)
  }

  /// Keeps a result that would be replaced while the outcome of a request made from it is unknown.
  mutating func keepForUnresolved(_ place: StepPlace, at now: Instant) -> AdvanceOutcome? {
    if let step = frames.openStep(in: place.key), step != place.step,
      pipeline.isMade(step, from: place.step)
    {
      let open = StepPlace(key: place.key, step: step)
      guard frames.stepState(step, for: place.key, \.status) == .unknown else { return nil }
      giveUpResolving(open, pipeline.unrepeatable(step, without: place.step), at: now)
      return .wait
    }
    guard let key = place.key else {
      guard let user = unresolvedUser(of: place.step) else { return nil }
      waiting.blockers[nil] = .loop(user.loop)
      return .wait
    }
    guard key.part == nil else { return nil }
    for own in frames.unresolvedParts(of: key) {
      guard let part = own.part, let step = frames.openStep(in: own),
        part.step == place.step || pipeline.isMade(step, from: place.step)
      else { continue }
      let failure = pipeline.unrepeatable(step, without: place.step)
      frames.update(StepPlace(key: own, step: step)) { state in
        state.status = .pending
        state.unknownSince = nil
        state.failure = failure
      }
      leaveWindow(key, as: .paused, reason: failure, at: now)
      return .wait
    }
    return nil
  }

  /// An item with an unresolved request that depends on the run-level result; one that waits for another run-level
  /// result itself is not counted, because each would wait for the other.
  private func unresolvedUser(of step: Int) -> ItemKey? {
    for (key, frame) in frames.all() {
      guard let key else { continue }
      guard frame.contains(where: \.isUnresolved), !waiting.isHeldByOthers(key),
        frames.abandonProgress(of: key) == nil, let open = frames.openStep(in: key),
        pipeline.isMade(open, from: step),
        !pipeline.steps[open].uses.contains(where: { $0.step == step && $0.isCredential })
      else { continue }
      return key
    }
    return nil
  }

  /// Whether a run-level result is kept for an unresolved request, so the run's frame is checked.
  var isKeepingResult: Bool {
    guard state.status == .running, case .loop? = waiting.blockers[nil] else { return false }
    return pipeline.runSteps.contains { step in
      !frames.isLeftToLead(step) && frames.stepState(step, for: nil, \.status) == .succeeded
        && !frames.isSettled(step, for: nil)
    }
  }
}
