import Dispatch

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

  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    try await perform { database in try database.transaction(.deferred) { try body(database) } }
  }

  func perform<Answer: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
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
