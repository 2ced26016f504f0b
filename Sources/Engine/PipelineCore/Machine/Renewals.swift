/// Transfers in flight that need a new request, or none.
struct Renewals: Hashable, Sendable {
  /// A transfer that asked.
  struct Pending: Hashable, Sendable {
    /// The transfer's step, by its index in ``Pipeline/steps``.
    let step: Int
    let renewal: Renewal
  }

  /// Transfers that asked for a new request and have no reply, by frame.
  var pending: [ItemKey?: Pending] = [:]
  /// Transfers that are being stopped although the server has received nothing of them.
  var withdrawn: Set<EffectID> = []

  enum MissingInput {
    case nothing
    /// A result other than the one that was refused.
    case freshness
    /// The result of this run-level step, and why it expired unless it is being reissued.
    case result(Int, Failure?)
  }

  func missingInput(
    _ place: StepPlace, _ current: StepState, _ renewal: Renewal, in frames: Frames, at now: Instant
  ) -> MissingInput {
    let uses = frames.pipeline.steps[place.step].uses
    let need = frames.expectedDuration(of: place, probing: false, at: now)
    var isFresh = renewal != .challenge
    for (use, source) in zip(uses, current.sources)
    where mayChange(use, of: place, current, in: frames.pipeline) {
      guard let producer = frames.stepState(use.step, for: nil), producer.status != .skipped else {
        continue
      }
      guard producer.hasResult else { return .result(use.step, nil) }
      if let failure = frames.reasonUnusable(of: use, producer, at: now, need: need) {
        return .result(use.step, failure)
      }
      guard renewal == .challenge, use.isCredential else { continue }
      if producer.generation != source {
        isFresh = true
      } else if current.challenges == 0 {
        let text = "the server challenged what step '\(frames.pipeline.steps[use.step].id)' made"
        return .result(use.step, Failure(text, status: 401))
      }
    }
    return isFresh ? .nothing : .freshness
  }

  /// Whether the result may differ when the transfer continues, as a credential always may.
  func mayChange(_ use: OutputUse, of place: StepPlace, _ current: StepState, in pipeline: Pipeline)
    -> Bool
  {
    guard pipeline.steps[use.step].loop == nil else { return false }
    let uses = pipeline.steps[place.step].uses
    if use.isCredential, !uses.contains(where: { $0.step == use.step && !$0.isCredential }) {
      return true
    }
    return pending[place.key]?.renewal == .begin && current.attempt == 1 && place.key != nil
      && use.output != nil
  }

  /// Whether the transfer's sources are valid, except for those that may change.
  func sourcesHold(
    _ place: StepPlace, _ current: StepState, _ renewal: Renewal, in frames: Frames, at now: Instant
  ) -> Bool {
    // A repeat is the original request, even if results have expired since.
    if current.isUnresolved { return true }
    let need = frames.expectedDuration(of: place, probing: false, at: now)
    for (use, source) in zip(frames.pipeline.steps[place.step].uses, current.sources)
    where !mayChange(use, of: place, current, in: frames.pipeline) {
      guard let producer = frames.stepState(use.step, for: place.key) else { return false }
      if producer.status == .skipped || frames.isLeftOutOfTurns(use.step, by: place) { continue }
      if use.isCredential {
        // A challenge of it is left to the matchers.
        if renewal == .challenge { continue }
      } else if producer.generation != source {
        return false
      }
      guard producer.hasResult else { return false }
      guard let output = use.output, producer.outputs.indices.contains(output) else { continue }
      let value = producer.outputs[output]
      // The URL is evaluated again only when the transfer starts.
      if value.value == nil, renewal == .begin { return false }
      if let staleFrom = value.staleFrom, now + need >= staleFrom { return false }
    }
    guard let key = place.key else { return true }
    let earlier = frames.pipeline.steps(of: key).prefix { $0 != place.step }
    return earlier.allSatisfy { frames.isSettled($0, for: key) }
  }
}
