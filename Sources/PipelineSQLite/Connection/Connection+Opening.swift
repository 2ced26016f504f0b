import Basics
import Dispatch
import Foundation
import GRDB
import PipelineEngine

extension Connection {
  /// How long to wait for another process's lock.
  private static let busyTimeout: Double = 5
  /// Log size in pages after which a commit moves it into the database file: 16 MiB, so that few
  /// commits pay for it.
  private static let pagesPerCheckpoint = 4000
  /// Size in bytes to which the log file shrinks after a very large transaction.
  private static let logSizeLimit = 16 << 20

  /// Opens or creates the database at `path` for its owner, and brings its schema up to date.
  static func open(path: String) async throws(StoreFailure) -> Connection {
    try await opening(path) {
      let queue = try DatabaseQueue(path: path, configuration: configuration(isReadOnly: false))
      try queue.writeWithoutTransaction { database in
        try Schema.verify(database, path: path)
        try setUp(database, path: path)
      }
      try Schema.migrate(queue)
      // SQLite silently opens a file that is read-only; this finds out now, not at the
      // first checkpoint.
      try queue.writeWithoutTransaction {
        try $0.execute(sql: "UPDATE owner SET epoch = epoch WHERE id = 0")
      }
      return Connection(path: path, queue: queue, isReadOnly: false)
    }
  }

  /// Opens the database at `path` for reading, while its owner writes or afterwards.
  static func openReadOnly(path: String) async throws(StoreFailure) -> Connection {
    try await opening(path) {
      guard FileManager.default.fileExists(atPath: path) else { throw StoreFailure.noRun(path) }
      let queue = try readOnlyQueue(path)
      try queue.read { database in
        // Later migrations changed no table, so an earlier version's run can be read unchanged.
        guard try Schema.verify(database, path: path) != .empty else {
          throw StoreFailure.noRun(path)
        }
      }
      return Connection(path: path, queue: queue, isReadOnly: true)
    }
  }

  private static func opening(
    _ path: String, _ body: @escaping @Sendable () throws -> Connection
  ) async throws(StoreFailure) -> Connection {
    let result = await withCheckedContinuation { continuation in
      openings.async { continuation.resume(returning: Result { try body() }) }
    }
    switch result {
    case .success(let connection): return connection
    case .failure(let error): throw StoreFailure(error, path: path)
    }
  }

  private static func configuration(isReadOnly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(busyTimeout)
    configuration.foreignKeysEnabled = false
    configuration.label = "pipeline.store"
    return configuration
  }

  private static func setUp(_ database: Database, path: String) throws {
    let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw StoreFailure(
        .system,
        message: "the file system of '\(path)' does not support a write-ahead log; use a local disk"
      )
    }
    try database.execute(sql: "PRAGMA synchronous = FULL")
    try database.execute(sql: "PRAGMA wal_autocheckpoint = \(pagesPerCheckpoint)")
    try database.execute(sql: "PRAGMA journal_size_limit = \(logSizeLimit)")
    try database.execute(sql: "PRAGMA cell_size_check = ON")
  }

  /// A connection that shares the owner's log, or reads only the file.
  ///
  /// In a folder that is not writable, the log cannot be shared; if there is no log, it need not
  /// be.
  private static func readOnlyQueue(_ path: String) throws -> DatabaseQueue {
    let configuration = configuration(isReadOnly: true)
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
      return queue
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      guard !hasLog(path) else { throw StoreFailure.unreadableLog(path) }
      return try DatabaseQueue(path: immutableAddress(path), configuration: configuration)
    }
  }

  private static func hasLog(_ path: String) -> Bool {
    let values = try? URL(filePath: path + "-wal").resourceValues(forKeys: [.fileSizeKey])
    return (values?.fileSize ?? 0) > 0
  }

  /// The URI under which SQLite reads an unchanging file, without log and locks.
  private static func immutableAddress(_ path: String) -> String {
    let reserved: Set<UInt8> = [UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    let bytes = PercentEncoding.encode(path.utf8) { !reserved.contains($0) }
    return "file:" + String(decoding: bytes, as: UTF8.self) + "?immutable=1"
  }
}
