import GRDB
import PipelineEngine

/// The tables of a run's database and their history; described in `docs/checkpoints.md`.
enum Schema {
  /// Marks the file as ours (`PRAGMA application_id`): the bytes "PIPE".
  static let applicationID: Int32 = 0x5049_5045

  /// The content of a database.
  enum Content: Sendable {
    /// No table of ours yet.
    case empty
    /// Our tables, of this version.
    case current
    /// Our tables, of an earlier version.
    case earlier
  }

  /// Checks, before anything is written, whether the database may be used.
  ///
  /// - Throws: ``StoreFailure`` for another program's database or a newer version's.
  @discardableResult
  static func verify(_ database: Database, path: String) throws -> Content {
    let tables = try Int.fetchOne(
      database,
      sql: "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name <> 'grdb_migrations'")
    guard let tables, tables > 0 else { return .empty }
    guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
      throw StoreFailure.foreign(path)
    }
    guard try !migrator.hasBeenSuperseded(database) else {
      let forms = try migrator.appliedIdentifiers(database).compactMap(Int.init)
      throw StoreFailure.newer(path, form: forms.max() ?? 0, known: migrator.migrations.count)
    }
    return try migrator.hasCompletedMigrations(database) ? .current : .earlier
  }

  /// Brings the tables up to date; each migration is one transaction.
  static func migrate(_ queue: DatabaseQueue) throws { try migrator.migrate(queue) }

  /// Migrations, oldest first.
  ///
  /// A released migration is never edited, renamed or removed; a change is a new migration.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: version1)
    }
    // From here on, steps have the status `queued` and the member `batch`: there is nothing to rewrite, and
    // nothing that an earlier version may misread.
    migrator.registerMigration("2") { _ in }
    // From here on, runs have a `key_seed`, which an earlier version would omit from its keys, and
    // items may record what could not be undone at the server.
    migrator.registerMigration("3") { _ in }
    // Members that were added one by one since then, each with a default for what was stored without it; an
    // earlier version would forget them. `docs/checkpoints.md` lists them.
    migrator.registerMigration("4") { _ in }
    // From here on, a `repeat` step has a `turn`: an earlier version knows no such step.
    migrator.registerMigration("5") { _ in }
    // From here on, items have parts, and each part that is done has a row.
    migrator.registerMigration("6", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: parts)
    }
    // From here on, runs have `rates`: what is left of them, without which an earlier version would send too fast.
    // Digests of files are kept here as well.
    migrator.registerMigration("7", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: digests)
    }
    // From here on, items have `remnants`, which an earlier version would forget, and `abandoning` counts them.
    migrator.registerMigration("8") { _ in }
    // From here on, a `poll` step may be `slower`: an earlier version would ask a server too often that forbids it.
    migrator.registerMigration("9") { _ in }
    // From here on, a step's file may be in pieces: an earlier version would look for it in the run's folder. An index finds where processes
    // began, and `user_version` says whether items were requeued and no batch has recorded it, which may be so in an earlier file.
    migrator.registerMigration("10", foreignKeyChecks: .immediate) { database in
      try database.execute(
        sql: "CREATE INDEX history_launch ON history (sequence) WHERE \(launches)")
      try noteRequeued(true, database)
    }
    // From here on, what few turns change of a run has a row of its own, which an earlier version would not read. It is written by the first
    // batch of a process; until then, all is in the row of the run.
    migrator.registerMigration("11", foreignKeyChecks: .immediate) { database in
      try database.execute(sql: frame)
    }
    return migrator
  }()

  /// Which batches of the history begin with what a process is told first: those in which one took the run over.
  static let launches = ["limits_known", "run_resumed"].map { event in
    "instr(substr(events, 1, 256), CAST('\"\(event)\"' AS BLOB))"
  }.joined(separator: " OR ")

  /// Records whether rows are ahead of the counts in the run's state.
  static func noteRequeued(_ isAhead: Bool, _ database: Database) throws {
    try database.execute(sql: "PRAGMA user_version = \(isAhead ? 1 : 0)")
  }

  /// See ``noteRequeued(_:_:)``.
  static func isRequeued(_ database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: "PRAGMA user_version") == 1
  }

  private static let frame = """
    CREATE TABLE frame (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      state BLOB NOT NULL
    ) STRICT;
    """

  private static let parts = """
    CREATE TABLE part (
      item INTEGER NOT NULL,
      step TEXT NOT NULL,
      generation INTEGER NOT NULL,
      number INTEGER NOT NULL,
      collected BLOB NOT NULL,
      PRIMARY KEY (item, step, generation, number)
    ) STRICT, WITHOUT ROWID;
    """

  private static let digests = """
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
    """

  private static let version1 = """
    CREATE TABLE owner (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL
    ) STRICT;
    INSERT INTO owner (id, epoch) VALUES (1, 0);

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

    CREATE TABLE history (
      sequence INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      events BLOB NOT NULL
    ) STRICT;
    """
}
