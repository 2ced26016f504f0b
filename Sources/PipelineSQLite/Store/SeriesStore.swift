import GRDB
public import PipelineEngine

/// What a series of runs has taken: each file once, as it was then.
///
/// A file is taken for a run before that is there, so that no two runs take it; what is taken for a run that never came about is
/// given back.
public final class SeriesStore: Sendable {
  /// A file as it was when a run took it.
  public struct File: Hashable, Sendable {
    /// Absolute path.
    public let path: String
    /// Size in bytes.
    public let size: Int64
    /// Last modification in nanoseconds since 1970 UTC.
    public let modified: Int64
    /// Its number in its file system, so that another file of the same size and time is not taken for it.
    public let inode: UInt64

    /// A file that is as it is said to be.
    public init(path: String, size: Int64, modified: Int64, inode: UInt64) {
      (self.path, self.size, self.modified, self.inode) = (path, size, modified, inode)
    }
  }

  private let queue: DatabaseQueue
  private let path: String

  /// Opens or creates the database at `path`.
  ///
  /// - Throws: ``StoreFailure`` if it cannot be written, or a later version wrote it.
  public init(path: String) throws(StoreFailure) {
    self.path = path
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.label = "pipeline.series"
    let result = Result {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try Self.migrator.migrate(queue)
      guard try queue.read(Self.migrator.hasBeenSuperseded) == false else {
        throw StoreFailure(
          .newerVersion, message: "'\(path)' was written by a later version of this program")
      }
      return queue
    }
    switch result {
    case .success(let queue): self.queue = queue
    case .failure(let error): throw StoreFailure(error, path: path)
    }
  }

  private static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
          CREATE TABLE run (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, is_there INTEGER NOT NULL) STRICT;
          CREATE TABLE file (
            path TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            inode INTEGER NOT NULL, run INTEGER NOT NULL) STRICT, WITHOUT ROWID;
          CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
          """)
    }
    return migrator
  }()

  private func write<Answer>(_ body: (Database) throws -> Answer) throws(StoreFailure) -> Answer {
    switch Result(catching: { try queue.write(body) }) {
    case .success(let answer): return answer
    case .failure(let error): throw StoreFailure(error, path: path)
    }
  }

  /// Takes files for a run that is about to be created; durable when the call returns.
  public func take(_ files: some Sequence<File>, for run: String) throws(StoreFailure) {
    try write { database in
      try database.execute(sql: "INSERT INTO run (id, is_there) VALUES (?, 0)", arguments: [run])
      let number = database.lastInsertedRowID
      let statement = try database.makeStatement(
        sql: "INSERT OR REPLACE INTO file (path, size, modified, inode, run) VALUES (?, ?, ?, ?, ?)"
      )
      for file in files {
        try statement.execute(arguments: [
          file.path, file.size, file.modified, Int64(bitPattern: file.inode), number,
        ])
      }
    }
  }

  /// Remembers that a run is there.
  public func confirm(_ run: String) throws(StoreFailure) {
    try write { try $0.execute(sql: "UPDATE run SET is_there = 1 WHERE id = ?", arguments: [run]) }
  }

  /// Forgets a run that never came about, and what was taken for it.
  public func giveBack(_ run: String) throws(StoreFailure) {
    try write { database in
      try database.execute(
        sql: "DELETE FROM file WHERE run = (SELECT number FROM run WHERE id = ?)", arguments: [run])
      try database.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [run])
    }
  }

  /// The runs that files were taken for and that may not be there.
  public func unconfirmed() throws(StoreFailure) -> [String] {
    try write { try String.fetchAll($0, sql: "SELECT id FROM run WHERE is_there = 0") }
  }

  /// The number of runs so far.
  public func runs() throws(StoreFailure) -> Int {
    try write { try Int.fetchOne($0, sql: "SELECT count(*) FROM run") ?? 0 }
  }

  /// The run that took the file at an absolute path last, if it was then of this size in bytes, and modified at this time in nanoseconds
  /// since 1970 UTC.
  public func taker(
    ofFile path: String, size: Int64, modified: Int64
  ) throws(StoreFailure) -> String? {
    try write {
      try String.fetchOne(
        $0,
        sql: """
          SELECT id FROM run JOIN file ON file.run = run.number
          WHERE file.path = ? AND file.size = ? AND file.modified = ?
          """,
        arguments: [path, size, modified])
    }
  }

  /// Calls `visit` with each file that was taken.
  public func enumerate(_ visit: (File) -> Void) throws(StoreFailure) {
    try write { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT path, size, modified, inode FROM file")
      while let row = try rows.next() {
        visit(
          File(
            path: row[0], size: row[1], modified: row[2],
            inode: UInt64(bitPattern: row[3] as Int64)))
      }
    }
  }

  /// The settings that the series was begun with; if it has none, it gets `settings`.
  public func settle(_ settings: [String: String]) throws(StoreFailure) -> [String: String] {
    try write { database in
      let rows = try Row.fetchAll(database, sql: "SELECT name, value FROM setting")
      guard rows.isEmpty else {
        return Dictionary(
          rows.map { ($0[0] as String, $0[1] as String) }, uniquingKeysWith: { first, _ in first })
      }
      for (name, value) in settings {
        try database.execute(
          sql: "INSERT INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
      }
      return settings
    }
  }
}
