import Synchronization

extension PostgreSQLCheckpointStore {
  /// Makes the caller the owner, durably.
  public func claim() async throws(StoreFailure) -> Int {
    try await own(Schema.statements["claim"], [])
  }

  /// Starts to work as the owner that ``PostgreSQLRuns/claim(run:by:lease:)`` has made of this process.
  public func begin(epoch: Int) async throws(StoreFailure) {
    _ = try await own(Schema.statements["begin"], [.integer(epoch)])
  }

  private func own(_ sql: String, _ values: [Parameter]) async throws(StoreFailure) -> Int {
    try await connection.perform(repeats: true) { [self] session in
      let claimed = try session.transaction {
        let row = try session.query(sql, here + values)
        guard row.count == 1 else { throw PostgreSQLError.staleOwner }
        if try row.bool(0, 2) { try adoptRequeuedItems(session) }
        return (epoch: try row.integer(0, 0), last: try row.integer(0, 1))
      }
      last.withLock { $0 = claimed.last }
      return claimed.epoch
    }
  }

  /// Inserts all items in one transaction as they come, so memory does not grow with their number.
  public func create(_ state: RunState, items: [EnumeratedLoop]) async throws(StoreFailure)
    -> RunState
  {
    try await connection.transaction(repeats: false) { [self] session in
      try session.query(
        "INSERT INTO shard (run, shard) VALUES ($1, $2) ON CONFLICT (run, shard) DO NOTHING", here)
      let free = try session.query(
        "SELECT 1 FROM shard WHERE run = $1 AND shard = $2 AND state IS NULL FOR UPDATE", here)
      guard free.count == 1 else {
        throw StoreFailure(
          .system,
          message: "\(session.place) already contains this run; resume it, or choose a new name")
      }
      var state = state
      for loop in items {
        state.loops[loop.loop].counts[.pending] = try insert(loop, session)
        state.loops[loop.loop].isEnumerated = true
      }
      try store(state, session)
      return state
    }
  }

  /// Stores a batch with one statement; a batch that is not durable does not wait for the server's disk.
  ///
  /// If the connection is lost, the batch is sent again under the same token, and the server stores it once.
  @discardableResult public func commit(_ batch: CheckpointBatch) async throws(StoreFailure)
    -> [TargetClaim.Refusal]
  {
    let token = Int.random(in: 1...Int.max)
    let frame = batch.state.map(RunFrame.init)
    let isFrameNew = frame.map { frame in lastFrame.withLock { $0 != frame } } ?? false
    let known = last.withLock { $0 }
    let refusals = try await connection.perform(repeats: true) { [self] session in
      // Of a store that did not claim: a batch of its is refused in any case, unless it was passed the epoch.
      let previous = try known ?? last.withLock { $0 } ?? lastCommit(session)
      last.withLock { $0 = previous }
      let values = try values(batch, isFrameNew: isFrameNew, previous, token)
      let rows = try session.query(Schema.statements["commit"], values)
      return try (0..<rows.count).map { row in
        let holder = try rows.integer(row, 1)
        return TargetClaim.Refusal(
          batch.claims[try rows.integer(row, 0) - 1],
          holder: ItemKey(row: Int64(try rows.integer(row, 2))),
          shard: holder == shard ? nil : holder, subject: try coding.subject(rows.bytes(row, 3)))
      }
    }
    last.withLock { $0 = token }
    if isFrameNew { lastFrame.withLock { $0 = frame } }
    return refusals
  }

  private func values(_ batch: CheckpointBatch, isFrameNew: Bool, _ previous: Int, _ token: Int)
    throws -> [Parameter]
  {
    let parts = try batch.parts.compactMap { try PartRow($0, coding) }
    let cancelled = batch.cancelledLoops.map { ItemKey.rows(ofLoop: $0) }
    let hasRequeued = batch.events.contains { if case .itemsRequeued = $0 { true } else { false } }
    let events = batch.events.isEmpty ? nil : events.encode(batch.events, items: batch.items)
    return here + [
      .integer(batch.epoch), .integer(previous), .integer(token), .bool(batch.isDurable),
      .integers(batch.items.map(\.key.row)),
      .integers(batch.items.map { Int64($0.status.rawValue) }),
      .blobs(batch.items.map { coding.encode(progress: $0) }), .integers(parts.map(\.item)),
      .texts(parts.map(\.step)), .integers(parts.map(\.generation)), .integers(parts.map(\.number)),
      .blobs(parts.map(\.collected)), .integers(cancelled.map(\.lowerBound)),
      .integers(cancelled.map(\.upperBound)),
    ] + RunColumns.values(batch.state, isFrameNew: isFrameNew, coding) + [
      .bool(hasRequeued), .integer(batch.at.milliseconds), .bytes(events),
      .integers(batch.claims.map { Int64(bitPattern: $0.target) }),
      .integers(batch.claims.map { $0.item?.row ?? -1 }), .bools(batch.claims.map(\.takes)),
    ]
  }

