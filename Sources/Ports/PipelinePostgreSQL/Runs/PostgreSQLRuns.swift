/// The runs of a store, the leases of their shards, and the requests of users.
///
/// Times are the server's: no machine's clock decides who owns a shard. There are three connections, each on its own queue: no other call delays the renewal of leases, and one listens.
public final class PostgreSQLRuns: Sendable {
  /// The PostgreSQL schema of the tables, if none is named.
  public static let usualSchema = "pipeline"

  let connection, leases, listener: Connection
  private let place, address, schema: String
  private let patience: Duration
  let wait: Duration

  /// Connects, and creates the tables where they are missing.
  public convenience init(
    address: String, schema: String = usualSchema,
    patience: Duration = PostgreSQLCheckpointStore.usualPatience
  ) async throws(StoreFailure) {
    try await self.init(address: address, schema: schema, patience: patience, tables: .current)
  }

  /// Connects with other tables or times, for tests.
  ///
  /// - Parameter wait: How long a shard waits after it ended two workers; it waits twice as long after each further one.
  package init(
    address: String, schema: String, patience: Duration, tables: Schema = .current,
    wait: Duration = .seconds(1)
  ) async throws(StoreFailure) {
    let connection = Connection(address: address, schema: schema, patience: patience)
    do throws(StoreFailure) {
      place = try await connection.perform(repeats: true) { session in
        try tables.migrate(session, schema: schema)
        return session.place
      }
    } catch {
      await connection.close()
      throw error
    }
    (self.connection, self.address, self.schema) = (connection, address, schema)
    (self.patience, self.wait) = (patience, wait)
    leases = Connection(address: address, schema: schema, patience: patience, place: place)
    listener = Connection(address: address, schema: schema, patience: .zero, place: place)
  }

  /// The store of a shard; it connects with its first call, and waits for a server that has gone away since this one was reached.
  ///
  /// - Parameter localFile: The file that this machine has in place of a listed one; `nil` is the same.
  public func store(
    of run: StoredRun, shard: Int, pipeline: Pipeline, sealer: (any SecretSealer)? = nil,
    localFile: @escaping @Sendable (FileValue) -> FileValue? = { _ in nil }
  ) -> PostgreSQLCheckpointStore {
    PostgreSQLCheckpointStore(
      Connection(address: address, schema: schema, patience: patience, place: place), run: run.row,
      shard: shard, pipeline: pipeline, sealer: sealer, localFile: localFile)
  }

  /// Refuses a server that cannot be written now, such as a standby: later, a call would wait for another one.
  public func requireWritable() async throws(StoreFailure) {
    try await connection.perform(repeats: false) { session in
      let answer = try session.query(
        "SELECT current_setting('transaction_read_only') = 'on' OR pg_is_in_recovery()")
      guard try answer.bool(0, 0) else { return }
      throw StoreFailure(.readOnly, message: StoreFailure.isReadOnly(session.place))
    }
  }

  /// Closes the connection; later calls fail.
  public func close() async {
    await connection.close()
    await leases.close()
    await listener.close()
  }

  /// Calls `heard` when a shard may have become free, with whether a user asked for something; returns `false` if the server does not report it.
  ///
  /// A later call does nothing while the connection lasts. A lease that runs out is not reported.
  public func listen(_ heard: @escaping @Sendable (_ isAsked: Bool) -> Void) async -> Bool {
    await listener.listen { heard($0 == "asked") }
  }

  /// All runs, oldest first.
  public func all() async throws(StoreFailure) -> [StoredRun] { try await runs("", []) }

  /// The run with this name, or else those that it means as the start of their ID.
  public func runs(called name: String) async throws(StoreFailure) -> [StoredRun] {
    let named = try await runs("WHERE run.name = $1::text", [.text(name)])
    if !named.isEmpty { return named }
    return try await runs("WHERE starts_with(run.run, $1::text)", [.text(name)]).filter {
      $0.id.isMeant(by: name)
    }
  }

  private func runs(_ condition: String, _ values: [Parameter]) async throws(StoreFailure)
    -> [StoredRun]
  {
    try await connection.perform(repeats: true) { session in
      let rows = try session.query(
        "SELECT \(Schema.statements["run_columns"]) FROM run \(condition) ORDER BY run.id", values)
      return try (0..<rows.count).map { try StoredRun(rows, $0) }
    }
  }

  /// The shards of a run, in order; those of a run that is not loaded are not there yet.
  public func shards(of run: StoredRun) async throws(StoreFailure) -> [StoredShard] {
    try await connection.perform(repeats: true) { session in
      let rows = try session.query(Schema.statements["shards"], [.integer(run.row)])
      return try (0..<rows.count).map { try StoredShard(rows, $0, run) }
    }
  }

