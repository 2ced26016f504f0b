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
  /// How far the parts of items in progress are.
  public let parts: Parts
  /// When this was measured.
  public let at: Instant

  /// Parts of the items that are in their parts.
  public struct Parts: Hashable, Sendable {
    /// Parts that are done.
    public let done: Int
    /// All of them.
    public let count: Int
    /// The done fraction of each item, added up: two items that are half done are one.
    public let items: Double

    init(_ state: RunState) {
      let open = state.loops.flatMap { $0.active.values.flatMap { $0.frame.compactMap(\.parts) } }
      done = open.reduce(0) { $0 + $1.done }
      count = open.reduce(0) { $0 + $1.count }
      items = open.reduce(0) { $0 + Double($1.done) / Double(max($1.count, 1)) }
    }
  }

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
    parts = Parts(machine.state)
    at = now
  }
}
