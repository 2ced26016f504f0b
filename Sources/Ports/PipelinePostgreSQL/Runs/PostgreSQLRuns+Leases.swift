/// Shards are leased by the server's clock; a shard whose lease has run out can be claimed by any worker.
extension PostgreSQLRuns {
  /// Takes a shard that waits for a worker, and makes the caller its owner; `nil` if none waits, or if a worker that stands still holds up all claims.
  public func claim(
    run: StoredRun?, by worker: String, lease: Duration, except refused: [StoredRun] = []
  ) async throws(StoreFailure) -> ShardLease? {
    let values: [Parameter] = [
      run.map { .integer($0.row) } ?? .null, .text(worker), .integer(lease.milliseconds),
      .integers(refused.map { Int64($0.row) }),
    ]
    return try await connection.perform(repeats: true) { session in
      let rows = try Self.alone(lease, session) { try session.query(Self.claim, values) }
      guard let rows, rows.count == 1 else { return nil }
      return ShardLease(
        run: try StoredRun(rows, 0, from: 3), shard: try rows.integer(0, 0),
        epoch: try rows.integer(0, 1), wish: try rows.optionalText(0, 2).flatMap(ShardWish.init))
    }
  }

  /// Runs `body` under the lock of claims, so that no two callers take the last slot of a run; `nil` if another caller keeps the lock.
  private static func alone<Answer>(
    _ lease: Duration, _ session: Session, _ body: () throws -> Answer
  ) throws -> Answer? {
    let patience = LeaseTerms(length: lease).patience.milliseconds
    do {
      return try session.transaction(with: ["lock_timeout TO \(patience)"]) {
        try session.query("SELECT pg_advisory_xact_lock(hashtextextended('pipeline claim', 0))")
        return try body()
      }
    } catch let error as PostgreSQLError where error.state == "55P03" {
      return nil
    }
  }

  private static let claim = """
    WITH free AS (
      SELECT shard.run, shard.shard FROM shard JOIN run ON run.id = shard.run
      WHERE \(isFree) AND ($1::bigint IS NULL OR run.id = $1::bigint)
        AND run.id <> ALL ($4::bigint[])
      ORDER BY shard.run, shard.shard FOR UPDATE OF shard SKIP LOCKED LIMIT 1
    )
    UPDATE shard SET epoch = epoch + 1, attempts = attempts + 1, worker = $2, waits = false,
      wish = CASE WHEN waits THEN coalesce(wish, 'resume') ELSE wish END,
      lease_until = clock_timestamp() + $3::bigint * interval '1 millisecond'
    FROM free JOIN run ON run.id = free.run
    WHERE shard.run = free.run AND shard.shard = free.shard
    RETURNING shard.shard, shard.epoch, shard.wish, \(StoredRun.columns)
    """

  /// Whether a shard waits for a worker: there is something to do, no lease, and a free slot.
  private static let isFree = """
    \(isOpen)
    AND (shard.lease_until IS NULL OR clock_timestamp() > shard.lease_until
      + (power(2, greatest(shard.attempts - 1, 0)) - 1) * interval '1 second')
    AND \(hasSlot)
    """

  /// Whether the run of a shard without a lease has a slot for it.
  private static let hasSlot = """
    (run.slots >= run.shards OR run.slots > (
      SELECT count(*) FROM shard AS other
      WHERE other.run = run.id AND other.lease_until >= clock_timestamp()))
    """

  /// Whether no shard of a run, or of any that is not `refused`, is worked on or waits for a worker.
  public func isAtRest(
    _ run: StoredRun?, except refused: [StoredRun] = []
  ) async throws(StoreFailure) -> Bool {
    try await connection.perform(repeats: true) { session in
      try !session.query(
        """
        SELECT EXISTS (SELECT 1 FROM shard JOIN run ON run.id = shard.run
          WHERE ($1::bigint IS NULL OR run.id = $1::bigint) AND run.id <> ALL ($2::bigint[])
            AND (shard.lease_until >= clock_timestamp() OR (\(Self.isOpen))))
        """,
        [run.map { .integer($0.row) } ?? .null, .integers(refused.map { Int64($0.row) })]
      ).bool(0, 0)
    }
  }

