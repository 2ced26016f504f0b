/// A fact that the machine is told.
public enum Event: Hashable, Sendable {
  /// The run exists in the store and its items are fixed.
  case runBegan
  /// A process has taken the run over, with the state as the store had it.
  case runResumed
  /// A loop whose list depends on steps has its items in the store.
  case itemsEnumerated(loop: Int, count: Int)
  /// A loop's list could not be evaluated.
  case enumerationFailed(loop: Int, Failure)
  /// Items of the demanded status were read, in order; `isLast` when none was left after them.
  case itemsLoaded(loop: Int, [Item], isLast: Bool)
  /// The store could not give the demanded items.
  case loadFailed(loop: Int, Failure)
  /// An attempt, a probe or a compensation came to an end.
  case concluded(EffectID, Verdict)
  /// A transfer in flight asks for its request anew before it goes on.
  case renewalRequested(EffectID, Renewal)
  /// Files of an item were deleted.
  case filesDiscarded(ItemKey?, bytes: Int64)
  /// The instant of ``Effect/setTimer(_:)`` has come.
  case timerFired
  /// Short requests may run, until the instant or (`nil`) without limit.
  case allowanceGranted(until: Instant?)
  /// The allowance is about to end: stop what is short, make durable what is known.
  case allowanceExpiring
  /// A person or a signal asks for a stop after a checkpoint.
  case pauseRequested(Failure)
  /// A person continues a paused run.
  case unpaused
  /// A person gives the run up.
  case cancelRequested
  /// What the process can do that works on the run; comes first, where it comes at all.
  case limitsKnown(ProcessLimits)
  /// Rows of the loop went from paused or failed back to pending.
  case itemsRequeued(loop: Int, paused: Int, failed: Int)
}

/// A command to the world; data only (DESIGN law 1), and derivable from the state again after a
/// restart (law 3).
public enum Effect: Hashable, Sendable {
  /// Evaluate the loop's list and put its elements into the store.
  case enumerate(loop: Int)
  /// Read at most `limit` items of one status with an ordinal greater than `after`.
  case loadItems(loop: Int, status: Item.Status, after: Int, limit: Int)
  /// Carry out one attempt of a step.
  case perform(Command)
  /// Tell a transfer that asked what it goes on with; one that does not wait for it ignores it.
  case answerRenewal(EffectID, RenewalDecision)
  /// Stop an attempt that is in flight; it answers with ``Verdict/interrupted``, or with what came
  /// first.
  case interrupt(EffectID)
  /// Delete the files that an item (or the run) has under the run's folder; `bytes` go back to the
  /// budget.
  case discardFiles(ItemKey?, bytes: Int64)
  /// Tell when the instant has come. A later one replaces an earlier one.
  case setTimer(Instant)
  /// All that the allowance was for is durable; the process may be suspended.
  case endAllowance
  /// Nothing is left to do in this process.
  case stop
}

/// One attempt, adoption, probe or compensation, with what it needs to be carried out.
public struct Command: Hashable, Sendable {
  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// The step itself; a materialization may write at most `reservedBytes`.
    case attempt(reservedBytes: Int64)
    /// Take up the transfer that an earlier process handed over under the same fence (TX4); where
    /// nobody knows it, it was interrupted (FQ3).
    case adopt(reservedBytes: Int64)
    /// The step's probe.
    case probe
    /// The compensation with this index in ``Loop/onAbandon``.
    case abandon(Int)
  }

  /// The fence.
  public let id: EffectID
  /// What is to be done.
  public let action: Action
  /// The values that expressions see.
  public let scope: Scope

  /// Makes a command.
  public init(id: EffectID, action: Action, scope: Scope) {
    self.id = id
    self.action = action
    self.scope = scope
  }
}
