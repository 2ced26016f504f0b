/// The work that a shard with items leaves to its run's lead.
extension Machine {
  /// Stops the shard instead of recreating a result that all shards use, which would exist twice.
  ///
  /// A shard with items never creates it. The lead does until it has passed a loop, because the others start after that.
  mutating func refusesToRemake(_ step: Int, at now: Instant) -> Bool {
    guard state.shard != nil, pipeline.isOncePerRun(step), !pipeline.isAfterLoop(step) else {
      return false
    }
    guard frames.isLed || state.loops.contains(where: \.isEnumerated) else { return false }
    halt(
      Failure(
        "step '\(pipeline.steps[step].id)' is done once per run, and its result cannot be used any longer: begin another run"
      ), at: now)
    waiting.blockers[nil] = .stopped
    return true
  }
}