  /// Deletes a run with all that is stored of it; returns whether it was there and not being worked on.
  ///
  /// The rows are deleted in batches, each a transaction, so that nothing else waits for long; a run that is deleted in part cannot be claimed.
  ///
  /// - Parameter batch: Maximum number of rows in a transaction.
  public func remove(_ run: StoredRun, batch: Int = 20_000) async throws(StoreFailure) -> Bool {
    let isFree = try await connection.transaction(repeats: true) { session in
      let held = try session.query(Schema.statements["held_shards"], [.integer(run.row)])
      guard try held.integer(0, 0) == 0 else { return false }
      return try session.query(
        "UPDATE run SET is_loaded = false WHERE id = $1", [.integer(run.row)]
      ).changed == 1
    }
    guard isFree else { return false }
    for table in ["history", "target", "part", "item", "subject"] {
      while try await removeSome(batch, of: run, from: table) == batch {}
    }
    return try await connection.transaction(repeats: true) { session in
      try session.query("DELETE FROM run WHERE id = $1", [.integer(run.row)])
      return true
    }
  }

  private func removeSome(_ batch: Int, of run: StoredRun, from table: String)
    async throws(StoreFailure) -> Int
  {
    try await connection.perform(repeats: true) { session in
      try session.query(
        """
        DELETE FROM \(table) WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM \(table) WHERE run = $1 LIMIT \(batch)))
        """, [.integer(run.row)]
      ).changed
    }
  }

  /// The states of all shards without their active items, and how long none was worked on, with one query.
  public func states(of run: StoredRun, pipeline: Pipeline) async throws(StoreFailure) -> [Int: (
    state: RunState, idle: Duration
  )] {
    let coding = CheckpointCoding(pipeline)
    return try await connection.perform(repeats: true) { session in
      let rows = try session.query(Schema.statements["states"], [.integer(run.row)])
      var found: [Int: (state: RunState, idle: Duration)] = [:]
      for row in 0..<rows.count {
        let state = try coding.state(turn: try rows.bytes(row, 1), frame: try rows.bytes(row, 2))
        found[try rows.integer(row, 0)] = (state, .milliseconds(max(try rows.integer(row, 3), 0)))
      }
      return found
    }
  }
}

extension StoredShard {
  fileprivate init(_ rows: Rows, _ row: Int, _ run: StoredRun) throws {
    guard let status = RunState.Status(rawValue: try rows.text(row, 1)) else {
      throw CheckpointCoding.Damage(message: "expected a run's status")
    }
    var counts = ItemCounts()
    for (status, count) in zip(RunColumns.counted, try rows.integers(row, 5)) {
      counts[status] = count
    }
    number = try rows.integer(row, 0)
    summary = RunSummary(
      id: run.id(ofShard: number), pipeline: run.pipeline, status: status,
      reason: try rows.optionalText(row, 2), counts: counts,
      began: Instant(milliseconds: Int64(try rows.integer(row, 3))),
      ended: rows.isNull(row, 4) ? nil : Instant(milliseconds: Int64(try rows.integer(row, 4))))
    worker = try rows.optionalText(row, 6)
    wish = try rows.optionalText(row, 7).flatMap(ShardWish.init)
    trouble = try rows.optionalText(row, 8)
    refusal = try rows.optionalText(row, 9)
  }
}

extension StoredRun {
  /// The ID that the run of a shard has by itself, such as `photos-20260314-101502-k3f9.3`, or `….lead`.
  public func id(ofShard number: Int) -> RunID {
    RunID("\(id).\(number == Shard.leadNumber ? "lead" : String(number))")
  }
}

/// Renewals: each tells its worker what is asked, and which part of the server's limits it has.
extension PostgreSQLRuns {
  /// Renews leases, one that has run out only while the run has a slot for it; returns for each what is new, or `nil` if it is not the caller's any more.
  public func renew(_ mine: [ShardLease], by worker: String, for lease: Duration)
    async throws(StoreFailure) -> [LeaseNews?]
  {
    guard !mine.isEmpty else { return [] }
    return try await leases.perform(repeats: true) { session in
      var news = [LeaseNews?](repeating: nil, count: mine.count)
      func renew(_ positions: [Int], _ condition: String) throws {
        let rows = try session.query(
          Schema.statements["renew"].replacing("{{condition}}", with: condition),
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
          try renew([position], Schema.statements["has_slot"])
        }
      }
      for (run, positions) in Dictionary(grouping: mine.indices, by: { mine[$0].run }) {
        let rows = try Self.alone(lease, run.row, if: run.isPaced, session) {
          try session.query(
            Schema.statements["divide"],
            [
              .integer(run.row), .text(worker), .integers(positions.map { Int64(mine[$0].shard) }),
              .integers(positions.map { Int64(mine[$0].shares) }),
            ])
        }
        for position in positions { news[position]?.shares = try rows?.integer(0, 0) }
      }
      return news
    }
  }
}
