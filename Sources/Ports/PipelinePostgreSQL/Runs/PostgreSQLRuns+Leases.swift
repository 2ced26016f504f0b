/// Shards are leased by the server's clock; a shard whose lease has run out can be claimed by any worker.
extension PostgreSQLRuns {
  /// Claims up to `atMost` shards of one run that wait for a worker, and makes the caller their owner.
  ///
  /// The result is empty if no shard waits, or if a stopped worker blocks the claims of the first run.
  public func claim(
    run: StoredRun?, by worker: String, lease: Duration, except refused: [StoredRun] = [],
    atMost: Int = 1
  ) async throws(StoreFailure) -> [ShardLease] {
    let wanted: [Parameter] = [
      run.map { .integer($0.row) } ?? .null, .text(worker),
      .integers(refused.map { Int64($0.row) }),
    ]
    return try await connection.perform(repeats: true) { [self] session in
      let next = try session.query(nextRun, wanted)
      guard next.count == 1 else { return [] }
      let values: [Parameter] = [
        .integer(try next.integer(0, 0)), .text(worker), .integer(lease.milliseconds),
        .integer(atMost),
      ]
      let rows = try Self.alone(
        lease, try next.integer(0, 0), if: try next.bool(0, 1), session
      ) { try session.query(nextShards, values) }
      guard let rows else { return [] }
      return try (0..<rows.count).map { row in
        ShardLease(
          run: try StoredRun(rows, row, from: 4), shard: try rows.integer(row, 0),
          epoch: try rows.integer(row, 1),
          wish: try rows.optionalText(row, 2).flatMap(ShardWish.init),
          shares: try rows.integer(row, 3))
      }
    }
  }

  /// Runs `body` exclusively among the claims of a run with fewer slots than shards, so that two callers cannot claim its
  /// last slot, or of a run with rates, so that two callers cannot divide them at once; `nil` if another caller keeps the lock.
  static func alone<Answer>(
    _ lease: Duration, _ run: Int, if isShared: Bool, _ session: Session,
    _ body: () throws -> Answer
  ) throws -> Answer? {
    guard isShared else { return try body() }
    let patience = LeaseTerms(length: lease).patience.milliseconds
    do {
      return try session.transaction(with: ["lock_timeout TO \(patience)"]) {
        try session.query(
          "SELECT pg_advisory_xact_lock(hashtextextended('pipeline claim ' || $1::bigint, 0))",
          [.integer(run)])
        return try body()
      }
    } catch let error as PostgreSQLError where error.state == "55P03" { return nil }
  }

  /// The run whose shards a worker claims next, and whether its slots are fewer than its shards, or it has rates.
  private var nextRun: String {
    """
    WITH \(Self.held)
    SELECT run.id, run.slots < run.shards OR run.is_paced FROM run LEFT JOIN held ON held.run = run.id
    WHERE ($1::bigint IS NULL OR run.id = $1::bigint) AND run.id <> ALL ($3::bigint[])
      AND EXISTS (SELECT 1 FROM shard WHERE shard.run = run.id AND \(isFree(for: "$2")))
    ORDER BY run.priority DESC, coalesce(held.shards, 0)::float8 / run.weight, run.id LIMIT 1
    """
  }

  private var nextShards: String {
    """
    WITH \(Self.held), free AS (
      SELECT shard.run, shard.shard FROM shard JOIN run ON run.id = shard.run
      WHERE run.id = $1::bigint AND \(isFree(for: "$2"))
      ORDER BY shard.shard FOR UPDATE OF shard SKIP LOCKED LIMIT (
        SELECT CASE WHEN run.slots >= run.shards THEN $4::bigint
          ELSE least($4::bigint, greatest(run.slots - coalesce(held.shards, 0), 0)) END
        FROM run LEFT JOIN held ON held.run = run.id WHERE run.id = $1::bigint)
    ), others AS (
      SELECT coalesce(sum(shards), 0) AS shards, coalesce(sum(parts), 0) AS parts FROM held
      WHERE run = $1::bigint
    ), mine AS (SELECT count(*) AS shards FROM free)
    UPDATE shard SET epoch = epoch + 1, attempts = attempts + 1, worker = $2, waits = false, wake_at = NULL,
      wish = CASE WHEN waits THEN coalesce(wish, 'resume') ELSE wish END,
      lease_until = clock_timestamp() + $3::bigint * interval '1 millisecond',
      shares = \(Self.shares)
    FROM free JOIN run ON run.id = free.run, others, mine
    WHERE shard.run = free.run AND shard.shard = free.shard
    RETURNING shard.shard, shard.epoch, shard.wish, shard.shares, \(StoredRun.columns)
    """
  }

