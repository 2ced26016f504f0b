import CEL

/// Which steps of a frame are settled, and what comes next.
extension Frames {
  /// Whether the step has nothing more to do: skipped, or succeeded with a result that is valid
  /// and derived from current results.
  func isSettled(_ step: Int, for key: ItemKey?) -> Bool {
    guard let status = stepState(step, for: key, \.status) else { return false }
    if isTurnOver(step, for: key) { return true }
    switch status {
    case .skipped: return true
    case .pending, .queued, .running, .probing, .unknown: return false
    case .succeeded:
      guard let current = stepState(step, for: key), !current.isInvalidated else { return false }
      return isMadeFromCurrent(current, step, for: key)
    }
  }

  /// Generations of everything that the step and its probe read, in the order of their uses.
  func sources(of step: Int, for key: ItemKey?) -> (uses: [Int], probe: [Int]) {
    func generations(_ uses: [OutputUse]) -> [Int] {
      uses.map { stepState($0.step, for: key, \.generation) ?? 0 }
    }
    let declaration = pipeline.steps[step]
    return (generations(declaration.uses), generations(declaration.probe?.uses ?? []))
  }

  /// Whether what identifies the result was derived from current results.
  func isMadeFromCurrent(_ current: StepState, _ step: Int, for key: ItemKey?) -> Bool {
    for (use, source) in zip(pipeline.steps[step].uses, current.sources) where !use.isCredential {
      let isCurrent = stepState(use.step, for: key) { producer in
        producer.generation == source && (!producer.isInvalidated || producer.status == .skipped)
      }
      guard isCurrent == true else { return false }
    }
    return true
  }

  /// Whether the step runs in turns, and no other turn follows.
  func isTurnOver(_ step: Int, for key: ItemKey?) -> Bool {
    guard let turns = pipeline.steps[step].turnOf, let current = stepState(turns, for: key) else {
      return false
    }
    return current.status == .skipped || current.isOver && isSettled(turns, for: key)
  }

  /// Whether a step from outside of the turns reads one that no turn will run again.
  func isLeftOutOfTurns(_ step: Int, by place: StepPlace) -> Bool {
    let turns = pipeline.steps[step].turnOf
    return turns != nil && pipeline.steps[place.step].turnOf != turns && place.step != turns
      && isTurnOver(step, for: place.key)
  }

  /// The step itself if it is not settled; the `repeat` step if the turn ends with it and others follow.
  func unsettled(_ step: Int, for key: ItemKey?) -> Int? {
    if !isSettled(step, for: key) { return step }
    guard let turns = pipeline.steps[step].turnOf, pipeline.turn(of: turns).last == step,
      !isTurnOver(step, for: key)
    else { return nil }
    return turns
  }

  /// Whether a `repeat` step that is issued again resumes at its last position.
  func keepsTurn(_ place: StepPlace) -> Bool {
    guard let template = pipeline.repeatTemplate(of: place.step),
      let current = stepState(place.step, for: place.key), current.turn > 0,
      isMadeFromCurrent(current, place.step, for: place.key)
    else { return false }
    let isLost = current.outputs.contains { $0.value == nil }
    return !isLost || template.resync != nil && !pipeline.readsItself(place.step)
  }

  /// The step of a frame whose outcome is unknown: until it is known, no other step is considered, so that one request
  /// of a frame is in flight, and its sources still exist when it is repeated or its probe asks.
  func openStep(in key: ItemKey?) -> Int? {
    pipeline.steps(of: key).first { step in
      stepState(step, for: key) { current in
        current.isUnresolved || current.status == .running && pipeline.steps[step].transfer == nil
      } == true
    }
  }

  /// The results that must be valid before the step is issued.
  func requiredUses(of place: StepPlace) -> [OutputUse] {
    let declaration = pipeline.steps[place.step]
    guard let current = stepState(place.step, for: place.key) else { return [] }
    if current.status == .unknown {
      // The original request is repeated, and a probe asks about it, even if what identifies it has expired: only what
      // authorizes it must be renewed, and a file that was released must be recreated as it was.
      switch resolution(of: place, current) {
      case .probe: return declaration.probe?.uses.filter(\.isCredential) ?? []
      case .repeated:
        return declaration.uses.filter { use in
          use.isCredential || use.output == nil && pipeline.steps[use.step].makesFile
        }
      case .lost: return []
      }
    }
    guard current.batch?.isOpen == true else { return declaration.uses }
    // A batch that the server may have accepted is sent again unchanged:
    // the response reports which identifiers have expired.
    return declaration.uses.filter { use in
      guard pipeline.steps[use.step].loop != nil, let output = use.output,
        let outputs = stepState(use.step, for: place.key)?.outputs, outputs.indices.contains(output)
      else { return true }
      return outputs[output].value == nil
    }
  }

