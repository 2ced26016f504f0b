import CSQLite

/// An open database file; used by one thread at a time.
package final class Database {
  package enum Access {
    /// The file is created if it does not exist.
    case readAndWrite
    case readOnly
    /// The name is a URI, such as `file:/a/run.sqlite?immutable=1`.
    case readOnlyURI

    fileprivate var flags: Int32 {
      switch self {
      case .readAndWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      case .readOnlyURI: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    }
  }

  package enum TransactionKind: String {
    /// With its first statement; its snapshot starts there.
    case deferred = "DEFERRED"
    /// At once, for writing.
    case immediate = "IMMEDIATE"
  }

  /// How long to wait for another process's lock.
  private static let busyMilliseconds: Int32 = 5000
  private var handle: OpaquePointer?
  private var statements: [String: Statement] = [:]
  private var isInTransaction = false

  /// Opens the file at `path`, which SQLite reads only with the first statement.
  package init(path: String, access: Access = .readAndWrite) throws {
    let code = sqlite3_open_v2(path, &handle, access.flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      let error = SQLiteError(handle, code)
      close()
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.busyMilliseconds)
  }

  deinit { close() }

  package func close() {
    statements = [:]
    sqlite3_close_v2(handle)
    handle = nil
  }

  package func execute(_ sql: String) throws {
    try checkTransaction()
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle, code) }
  }

  package func run<each Value: SQLiteValue>(_ sql: String, _ values: repeat each Value) throws {
    try rows(sql, repeat each values) { _ in }
  }

  /// Runs one statement, which stays prepared, and passes each row to `read` before the next one is computed.
  package func rows<each Value: SQLiteValue>(
    _ sql: String, _ values: repeat each Value, read: (Row) throws -> Void
  ) throws {
    let statement = try statement(sql)
    defer { statement.finish() }
    try statement.bind(repeat each values)
    while try statement.step() { try read(Row(statement)) }
  }

  /// Runs one statement, which stays prepared, and reads its first row; `nil` if there is no row.
  package func first<Answer, each Value: SQLiteValue>(
    _ sql: String, _ values: repeat each Value, read: (Row) throws -> Answer
  ) throws -> Answer? {
    var answer: Answer?
    // A statement that changes rows has done so only at its end.
    try rows(sql, repeat each values) { if answer == nil { answer = try read($0) } }
    return answer
  }

  /// The number in the first column of the first row; `nil` if there is no row.
  package func integer<each Value: SQLiteValue>(
    _ sql: String, _ values: repeat each Value
  ) throws -> Int64? { try first(sql, repeat each values) { try $0.integer(0) } }

  package var changes: Int { Int(sqlite3_changes(handle)) }
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  private func statement(_ sql: String) throws -> Statement {
    try checkTransaction()
    if let statement = statements[sql], statement.begin() { return statement }
    let statement = try Statement(sql, handle)
    _ = statement.begin()
    statements[sql] = statement
    return statement
  }

  /// Runs `body` in a transaction, which is undone if `body` throws.
  package func transaction<Answer>(
    _ kind: TransactionKind, _ body: () throws -> Answer
  ) throws -> Answer {
    try run("BEGIN \(kind.rawValue)")
    isInTransaction = true
    do {
      let answer = try body()
      try run("COMMIT")
      isInTransaction = false
      return answer
    } catch {
      isInTransaction = false
      // After some errors, such as a full disk, SQLite has undone it already.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// After SQLite has undone a transaction by itself, its further statements would take effect one by one.
  private func checkTransaction() throws {
    guard isInTransaction, sqlite3_get_autocommit(handle) != 0 else { return }
    throw SQLiteError(
      code: SQLITE_ABORT, extendedCode: SQLITE_ABORT, message: "the transaction was undone")
  }
}

package struct SQLiteError: Error {
  package let code: Int32
  /// The result code with its cause, such as `SQLITE_IOERR_SHMSIZE`.
  package let extendedCode: Int32
  package let message: String

  init(code: Int32, extendedCode: Int32, message: String) {
    (self.code, self.extendedCode, self.message) = (code, extendedCode, message)
  }

  init(_ database: OpaquePointer?, _ code: Int32) {
    self.init(
      code: code & 0xff, extendedCode: code,
      message: String(cString: database == nil ? sqlite3_errstr(code) : sqlite3_errmsg(database)))
  }
}
