/// One run in a list of runs, read without the run's pipeline.
public struct RunSummary: Hashable, Sendable {
  public let id: RunID
  /// Name of its pipeline.
  public let pipeline: String
  /// Its status, as last stored by its owner.
  public let status: RunState.Status
  /// Why it is paused.
  public let reason: String?
  /// The number of items of all loops in each state.
  public let counts: ItemCounts
  /// When it started.
  public let began: Instant
  /// When it last became finished, paused or cancelled.
  public let ended: Instant?

  /// Makes a summary.
  public init(
    id: RunID, pipeline: String, status: RunState.Status, reason: String?, counts: ItemCounts,
    began: Instant, ended: Instant?
  ) {
    (self.id, self.pipeline, self.status, self.reason) = (id, pipeline, status, reason)
    (self.counts, self.began, self.ended) = (counts, began, ended)
  }
}