  /// How many times in a row a shard may end its worker without progress of any item.
  static let mostAttempts = 5

  private static let isOpen = """
    shard.attempts < \(mostAttempts) AND (shard.status IN ('running', 'cancelling') OR shard.wish IS NOT NULL
      OR shard.waits AND shard.status = 'paused' AND \(PostgreSQLCheckpointStore.areOthersDone))
    AND run.is_loaded
    AND (run.is_open AND NOT run.is_paused OR shard.shard = 0 AND NOT run.is_paused
      OR shard.wish = 'cancel' OR shard.status = 'cancelling')
    """

  private static let isUnleased =
    "(shard.lease_until IS NULL OR shard.lease_until < clock_timestamp())"

  /// Why a shard is tried no more, after ``mostAttempts`` workers; null for any other.
  static let trouble = """
    CASE WHEN shard.attempts >= \(mostAttempts) AND \(isUnleased) THEN
      coalesce(shard.trouble, 'the workers that had it ended without saying why') END
    """

  /// Renews leases, one that has run out only while the run has a slot for it; returns for each what is new, or `nil` if it is not the caller's any more.
  public func renew(
    _ leases: [ShardLease], by worker: String, for lease: Duration
  ) async throws(StoreFailure) -> [LeaseNews?] {
    guard !leases.isEmpty else { return [] }
    return try await connection.perform(repeats: true) { session in
      var news = [LeaseNews?](repeating: nil, count: leases.count)
      func renew(_ positions: [Int], _ condition: String) throws {
        let rows = try session.query(
          Self.renewal(condition),
          [
            .text(worker), .integer(lease.milliseconds),
            .integers(positions.map { Int64(leases[$0].run.row) }),
            .integers(positions.map { Int64(leases[$0].shard) }),
            .integers(positions.map { Int64(leases[$0].epoch) }),
          ])
        for row in 0..<rows.count {
          news[positions[try rows.integer(row, 0) - 1]] = LeaseNews(
            isPaused: try rows.bool(row, 1),
            wish: try rows.optionalText(row, 2).flatMap(ShardWish.init))
        }
      }
      try renew(Array(leases.indices), "shard.lease_until >= clock_timestamp()")
      // Others may have taken the slot meanwhile: each is like a claim, of the shard that the caller has.
      for position in leases.indices where news[position] == nil {
        _ = try Self.alone(lease, session) { try renew([position], Self.hasSlot) }
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
    RETURNING mine.position, run.is_paused, shard.wish
    """
  }

  /// Gives a shard back; returns whether it was still the caller's.
  ///
  /// - Parameter trouble: Why the shard could not be worked on: it is tried again later, and five times in a row at most.
  @discardableResult
  public func release(
    _ lease: ShardLease, by worker: String, done: ShardWish?, isUnfinished: Bool,
    trouble: String? = nil
  ) async throws(StoreFailure) -> Bool {
    let values: [Parameter] = [
      .integer(lease.run.row), .integer(lease.shard), .integer(lease.epoch), .text(worker),
      .text(done?.rawValue), .bool(isUnfinished), .text(trouble),
    ]
    return try await connection.perform(repeats: true) { session in
      try session.query(
        """
        UPDATE shard SET worker = NULL, trouble = $7::text,
          attempts = CASE WHEN $7::text IS NULL THEN 0 ELSE attempts END,
          lease_until = CASE WHEN $7::text IS NOT NULL THEN clock_timestamp() END, wish = CASE
          WHEN $6::boolean THEN coalesce(wish, CASE WHEN status = 'paused' THEN 'resume' END)
          WHEN wish = $5::text THEN NULL ELSE wish END
        WHERE run = $1 AND shard = $2 AND epoch = $3 AND worker = $4
        """, values
      ).changed == 1
    }
  }

  /// Lets a lease have run out earlier, for tests of what comes after that.
  package func shift(_ lease: ShardLease, by time: Duration) async throws(StoreFailure) {
    try await connection.perform(repeats: false) { session in
      _ = try session.query(
        """
        UPDATE shard SET lease_until = lease_until - $3::bigint * interval '1 millisecond'
        WHERE run = $1 AND shard = $2
        """,
        [.integer(lease.run.row), .integer(lease.shard), .integer(time.milliseconds)])
    }
  }

  /// Says that a worker is there and how many shards it holds.
  public func report(
    _ worker: String, held: Int, atMost: Int, run: StoredRun?, lease: Duration
  ) async throws(StoreFailure) -> WorkerNews {
    let values: [Parameter] = [
      .text(worker), .integer(held), .integer(atMost), .integer(lease.milliseconds),
      run.map { .integer($0.row) } ?? .null,
    ]
    return try await connection.perform(repeats: true) { session in
      let rows = try session.query(
        """
        WITH here AS (
          INSERT INTO worker (worker, held, at_most, seen)
          VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT (worker)
          DO UPDATE SET held = EXCLUDED.held, at_most = EXCLUDED.at_most, seen = EXCLUDED.seen
        ), gone AS (
          DELETE FROM worker WHERE seen < clock_timestamp() - interval '1 day'
        )
        SELECT (SELECT min(held) FROM worker WHERE worker <> $1 AND held < at_most
            AND seen > clock_timestamp() - $4::bigint * interval '1 millisecond'),
          EXISTS (SELECT 1 FROM shard JOIN run ON run.id = shard.run WHERE \(Self.isFree)
            AND ($5::bigint IS NULL OR run.id = $5::bigint))
        """, values)
      return WorkerNews(
        fewestHeld: rows.isNull(0, 0) ? nil : try rows.integer(0, 0),
        isShardFree: try rows.bool(0, 1))
    }
  }

  /// Forgets a worker that ends.
  public func leave(_ worker: String) async throws(StoreFailure) {
    try await connection.perform(repeats: true) { session in
      _ = try session.query("DELETE FROM worker WHERE worker = $1", [.text(worker)])
    }
  }

  /// Asks all shards of a run to pause, or no longer does.
  public func pause(_ run: StoredRun, _ isPaused: Bool) async throws(StoreFailure) {
    try await connection.perform(repeats: true) { session in
      _ = try session.query(
        "UPDATE run SET is_paused = $2 WHERE id = $1", [.integer(run.row), .bool(isPaused)])
    }
  }

  /// Leaves a wish for those shards of a run for which it means something; returns their number.
  public func wish(_ wish: ShardWish, of run: StoredRun) async throws(StoreFailure) -> Int {
    // Numbers in `counts` as in `RunColumns.counted`: paused is the third, failed the fourth.
    let condition =
      switch wish {
      case .resume: "status = 'paused' AND NOT waits"
      case .retry, .retryAccepting:
        "status NOT IN ('cancelled', 'cancelling') AND counts[3] + counts[4] > 0"
      case .retryFailed: "status NOT IN ('cancelled', 'cancelling') AND counts[4] > 0"
      case .retryPaused: "status NOT IN ('cancelled', 'cancelling') AND counts[3] > 0"
      case .cancel: "status IN ('running', 'paused', 'cancelling', 'cancelled', 'finished')"
      }
    return try await connection.perform(repeats: true) { session in
      // Whatever a person wants, what ended workers is tried again.
      let tried = try session.query(
        """
        UPDATE shard SET attempts = 0, trouble = NULL
        WHERE run = $1 AND attempts >= \(Self.mostAttempts) AND \(Self.isUnleased)
        """, [.integer(run.row)])
      let wished = try session.query(
        """
        UPDATE shard SET wish = $2
        WHERE run = $1 AND \(condition) AND (wish IS NULL OR wish = 'resume' OR $2 = 'cancel')
        """, [.integer(run.row), .text(wish.rawValue)])
      return max(tried.changed, wished.changed)
    }
  }
}
