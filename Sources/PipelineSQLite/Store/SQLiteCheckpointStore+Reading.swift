import GRDB
public import PipelineCore
public import PipelineEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SQLiteCheckpointStore {
  /// The run and its active items, from one snapshot.
  public func load() async throws(StoreFailure) -> RunState {
    try await connection.read { [self] database in
      guard var state = try RunRow.state(coding, database) else {
        throw StoreFailure.noRun(connection.path)
      }
      let statement = try database.cachedStatement(
        sql: """
          SELECT key, status, progress, subject FROM item JOIN subject USING (key)
          WHERE status = ? AND status < 4 ORDER BY key
          """)
      let rows = try Row.fetchCursor(statement, arguments: [Item.Status.active.rawValue])
      while let row = try rows.next() {
        let item = try item(row, database)
        state.loops[item.key.loop].active[item.key.ordinal] = item
      }
      return state
    }
  }

  /// Items by status in order; an index finds the open ones.
  public func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item] {
    guard loop >= 0, limit > 0, after < ItemKey.maximumOrdinal else { return [] }
    let first = ItemKey(loop: loop, ordinal: max(after, -1) + 1).row
    let last = ItemKey.rows(ofLoop: loop).upperBound
    return try await connection.read { [self] database in
      let condition =
        switch status {
        case nil: ""
        case .pending, .active, .paused, .failed: "AND status = ? AND status < 4"
        case .done, .skipped, .cancelled: "AND status = ?"
        }
      let statement = try database.cachedStatement(
        sql: """
          SELECT key, status, progress, subject FROM item JOIN subject USING (key)
          WHERE key BETWEEN ? AND ? \(condition) ORDER BY key LIMIT ?
          """)
      var arguments: StatementArguments = [first, last]
      if let status { arguments += [status.rawValue] }
      var items: [Item] = []
      let rows = try Row.fetchCursor(statement, arguments: arguments + [limit])
      while let row = try rows.next() { items.append(try item(row, database)) }
      return items
    }
  }

  /// The items in whose subject a text ends with a name, after a slash or as a whole, in order; `json` is the name as a JSON text.
  ///
  /// The subjects are searched where they are stored: of a million items only those that may be meant are read.
  public func items(called json: [UInt8]) async throws(StoreFailure) -> [Item] {
    let ending = Data(json.dropFirst())
    return try await connection.read { [self] database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT key, status, progress, subject FROM item JOIN subject USING (key)
          WHERE instr(subject, ?) > 0 OR instr(subject, ?) > 0 ORDER BY key
          """)
      var items: [Item] = []
      let rows = try Row.fetchCursor(
        statement, arguments: [Data(json), Data([UInt8(ascii: "/")]) + ending])
      while let row = try rows.next() { items.append(try item(row, database)) }
      return items
    }
  }

  /// One item.
  public func item(_ key: ItemKey) async throws(StoreFailure) -> Item? {
    guard (0...ItemKey.maximumOrdinal).contains(key.ordinal) else { return nil }
    return try await items(loop: key.loop, status: nil, after: key.ordinal - 1, limit: 1)
      .first { $0.key == key }
  }

  /// Batches of the history, oldest first.
  public func history(
    after sequence: Int, limit: Int
  ) async throws(StoreFailure) -> [HistoryBatch] {
    guard limit > 0 else { return [] }
    return try await connection.read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT sequence, at, events FROM history WHERE sequence > ? ORDER BY sequence LIMIT ?
          """)
      return try Row.fetchAll(statement, arguments: [sequence, limit]).map { row in
        HistoryBatch(
          sequence: Int(try row.integer("sequence")),
          at: Instant(milliseconds: try row.integer("at")), events: try row.blob("events"))
      }
    }
  }

  private func item(_ row: Row, _ database: Database) throws -> Item {
    let key = ItemKey(row: try row.integer("key"))
    let status = try row.integer("status")
    guard coding.pipeline.loops.indices.contains(key.loop),
      let status = Item.Status.allCases.first(where: { $0.rawValue == status })
    else { throw CheckpointCoding.Damage(message: "item \(key) is not one of this pipeline") }
    var item = try coding.item(
      key, subject: try row.blob("subject"), status: status, progress: try row.blob("progress"))
    if item.hasParts { try restoreParts(of: &item, database) }
    return item
  }
}