  /// Among how many shards the server's limits are divided for each of `mine`: all that are held, or more while the `others` use more than their part.
  ///
  /// They learn of it when they renew. Until then, a new shard has the rest, and at least so little that all new ones together have a sixteenth.
  static let shares = """
    greatest(others.shards + mine.shards,
      CASE WHEN mine.shards < (1 - others.parts) * 16 * run.slots
        THEN ceil(mine.shards / (1 - others.parts) - 1e-6) ELSE 16 * run.slots END)::bigint
    """

  /// How many shards of each run workers hold, and which part of the server's limits they use: the run with the fewest for its weight comes next.
  private static let held = """
    held AS (SELECT run, count(*) AS shards, sum(1::float8 / shares) AS parts FROM shard
      WHERE worker IS NOT NULL AND lease_until >= clock_timestamp() GROUP BY run)
    """

  /// The machine of a worker, whose name is `MACHINE#PROCESS`: another process lacks the same there.
  private static func machine(of worker: String) -> String { "split_part(\(worker), '#', 1)" }

  /// Whether a shard waits for a worker: there is something to do, no lease, and a free slot; and this worker has not just left it to others.
  private func isFree(for worker: String) -> String {
    """
    \(Self.isOpen)
    AND (shard.wake_at IS NULL OR shard.wake_at <= clock_timestamp() OR shard.wish IS NOT NULL)
    AND NOT (\(Self.machine(of: worker)) = ANY (shard.refused_by)
      AND shard.refused_at > clock_timestamp() - interval '1 minute')
    AND (shard.lease_until IS NULL OR clock_timestamp() > shard.lease_until
      + (power(2, greatest(shard.attempts - 1, 0)) - 1) * interval '\(wait.milliseconds) ms')
    AND \(Self.hasSlot)
    """
  }

  /// Whether the run of a shard without a lease has a slot for it.
  static let hasSlot = """
    (run.slots >= run.shards OR run.slots > (
      SELECT count(*) FROM shard AS other
      WHERE other.run = run.id AND other.lease_until >= clock_timestamp()))
    """

  /// Whether no shard of a run, or of any that is not `refused`, is worked on or waits for a worker; one that all workers have left to others waits for none of them.
  public func isAtRest(
    _ run: StoredRun?, except refused: [StoredRun] = [], lease: Duration = .seconds(30)
  ) async throws(StoreFailure) -> Bool {
    try await connection.perform(repeats: true) { session in
      try !session.query(
        """
        SELECT EXISTS (SELECT 1 FROM shard JOIN run ON run.id = shard.run
          WHERE ($1::bigint IS NULL OR run.id = $1::bigint) AND run.id <> ALL ($2::bigint[])
            AND (shard.lease_until >= clock_timestamp() OR (\(Self.isOpen)) AND (
              shard.refused_by = '{}' OR EXISTS (SELECT 1 FROM worker
                WHERE seen > clock_timestamp() - $3::bigint * interval '1 millisecond'
                  AND \(Self.machine(of: "worker.worker")) <> ALL (shard.refused_by)))))
        """,
        [
          run.map { .integer($0.row) } ?? .null, .integers(refused.map { Int64($0.row) }),
          .integer(lease.milliseconds),
        ]
      ).bool(0, 0)
    }
  }

  /// How many times in a row a shard may end its worker without progress of any item.
  static let mostAttempts = 5

  /// Whether as many workers as must agree lacked the same; of a shard that has finished, each item has its own list.
  private static let isRefused = "cardinality(shard.agreed) >= 3 AND shard.status <> 'finished'"

  private static let isOpen = """
    shard.attempts < \(mostAttempts) AND NOT (\(isRefused)) AND (shard.status IN ('running', 'cancelling') OR shard.wish IS NOT NULL
      OR shard.waits AND shard.status = 'paused' AND \(PostgreSQLCheckpointStore.areOthersDone))
    AND run.is_loaded
    AND (run.is_open AND run.paused IS NULL OR shard.shard = 0 AND run.paused IS NULL
      OR shard.wish = 'cancel' OR shard.status = 'cancelling')
    """

  private static let isUnleased =
    "(shard.lease_until IS NULL OR shard.lease_until < clock_timestamp())"

  /// Why a shard is tried no more, after ``mostAttempts`` workers, or three that lacked something; null for any other.
  static let trouble = """
    CASE WHEN shard.attempts >= \(mostAttempts) AND \(isUnleased) THEN
      coalesce(shard.trouble, 'the workers that held it ended without reporting why') || '; tried 5 times'
    WHEN \(isRefused) AND \(isUnleased) THEN 'left to other workers by '
      || array_to_string(shard.agreed, ', ') || ': ' || coalesce(shard.trouble, '') END
    """

