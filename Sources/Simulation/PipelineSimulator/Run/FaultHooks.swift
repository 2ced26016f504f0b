/// A point in the shell's work at which a process can end.
public enum CrashPoint: Hashable, Sendable {
  /// The turn has been decided, but nothing of it is durable.
  case beforeCommit
  /// The checkpoint is durable, but none of its effects has been performed.
  case afterCommit
  /// The effect has been performed: a request has reached the server, but no response has arrived.
  case after(Effect)
}

/// Faults between the core of a simulated process and its ports, apart from the device's: the process ends
/// at chosen points, its store refuses a checkpoint, responses arrive twice.
///
/// The engine's core is not involved and has no switch for it. The defaults inject no faults.
public protocol FaultHooks: Sendable {
  var tellsLimits: Bool { get }
  mutating func takeEvents(from queue: inout EventQueue, _ machine: Machine) -> [Event]
  /// Makes a turn durable, and returns the claims that are refused.
  mutating func commit(
    _ batch: CheckpointBatch, to table: inout CheckpointTable<ValueForm>
  ) throws(StoreFailure) -> [TargetClaim.Refusal]
  /// Whether the store fails to return the items that are requested.
  mutating func refusesRead() -> Bool
  mutating func performedEffects(_ effects: [Effect]) -> [Effect]
  /// Whether the process ends here, to be restarted at once.
  mutating func endsProcess(at point: CrashPoint) -> Bool
  /// A turn has ended; the process continues.
  mutating func turnEnded(_ machine: Machine, _ disk: VirtualDisk, at now: Instant)
  /// A process has ended, and everything in its memory is lost.
  mutating func processEnded()
}

extension FaultHooks {
  /// The run does.
  public var tellsLimits: Bool { false }

  /// All of them.
  public mutating func takeEvents(from queue: inout EventQueue, _ machine: Machine) -> [Event] {
    queue.takeAll()
  }

  /// Passed to the store.
  public mutating func commit(
    _ batch: CheckpointBatch, to table: inout CheckpointTable<ValueForm>
  ) throws(StoreFailure) -> [TargetClaim.Refusal] { try table.commit(batch) }

  /// Never.
  public mutating func refusesRead() -> Bool { false }
  /// All of them.
  public mutating func performedEffects(_ effects: [Effect]) -> [Effect] { effects }
  /// Never.
  public mutating func endsProcess(at point: CrashPoint) -> Bool { false }
  /// Ignored.
  public mutating func turnEnded(_ machine: Machine, _ disk: VirtualDisk, at now: Instant) {}
  /// Ignored.
  public mutating func processEnded() {}
}

extension SimulatedRun {
  /// Starts another process on a run that has ended, and makes it retry paused items, and if
  /// `retrying`, failed ones, as `pipeline retry` does, limited to `items` unless `nil`; ``simulate()`` then continues, for at most `limit` unless `nil`.
  public mutating func begin(retrying: Bool, items: [ItemKey]? = nil, limit: Duration? = nil) {
    if let limit { settings.limit = now - start + limit }
    if core != nil { terminate() }
    outcome = nil
    restartCount()
    relaunch()
    guard let core else { return }
    if core.machine.state.status == .paused { queue.post(.unpaused, fromDevice: true) }
    guard retrying else { return }
    do throws(StoreFailure) {
      for change in try table.requeue(items, epoch: core.epoch) {
        queue.post(
          .itemsRequeued(loop: change.loop, paused: change.paused, failed: change.failed),
          fromDevice: true)
      }
    } catch { end(.storeFailed(error)) }
  }

  /// Lets the caller act on the process now.
  public mutating func intervene(_ intervention: Intervention) { fire(.intervention(intervention)) }

  /// Advances virtual time as ``simulate()`` does, but no further than `duration` after the start.
  public mutating func simulate(for duration: Duration) {
    while outcome == nil, agenda.next.map({ $0 <= start + duration }) == true || !queue.isEmpty {
      advance()
    }
  }

  /// Changes the world around the run while it is running, for example to stop faults.
  public mutating func changeWorld(
    _ change: (
      inout any SimulatedServer, inout any DeviceModel, inout VirtualDisk, inout (any FaultHooks)?
    ) -> Void
  ) { change(&server, &device, &disk, &faultHooks) }
}
