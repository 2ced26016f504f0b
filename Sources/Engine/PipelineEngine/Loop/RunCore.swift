/// The loop's synchronous core: applies events, and returns the checkpoint to store and the effects to perform then.
///
/// It owns the ``/PipelineCore/Machine``. A shell around it waits for events, commits each turn's
/// batch and then performs its effects: ``Executor`` with tasks, the simulator in virtual time.
public struct RunCore: Sendable {
  /// Makes the decisions.
  public private(set) var machine: Machine
  /// The owner's epoch, with which batches are committed.
  public let epoch: Int

  /// Acquires a run; nothing happens before the first turn.
  public init(_ state: RunState, epoch: Int, evaluator: Evaluator) {
    machine = Machine(state, evaluator: evaluator)
    self.epoch = epoch
  }

  /// The result of one turn of the loop.
  public struct Turn: Sendable {
    /// To commit first.
    public let batch: CheckpointBatch
    /// To perform once the batch is durable, in order.
    public let effects: [Effect]

    /// The effects that the store's refusals leave.
    public func effects(without refusals: [TargetClaim.Refusal]) -> [Effect] {
      guard !refusals.isEmpty else { return effects }
      let refused = Set(refusals.map(\.id))
      return effects.filter { effect in
        if case .perform(let command) = effect { !refused.contains(command.id) } else { true }
      }
    }
  }

  /// The events for the machine about commands whose claims the store refused.
  public func events(of refusals: [TargetClaim.Refusal]) -> [Event] {
    refusals.map { .concluded($0.id, machine.verdict(on: $0)) }
  }

  /// Applies the available events.
  public mutating func turn(_ events: [Event], at now: Instant) -> Turn {
    var effects: [Effect] = []
    for event in events { effects += machine.apply(event, at: now) }
    let batch = CheckpointBatch(
      epoch: epoch, at: now, events: events, checkpoint: machine.takeCheckpoint())
    return Turn(batch: batch, effects: effects)
  }

  /// Whether nothing is left to do in this process, after all events of the turn.
  public var hasStopped: Bool { machine.hasStopped }

  /// Paths of the files in a run's window, which the initial sweep keeps.
  public static func heldFiles(of state: RunState) -> Set<String> {
    let items = state.loops.flatMap { $0.active.values.flatMap(\.frame) }
    let parts = items.flatMap { $0.parts?.active.values.flatMap { $0 } ?? [] }
    return Set((state.frame + items + parts).compactMap(\.file).filter(\.isInRunFolder).map(\.path))
  }
}
