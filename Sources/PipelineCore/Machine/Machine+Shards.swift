/// What a shard with items does not do, because its run's lead does it.
extension Machine {
  private var isLed: Bool { state.shard.map { !$0.isLead } ?? false }

  /// Whether a step comes after a loop, so that only the lead does it, when all shards are done.
  func isLeftToLead(_ step: Int) -> Bool {
    isLed && pipeline.isAfterLoop(step)
  }

  /// Stops the shard if it lacks a result of the lead, or can no longer use it: made once more, there would be two of it.
  mutating func refuseLeadsStep(_ step: Int, at now: Instant) -> Bool {
    guard isLed, pipeline.isOncePerRun(step) else { return false }
    halt(
      Failure(
        "step '\(pipeline.steps[step].id)' is done once per run, and its result cannot be used any longer: begin another run"
      ), at: now)
    blockers[nil] = .stopped
    return true
  }
}