  /// Replaces the items of a loop in one transaction; a lead has no items, and waits for those of the others.
  public func enumerate(loop: Int, subjects: [Item.Subject], epoch: Int) async throws(StoreFailure)
  {
    if shard == Shard.leadNumber { return try await awaitShards(epoch) }
    try await connection.transaction(repeats: true) { [self] session in
      try checkOwner(epoch, session)
      let rows = ItemKey.rows(ofLoop: loop)
      for table in ["item", "subject"] {
        try session.query(
          "DELETE FROM \(table) WHERE run = $1 AND shard = $2 AND key BETWEEN $3 AND $4",
          here + [.integer(rows.lowerBound), .integer(rows.upperBound)])
      }
      let list = EnumeratedLoop(loop: loop) { yield in
        for subject in subjects { try yield(subject) }
      }
      _ = try insert(list, session)
    }
  }

  /// Makes paused and failed items pending again, durably.
  public func requeue(_ keys: [ItemKey]?, epoch: Int) async throws(StoreFailure) -> [(
    loop: Int, paused: Int, failed: Int
  )] {
    try await connection.transaction(repeats: false) { [self] session in
      try checkOwner(epoch, session)
      try session.query("UPDATE shard SET requeued = true WHERE run = $1 AND shard = $2", here)
      var wanted = here
      if let keys { wanted.append(.integers(keys.map(\.row))) }
      let condition =
        "run = $1 AND shard = $2 AND status IN (2, 3) AND status < 4"
        + (keys == nil ? "" : " AND key = ANY ($3)")
      // Both see the items as they were before; none can change in the meantime, since the shard's row is locked.
      let rows = try session.query(
        """
        WITH old AS (SELECT key, status FROM item WHERE \(condition)),
          new AS (UPDATE item SET status = 0 WHERE \(condition))
        SELECT key >> 32, count(*) FILTER (WHERE status = 2), count(*) FILTER (WHERE status = 3)
        FROM old GROUP BY 1 ORDER BY 1
        """, wanted)
      return try (0..<rows.count).map { row in
        (
          loop: try rows.integer(row, 0), paused: try rows.integer(row, 1),
          failed: try rows.integer(row, 2)
        )
      }
    }
  }

  private func lastCommit(_ session: Session) throws -> Int {
    let rows = try session.query(
      "SELECT last_commit FROM shard WHERE run = $1 AND shard = $2", here)
    return rows.count == 0 ? 0 : try rows.integer(0, 0)
  }

  func checkOwner(_ epoch: Int, _ session: Session) throws {
    let rows = try session.query(
      "SELECT 1 FROM shard WHERE run = $1 AND shard = $2 AND epoch = $3 FOR UPDATE",
      here + [.integer(epoch)])
    guard rows.count == 1 else { throw PostgreSQLError.staleOwner }
  }

  private func store(_ state: RunState, _ session: Session) throws {
    try session.query(
      Schema.statements["store"], here + RunColumns.values(state, isFrameNew: true, coding))
  }

  private func insert(_ loop: EnumeratedLoop, _ session: Session) throws -> Int {
    var count = 0
    var rows = ItemRows(run: run, coding)
    try loop.insert { subject in
      try rows.append(subject, shard: shard, loop: loop.loop, ordinal: count)
      count += 1
      if rows.isFull { try rows.flush(session) }
    }
    try rows.flush(session)
    return count
  }

  /// A process may have ended between a requeue and the batch that records it: then the rows are right.
  private func adoptRequeuedItems(_ session: Session) throws {
    try session.query("UPDATE shard SET requeued = false WHERE run = $1 AND shard = $2", here)
    guard var state = try storedState(session) else { return }
    let hasChanged = try state.adoptRequeued { loop in
      let rows = ItemKey.rows(ofLoop: loop)
      let counts = try session.query(
        Schema.statements["count_requeued"],
        here + [.integer(rows.lowerBound), .integer(rows.upperBound)])
      return (try counts.integer(0, 0), try counts.integer(0, 1), try counts.integer(0, 2))
    }
    if hasChanged { try store(state, session) }
  }
}

/// A change of a part as a row; without values it forgets all parts of the step.
private struct PartRow {
  let item: Int64
  let step: String
  var generation: Int64 = 0
  var number: Int64 = 0
  var collected: [UInt8]?

  init?(_ change: PartChange, _ coding: CheckpointCoding) throws {
    let index: Int
    switch change {
    case .concluded(let key, let values):
      guard let part = key.part else { return nil }
      item = key.whole.row
      index = part.step
      generation = Int64(part.generation)
      number = Int64(part.number)
      collected = coding.encode(part: values)
    case .forgotten(let key, let step):
      item = key.row
      index = step
    }
    guard coding.pipeline.steps.indices.contains(index) else {
      throw CheckpointCoding.Damage(message: "the pipeline lacks step \(index)")
    }
    step = coding.pipeline.steps[index].id.rawValue
  }
}
