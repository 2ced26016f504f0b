import CSQLite

final class Statement {
  let handle: OpaquePointer?
  private let database: OpaquePointer?
  private var isInUse = false

  init(_ sql: String, _ database: OpaquePointer?) throws {
    self.database = database
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    self.handle = handle
    guard code == SQLITE_OK else { throw SQLiteError(database, code) }
  }

  deinit { sqlite3_finalize(handle) }

  /// Whether the statement was not in use; it is afterwards.
  func begin() -> Bool {
    defer { isInUse = true }
    return !isInUse
  }

  func finish() {
    // The code is that of the last step, which has thrown it.
    sqlite3_reset(handle)
    isInUse = false
  }

  func bind<each Value: SQLiteValue>(_ values: repeat each Value) throws {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      let code = value.bind(to: handle, at: index)
      guard code == SQLITE_OK else { throw SQLiteError(database, code) }
    }
  }

  /// Computes the next row; `false` if there is none.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw SQLiteError(database, code)
    }
  }
}

package protocol SQLiteValue { func bind(to statement: OpaquePointer?, at index: Int32) -> Int32 }

extension Int64: SQLiteValue {
  package func bind(to statement: OpaquePointer?, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: SQLiteValue {
  package func bind(to statement: OpaquePointer?, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension String: SQLiteValue {
  package func bind(to statement: OpaquePointer?, at index: Int32) -> Int32 {
    sqlite3_bind_text64(statement, index, self, UInt64(utf8.count), copied, UInt8(SQLITE_UTF8))
  }
}

extension [UInt8]: SQLiteValue {
  package func bind(to statement: OpaquePointer?, at index: Int32) -> Int32 {
    guard !isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
    return withUnsafeBytes {
      sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copied)
    }
  }
}

extension Optional: SQLiteValue where Wrapped: SQLiteValue {
  package func bind(to statement: OpaquePointer?, at index: Int32) -> Int32 {
    switch self {
    case .some(let value): value.bind(to: statement, at: index)
    case .none: sqlite3_bind_null(statement, index)
    }
  }
}

/// `SQLITE_TRANSIENT`: SQLite copies the bytes before the call returns.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
