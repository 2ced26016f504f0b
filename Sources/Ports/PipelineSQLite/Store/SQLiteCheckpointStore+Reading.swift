extension SQLiteCheckpointStore {
  /// The run and its active items, from one snapshot.
  public func load() async throws(StoreFailure) -> RunState {
    try await connection.read { [self] database in
      guard var state = try RunRow.state(coding, database) else {
        throw StoreFailure.noRun(connection.path)
      }
      try database.rows(Schema.statements["active_items"], Item.Status.active.rawValue) { row in
        let item = try item(row, database)
        state.loops[item.key.loop].active[item.key.ordinal] = item
      }
      return state
    }
  }

  /// Items by status in order; an index finds the open ones.
  public func items(loop: Int, status: Item.Status?, after: Int, limit: Int)
    async throws(StoreFailure) -> [Item]
  {
    guard loop >= 0, limit > 0, after < ItemKey.maximumOrdinal else { return [] }
    let first = ItemKey(loop: loop, ordinal: max(after, -1) + 1).row
    let last = ItemKey.rows(ofLoop: loop).upperBound
    return try await connection.read { [self] database in
      let condition =
        switch status {
        case nil: "AND ? IS NULL"
        case .pending, .active, .paused, .failed: "AND status = ? AND status < 4"
        case .done, .skipped, .cancelled: "AND status = ?"
        }
      var items: [Item] = []
      try database.rows(
        Schema.statements["some_items"].replacing("{{condition}}", with: condition), first, last,
        status?.rawValue, limit
      ) { items.append(try item($0, database)) }
      return items
    }
  }

  /// The items in whose subject a text ends with a name, after a slash or as a whole, in order; `json` is the name as a JSON text.
  ///
  /// The subjects are searched where they are stored: of a million items only those that may be meant are read.
  public func items(called json: [UInt8]) async throws(StoreFailure) -> [Item] {
    let ending = [UInt8(ascii: "/")] + json.dropFirst()
    return try await connection.read { [self] database in
      var items: [Item] = []
      try database.rows(Schema.statements["items_called"], json, ending) {
        items.append(try item($0, database))
      }
      return items
    }
  }

  /// Batches of the history, oldest first.
  public func history(after sequence: Int, limit: Int) async throws(StoreFailure) -> [HistoryBatch]
  {
    guard limit > 0 else { return [] }
    return try await connection.read { database in
      var batches: [HistoryBatch] = []
      try database.rows(
        "SELECT sequence, at, events FROM history WHERE sequence > ? ORDER BY sequence LIMIT ?",
        sequence, limit
      ) { row in
        batches.append(
          HistoryBatch(
            sequence: Int(try row.integer(0)), at: Instant(milliseconds: try row.integer(1)),
            events: try row.blob(2)))
      }
      return batches
    }
  }

  private func item(_ row: Row, _ database: Database) throws -> Item {
    let key = ItemKey(row: try row.integer(0))
    let status = try row.integer(1)
    guard coding.pipeline.loops.indices.contains(key.loop),
      let status = Item.Status.allCases.first(where: { $0.rawValue == status })
    else { throw CheckpointCoding.Damage(message: "item \(key) is not one of this pipeline") }
    var item = try coding.item(
      key, subject: try row.blob(3), status: status, progress: try row.blob(2))
    if item.hasParts { try restoreParts(of: &item, database) }
    return item
  }
}

/// A row for each part that is done, so that a file in ten thousand parts is not written again with each of them.
extension SQLiteCheckpointStore {
  func commit(_ change: PartChange, _ database: Database) throws {
    switch change {
    case .concluded(let key, let values):
      guard let part = key.part else { return }
      try database.run(
        Schema.statements["keep_part"], key.whole.row, try id(of: part.step), part.generation,
        part.number, coding.encode(part: values))
    case .forgotten(let key, let step):
      try database.run("DELETE FROM part WHERE item = ? AND step = ?", key.row, try id(of: step))
    }
  }

  func restoreParts(of item: inout Item, _ database: Database) throws {
    for index in coding.pipeline.steps(of: item.key) {
      let step = coding.pipeline.steps[index]
      guard item.frame.indices.contains(step.position), item.frame[step.position].parts != nil
      else { continue }
      let generation = item.frame[step.position].generation
      try database.rows(
        "SELECT number, collected FROM part WHERE item = ? AND step = ? AND generation = ?",
        item.key.row, step.id.rawValue, generation
      ) { row in
        let part = ItemKey.Part(
          step: index, generation: generation, number: Int(try row.integer(0)))
        item.restore(part, try coding.part(row.blob(1)), of: coding.pipeline)
      }
    }
  }

  private func id(of step: Int) throws -> String {
    guard coding.pipeline.steps.indices.contains(step) else {
      throw CheckpointCoding.Damage(message: "there is no step \(step)")
    }
    return coding.pipeline.steps[step].id.rawValue
  }
}