  /// Which workers left a shard to others, and why, or until when it waits; null if it does neither.
  static let refusal = """
    CASE WHEN shard.wake_at > clock_timestamp() AND \(isUnleased) THEN 'nothing to do until '
        || to_char(shard.wake_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    WHEN shard.refused_by <> '{}' AND \(isUnleased) THEN
      'left to other workers by ' || array_to_string(shard.refused_by, ', ') || ': '
        || coalesce(shard.trouble, '') END
    """

  /// Releases a shard; returns whether it was still the caller's.
  ///
  /// - Parameters:
  ///   - isUnfinished: Whether another worker must continue it; the caller can commit nothing afterwards.
  ///   - trouble: Why the shard could not be worked on: it is tried again later, and five times in a row at most.
  ///   - refusal: Why the worker leaves it to others.
  ///   - pause: For how long there is nothing to do.
  @discardableResult
  public func release(
    _ lease: ShardLease, by worker: String, done: ShardWish?, isUnfinished: Bool,
    trouble: String? = nil, refusal: ShardRefusal? = nil,
    pause: Duration? = nil
  ) async throws(StoreFailure) -> Bool {
    let values: [Parameter] = [
      .integer(lease.run.row), .integer(lease.shard), .integer(lease.epoch), .text(worker),
      .text(done?.rawValue), .bool(isUnfinished), .text(trouble), .text(refusal?.reason),
      .bool(refusal?.isPassing ?? false), pause.map { .integer($0.milliseconds) } ?? .null,
      .text(refusal.flatMap { $0.isProof ? $0.lack.rawValue : nil }),
    ]
    return try await connection.perform(repeats: true) { session in
      try session.query(
        """
        UPDATE shard SET epoch = epoch + $6::boolean::integer, worker = NULL, trouble = coalesce($7::text, $8::text),
          wake_at = clock_timestamp() + $10::bigint * interval '1 millisecond',
          refused_at = clock_timestamp(), refused_by = CASE
          WHEN $8::text IS NULL THEN CASE WHEN $6::boolean THEN refused_by ELSE '{}' END
          WHEN $9::boolean THEN ARRAY[\(Self.machine(of: "$4"))]
          ELSE array_remove(refused_by, \(Self.machine(of: "$4"))) || \(Self.machine(of: "$4")) END,
          agreed = CASE WHEN $8::text IS NULL AND $6::boolean THEN agreed
          WHEN $11::text IS NULL THEN '{}'
          ELSE array_remove(CASE WHEN lacking = $11::text THEN agreed ELSE '{}' END,
            \(Self.machine(of: "$4"))) || \(Self.machine(of: "$4")) END,
          lacking = CASE WHEN $8::text IS NULL AND $6::boolean THEN lacking ELSE $11::text END,
          attempts = CASE WHEN $7::text IS NULL THEN 0 ELSE attempts END,
          lease_until = CASE WHEN $7::text IS NOT NULL THEN clock_timestamp() END, wish = CASE
          WHEN $8::text IS NOT NULL AND status IN ('paused', 'finished')
            THEN coalesce(nullif(wish, $5::text), 'resume')
          WHEN $6::boolean THEN coalesce(wish, CASE WHEN status = 'paused' THEN 'resume' END)
          WHEN wish = $5::text THEN NULL ELSE wish END
        WHERE run = $1 AND shard = $2 AND epoch = $3 AND worker = $4
        """, values
      ).changed == 1
    }
  }

