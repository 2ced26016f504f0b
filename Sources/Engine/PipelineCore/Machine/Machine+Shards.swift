/// The work that a shard with items leaves to its run's lead.
extension Machine {
  private var isLed: Bool { state.shard.map { !$0.isLead } ?? false }

  /// Whether a step comes after a loop, so that only the lead does it, when all shards are done.
  func isLeftToLead(_ step: Int) -> Bool { isLed && pipeline.isAfterLoop(step) }

  /// Whether the run's lead left out a step by its `if`;
  /// the result of a shard's own sign-in does not change that later.
  func isLeftOutByLead(_ step: Int) -> Bool { isLed && pipeline.isOncePerRun(step) }

  /// Stops the shard instead of recreating a result that all shards use, which would exist twice.
  ///
  /// A shard with items never creates it. The lead does until it has passed a loop, because the others start after that.
  mutating func refusesToRemake(_ step: Int, at now: Instant) -> Bool {
    guard state.shard != nil, pipeline.isOncePerRun(step), !pipeline.isAfterLoop(step) else {
      return false
    }
    guard isLed || state.loops.contains(where: \.isEnumerated) else { return false }
    halt(
      Failure(
        "step '\(pipeline.steps[step].id)' is done once per run, and its result cannot be used any longer: begin another run"
      ), at: now)
    blockers[nil] = .stopped
    return true
  }
}
