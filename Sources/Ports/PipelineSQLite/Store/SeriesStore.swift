import Synchronization

/// The files that a series of runs has claimed: each file once, as it was then.
///
/// A file is claimed for a run before the run exists, so that two runs cannot claim it;
/// it is released if the run is never created.
///
/// `@unchecked`: the database is used under the lock only.
public final class SeriesStore: @unchecked Sendable {
  /// A file as it was when a run claimed it.
  public struct File: Hashable, Sendable {
    /// Absolute path.
    public let path: String
    /// Size in bytes.
    public let size: Int64
    /// Last modification in nanoseconds since 1970 UTC.
    public let modified: Int64
    /// Its number in its file system, so that another file of the same size and time is not mistaken for it.
    public let inode: UInt64

    /// Describes a file.
    public init(path: String, size: Int64, modified: Int64, inode: UInt64) {
      (self.path, self.size, self.modified, self.inode) = (path, size, modified, inode)
    }
  }

  private let database: Database
  private let lock = Mutex(())
  private let path: String

  /// Opens or creates the database at `path`.
  public init(path: String) throws(StoreFailure) {
    self.path = path
    do {
      database = try Database(path: path)
      try Self.schema.migrate(database, path: path)
    } catch { throw StoreFailure(error, path: path) }
  }

  /// The file is marked with the bytes "PIPS".
  private static let schema = Schema(
    applicationID: 0x5049_5053, migrations: [Schema.statements["series_tables"]])

  private func write<Answer: Sendable>(_ body: (Database) throws -> Answer) throws(StoreFailure)
    -> Answer
  {
    do {
      return try lock.withLock { _ in try database.transaction(.immediate) { try body(database) } }
    } catch { throw StoreFailure(error, path: path) }
  }

  /// Claims files for a run that is about to be created; durable when the call returns.
  public func take(_ files: some Sequence<File>, for run: String) throws(StoreFailure) {
    try write { database in
      try database.run("INSERT INTO run (id, is_there) VALUES (?, 0)", run)
      let number = database.lastInsertedRow
      for file in files {
        try database.run(
          "INSERT OR REPLACE INTO file (path, size, modified, inode, run) VALUES (?, ?, ?, ?, ?)",
          file.path, file.size, file.modified, Int64(bitPattern: file.inode), number)
      }
    }
  }

  /// Records that a run exists.
  public func confirm(_ run: String) throws(StoreFailure) {
    try write { try $0.run("UPDATE run SET is_there = 1 WHERE id = ?", run) }
  }

  /// Forgets a run that was never created, and releases its files.
  public func giveBack(_ run: String) throws(StoreFailure) {
    try write { database in
      try database.run("DELETE FROM file WHERE run = (SELECT number FROM run WHERE id = ?)", run)
      try database.run("DELETE FROM run WHERE id = ?", run)
    }
  }

  /// The runs that files were claimed for and that may not exist.
  public func unconfirmed() throws(StoreFailure) -> [String] {
    try write { database in
      var runs: [String] = []
      try database.rows("SELECT id FROM run WHERE is_there = 0") { runs.append(try $0.text(0)) }
      return runs
    }
  }

  /// The number of runs so far.
  public func runs() throws(StoreFailure) -> Int {
    try write { Int(try $0.integer("SELECT count(*) FROM run") ?? 0) }
  }

  /// The run that claimed the file last, if it had this size and modification time in nanoseconds since 1970.
  public func taker(ofFile path: String, size: Int64, modified: Int64) throws(StoreFailure)
    -> String?
  {
    try write { try $0.first(Schema.statements["taker"], path, size, modified) { try $0.text(0) } }
  }

  /// Calls `visit` with each claimed file.
  public func enumerate(_ visit: (File) -> Void) throws(StoreFailure) {
    try write { database in
      try database.rows("SELECT path, size, modified, inode FROM file") { row in
        visit(
          File(
            path: try row.text(0), size: try row.integer(1), modified: try row.integer(2),
            inode: UInt64(bitPattern: try row.integer(3))))
      }
    }
  }

  /// The settings with which the series started; if there are none, it gets `settings`.
  public func settle(_ settings: [String: String]) throws(StoreFailure) -> [String: String] {
    try write { database in
      var stored: [String: String] = [:]
      try database.rows("SELECT name, value FROM setting") {
        stored[try $0.text(0)] = try $0.text(1)
      }
      guard stored.isEmpty else { return stored }
      for (name, value) in settings {
        try database.run("INSERT INTO setting (name, value) VALUES (?, ?)", name, value)
      }
      return settings
    }
  }
}
