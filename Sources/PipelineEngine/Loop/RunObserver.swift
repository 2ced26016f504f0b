public import PipelineCore

/// Receives a run's progress; must return at once.
public protocol RunObserver: Sendable {
  /// Items have left the window, and their state is durable.
  func itemsLeft(_ items: [Item])
  /// Called at most ten times a second, and once at the end.
  func progressed(_ progress: RunProgress)
}

/// A run's progress, for people.
public struct RunProgress: Hashable, Sendable {
  /// The run's status.
  public let status: RunState.Status
  /// Why it is paused.
  public let reason: Failure?
  /// All loops together.
  public let counts: [Item.Status: Int]
  /// Bytes of the items that are done.
  public let bytesDone: Int64
  /// Bytes that transfers in flight have sent.
  public let bytesInFlight: Int64
  /// Bytes of the disk budget that are in use.
  public let diskBytes: Int64
  /// How many frames wait for what, including attempts in flight.
  public let blockers: [Blocker: Int]
  /// When this was measured.
  public let at: Instant

  init(_ machine: Machine, sentBytes: Int64, at now: Instant) {
    status = machine.state.status
    reason = machine.state.reason
    var counts: [Item.Status: Int] = [:]
    for loop in machine.state.loops {
      for status in Item.Status.allCases { counts[status, default: 0] += loop.counts[status] }
    }
    self.counts = counts
    bytesDone = machine.state.loops.reduce(0) { $0 + $1.bytesDone }
    bytesInFlight = sentBytes
    diskBytes = machine.reservedDiskBytes
    var blockers: [Blocker: Int] = [:]
    for blocker in machine.blockers.values { blockers[blocker, default: 0] += 1 }
    self.blockers = blockers
    at = now
  }
}
