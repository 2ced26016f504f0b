/// What a shard with items does not do, because its run's lead does it.
extension Machine {
  private var isLed: Bool { state.shard.map { !$0.isLead } ?? false }

  /// Whether a step comes after a loop, so that only the lead does it, when all shards are done.
  func isLeftToLead(_ step: Int) -> Bool { isLed && pipeline.isAfterLoop(step) }

  /// Whether the run's lead left out a step by its `if`; what a shard's own sign-in says later changes nothing in that.
  func isLeftOutByLead(_ step: Int) -> Bool { isLed && pipeline.isOncePerRun(step) }

  /// Stops the shard instead of making once more what all shards use: there would be two of it.
  ///
  /// A shard with items never makes it. The lead does until it has passed a loop, since the others have not begun before.
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
