extension PostgreSQLCheckpointStore {
  /// The sizes of all items that are files, by state.
  public func sizes() async throws(StoreFailure) -> ItemSizes {
    try await connection.perform(repeats: true) { [self] session in
      let rows = try session.query(
        """
        SELECT status, count(size), sum(size)::bigint FROM (
          SELECT status, (convert_from(subject, 'UTF8')::json #>> '{file,size}')::bigint AS size
          FROM \(Self.itemsWithSubjects) WHERE run = $1 AND shard = $2) AS files
        WHERE size IS NOT NULL GROUP BY status
        """, here)
      var sizes = ItemSizes()
      for row in 0..<rows.count {
        guard let status = Item.Status(rawValue: try rows.integer(row, 0)) else { continue }
        sizes.add(status, count: try rows.integer(row, 1), bytes: Int64(try rows.integer(row, 2)))
      }
      return sizes
    }
  }

  /// The time within the shard's run in which no process worked on it: before and between processes.
  public func idleTime() async throws(StoreFailure) -> Duration {
    try await connection.perform(repeats: true) { [self] session in
      let rows = try session.query(
        """
        SELECT coalesce(sum(at - coalesce((
          SELECT at FROM history AS earlier
          WHERE earlier.run = $1 AND earlier.shard = $2 AND earlier.sequence < history.sequence
          ORDER BY earlier.sequence DESC LIMIT 1),
          (SELECT began FROM shard WHERE run = $1 AND shard = $2))), 0)::bigint
        FROM history WHERE run = $1 AND shard = $2 AND (\(Schema.launches))
        """, here)
      return .milliseconds(max(try rows.integer(0, 0), 0))
    }
  }

  /// Replaces the subjects and the progress of items that are not active.
  public func replace(_ items: [Item], epoch: Int) async throws(StoreFailure) {
    guard !items.isEmpty else { return }
    try await connection.transaction(repeats: true) { [self] session in
      try checkOwner(epoch, session)
      for item in items {
        try session.query(
          "UPDATE subject SET subject = $4 WHERE run = $1 AND shard = $2 AND key = $3",
          here + [.integer(item.key.row), .bytes(coding.encode(subject: item.subject))])
        try session.query(
          "UPDATE item SET status = $4, progress = $5 WHERE run = $1 AND shard = $2 AND key = $3",
          here + [
            .integer(item.key.row), .integer(item.status.rawValue),
            .bytes(coding.encode(progress: item)),
          ])
      }
    }
  }
}

/// Digests are of files as one machine sees them: a store that many machines share does not keep them.
extension PostgreSQLCheckpointStore: DigestCache {
  /// None.
  public func digests(of content: FileContent) async -> [DigestAlgorithm: String] { [:] }
  /// Nothing is kept.
  public func keep(_ digests: [DigestAlgorithm: String], of content: FileContent) async {}
}
