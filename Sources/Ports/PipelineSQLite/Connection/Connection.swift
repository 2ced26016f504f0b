import Dispatch
import CSQLite

/// One connection to a run's database, used on its own serial queue.
///
/// `@unchecked`: the mutable state is used on that queue only. Task cancellation is ignored here: it must never be in doubt whether a checkpoint was stored,
/// least of all while a run is being stopped.
final class Connection: @unchecked Sendable {
  /// The lock that a transaction waits for.
  enum Durability: Sendable {
    /// Until a power failure cannot undo it (`synchronous=FULL`: one fsync of the log).
    case full
    /// Until no crash of the process can undo it (`synchronous=NORMAL`: no fsync).
    case normal
  }

  let path: String
  let isReadOnly: Bool
  private let queue = DispatchQueue(label: "pipeline.store")
  private let database: Database
  private var durability = Durability.full
  private var isClosed = false

  init(path: String, database: Database, isReadOnly: Bool) {
    (self.path, self.database, self.isReadOnly) = (path, database, isReadOnly)
  }

  /// Runs `body` in a transaction that holds the write lock from its start.
  func write<Answer: Sendable>(
    _ durability: Durability, _ body: @escaping @Sendable (Database) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    try await perform { [self] database in
      guard !isReadOnly else { throw StoreFailure.openedForReading(path) }
      try wait(for: durability)
      return try database.transaction(.immediate) { try body(database) }
    }
  }

  func read<Answer: Sendable>(_ body: @escaping @Sendable (Database) throws -> Answer)
    async throws(StoreFailure) -> Answer
  { try await perform { database in try database.transaction(.deferred) { try body(database) } } }

  func perform<Answer: Sendable>(_ body: @escaping @Sendable (Database) throws -> Answer)
    async throws(StoreFailure) -> Answer
  {
    try await Self.run(on: queue, path) { [self] in
      guard !isClosed else { throw StoreFailure.closed(path) }
      return try body(database)
    }
  }

  static func run<Answer: Sendable>(
    on queue: DispatchQueue, _ path: String, _ body: @escaping @Sendable () throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result { try body() }) }
    }
    do { return try result.get() } catch { throw StoreFailure(error, path: path) }
  }

  /// Moves the log into the database file and closes both; a second call does nothing.
  func close() async {
    _ = try? await perform { [self] database in
      isClosed = true
      // A reader in another process may use the log; the next owner moves it then.
      if !isReadOnly { try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
      database.close()
    }
  }

  /// `PRAGMA synchronous` has no effect inside a transaction, and takes effect when it is
  /// prepared, so it is never cached.
  private func wait(for durability: Durability) throws {
    guard self.durability != durability else { return }
    switch durability {
    case .full: try database.execute("PRAGMA synchronous = FULL")
    case .normal: try database.execute("PRAGMA synchronous = NORMAL")
    }
    self.durability = durability
  }

  /// Where databases are opened, which waits for the disk.
  static let openings = DispatchQueue(label: "pipeline.store.openings", attributes: .concurrent)
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Connection {
  /// Log size in pages (16 MiB) after which a commit moves it into the database: few commits pay.
  private static let pagesPerCheckpoint = 4000
  /// Size in bytes to which the log file shrinks after a very large transaction.
  private static let logSizeLimit = 16 << 20

  /// Opens or creates the database at `path` for its owner, and brings its schema up to date.
  static func open(path: String, schema: Schema) async throws(StoreFailure) -> Connection {
    try await run(on: openings, path) {
      try refuseOtherVersion(path, schema)
      let database = try Database(path: path)
      try schema.verify(database, path: path)
      try setUp(database, path: path)
      try schema.migrate(database, path: path)
      // SQLite silently opens a file that is read-only; this finds out before the first checkpoint.
      try database.execute("UPDATE owner SET epoch = epoch WHERE id = 0")
      return Connection(path: path, database: database, isReadOnly: false)
    }
  }

  /// Opens the database at `path` for reading, while its owner writes or afterwards.
  static func openReadOnly(path: String, schema: Schema = .run) async throws(StoreFailure)
    -> Connection
  {
    try await run(on: openings, path) {
      guard sizeOfFile(path) != nil else { throw StoreFailure.noRun(path) }
      try refuseOtherVersion(path, schema)
      let database = try readOnlyDatabase(path)
      let version = try database.transaction(.deferred) {
        try schema.verify(database, path: path, oldest: schema.version)
      }
      guard version > 0 else { throw StoreFailure.noRun(path) }
      return Connection(path: path, database: database, isReadOnly: true)
    }
  }

  /// Reads once from the database at `path`, which may be in use.
  static func reading<Answer: Sendable>(
    _ path: String, _ body: @escaping @Sendable (Database) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    let connection = try await openReadOnly(path: path)
    let result: Result<Answer, StoreFailure>
    do throws(StoreFailure) { result = .success(try await connection.read(body)) } catch {
      result = .failure(error)
    }
    await connection.close()
    return try result.get()
  }

  private static func setUp(_ database: Database, path: String) throws {
    let mode = try database.first("PRAGMA journal_mode = WAL") { try $0.text(0) }
    guard mode == "wal" else {
      throw StoreFailure(
        .system,
        message: "the file system of '\(path)' does not support a write-ahead log; use a local disk"
      )
    }
    try database.execute("PRAGMA synchronous = FULL")
    try database.execute("PRAGMA wal_autocheckpoint = \(pagesPerCheckpoint)")
    try database.execute("PRAGMA journal_size_limit = \(logSizeLimit)")
    try database.execute("PRAGMA cell_size_check = ON")
  }

  /// Shares the owner's log, or reads only the file in a folder that is not writable and has no log.
  private static func readOnlyDatabase(_ path: String) throws -> Database {
    do {
      let database = try Database(path: path, access: .readOnly)
      _ = try database.integer("SELECT count(*) FROM sqlite_master")
      return database
    } catch let error as SQLiteError where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code) {
      guard (sizeOfFile(path + "-wal") ?? 0) == 0 else { throw StoreFailure.unreadableLog(path) }
      return try Database(path: immutableAddress(path), access: .readOnlyURI)
    }
  }

  /// Refuses a database of another version before SQLite creates its files next to it.
  private static func refuseOtherVersion(_ path: String, _ schema: Schema) throws {
    guard (sizeOfFile(path) ?? 0) > 0, (sizeOfFile(path + "-wal") ?? 0) == 0 else { return }
    do {
      let database = try Database(path: immutableAddress(path), access: .readOnlyURI)
      _ = try schema.verify(database, path: path)
    } catch let failure as StoreFailure where failure.kind == .otherVersion { throw failure } catch
    {
      // The usual way to open it reports what else is wrong.
    }
  }

  private static func sizeOfFile(_ path: String) -> Int64? {
    var entry = stat()
    return stat(path, &entry) == 0 ? Int64(entry.st_size) : nil
  }

  /// The URI under which SQLite reads an unchanging file, without log and locks.
  private static func immutableAddress(_ path: String) -> String {
    let reserved: Set<UInt8> = [UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    let bytes = PercentEncoding.encode(path.utf8) { !reserved.contains($0) }
    return "file:" + String(decoding: bytes, as: UTF8.self) + "?immutable=1"
  }
}
