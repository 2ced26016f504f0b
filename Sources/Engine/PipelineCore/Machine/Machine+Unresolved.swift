/// Requests whose outcome is unknown: each is resolved with the original request, repeated under its key or asked about by
/// its probe, before any of its sources is replaced (invariant 11).
extension Machine {
  /// The way to determine the outcome of a request.
  enum Resolution: Hashable {
    case probe
    /// The same request under the same key.
    case repeated
    /// It can no longer be determined.
    case lost(Failure)
  }

  /// The way to determine whether an attempt at the step took effect.
  func resolution(of place: StepPlace, _ current: StepState) -> Resolution {
    let declaration = pipeline.steps[place.step]
    guard let probe = declaration.probe else {
      return loss(declaration.uses, of: place, current, "its request").map(Resolution.lost)
        ?? .repeated
    }
    guard let lost = loss(probe.uses, of: place, current, "its probe") else { return .probe }
    let isRepeatable =
      declaration.keyPlace != nil
      && loss(declaration.uses, of: place, current, "its request") == nil
    return isRepeatable ? .repeated : .lost(lost)
  }

  /// Whether the step's next request is its probe.
  func isProbed(_ place: StepPlace, _ current: StepState) -> Bool {
    current.status == .unknown && resolution(of: place, current) == .probe
  }

  /// Why a request cannot be repeated as it was, if so: an identifier was secret, or was replaced.
  private func loss(
    _ uses: [OutputUse], of place: StepPlace, _ current: StepState, _ reader: String
  ) -> Failure? {
    let declaration = pipeline.steps[place.step]
    for use in uses where !use.isCredential {
      guard let producer = stepState(use.step, for: place.key) else { continue }
      let source = pipeline.steps[use.step]
      let head = "it is unknown whether step '\(declaration.id)' took effect, and \(reader) "
      let tail =
        "check the server, then 'pipeline retry' repeats everything from step '\(source.id)' on"
      if let output = use.output, producer.status == .succeeded,
        producer.outputs.indices.contains(output), producer.outputs[output].value == nil
      {
        return Failure(
          head
            + "reads the secret '\(source.outputs[output].name)' of step '\(source.id)', which was lost with the "
            + "process; " + tail)
      }
      if use.output != nil, producer.status == .pending {
        return Failure(
          head + "reads a result of step '\(source.id)' that was undone; " + tail)
      }
      let own = declaration.uses.firstIndex { $0.step == use.step && !$0.isCredential }
      if let own, current.sources.indices.contains(own),
        current.sources[own] != producer.generation
      {
        return Failure(
          head + "was made from a result of step '\(source.id)' that has been replaced; " + tail)
      }
    }
    return nil
  }

  /// Ends a step whose outcome can no longer be determined: the user decides.
  mutating func giveUpResolving(_ place: StepPlace, _ failure: Failure, at now: Instant) {
    guard let key = place.key, let batch = stepState(place.step, for: key)?.batch else {
      endStep(place, as: .pause, failure, next: .pending, at: now)
      return
    }
    // What one member has lost, the others may have lost as well.
    for other in members(of: batch, place.step, key.loop) {
      let member = StepPlace(key: other, step: place.step)
      guard let current = stepState(place.step, for: other), !current.isInFlight else { continue }
      var own = other == key ? failure : nil
      if case .lost(let failure) = resolution(of: member, current) { own = failure }
      guard let own else { continue }
      update(member) { $0.batch = nil }
      endStep(member, as: .pause, own, next: .pending, at: now)
    }
    disband(members(of: batch, place.step, key.loop), place.step, at: now)
  }

  /// The step of the frame that must come before an unresolved one:
  /// its repeat or its probe needs a result that does not exist.
  func prerequisite(of step: Int, in key: ItemKey?) -> Int? {
    let place = StepPlace(key: key, step: step)
    guard stepState(step, for: key, \.status) == .unknown else { return nil }
    for use in requiredUses(of: place) {
      if let first = firstUnsettled(use.step, in: key) { return first }
    }
    return nil
  }

