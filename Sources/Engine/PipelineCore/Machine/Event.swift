/// A fact that is passed to the machine.
public enum Event: Hashable, Sendable {
  /// The run exists in the store and its items are fixed.
  case runBegan
  /// A process has acquired the run, with the state from the store.
  case runResumed
  /// A loop whose list depends on steps has its items in the store.
  case itemsEnumerated(loop: Int, count: Int)
  /// A loop's list could not be evaluated.
  case enumerationFailed(loop: Int, Failure)
  /// Items of the requested status were read, in order; `isLast` if there are none after them.
  case itemsLoaded(loop: Int, [Item], isLast: Bool)
  /// The store could not return the requested items.
  case loadFailed(loop: Int, Failure)
  /// An attempt, a probe or a compensation ended.
  case concluded(EffectID, Verdict)
  /// A response contained the time of a server, whose clock is not the one that a request was signed with.
  case serverTimeRead(StepResult.HostClock)
  /// A request was redirected to other addresses, which are shown without their queries; only the history has a use for it.
  case redirected(EffectID, [Response.Hop])
  /// An attempt has moved these bytes of its file or body over the network; before its conclusion.
  case moved(EffectID, from: Int64, to: Int64)
  /// A transfer in flight asks for a new request before it continues.
  case renewalRequested(EffectID, Renewal)
  /// Files of an item were deleted.
  case filesDiscarded(ItemKey?, bytes: Int64)
  /// The instant of ``Effect/setTimer(_:)`` has come.
  case timerFired
  /// Short requests may run, until the instant or (`nil`) without limit.
  case allowanceGranted(until: Instant?)
  /// The allowance is about to end: stop short work, and make the current state durable.
  case allowanceExpiring
  /// The user or a signal requests a stop after a checkpoint.
  case pauseRequested(Failure)
  /// The user continues a paused run.
  case unpaused
  /// The user cancels the run.
  case cancelRequested
  /// The limits of the process that works on the run; the first event, if it comes at all.
  case limitsKnown(ProcessLimits)
  /// Among how many shards of the run the server's limits are divided from now on.
  case sharesChanged(Int)
  /// Rows of the loop went from paused or failed back to pending.
  case itemsRequeued(loop: Int, paused: Int, failed: Int)
}

/// A command to the world: pure data (invariant 1), derivable from the state again (invariant 3).
public enum Effect: Hashable, Sendable {
  /// Evaluate the loop's list and put its elements into the store.
  case enumerate(loop: Int)
  /// Read at most `limit` items of one status with an ordinal greater than `after`.
  case loadItems(loop: Int, status: Item.Status, after: Int, limit: Int)
  /// Carry out one attempt of a step.
  case perform(Command)
  /// Reply to a transfer that asked how to continue; a transfer that is not waiting ignores it.
  case answerRenewal(EffectID, RenewalDecision)
  /// Stop an attempt that is in flight; it ends with ``Verdict/interrupted``, or with an earlier outcome.
  case interrupt(EffectID)
  /// Delete the files of an item or the run, with `partials` also those received in part; frees `bytes`.
  case discardFiles(ItemKey?, bytes: Int64, partials: Bool)
  /// Send an event when the instant has come. A later timer replaces an earlier one.
  case setTimer(Instant)
  /// Everything that the allowance was for is durable; the process may be suspended.
  case endAllowance
  /// Nothing is left to do in this process.
  case stop
}

/// One attempt, adoption, probe or compensation, with the data for carrying it out.
public struct Command: Hashable, Sendable {
  /// What is carried out.
  public enum Action: Hashable, Sendable {
    /// The step itself; a materialization may write at most `reservedBytes`.
    case attempt(reservedBytes: Int64)
    /// Take up the transfer that an earlier process handed over under the same fence (TX4); if the service
    /// does not have it, it was interrupted (FQ3).
    case adopt(reservedBytes: Int64)
    /// The step's probe.
    case probe
    /// The compensation with this index in ``Loop/onAbandon``.
    case abandon(Int)
  }

  /// The fence.
  public let id: EffectID
  /// The kinds of actions.
  public let action: Action
  /// The values that expressions see.
  public let scope: Scope

  /// Makes a command.
  public init(id: EffectID, action: Action, scope: Scope) {
    self.id = id
    self.action = action
    self.scope = scope
  }

  /// The same command with other values.
  package func with(scope: Scope) -> Command { Command(id: id, action: action, scope: scope) }
}
