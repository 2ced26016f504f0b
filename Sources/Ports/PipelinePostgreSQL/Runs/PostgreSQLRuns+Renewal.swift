/// Renewals: each tells its worker what is asked, and which part of the server's limits it has.
extension PostgreSQLRuns {
  /// Renews leases, one that has run out only while the run has a slot for it; returns for each what is new, or `nil` if it is not the caller's any more.
  public func renew(
    _ mine: [ShardLease], by worker: String, for lease: Duration
  ) async throws(StoreFailure) -> [LeaseNews?] {
    guard !mine.isEmpty else { return [] }
    return try await leases.perform(repeats: true) { session in
      var news = [LeaseNews?](repeating: nil, count: mine.count)
      func renew(_ positions: [Int], _ condition: String) throws {
        let rows = try session.query(
          Self.renewal(condition),
          [
            .text(worker), .integer(lease.milliseconds),
            .integers(positions.map { Int64(mine[$0].run.row) }),
            .integers(positions.map { Int64(mine[$0].shard) }),
            .integers(positions.map { Int64(mine[$0].epoch) }),
          ])
        for row in 0..<rows.count {
          news[positions[try rows.integer(row, 0) - 1]] = LeaseNews(
            pauseReason: try rows.optionalText(row, 1),
            wish: try rows.optionalText(row, 2).flatMap(ShardWish.init))
        }
      }
      try renew(Array(mine.indices), "shard.lease_until >= clock_timestamp()")
      // Others may have taken the slot in the meantime: each renewal is like a claim of the shard that the caller has.
      for position in mine.indices where news[position] == nil {
        let run = mine[position].run
        _ = try Self.alone(lease, run.row, if: run.slots < run.shards, session) {
          try renew([position], Self.hasSlot)
        }
      }
      for (run, positions) in Dictionary(grouping: mine.indices, by: { mine[$0].run }) {
        let rows = try Self.alone(lease, run.row, if: run.isPaced, session) {
          try session.query(
            Self.division,
            [
              .integer(run.row), .text(worker),
              .integers(positions.map { Int64(mine[$0].shard) }),
              .integers(positions.map { Int64(mine[$0].shares) }),
            ])
        }
        for position in positions { news[position]?.shares = try rows?.integer(0, 0) }
      }
      return news
    }
  }

  private static func renewal(_ condition: String) -> String {
    """
    UPDATE shard SET lease_until = clock_timestamp() + $2::bigint * interval '1 millisecond'
    FROM unnest($3::bigint[], $4::bigint[], $5::bigint[]) WITH ORDINALITY
      AS mine (run, shard, epoch, position) JOIN run ON run.id = mine.run
    WHERE shard.run = mine.run AND shard.shard = mine.shard AND shard.epoch = mine.epoch
      AND shard.worker = $1 AND \(condition)
    RETURNING mine.position, run.paused, shard.wish
    """
  }

  /// Divides the server's limits again for the shards of a run that a worker holds; returns among how many.
  ///
  /// What the worker is only about to hear that it has claimed counts as another's. A larger part is taken at once. A smaller one is left to others when the worker renews again: until then, it may not have heard of it.
  private static let division = """
    WITH others AS (
      SELECT count(*) AS shards, coalesce(sum(1::float8 / shares), 0) AS parts FROM shard
      WHERE run = $1 AND worker IS NOT NULL AND lease_until >= clock_timestamp()
        AND NOT (worker = $2 AND shard = ANY ($3::bigint[]))
    ), mine AS (SELECT greatest(count(*), 1) AS shards FROM shard
      WHERE run = $1 AND worker = $2 AND lease_until >= clock_timestamp()
        AND shard = ANY ($3::bigint[])
    ), target AS (SELECT \(shares) AS shares FROM others, mine, run WHERE run.id = $1
    ), divided AS (
      UPDATE shard SET shares = least(used.shares, target.shares)
      FROM unnest($3::bigint[], $4::bigint[]) AS used (shard, shares), target
      WHERE run = $1 AND worker = $2 AND shard.shard = used.shard
        AND shard.shares <> least(used.shares, target.shares))
    SELECT shares FROM target
    """
}