  /// The first step of the frame that must be carried out for the result of `step`, which may be the step itself.
  private func firstUnsettled(_ step: Int, in key: ItemKey?) -> Int? {
    guard owner(of: step, readFrom: key) == key, !isSettled(step, for: key) else { return nil }
    for use in pipeline.steps[step].uses where use.step != step {
      if let first = firstUnsettled(use.step, in: key) { return first }
    }
    return step
  }

  /// Keeps a result that would be replaced while the outcome of a request made from it is unknown.
  mutating func keepForUnresolved(_ place: StepPlace, at now: Instant) -> AdvanceOutcome? {
    if let step = openStep(in: place.key), step != place.step, isMade(step, from: place.step) {
      let open = StepPlace(key: place.key, step: step)
      guard stepState(step, for: place.key, \.status) == .unknown else { return nil }
      giveUpResolving(open, unrepeatable(step, without: place.step), at: now)
      return .wait
    }
    guard let key = place.key else {
      guard let user = unresolvedUser(of: place.step) else { return nil }
      blockers[nil] = .loop(user.loop)
      return .wait
    }
    guard key.part == nil else { return nil }
    for own in unresolvedParts(of: key) {
      guard let part = own.part, let step = openStep(in: own),
        part.step == place.step || isMade(step, from: place.step)
      else { continue }
      let failure = unrepeatable(step, without: place.step)
      update(StepPlace(key: own, step: step)) { state in
        state.status = .pending
        state.unknownSince = nil
        state.failure = failure
      }
      leaveWindow(key, as: .paused, reason: failure, at: now)
      return .wait
    }
    return nil
  }

  private func unrepeatable(_ step: Int, without source: Int) -> Failure {
    Failure(
      "it is unknown whether step '\(pipeline.steps[step].id)' took effect, and step "
        + "'\(pipeline.steps[source].id)', which it was made from, must be repeated first; check the server, then "
        + "'pipeline retry' repeats everything from step '\(pipeline.steps[source].id)' on")
  }

  /// An item with an unresolved request that depends on the run-level result; one that waits for another run-level
  /// result itself is not counted, because each would wait for the other.
  private func unresolvedUser(of step: Int) -> ItemKey? {
    for (key, frame) in frames() {
      guard let key else { continue }
      guard frame.contains(where: \.isUnresolved), !isHeldByOthers(key),
        abandonProgress(of: key) == nil, let open = openStep(in: key), isMade(open, from: step),
        !pipeline.steps[open].uses.contains(where: { $0.step == step && $0.isCredential })
      else { continue }
      return key
    }
    return nil
  }

  /// Whether a frame waits for something that may itself wait for a run-level result.
  private func isHeldByOthers(_ key: ItemKey) -> Bool {
    switch blockers[key] {
    case .dependency?, .renewal?, .disk?: true
    case .parts?: key.part != nil
    case .attempt?, .probe?, .compensation?, .delay?, .earliest?, .concurrency?, .transfers?,
      .connections?, .host?, .rate?, .shortage?, .batch?, .batchUnderWay?, .allowance?, .loop?,
      .enumeration?, .stopped?, nil:
      false
    }
  }

  /// Whether a run-level result is kept for an unresolved request, so the run's frame is checked.
  var isKeepingResult: Bool {
    guard state.status == .running, case .loop? = blockers[nil] else { return false }
    return pipeline.runSteps.contains { step in
      !isLeftToLead(step) && stepState(step, for: nil, \.status) == .succeeded
        && !isSettled(step, for: nil)
    }
  }

  /// Whether a request of `step` depends on the result of `source`, directly or through other steps.
  private func isMade(_ step: Int, from source: Int) -> Bool {
    var seen: Set<Int> = []
    var rest = [step]
    while let next = rest.popLast() {
      for use in pipeline.steps[next].uses where !use.isCredential {
        if use.step == source { return true }
        if seen.insert(use.step).inserted { rest.append(use.step) }
      }
    }
    return false
  }
}
