import PipelineSQLite

/// A run's store as SQL statements that make it again, in a fixed order.
package enum StoreText {
  /// The statements for the database at `path`.
  package static func dump(_ path: String) throws -> String {
    let database = try Database(path: path)
    let id = try database.integer("PRAGMA application_id") ?? 0
    var lines = ["PRAGMA application_id = \(id);"]
    try database.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid") {
      lines.append(try $0.text(0) + ";")
    }
    var tables: [String] = []
    try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
      tables.append(try $0.text(0))
    }
    for table in tables {
      try database.rows("SELECT * FROM \(table) ORDER BY 1") { row in
        let values = try (0..<row.count).map { try literal(row, $0) }
        lines.append("INSERT INTO \(table) VALUES (\(values.joined(separator: ", ")));")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Makes the database at `path` from what ``dump(_:)`` returned.
  package static func restore(_ sql: String, to path: String) throws {
    let database = try Database(path: path)
    try database.transaction(.immediate) { try database.execute(sql) }
  }

  /// The JSON of the run and of its items, a line each: `run {…}` and `frame {…}`, then `LOOP/ORDINAL STATUS {…}`.
  package static func states(_ path: String) throws -> String {
    let database = try Database(path: path, access: .readOnly)
    return try database.transaction(.deferred) {
      var lines: [String] = []
      try database.rows("SELECT state FROM run") { lines.append("run \(try json($0, 0))") }
      try database.rows("SELECT state FROM frame") { lines.append("frame \(try json($0, 0))") }
      try database.rows("SELECT key, status, progress FROM item ORDER BY key") { row in
        let key = try row.integer(0)
        lines.append(
          "\(key >> 32)/\(key & 0xffff_ffff) \(try row.integer(1)) \(try json(row, 2))")
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }

  private static func json(_ row: Row, _ column: Int) throws -> String {
    String(decoding: try row.blob(column), as: UTF8.self)
  }

  /// The value as SQL has it; the store's tables have no other types.
  private static func literal(_ row: Row, _ column: Int) throws -> String {
    func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
    if row.isNull(column) { return "NULL" }
    if let number = try? row.integer(column) { return "\(number)" }
    if let text = try? row.text(column) { return quoted(text) }
    return "CAST(\(quoted(try json(row, column))) AS BLOB)"
  }
}
