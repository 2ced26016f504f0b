/// Ties the time of a run to the clock that counts since the machine was started.
///
/// All instants of a run use one time, which runs evenly and is not the adjustable wall clock: moving
/// that forward or back does not shorten or extend any wait. Only after a restart of the machine is
/// there no such reference; then the wall clock determines where the run's time continues.
public struct TimeAnchor: Hashable, Sendable {
  /// Identifies the start of the machine: each start has a different name.
  public let boot: String
  /// The run's time at which the machine was started.
  public let origin: Instant

  /// Creates an anchor.
  public init(boot: String, origin: Instant) { (self.boot, self.origin) = (boot, origin) }

  /// The time of a run that a process starts to work on.
  public init(continuing state: RunState, boot: String, elapsed: Duration, wall: Instant) {
    let known = state.time.flatMap { $0.boot == boot ? $0.origin : nil }
    // A clock that was moved back while no process was running must not make waits longer.
    self.init(boot: boot, origin: max(known ?? (wall - elapsed), state.latestInstant - elapsed))
  }
}

extension RunState {
  /// The latest time at which something is known to have happened to the run or to an active item.
  public var latestInstant: Instant {
    var latest = max(began, ended ?? began)
    for step in frame { latest = max(latest, step.since) }
    for loop in loops {
      for item in loop.active.values { for step in item.frame { latest = max(latest, step.since) } }
    }
    return latest
  }
}
