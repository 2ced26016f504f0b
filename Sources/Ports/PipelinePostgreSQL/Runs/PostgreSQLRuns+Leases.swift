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
      let next = try session.query(statement("next_run"), wanted)
      guard next.count == 1 else { return [] }
      let values: [Parameter] = [
        .integer(try next.integer(0, 0)), .text(worker), .integer(lease.milliseconds),
        .integer(atMost),
      ]
      let rows = try Self.alone(lease, try next.integer(0, 0), if: try next.bool(0, 1), session) {
        try session.query(statement("next_shards"), values)
      }
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

  private func statement(_ name: String) -> String {
    Schema.statements[name].replacing("{{wait}}", with: String(wait.milliseconds))
  }

  /// Whether no shard of a run, or of any that is not `refused`, is worked on or waits for a worker; one that all workers have left to others waits for none of them.
  public func isAtRest(
    _ run: StoredRun?, except refused: [StoredRun] = [], lease: Duration = .seconds(30)
  ) async throws(StoreFailure) -> Bool {
    try await connection.perform(repeats: true) { session in
      try !session.query(
        Schema.statements["is_at_rest"],
        [
          run.map { .integer($0.row) } ?? .null, .integers(refused.map { Int64($0.row) }),
          .integer(lease.milliseconds),
        ]
      ).bool(0, 0)
    }
  }

  /// Releases a shard; returns whether it was still the caller's.
  ///
  /// - Parameters:
  ///   - isUnfinished: Whether another worker must continue it; the caller can commit nothing afterwards.
  ///   - trouble: Why the shard could not be worked on: it is tried again later, and five times in a row at most.
  ///   - refusal: Why the worker leaves it to others.
  ///   - pause: For how long there is nothing to do.
  @discardableResult public func release(
    _ lease: ShardLease, by worker: String, done: ShardWish?, isUnfinished: Bool,
    trouble: String? = nil, refusal: ShardRefusal? = nil, pause: Duration? = nil
  ) async throws(StoreFailure) -> Bool {
    let values: [Parameter] = [
      .integer(lease.run.row), .integer(lease.shard), .integer(lease.epoch), .text(worker),
      .text(done?.rawValue), .bool(isUnfinished), .text(trouble), .text(refusal?.reason),
      .bool(refusal?.isPassing ?? false), pause.map { .integer($0.milliseconds) } ?? .null,
      .text(refusal.flatMap { $0.isProof ? $0.lack.rawValue : nil }),
    ]
    return try await connection.perform(repeats: true) { session in
      try session.query(Schema.statements["release"], values).changed == 1
    }
  }

  /// Records that a worker is running, and how many shards it holds.
  public func report(_ worker: String, held: Int, atMost: Int, run: StoredRun?, lease: Duration)
    async throws(StoreFailure) -> WorkerNews
  {
    let values: [Parameter] = [
      .integer(held), .text(worker), .integer(atMost), .integer(lease.milliseconds),
      run.map { .integer($0.row) } ?? .null,
    ]
    return try await leases.perform(repeats: true) { [self] session in
      let rows = try session.query(statement("report"), values)
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
      case .retry: "status NOT IN ('cancelled', 'cancelling') AND counts[3] + counts[4] > 0"
      case .retryFailed: "status NOT IN ('cancelled', 'cancelling') AND counts[4] > 0"
      case .retryPaused: "status NOT IN ('cancelled', 'cancelling') AND counts[3] > 0"
      case .cancel: "status IN ('running', 'paused', 'cancelling', 'cancelled', 'finished')"
      }
    return try await connection.transaction(repeats: true) { session in
      // With any wish, shards that ended workers, or were left to others, are tried again.
      let tried = try session.query(Schema.statements["try_again"], [.integer(run.row)])
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