  func reasonUnusable(of use: OutputUse, _ producer: StepState, at now: Instant, need: Duration)
    -> Failure?
  {
    let declaration = pipeline.steps[use.step]
    if let output = use.output, producer.outputs.indices.contains(output) {
      let value = producer.outputs[output]
      var need = need
      if let staleFrom = value.staleFrom {
        // A fresh value lasts no longer than this one did: if that is too short, renewing it would never end.
        let life = (staleFrom - producer.since).milliseconds
        need = min(need, .milliseconds(max(life, 0) / 10 * 9))
      }
      guard !value.isValid(at: now, for: need) else { return nil }
      let name = declaration.outputs[output].name
      return Failure("'\(name)' of step '\(declaration.id)' has expired")
    }
    return nil
  }

  /// A step that was skipped because of a value that is being remade must be evaluated again.
  mutating func reconsiderSkips(after step: Int, in key: ItemKey?) {
    let steps = pipeline.steps(of: key)
    for other in steps where other > step {
      guard pipeline.steps[other].uses.contains(where: { $0.step == step }),
        stepState(other, for: key, \.status) == .skipped, !isLeftOutByLead(other)
      else { continue }
      update(StepPlace(key: key, step: other)) { $0.status = .pending }
    }
  }

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

  func resolution(of place: StepPlace) -> Resolution? {
    stepState(place.step, for: place.key).map { resolution(of: place, $0) }
  }

  /// Whether the step's next request is its probe.
  func isProbed(_ place: StepPlace, _ current: StepState) -> Bool {
    current.status == .unknown && resolution(of: place, current) == .probe
  }

