/// Ties the time of a run to the clock that counts since the machine was started.
///
/// All instants of a run are of one time, which runs evenly and is not the one that people set: a clock
/// that is put forward or back ends no wait early and makes none longer. Only where the machine was
/// started anew is there nothing to count on; then the wall clock says where the run's time goes on.
public struct TimeAnchor: Hashable, Sendable {
  /// Names the start of the machine: another start has another name.
  public let boot: String
  /// The run's time at the moment in which the machine was started.
  public let origin: Instant

  /// Ties a time.
  public init(boot: String, origin: Instant) {
    self.boot = boot
    self.origin = origin
  }

  /// The time of a run that a process begins to work on.
  ///
  /// - Parameters:
  ///   - state: The run as the store has it.
  ///   - boot: Names the start of the machine.
  ///   - elapsed: Time since that start, sleep included.
  ///   - wall: What the wall clock shows.
  public init(continuing state: RunState, boot: String, elapsed: Duration, wall: Instant) {
    let known = state.time.flatMap { $0.boot == boot ? $0.origin : nil }
    // A clock that was put back while nobody counted must not make waits longer than they were.
    self.init(boot: boot, origin: max(known ?? (wall - elapsed), state.latestInstant - elapsed))
  }
}

extension RunState {
  /// The latest moment at which something is known to have happened to the run or an item in the
  /// window.
  public var latestInstant: Instant {
    var latest = max(began, ended ?? began)
    for step in frame { latest = max(latest, step.since) }
    for loop in loops {
      for item in loop.active.values {
        for step in item.frame { latest = max(latest, step.since) }
      }
    }
    return latest
  }
}
