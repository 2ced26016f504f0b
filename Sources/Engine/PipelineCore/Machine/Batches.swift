import CEL

/// The batches of a run: those in flight, and the items that wait for one.
struct Batches: Hashable, Sendable {
  /// The members of each batch that is in flight, by the fence of its first member.
  var inFlight: [EffectID: [ItemKey]] = [:]
  /// Items queued for a batch, by step.
  var queues: [Int: BatchQueue] = [:]
  /// The group of each item that reached a step with `batch`: the items that may share one.
  var groups: [StepPlace: Value] = [:]
}
