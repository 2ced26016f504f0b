public import PipelineCore

/// The loop's synchronous core: applies what happened, and says what has to be made durable and
/// what has to be done then (DESIGN laws 2 and 6).
///
/// It owns the ``/PipelineCore/Machine``. A shell around it waits for events, commits each turn's
/// batch and then performs its effects: ``Executor`` with tasks, the simulator in virtual time.
public struct RunCore: Sendable {
  /// Decides.
  public private(set) var machine: Machine
  /// The owner's epoch, under which batches are committed.
  public let epoch: Int

  /// Takes a run over; nothing moves before the first turn.
  public init(_ state: RunState, epoch: Int, evaluator: Evaluator) {
    machine = Machine(state, evaluator: evaluator)
    self.epoch = epoch
  }

  /// What one turn of the loop comes to.
  public struct Turn: Sendable {
    /// To be committed first.
    public let batch: CheckpointBatch
    /// To be performed once the batch is durable, in order.
    public let effects: [Effect]
  }

  /// Applies the events that are there.
  public mutating func turn(_ events: [Event], at now: Instant) -> Turn {
    var effects: [Effect] = []
    for event in events { effects += machine.apply(event, at: now) }
    let checkpoint = machine.takeCheckpoint()
    let batch = CheckpointBatch(
      epoch: epoch, at: now, events: events, items: checkpoint.items,
      state: checkpoint.isRunChanged ? machine.state : nil,
      cancelledLoops: checkpoint.cancelledLoops, isDurable: checkpoint.holdsIntents)
    return Turn(batch: batch, effects: effects)
  }

  /// Whether nothing is left to do in this process.
  ///
  /// A turn may demand ``/PipelineCore/Effect/stop`` and give the run something to do again with a
  /// later event; this is the last word.
  public var hasStopped: Bool { machine.hasStopped }

  /// Paths of the files that a run's window holds: what the sweep at its begin keeps.
  public static func heldFiles(of state: RunState) -> Set<String> {
    let items = state.loops.flatMap { $0.active.values.flatMap(\.frame) }
    return Set((state.frame + items).compactMap { $0.file?.path }.filter { !$0.hasPrefix("/") })
  }
}
