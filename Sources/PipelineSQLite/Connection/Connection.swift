import Dispatch
import GRDB
import PipelineEngine
import Synchronization

/// One connection to a run's database; everything that uses it runs on the connection's own serial
/// queue.
///
/// Task cancellation is ignored here: it must never be in doubt whether a checkpoint was stored,
/// least of all while a run is being stopped.
final class Connection: Sendable {
  /// What a transaction waits for.
  enum Durability: Sendable {
    /// Until a power failure cannot undo it (`synchronous=FULL`: one fsync of the log).
    case full
    /// Until no crash of the process can undo it (`synchronous=NORMAL`: no fsync).
    case normal
  }

  private struct Condition {
    var durability = Durability.full
    var isClosed = false
  }

  /// The database file, as the caller named it.
  let path: String
  /// Whether the connection was opened for reading.
  let isReadOnly: Bool
  private let queue: DatabaseQueue
  private let condition = Mutex(Condition())

  init(path: String, queue: DatabaseQueue, isReadOnly: Bool) {
    self.path = path
    self.queue = queue
    self.isReadOnly = isReadOnly
  }

  /// Runs `body` in a transaction that holds the write lock from its beginning.
  func write<Answer: Sendable>(
    _ durability: Durability, _ body: @escaping @Sendable (Database) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    try await perform { [self] database in
      guard !isReadOnly else { throw StoreFailure.openedForReading(path) }
      try wait(for: durability, database)
      return try Self.transaction(.immediate, database, body)
    }
  }

  /// Runs `body` on one snapshot of the database.
  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    try await perform { try Self.transaction(.deferred, $0, body) }
  }

  /// Runs `body` on the queue, outside any transaction.
  func perform<Answer: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    let result: Result<Answer, any Error> = await withCheckedContinuation { continuation in
      queue.asyncWriteWithoutTransaction { [self] database in
        continuation.resume(
          returning: Result {
            guard !condition.withLock({ $0.isClosed }) else { throw StoreFailure.closed(path) }
            return try body(database)
          })
      }
    }
    switch result {
    case .success(let answer): return answer
    case .failure(let error): throw StoreFailure(error, path: path)
    }
  }

  /// Moves the log into the database file and closes both; a second call does nothing.
  func close() async {
    _ = try? await perform { [self] database in
      condition.withLock { $0.isClosed = true }
      // A reader in another process may use the log; the next owner moves it then.
      if !isReadOnly { try? database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }
    await withCheckedContinuation { continuation in
      Self.openings.async { [queue] in
        try? queue.close()
        continuation.resume()
      }
    }
  }

  /// `PRAGMA synchronous` has no effect inside a transaction, and takes effect when it is
  /// prepared, so it is never cached.
  private func wait(for durability: Durability, _ database: Database) throws {
    guard condition.withLock({ $0.durability }) != durability else { return }
    switch durability {
    case .full: try database.execute(sql: "PRAGMA synchronous = FULL")
    case .normal: try database.execute(sql: "PRAGMA synchronous = NORMAL")
    }
    condition.withLock { $0.durability = durability }
  }

  private static func transaction<Answer>(
    _ kind: Database.TransactionKind, _ database: Database, _ body: (Database) throws -> Answer
  ) throws -> Answer {
    var answer: Answer?
    try database.inTransaction(kind) {
      answer = try body(database)
      return .commit
    }
    guard let answer else { throw StoreFailure(.system, message: "the transaction did not run") }
    return answer
  }

  /// Where databases are opened and closed: both wait for the disk.
  static let openings = DispatchQueue(label: "pipeline.store.openings", attributes: .concurrent)
}
