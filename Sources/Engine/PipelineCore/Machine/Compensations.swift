/// The requests that undo what items left at servers: which one is next, and whether it can be sent.
struct Compensations: Hashable, Sendable {
  /// Run-level credentials that arrived during cancelling and are unused, or cannot be obtained.
  var credentials: Set<Int> = []

  enum Readiness: Hashable {
    /// Everything that it names exists and is valid.
    case ready
    /// The credential from this run-level step must be reissued first.
    case needs(Int)
    /// The effect to undo was never created, or has expired.
    case impossible
    /// The effect to undo exists, but can no longer be undone.
    case lost(Failure)
    case over
  }

  /// Moves on to the first compensation that has something to undo.
  func next(
    _ abandoning: inout Item.AbandonProgress, for key: ItemKey, in frames: Frames, at now: Instant
  ) -> Readiness {
    while let next = frames.undoing(abandoning.index, of: key) {
      if abandoning.only.isEmpty || abandoning.only.contains(abandoning.index) {
        let readiness = readiness(of: next, abandoning.next, for: key, in: frames, at: now)
        if readiness != .impossible { return readiness }
      }
      abandoning.advanceToNext()
    }
    return .over
  }

  private func readiness(
    of undoing: Undoing, _ status: Item.Status, for key: ItemKey, in frames: Frames, at now: Instant
  ) -> Readiness {
    let pipeline = frames.pipeline
    let compensation = pipeline.loops[key.loop].onAbandon[undoing.compensation]
    guard let remnant = undoing.remnant else {
      return readiness(of: compensation.uses, for: key, in: frames, at: now)
    }
    if frames.item(key)?.isKept(remnant, endingAs: status) == true { return .impossible }
    let isNamed = { (use: OutputUse) in !use.isCredential && pipeline.steps[use.step].loop != nil }
    let rest = readiness(
      of: compensation.uses.filter { !isNamed($0) }, for: key, in: frames, at: now)
    guard rest == .ready else { return rest }
    for use in compensation.uses where isNamed(use) {
      let named = remnant.frame[pipeline.steps[use.step].position]
      if let loss = pipeline.loss(of: use, named) { return .lost(loss) }
    }
    return .ready
  }

  private func readiness(of uses: [OutputUse], for key: ItemKey, in frames: Frames, at now: Instant)
    -> Readiness
  {
    let pipeline = frames.pipeline
    var credential: Int?
    var lost: Failure?
    // What the run may not have created.
    for use in uses
    where !use.isCredential && frames.stepState(use.step, for: key, \.isForeign) == true {
      // It is unknown whether an earlier attempt made it, so it is not deleted but reported.
      guard let producer = frames.stepState(use.step, for: key), producer.attempt > 1 else {
        return .impossible
      }
      let id = pipeline.steps[use.step].id
      return .lost(Failure("what step '\(id)' names may have existed before"))
    }
    for use in uses where !isValid(use, for: key, in: frames, at: now) {
      if use.isCredential, pipeline.steps[use.step].loop == nil {
        credential = credential ?? use.step
      } else if let failure = frames.stepState(use.step, for: key).flatMap({
        pipeline.loss(of: use, $0)
      }) {
        lost = lost ?? failure
      } else {
        return .impossible
      }
    }
    if let lost { return .lost(lost) }
    guard let credential else { return .ready }
    guard frames.state.status == .cancelling, credentials.contains(credential),
      frames.stepState(credential, for: nil, \.isInFlight) != true
    else { return .needs(credential) }
    let failure = frames.stepState(credential, for: nil)?.failure
    let reason = failure.map { ": \($0.message)" } ?? " that is valid"
    return .lost(Failure("step '\(pipeline.steps[credential].id)' gives no credential\(reason)"))
  }

  private func isValid(_ use: OutputUse, for key: ItemKey, in frames: Frames, at now: Instant)
    -> Bool
  {
    guard let producer = frames.stepState(use.step, for: key), producer.hasResult else {
      return false
    }
    guard let output = use.output else { return true }
    return producer.outputs.indices.contains(output) && producer.outputs[output].isValid(at: now)
  }
}
