extension PostgreSQLCheckpointStore {
  /// The run and its active items, from one snapshot.
  public func load() async throws(StoreFailure) -> RunState {
    try await connection.read { [self] session in
      guard var state = try storedState(session) else { throw StoreFailure.noRun(session.place) }
      let rows = try session.query(Schema.statements["active_items"], here)
      for item in try items(rows, session) {
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
    let condition =
      switch status {
      case nil: ""
      case .pending, .active, .paused, .failed: "AND status = $6 AND status < 4"
      case .done, .skipped, .cancelled: "AND status = $6"
      }
    return try await connection.perform(repeats: true) { [self] session in
      var values = here + [.integer(first), .integer(last), .integer(limit)]
      if let status { values.append(.integer(status.rawValue)) }
      return try session.transaction("REPEATABLE READ READ ONLY") {
        let rows = try session.query(
          Schema.statements["some_items"].replacing("{{condition}}", with: condition), values)
        return try items(rows, session)
      }
    }
  }

  /// The items in whose subject a text ends with a name, after a slash or as a whole, in order; `json` is the name as a JSON text.
  public func items(called json: [UInt8]) async throws(StoreFailure) -> [Item] {
    let values: [Parameter] = [.bytes(json), .bytes([UInt8(ascii: "/")] + json.dropFirst())]
    return try await connection.read { [self] session in
      let rows = try session.query(Schema.statements["items_called"], here + values)
      return try items(rows, session)
    }
  }

  /// Batches of the history, oldest first.
  public func history(after sequence: Int, limit: Int) async throws(StoreFailure) -> [HistoryBatch]
  {
    guard limit > 0 else { return [] }
    return try await connection.perform(repeats: true) { [self] session in
      let rows = try session.query(
        Schema.statements["history"], here + [.integer(sequence), .integer(limit)])
      return try (0..<rows.count).map { row in
        HistoryBatch(
          sequence: try rows.integer(row, 0),
          at: Instant(milliseconds: Int64(try rows.integer(row, 1))), events: try rows.bytes(row, 2)
        )
      }
    }
  }

  func storedState(_ session: Session) throws -> RunState? {
    let rows = try session.query(
      "SELECT state, frame FROM shard WHERE run = $1 AND shard = $2 AND state IS NOT NULL", here)
    guard rows.count == 1 else { return nil }
    return try coding.state(turn: try rows.bytes(0, 0), frame: try rows.bytes(0, 1))
  }

  private func items(_ rows: Rows, _ session: Session) throws -> [Item] {
    try (0..<rows.count).map { row in
      let key = ItemKey(row: Int64(try rows.integer(row, 0)))
      guard coding.pipeline.loops.indices.contains(key.loop),
        let status = Item.Status(rawValue: try rows.integer(row, 1))
      else { throw CheckpointCoding.Damage(message: "item \(key) is not one of this pipeline") }
      var item = try coding.item(
        key, subject: try rows.bytes(row, 3), status: status, progress: try rows.bytes(row, 2))
      if item.hasParts { try restoreParts(of: &item, session) }
      if case .file(let file) = item.subject, let copy = localFile(file) { item = item.with(copy) }
      return item
    }
  }

  private func restoreParts(of item: inout Item, _ session: Session) throws {
    for index in coding.pipeline.steps(of: item.key) {
      let step = coding.pipeline.steps[index]
      guard item.frame.indices.contains(step.position), item.frame[step.position].parts != nil
      else { continue }
      let generation = item.frame[step.position].generation
      let rows = try session.query(
        Schema.statements["parts"],
        here + [.integer(item.key.row), .text(step.id.rawValue), .integer(generation)])
      for row in 0..<rows.count {
        let part = ItemKey.Part(
          step: index, generation: generation, number: try rows.integer(row, 0))
        item.restore(part, try coding.part(try rows.bytes(row, 1)), of: coding.pipeline)
      }
    }
  }
}
