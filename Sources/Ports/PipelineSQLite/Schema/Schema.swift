/// The tables of a database, version by version (`docs/checkpoints.md`); `meta` is the same in all,
/// so that it shows which program wrote a file.
package struct Schema: Sendable {
  static let statements = NamedTexts(PackageResources.statements_sql)
  /// Marks a file as ours (`PRAGMA application_id`).
  let applicationID: Int32
  /// The statements that make the tables of each version, oldest first; from 1.0 on, a released one is never edited or removed.
  let migrations: [String]

  /// The same tables with one more version, for tests of migrations.
  package func adding(_ migration: String) -> Schema {
    Schema(applicationID: applicationID, migrations: migrations + [migration])
  }

  package var version: Int { migrations.count }

  /// Checks, before anything is written, whether the database may be used; returns its version, or 0.
  @discardableResult
  func verify(_ database: Database, path: String, oldest: Int = 1) throws -> Int {
    let tables = try database.integer("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
    guard let tables, tables > 0 else { return 0 }
    guard try database.integer("PRAGMA application_id") == Int64(applicationID)
    else { throw StoreFailure.foreign(path) }
    let meta = try database.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'meta'")
    let written =
      meta == 0
      ? nil
      : try database.first("SELECT version, program FROM meta WHERE id = 1") {
        (version: try $0.integer(0), program: try $0.text(1))
      }
    guard let written else {
      throw StoreFailure.otherVersion("'\(path)'", version: 0, writtenBy: nil, known: version)
    }
    guard (Int64(oldest)...Int64(version)).contains(written.version) else {
      throw StoreFailure.otherVersion(
        "'\(path)'", version: Int(written.version), writtenBy: written.program, known: version)
    }
    return Int(written.version)
  }

  /// Brings the tables up to date, in one transaction.
  func migrate(_ database: Database, path: String) throws {
    guard try verify(database, path: path) < version else { return }
    try database.transaction(.immediate) {
      // Another process may have been first.
      let found = try verify(database, path: path)
      if found == 0 {
        try database.execute(
          Self.statements["meta_table"] + "PRAGMA application_id = \(applicationID)")
      }
      for migration in migrations[found...] { try database.execute(migration) }
      try database.run(
        "INSERT OR REPLACE INTO meta (id, version, program) VALUES (1, ?, ?)", version,
        Version.current)
    }
  }

  package static let run = Schema(
    applicationID: 0x5049_5045,
    migrations: [
      String(decoding: PackageResources.version_1_sql, as: UTF8.self)
        + "CREATE INDEX history_launch ON history (sequence) WHERE \(statements["launches"]);"
    ])

  /// Records whether rows are ahead of the counts in the run's state.
  static func noteRequeued(_ isAhead: Bool, _ database: Database) throws {
    try database.run("UPDATE owner SET requeued = ? WHERE id = 1", isAhead ? 1 : 0)
  }

  static func isRequeued(_ database: Database) throws -> Bool {
    try database.integer("SELECT requeued FROM owner WHERE id = 1") == 1
  }
}
