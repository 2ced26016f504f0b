public import PipelineCore
public import PipelineEngine

/// A place in the shell's work at which a process can end.
public enum CrashPoint: Hashable, Sendable {
  /// The turn has been decided, and nothing of it is durable.
  case beforeCommit
  /// The checkpoint is durable, and none of its effects was performed.
  case afterCommit
  /// The effect was performed: a request has reached the server, whose answer is not there yet.
  case after(Effect)
}

/// What happens to a simulated process between its core and its ports, besides what the device does: it
/// ends at chosen points, its store refuses a checkpoint, answers come twice.
///
/// The engine's core has no part in it and no switch for it. What an implementation does not say is as
/// without one.
public protocol FaultHooks: Sendable {
  /// The events of the next turn.
  mutating func takeEvents(from queue: inout EventQueue, _ machine: Machine) -> [Event]
  /// Makes a turn durable.
  mutating func commit(
    _ batch: CheckpointBatch, to table: inout CheckpointTable<ValueForm>
  ) throws(StoreFailure)
  /// Whether the store cannot give the items that are demanded.
  mutating func refusesRead() -> Bool
  /// The effects that are performed of those that a turn demands.
  mutating func performedEffects(_ effects: [Effect]) -> [Effect]
  /// Whether the process ends here, to be begun again at once.
  mutating func endsProcess(at point: CrashPoint) -> Bool
  /// A turn is over; the process goes on.
  mutating func turnEnded(_ machine: Machine, _ disk: VirtualDisk, at now: Instant)
  /// A process has ended, with all that it held in memory.
  mutating func processEnded()
}

extension FaultHooks {
  /// All that are there.
  public mutating func takeEvents(from queue: inout EventQueue, _ machine: Machine) -> [Event] {
    queue.takeAll()
  }

  /// As the store does it.
  public mutating func commit(
    _ batch: CheckpointBatch, to table: inout CheckpointTable<ValueForm>
  ) throws(StoreFailure) {
    try table.commit(batch)
  }

  /// Never.
  public mutating func refusesRead() -> Bool { false }
  /// All of them.
  public mutating func performedEffects(_ effects: [Effect]) -> [Effect] { effects }
  /// Never.
  public mutating func endsProcess(at point: CrashPoint) -> Bool { false }
  /// Nothing is done about it.
  public mutating func turnEnded(_ machine: Machine, _ disk: VirtualDisk, at now: Instant) {}
  /// Nothing is held.
  public mutating func processEnded() {}
}

extension SimulatedRun {
  /// Begins another process on a run that has come to its end, and has it take up what is paused, and
  /// where `retrying`, what has failed, as `pipeline retry` does, of `items` alone where they are given;
  /// ``simulate()`` then goes on, for at most `limit` where one is given.
  public mutating func begin(
    retrying: Bool, items: [ItemKey]? = nil, limit: Duration? = nil
  ) {
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
    } catch {
      end(.storeFailed(error))
    }
  }

  /// Lets somebody do something to the process now.
  public mutating func intervene(_ intervention: Intervention) { fire(.intervention(intervention)) }

  /// Lets virtual time pass as ``simulate()`` does, but no longer than `duration` after the start.
  public mutating func simulate(for duration: Duration) {
    while outcome == nil, agenda.next.map({ $0 <= start + duration }) == true || !queue.isEmpty {
      advance()
    }
  }

  /// Changes the world around the run while it goes on, as when its faults stop.
  public mutating func changeWorld(
    _ change: (
      inout any SimulatedServer, inout any DeviceModel, inout VirtualDisk,
      inout (any FaultHooks)?
    ) -> Void
  ) {
    change(&server, &device, &disk, &faultHooks)
  }
}
