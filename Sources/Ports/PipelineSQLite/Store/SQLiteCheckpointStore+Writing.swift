import Synchronization

extension SQLiteCheckpointStore {
  /// Makes the caller the owner, durably.
  public func claim() async throws(StoreFailure) -> Int {
    try await connection.write(.full) { [self] database in
      try adoptRequeuedItems(database)
      let epoch = try database.integer(
        "UPDATE owner SET epoch = epoch + 1 WHERE id = 1 RETURNING epoch")
      return Int(epoch ?? 0)
    }
  }

  /// Inserts all items in one transaction as they come, so memory does not grow with their number.
  public func create(
    _ state: RunState, items: [EnumeratedLoop]
  ) async throws(StoreFailure) -> RunState {
    let created = try await connection.write(.full) { [self] database in
      guard try database.integer("SELECT id FROM run") == nil
      else { throw StoreFailure.occupied(connection.path) }
      var state = state
      for loop in items {
        let count = try insert(loop, database)
        state.loops[loop.loop].isEnumerated = true
        state.loops[loop.loop].counts[.pending] = count
      }
      try RunRow.insert(state, coding, database)
      return state
    }
    // The log contains every row again; it is moved now, not by the first urgent checkpoint.
    try? await connection.perform { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    return created
  }

  /// Stores a batch in one transaction; with one fsync if it is durable, otherwise none.
  @discardableResult
  public func commit(
    _ batch: CheckpointBatch
  ) async throws(StoreFailure) -> [TargetClaim.Refusal] {
    let frame = batch.state.map(RunFrame.init)
    let isFrameNew = frame.map { frame in lastFrame.withLock { $0 != frame } } ?? false
    let refusals = try await connection.write(batch.isDurable ? .full : .normal) {
      [self] database in
      try checkOwner(batch.epoch, database)
      let refusals = try batch.claims.compactMap { try claim($0, database) }
      for item in batch.items { try update(item, database) }
      for change in batch.parts { try commit(change, database) }
      for loop in batch.cancelledLoops { try cancelPending(loop, database) }
      if let state = batch.state {
        guard try RunRow.update(state, isFrameNew: isFrameNew, coding, database)
        else { throw StoreFailure.noRun(connection.path) }
      }
      guard !batch.events.isEmpty else { return refusals }
      if batch.events.contains(where: { if case .itemsRequeued = $0 { true } else { false } }) {
        try Schema.noteRequeued(false, database)
      }
      try database.run(
        "INSERT INTO history (at, events) VALUES (?, ?)", batch.at.milliseconds,
        events.encode(batch.events, items: batch.items))
      return refusals
    }
    if isFrameNew { lastFrame.withLock { $0 = frame } }
    return refusals
  }

  private func claim(_ claim: TargetClaim, _ database: Database) throws -> TargetClaim.Refusal? {
    guard let item = claim.item?.row else { return nil }
    let hash = Int64(bitPattern: claim.target)
    if claim.takes {
      try database.run("INSERT OR IGNORE INTO target (hash, item) VALUES (?, ?)", hash, item)
      if database.changes == 1 { return nil }
    }
    return try database.first(
      "SELECT item, subject FROM target JOIN subject ON key = item WHERE hash = ? AND item <> ?",
      hash, item
    ) { [coding] row in
      let holder = ItemKey(row: try row.integer(0))
      return TargetClaim.Refusal(
        claim, holder: holder, subject: try coding.subject(try row.blob(1)))
    }
  }

  /// Replaces the items of a loop in one transaction.
  public func enumerate(
    loop: Int, subjects: [Item.Subject], epoch: Int
  ) async throws(StoreFailure) {
    try await connection.write(.normal) { [self] database in
      try checkOwner(epoch, database)
      let rows = ItemKey.rows(ofLoop: loop)
      for table in ["item", "subject"] {
        try database.run(
          "DELETE FROM \(table) WHERE key BETWEEN ? AND ?", rows.lowerBound, rows.upperBound)
      }
      var insertion = Insertion(loop: loop, coding: coding, database: database)
      for subject in subjects { try insertion.append(subject) }
      try insertion.finish()
    }
  }

  /// Makes paused and failed items pending again, durably.
  public func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) async throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)] {
    try await connection.write(.full) { [self] database in
      try checkOwner(epoch, database)
      try Schema.noteRequeued(true, database)
      if let keys { return try requeue(keys, database) }
      let result = try coding.pipeline.loops.indices.compactMap { loop in
        let paused = try count(.paused, loop, database)
        let failed = try count(.failed, loop, database)
        return paused + failed > 0 ? (loop: loop, paused: paused, failed: failed) : nil
      }
      try database.run(
        "UPDATE item SET status = ? WHERE status IN (?, ?) AND status < 4",
        Item.Status.pending.rawValue, Item.Status.paused.rawValue, Item.Status.failed.rawValue)
      return result
    }
  }

  /// Replaces the subjects and the progress of items that are not active.
  public func replace(_ items: [Item], epoch: Int) async throws(StoreFailure) {
    guard !items.isEmpty else { return }
    try await connection.write(.full) { [self] database in
      try checkOwner(epoch, database)
      for item in items {
        try database.run(
          "UPDATE subject SET subject = ? WHERE key = ?", coding.encode(subject: item.subject),
          item.key.row)
        try update(item, database)
      }
    }
  }

  private func checkOwner(_ epoch: Int, _ database: Database) throws {
    guard try database.integer("SELECT epoch FROM owner WHERE id = 1") == Int64(epoch)
    else { throw StoreFailure.taken(connection.path) }
  }

  private func insert(_ loop: EnumeratedLoop, _ database: Database) throws -> Int {
    var insertion = Insertion(loop: loop.loop, coding: coding, database: database)
    // SQLite reports the errors that follow a full disk differently.
    try loop.insert { try insertion.append($0) }
    try insertion.finish()
    return insertion.count
  }

  /// Most updates keep the status, and these do not touch the index.
  private func update(_ item: Item, _ database: Database) throws {
    let progress = coding.encode(progress: item)
    let key = item.key.row
    let status = item.status.rawValue
    if item.status == .active {
      try database.run(
        "UPDATE item SET progress = ? WHERE key = ? AND status = ?", progress, key, status)
      if database.changes == 1 { return }
    }
    try database.run(
      "UPDATE item SET status = ?, progress = ? WHERE key = ?", status, progress, key)
    guard database.changes == 1
    else { throw CheckpointCoding.Damage(message: "there is no item \(item.key)") }
  }

  private func cancelPending(_ loop: Int, _ database: Database) throws {
    let rows = ItemKey.rows(ofLoop: loop)
    try database.run(
      "UPDATE item SET status = ? WHERE status = ? AND status < 4 AND key BETWEEN ? AND ?",
      Item.Status.cancelled.rawValue, Item.Status.pending.rawValue, rows.lowerBound,
      rows.upperBound)
  }

  private func requeue(
    _ keys: [ItemKey], _ database: Database
  ) throws -> [(loop: Int, paused: Int, failed: Int)] {
    var counts: [Int: (paused: Int, failed: Int)] = [:]
    for key in keys {
      for status in [Item.Status.paused, .failed] {
        try database.run(
          "UPDATE item SET status = ? WHERE key = ? AND status = ?", Item.Status.pending.rawValue,
          key.row, status.rawValue)
        guard database.changes == 1 else { continue }
        if status == .paused {
          counts[key.loop, default: (0, 0)].paused += 1
        } else {
          counts[key.loop, default: (0, 0)].failed += 1
        }
        break
      }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.paused, $0.value.failed) }
  }

  private func count(_ status: Item.Status, _ loop: Int, _ database: Database) throws -> Int {
    let rows = ItemKey.rows(ofLoop: loop)
    let count = try database.integer(
      "SELECT count(*) FROM item WHERE status = ? AND status < 4 AND key BETWEEN ? AND ?",
      status.rawValue, rows.lowerBound, rows.upperBound)
    return Int(count ?? 0)
  }

  /// A process may have ended between a requeue and its batch: then the rows are right.
  private func adoptRequeuedItems(_ database: Database) throws {
    // Counting a million rows is as slow as the entire remaining start of a process.
    guard try Schema.isRequeued(database) else { return }
    try Schema.noteRequeued(false, database)
    guard var state = try RunRow.state(coding, database) else { return }
    let hasChanged = try state.adoptRequeued { loop in
      (
        try count(.pending, loop, database), try count(.paused, loop, database),
        try count(.failed, loop, database)
      )
    }
    if hasChanged { _ = try RunRow.update(state, isFrameNew: true, coding, database) }
  }
}
