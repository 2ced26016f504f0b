/// The lead of a run executes the run-level steps: its results are passed to the others,
/// and steps after the loops wait for them.
extension PostgreSQLCheckpointStore {
  /// Whether all shards with items are done, and no unfinished item blocks the steps after them.
  static let areOthersDone = """
    NOT EXISTS (SELECT 1 FROM shard AS other
      WHERE other.run = run.id AND other.shard > 0
        AND (other.status <> 'finished' OR other.wish IS NOT NULL OR other.counts[3] > 0
          OR run.stops_on_failed AND other.counts[4] > 0))
    """

  /// Opens the run to those with items when the lead reaches its first loop, and lets the lead continue when all of them are done.
  func awaitShards(_ epoch: Int) async throws(StoreFailure) {
    let isDone = try await connection.transaction(repeats: true) { [self] session in
      try checkOwner(epoch, session)
      let run = try session.query(
        "SELECT is_open, shards FROM run WHERE id = $1 FOR UPDATE", [.integer(run)])
      if try !run.bool(0, 0) { try giveResults(to: try run.integer(0, 1), session) }
      let isDone = try session.query(
        "SELECT \(Self.areOthersDone) FROM run WHERE id = $1", [.integer(self.run)]
      ).bool(0, 0)
      try session.query(
        "UPDATE shard SET waits = $3 WHERE run = $1 AND shard = $2", here + [.bool(!isDone)])
      return isDone
    }
    guard isDone else {
      throw StoreFailure(
        .enumeration,
        message: "the items are worked on in the other shards; what comes after them waits")
    }
  }

  /// Stores the lead's results in the frames of the shards with items, which have not started.
  private func giveResults(to count: Int, _ session: Session) throws {
    guard let lead = try storedState(session) else { throw StoreFailure.noRun(session.place) }
    // One by one, since a result may be a list of megabytes.
    for number in 1...count {
      var state = RunState(
        id: lead.id, pipeline: coding.pipeline, inputs: lead.inputs, seed: 0, began: lead.began,
        shard: Shard(number, of: count))
      state.frame = lead.frame
      try session.query(
        "UPDATE shard SET frame = $3 WHERE run = $1 AND shard = $2 AND epoch = 0",
        [.integer(run), .integer(number), .bytes(coding.encode(frame: state))])
    }
    try session.query("UPDATE run SET is_open = true WHERE id = $1", [.integer(run)])
  }
}
