import Foundation
import GRDB

/// A run's store as SQL statements that make it again, in a fixed order.
public enum StoreText {
  /// The statements for the database at `path`.
  public static func dump(_ path: String) throws -> String {
    let queue = try DatabaseQueue(path: path)
    let text = try queue.read { database in
      let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      var lines = ["PRAGMA application_id = \(id);"]
      lines += try String.fetchAll(
        database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
      ).map { $0 + ";" }
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      for table in tables {
        for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY 1") {
          let values = row.databaseValues.map(literal).joined(separator: ", ")
          lines.append("INSERT INTO \(table) VALUES (\(values));")
        }
      }
      return lines.joined(separator: "\n") + "\n"
    }
    try queue.close()
    return text
  }

  /// Makes the database at `path` of what ``dump(_:)`` gave.
  public static func restore(_ sql: String, to path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The version of the stored form: the last migration that the database at `path` has seen.
  public static func version(_ path: String) throws -> String {
    let queue = try DatabaseQueue(path: path)
    let versions = try queue.read {
      try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    }
    try queue.close()
    return versions.last ?? ""
  }

  /// The JSON of the run and of its items, a line each: `run {…}` and, since form 11, `frame {…}`, then `LOOP/ORDINAL STATUS {…}`.
  public static func states(_ path: String) throws -> String {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let lines = try queue.read { database in
      let runs = try Row.fetchAll(database, sql: "SELECT run, state FROM run")
      let items = try Row.fetchAll(
        database, sql: "SELECT key, status, progress FROM item ORDER BY key")
      let frames =
        try database.tableExists("frame")
        ? Row.fetchAll(database, sql: "SELECT state FROM frame") : []
      return runs.map { "run \(text($0["state"]))" }
        + frames.map { "frame \(text($0["state"]))" }
        + items.map { row -> String in
          let key: Int64 = row["key"]
          let status: Int = row["status"]
          return "\(key >> 32)/\(key & 0xffff_ffff) \(status) \(text(row["progress"]))"
        }
    }
    try queue.close()
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ bytes: Data) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func literal(_ value: DatabaseValue) -> String {
    func quoted(_ text: String) -> String {
      "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
    }
    return switch value.storage {
    case .null: "NULL"
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): quoted(text)
    case .blob(let bytes): "CAST(\(quoted(Self.text(bytes))) AS BLOB)"
    }
  }
}