  /// Records that a worker is running, and how many shards it holds.
  public func report(
    _ worker: String, held: Int, atMost: Int, run: StoredRun?, lease: Duration
  ) async throws(StoreFailure) -> WorkerNews {
    let values: [Parameter] = [
      .text(worker), .integer(held), .integer(atMost), .integer(lease.milliseconds),
      run.map { .integer($0.row) } ?? .null,
    ]
    return try await leases.perform(repeats: true) { [self] session in
      let rows = try session.query(
        """
        WITH here AS (
          INSERT INTO worker (worker, held, at_most, seen)
          VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT (worker)
          DO UPDATE SET held = EXCLUDED.held, at_most = EXCLUDED.at_most, seen = EXCLUDED.seen
        ), gone AS (
          DELETE FROM worker WHERE seen < clock_timestamp() - interval '1 day'
        ), \(Self.held), poorest AS (
          SELECT run.priority, min((coalesce(held.shards, 0) + 1)::float8 / run.weight) AS share
          FROM shard JOIN run ON run.id = shard.run LEFT JOIN held ON held.run = run.id
          WHERE \(isFree(for: "$1")) AND ($5::bigint IS NULL OR run.id = $5::bigint)
            AND NOT EXISTS (SELECT 1 FROM worker AS idle WHERE idle.worker <> $1
              AND idle.held < idle.at_most
              AND idle.seen > clock_timestamp() - $4::bigint * interval '1 millisecond')
          GROUP BY 1 ORDER BY 1 DESC LIMIT 1
        ), spare AS (
          SELECT shard.run, shard.shard, shard.worker FROM shard JOIN run ON run.id = shard.run
            JOIN held ON held.run = run.id, poorest
          WHERE shard.worker IS NOT NULL AND shard.lease_until >= clock_timestamp()
            AND (run.priority < poorest.priority OR run.priority = poorest.priority
              AND (held.shards - 1)::float8 / run.weight >= poorest.share)
          ORDER BY run.priority, held.shards::float8 / run.weight DESC, shard.run, shard.shard DESC
          LIMIT 1
        )
        SELECT (SELECT min(held) FROM worker WHERE worker <> $1 AND held < at_most
            AND seen > clock_timestamp() - $4::bigint * interval '1 millisecond'),
          EXISTS (SELECT 1 FROM shard JOIN run ON run.id = shard.run WHERE \(isFree(for: "$1"))
            AND ($5::bigint IS NULL OR run.id = $5::bigint)),
          (SELECT run FROM spare WHERE worker = $1), (SELECT shard FROM spare WHERE worker = $1)
        """, values)
      return WorkerNews(
        fewestHeld: rows.isNull(0, 0) ? nil : try rows.integer(0, 0),
        isShardFree: try rows.bool(0, 1),
        spare: rows.isNull(0, 2) ? nil : (try rows.integer(0, 2), try rows.integer(0, 3)))
    }
  }

  /// Forgets a worker that ends.
  public func leave(_ worker: String) async throws(StoreFailure) {
    try await connection.perform(repeats: true) { session in
      _ = try session.query("DELETE FROM worker WHERE worker = $1", [.text(worker)])
    }
  }

  /// Asks all shards of a run to pause for a reason, or no longer does.
  public func pause(_ run: StoredRun, _ reason: String?) async throws(StoreFailure) {
    try await connection.perform(repeats: true) { session in
      _ = try session.query(
        "UPDATE run SET paused = $2 WHERE id = $1",
        [.integer(run.row), reason.map { .text($0) } ?? .null])
    }
  }

  /// Leaves a wish for those shards of a run to which it applies, and lets a paused run continue for it; returns their number.
  public func wish(_ wish: ShardWish, of run: StoredRun) async throws(StoreFailure) -> Int {
    // Numbers in `counts` as in `RunColumns.counted`: paused is the third, failed the fourth.
    let condition =
      switch wish {
      case .resume:
        "(status = 'paused' OR status = 'running' AND wake_at IS NOT NULL) AND NOT waits"
      // Of a shard that was left to others, most items have not been tried.
      case .retryAccepting:
        "status NOT IN ('cancelled', 'cancelling') AND counts[1] + counts[3] + counts[4] > 0"
      case .retry:
        "status NOT IN ('cancelled', 'cancelling') AND counts[3] + counts[4] > 0"
      case .retryFailed: "status NOT IN ('cancelled', 'cancelling') AND counts[4] > 0"
      case .retryPaused: "status NOT IN ('cancelled', 'cancelling') AND counts[3] > 0"
      case .cancel: "status IN ('running', 'paused', 'cancelling', 'cancelled', 'finished')"
      }
    return try await connection.transaction(repeats: true) { session in
      // With any wish, shards that ended workers, or were left to others, are tried again.
      let tried = try session.query(
        """
        UPDATE shard SET attempts = 0, trouble = NULL, refused_by = '{}', agreed = '{}'
        WHERE run = $1 AND (attempts >= \(Self.mostAttempts) OR refused_by <> '{}')
          AND \(Self.isUnleased)
        """, [.integer(run.row)])
      let wished = try session.query(
        """
        UPDATE shard SET wish = $2
        WHERE run = $1 AND \(condition) AND (wish IS NULL OR wish = 'resume' OR $2 = 'cancel')
        """, [.integer(run.row), .text(wish.rawValue)])
      let count = max(tried.changed, wished.changed)
      if wish == .resume || wish != .cancel && count > 0 {
        try session.query("UPDATE run SET paused = NULL WHERE id = $1", [.integer(run.row)])
      }
      return count
    }
  }
}
