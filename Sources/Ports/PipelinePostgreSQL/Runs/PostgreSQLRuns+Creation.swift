/// A run is created in two steps: first a row with its definition, then its items, page by page.
extension PostgreSQLRuns {
  /// Creates a run without items; its rows stay if its loading is stopped, and can be loaded to its end later.
  public func create(
    _ id: RunID, name: String?, pipeline: Pipeline, shards: Int, slots: Int, priority: Int = 0,
    weight: Int = 1, material: StoredRun.Material
  ) async throws(StoreFailure) -> StoredRun {
    try await connection.perform(repeats: false) { session in
      let rows: Rows
      do {
        rows = try session.query(
          Schema.statements["create_run"],
          [
            .text(id.rawValue), .text(name), .text(pipeline.name), .integer(shards),
            .integer(slots), .text(material.definition), .text(material.used),
            .text(material.origin), .bool(!pipeline.hasLead),
            .bool(pipeline.loops.contains { $0.failures == .stop }), .integer(priority),
            .integer(weight), .bool(!pipeline.budgets.rates.isEmpty),
          ])
      } catch let error as PostgreSQLError where error.state == "23505" {
        throw StoreFailure(
          .system, message: "\(session.place) already has a run named '\(name ?? id.rawValue)'")
      }
      return try StoredRun(rows, 0)
    }
  }

  /// Puts the items of a run into the store, each into its shard, in pages that are committed one by one; then the run can be worked on.
  ///
  /// A second call continues where the first was stopped, if the items come in the same order: a hash of the stored ones is compared.
  public func load(
    _ run: StoredRun, _ loops: [EnumeratedLoop], pipeline: Pipeline,
    progress: @escaping @Sendable (Int) -> Void = { _ in },
    state: @escaping @Sendable (Int) -> RunState
  ) async throws(StoreFailure) {
    let coding = CheckpointCoding(pipeline)
    try await connection.perform(repeats: true) { session in
      // A process that loads the same run at the same time waits, and finds it loaded; behind a pooler,
      // where no lock outlives a transaction, its first page is refused.
      if !session.isPooled { try session.query("SELECT pg_advisory_lock($1)", [.integer(run.row)]) }
      defer {
        if !session.isPooled, !session.isLost {
          _ = try? session.query("SELECT pg_advisory_unlock($1)", [.integer(run.row)])
        }
      }
      let known = try session.query(
        "SELECT loaded, loaded_hash, is_loaded FROM run WHERE id = $1", [.integer(run.row)])
      guard known.count == 1, try !known.bool(0, 2) else { return }
      var loading = Loading(
        run: run, coding, pipeline, known: try known.integer(0, 0),
        hash: UInt64(bitPattern: Int64(try known.integer(0, 1))))
      for loop in loops { try loading.add(loop, session, progress) }
      try loading.finish(session, state)
    }
  }
}

private struct Loading {
  let run: StoredRun
  let coding: CheckpointCoding
  let known: Int
  let knownHash: UInt64
  let hasLead: Bool
  var rows: ItemRows
  var counts: [[Int]]
  var count = 0
  var stored: Int
  var hash = Self.seed
  var loaded: [Int] = []

  private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  init(run: StoredRun, _ coding: CheckpointCoding, _ pipeline: Pipeline, known: Int, hash: UInt64) {
    (self.run, self.coding, self.known, knownHash) = (run, coding, known, hash)
    rows = ItemRows(run: run.row, coding)
    stored = known
    counts = Array(repeating: Array(repeating: 0, count: run.shards), count: pipeline.loops.count)
    hasLead = pipeline.hasLead
  }

  mutating func add(_ loop: EnumeratedLoop, _ session: Session, _ progress: (Int) -> Void) throws {
    loaded.append(loop.loop)
    try loop.insert { subject in
      try add(subject, loop.loop)
      guard rows.isFull else { return }
      try flush(session)
      progress(count)
    }
  }

  private mutating func add(_ subject: Item.Subject, _ loop: Int) throws {
    let key = subject.shardKey
    let shard = Shard.number(of: key, count: run.shards)
    // FNV-1a, as for shards; a byte that no UTF-8 text contains separates the keys.
    for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = (hash ^ 0xff) &* 0x0000_0100_0000_01b3
    let ordinal = counts[loop][shard - 1]
    counts[loop][shard - 1] += 1
    count += 1
    if count > known {
      try rows.append(subject, shard: shard, loop: loop, ordinal: ordinal)
    } else if count == known, hash != knownHash {
      throw otherItems
    }
  }

  private var otherItems: StoreFailure {
    StoreFailure(
      .enumeration,
      message:
        "the first \(known) items of run '\(run.id)' are in the store, and they are not those that are listed now: "
        + "remove the run, and start it again")
  }

  private mutating func flush(_ session: Session) throws {
    try session.transaction {
      let page = try session.query(
        "UPDATE run SET loaded = $2, loaded_hash = $3 WHERE id = $1 AND loaded = $4 AND NOT is_loaded",
        [.integer(run.row), .integer(count), .integer(Int64(bitPattern: hash)), .integer(stored)])
      guard page.changed == 1 else {
        throw StoreFailure(
          .enumeration,
          message:
            "another process is loading the items of run '\(run.id)': wait for it, or stop it first"
        )
      }
      try rows.flush(session)
    }
    stored = count
  }

  /// Stores the last items and the states of all shards, and opens the run to workers.
  mutating func finish(_ session: Session, _ state: (Int) -> RunState) throws {
    guard count >= known else { throw otherItems }
    try flush(session)
    try session.transaction {
      for shard in (hasLead ? Shard.leadNumber : 1)...run.shards {
        var state = state(shard)
        for loop in loaded where shard != Shard.leadNumber {
          state.loops[loop].isEnumerated = true
          state.loops[loop].counts[.pending] = counts[loop][shard - 1]
        }
        try session.query(
          Schema.statements["create_shard"],
          [.integer(run.row), .integer(shard)] + RunColumns.values(state, isFrameNew: true, coding))
      }
      try session.query("UPDATE run SET is_loaded = true WHERE id = $1", [.integer(run.row)])
    }
  }
}
