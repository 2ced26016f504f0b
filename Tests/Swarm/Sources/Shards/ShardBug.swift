/// A mistake that a store of shards, or a worker, could make, to see that the swarm finds it.
public enum ShardBug: String, Hashable, Sendable, CaseIterable {
  /// Whether a lease has run out is decided by the clock of the worker that asks.
  case leaseByWorkersClock = "lease-by-workers-clock"
  /// The store accepts batches of earlier owners.
  case epochNotChecked = "epoch-not-checked"
  /// A batch whose answer was lost is stored again, and one that arrives late is stored at all.
  case tokenNotChecked = "token-not-checked"
  /// More shards are claimed than the run has slots, so that each spends a share of the rate that is not there.
  case slotsNotCounted = "slots-not-counted"
  /// A part of the rate is left to others before its worker was notified.
  case partLeftUnheard = "part-left-unheard"
  /// A worker that cannot renew its lease continues to send requests.
  case gateForgotten = "gate-forgotten"
  /// The gate is asked when a request leaves, and not before each piece of its body.
  case bodyNotGated = "body-not-gated"
  /// The time of a probe starts when an earlier owner started to send, and not when the next one reads the state.
  case untilFromRequest = "until-from-request"
  /// A lease that has run out is renewed, although others have claimed all slots.
  case slotsNotCountedAgain = "slots-not-counted-again"
  /// A file that one machine lacks counts as the item's failure.
  case faultCountedAgainstItem = "fault-counted-against-item"
  /// The process that records a request works on shards as well.
  case requestProcesses = "request-processes"
  /// The lead continues after the loop while others still work on items.
  case leadNotHeldBack = "lead-not-held-back"
  /// Shards start without the results of the lead, or before it has them.
  case resultsNotGiven = "results-not-given"
  /// The request that a lead continues is lost when the worker is killed that has claimed it.
  case wakingForgotten = "waking-forgotten"
  /// A shard starts before its worker knows that it has only a part of the rate, and so with a token.
  case limitsKnownLate = "limits-known-late"
  /// A worker counts its lease from when it was answered.
  case leaseFromAnswer = "lease-from-answer"
}
