import Basics

/// The tables of a database, version by version (`docs/checkpoints.md`); `meta` is the same in all, so that it says which program wrote a file.
package struct Schema: Sendable {
  /// Marks a file as ours (`PRAGMA application_id`).
  private let applicationID: Int32
  /// The statements that make the tables of each version, oldest first; from 1.0 on, a released one is never edited or removed.
  private let migrations: [String]

  init(applicationID: Int32, migrations: [String]) {
    (self.applicationID, self.migrations) = (applicationID, migrations)
  }

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
    guard try database.integer("PRAGMA application_id") == Int64(applicationID) else {
      throw StoreFailure.foreign(path)
    }
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
      if found == 0 { try database.execute(Self.meta + "PRAGMA application_id = \(applicationID)") }
      for migration in migrations[found...] { try database.execute(migration) }
      try database.run(
        "INSERT OR REPLACE INTO meta (id, version, program) VALUES (1, ?, ?)", version,
        Version.current)
    }
  }

  private static let meta = """
    CREATE TABLE meta (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL,
      program TEXT NOT NULL
    ) STRICT;

    """
}

extension Schema {
  package static let run = Schema(applicationID: 0x5049_5045, migrations: [runVersion1])

  /// Which batches of the history begin with what a process is told first: those in which one took the run over.
  static let launches = ["limits_known", "run_resumed"].map { event in
    "instr(substr(events, 1, 256), CAST('\"\(event)\"' AS BLOB))"
  }.joined(separator: " OR ")

  /// Records whether rows are ahead of the counts in the run's state.
  static func noteRequeued(_ isAhead: Bool, _ database: Database) throws {
    try database.run("UPDATE owner SET requeued = ? WHERE id = 1", isAhead ? 1 : 0)
  }

  static func isRequeued(_ database: Database) throws -> Bool {
    try database.integer("SELECT requeued FROM owner WHERE id = 1") == 1
  }

  private static let runVersion1 = """
    CREATE TABLE owner (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL,
      requeued INTEGER NOT NULL
    ) STRICT;
    INSERT INTO owner (id, epoch, requeued) VALUES (1, 0, 0);

    CREATE TABLE run (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      run TEXT NOT NULL,
      pipeline TEXT NOT NULL,
      status TEXT NOT NULL,
      reason TEXT,
      began INTEGER NOT NULL,
      ended INTEGER,
      pending INTEGER NOT NULL,
      active INTEGER NOT NULL,
      paused INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      done INTEGER NOT NULL,
      skipped INTEGER NOT NULL,
      cancelled INTEGER NOT NULL,
      state BLOB NOT NULL
    ) STRICT;

    CREATE TABLE frame (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      state BLOB NOT NULL
    ) STRICT;

    CREATE TABLE subject (
      key INTEGER PRIMARY KEY,
      subject BLOB NOT NULL
    ) STRICT;

    CREATE TABLE item (
      key INTEGER PRIMARY KEY,
      status INTEGER NOT NULL,
      progress BLOB NOT NULL
    ) STRICT;
    CREATE INDEX item_open ON item (status) WHERE status < 4;

    CREATE TABLE part (
      item INTEGER NOT NULL,
      step TEXT NOT NULL,
      generation INTEGER NOT NULL,
      number INTEGER NOT NULL,
      collected BLOB NOT NULL,
      PRIMARY KEY (item, step, generation, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE target (
      hash INTEGER PRIMARY KEY,
      item INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE digest (
      path TEXT NOT NULL,
      first INTEGER NOT NULL,
      length INTEGER NOT NULL,
      algorithm TEXT NOT NULL,
      device INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      digest TEXT NOT NULL,
      PRIMARY KEY (path, first, length, algorithm)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE history (
      sequence INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      events BLOB NOT NULL
    ) STRICT;
    CREATE INDEX history_launch ON history (sequence) WHERE \(launches);
    """
}