  /// Why a request cannot be repeated as it was, if so: an identifier was secret, or was replaced.
  func loss(_ uses: [OutputUse], of place: StepPlace, _ current: StepState, _ reader: String)
    -> Failure?
  {
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
        return Failure(head + "reads a result of step '\(source.id)' that was undone; " + tail)
      }
      let own = declaration.uses.firstIndex { $0.step == use.step && !$0.isCredential }
      if let own, current.sources.indices.contains(own), current.sources[own] != producer.generation
      {
        return Failure(
          head + "was made from a result of step '\(source.id)' that has been replaced; " + tail)
      }
    }
    return nil
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

  var isLed: Bool { state.shard.map { !$0.isLead } ?? false }

  /// Whether a step comes after a loop, so that only the lead does it, when all shards are done.
  func isLeftToLead(_ step: Int) -> Bool { isLed && pipeline.isAfterLoop(step) }

  /// Whether the run's lead left out a step by its `if`;
  /// the result of a shard's own sign-in does not change that later.
  func isLeftOutByLead(_ step: Int) -> Bool { isLed && pipeline.isOncePerRun(step) }

  /// The probe shows that the step took effect, so its sources, direct or through other steps, had not
  /// expired before that, regardless of the response to the attempt.
  mutating func restoreSources(_ place: StepPlace, _ current: StepState) {
    for (use, source) in zip(pipeline.steps[place.step].uses, current.sources)
    where !use.isCredential && pipeline.steps[use.step].loop != nil {
      guard let producer = stepState(use.step, for: place.key), producer.status == .succeeded,
        producer.generation == source
      else { continue }
      let origin = StepPlace(key: place.key, step: use.step)
      restoreSources(origin, producer)
      guard producer.isInvalidated else { continue }
      update(origin) { step in
        step.isInvalidated = false
        step.reissues = max(0, step.reissues - 1)
        step.failure = nil
      }
    }
  }

  /// Whether a response that reports the result of `step` as expired implies that the request was not
  /// carried out, and never will be.
  ///
  /// That is the author's assumption, and only of what identifies the request: a refused credential does not show the
  /// outcome of an earlier attempt. A step that has a probe asks it.
  func provesNotDone(_ step: Int, _ failure: Failure, _ place: StepPlace, _ current: StepState)
    -> Bool
  {
    guard case .repeated = resolution(of: place, current) else { return false }
    let uses = pipeline.steps[place.step].uses.filter { $0.step == step }
    guard uses.contains(where: \.isCredential) else { return true }
    return failure.status != 401 && !uses.allSatisfy(\.isCredential)
  }

  /// Records that something succeeded with a result, so its expiries so far no longer count.
  mutating func noteUse(of step: Int, by key: ItemKey?) {
    let ownerKey = owner(of: step, readFrom: key)
    guard let producer = stepState(step, for: ownerKey), !producer.isInvalidated else { return }
    guard producer.reissues > 0, pipeline.steps[step].kind != .repeat else { return }
    update(StepPlace(key: ownerKey, step: step)) { step in
      step.unusedInvalidations = 0
      // Within an item, the number of expiries stays limited, even if requests succeeded in between.
      if ownerKey == nil { step.reissues = 0 }
    }
  }

  /// When an expired result may be reissued; `nil` means at once, as for the first time.
  ///
  /// The first time is at once. If it expires repeatedly, earlier than the longest delay of its
  /// step's retry policy and before anything succeeded with it, it waits like a failure under that
  /// policy; so does a result that an item's server discards repeatedly, even if requests succeed with it in between. A
  /// run-level result that was used is reissued at most once within the policy's first delay.
  mutating func pauseBeforeReissue(
    of step: Int, _ producer: StepState, _ ownerKey: ItemKey?, isRefused: Bool, at now: Instant
  ) -> Instant? {
    let declaration = pipeline.steps[step]
    // The author decides when such a transfer starts.
    guard declaration.transfer?.earliest == nil else { return nil }
    let moment: Instant
    let isUnused =
      producer.unusedInvalidations > 0 && now - producer.since < declaration.retry.maximum
    let isDiscarded = ownerKey != nil && isRefused && declaration.kind != .repeat
    let discarded = isDiscarded ? producer.reissues : 0
    if isUnused || discarded > 0 {
      let policy = declaration.retry
      let count = max(isUnused ? producer.unusedInvalidations : 0, discarded)
      moment = now + jittered(policy.delay(afterFailures: count), policy)
    } else if ownerKey == nil, producer.generation > 1 {
      moment = producer.since + declaration.retry.initial
    } else {
      return nil
    }
    return moment > now ? moment : nil
  }

  /// The work that is left undone by a loop that blocks the run; `nil` if nothing comes after it.
  func heldBack(by loop: Int) -> Failure? {
    guard let place = pipeline.nodes.firstIndex(of: .loop(loop)),
      pipeline.nodes.indices.contains(place + 1)
    else { return nil }
    let counts = state.loops[loop].counts
    let stopped = [(counts[.failed], "failed"), (counts[.paused], "paused")].filter { $0.0 > 0 }.map
    { "\($0.0) \($0.1)" }.joined(separator: " and ")
    let next =
      switch pipeline.nodes[place + 1] {
      case .step(let step): "'\(pipeline.steps[step].id)'"
      case .loop(let other): "'\(pipeline.loops[other].label)'"
      }
    return Failure(
      "\(next) was not begun: of the items of '\(pipeline.loops[loop].label)' before it " + stopped)
  }

  /// Restarts the sliding lifetimes of the used outputs at the time their request was sent.
  mutating func renewLifetimes(
    of uses: [OutputUse], by place: StepPlace, from current: StepState, since moment: Instant
  ) {
    for (index, use) in uses.enumerated() {
      guard let output = use.output else { continue }
      let owner = StepPlace(key: owner(of: use.step, readFrom: place.key), step: use.step)
      guard let producer = stepState(owner.step, for: owner.key),
        producer.outputs.indices.contains(output), producer.outputs[output].slide != nil,
        producer.status == .succeeded,
        !current.sources.indices.contains(index) || current.sources[index] == producer.generation
      else { continue }
      let renewed = producer.outputs[output].renewed(at: moment)
      guard renewed != producer.outputs[output] else { continue }
      update(owner) { $0.outputs[output] = renewed }
    }
  }

  /// Whether the attempt may have outlived its process: the transfer service is another one (TX4).
  func isAdoptable(_ current: StepState, _ step: Int) -> Bool {
    state.status == .running && current.status == .running && pipeline.steps[step].transfer != nil
  }

  /// Whether everything that the batch reads of one member exists and stays valid long enough.
  func isFit(_ place: StepPlace, needed: Duration, at now: Instant) -> Bool {
    guard let current = stepState(place.step, for: place.key) else { return false }
    if current.status == .unknown, case .lost = resolution(of: place, current) { return false }
    if current.status == .pending, !isMadeFromCurrent(current, place.step, for: place.key) {
      return false
    }
    return requiredUses(of: place).allSatisfy { use in
      guard let producer = stepState(use.step, for: place.key) else { return true }
      if producer.status == .skipped || isLeftOutOfTurns(use.step, by: place) { return true }
      return producer.hasResult && reasonUnusable(of: use, producer, at: now, need: needed) == nil
    }
  }

  /// Whether the item waits for a point in time, and so needs no place before that.
  func isInBackOff(_ item: Item, at now: Instant) -> Bool {
    if let abandoning = item.abandoning { return abandoning.notBefore.map { $0 > now } ?? false }
    guard !item.frame.contains(where: { $0.parts != nil }) else { return false }
    let open = openStep(in: item.key)
    if let open, prerequisite(of: open, in: item.key) != nil { return false }
    let steps = pipeline.steps(of: item.key)
    guard let step = open ?? steps.lazy.compactMap({ unsettled($0, for: item.key) }).first else {
      return false
    }
    return stepState(step, for: item.key) { current in
      [.pending, .unknown].contains(current.status) && current.notBefore.map { $0 > now } ?? false
    } ?? false
  }
}
