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

/// The row that a statement has computed last, valid until the next one; the file may be damaged: a value of another type than is expected is an error.
package struct Row {
  private let statement: OpaquePointer?

  init(_ statement: Statement) { self.statement = statement.handle }
  package var count: Int { Int(sqlite3_column_count(statement)) }

  package func integer(_ column: Int) throws -> Int64 {
    try expect(SQLITE_INTEGER, column)
    return sqlite3_column_int64(statement, Int32(column))
  }

  package func text(_ column: Int) throws -> String {
    try expect(SQLITE_TEXT, column)
    let text = sqlite3_column_text(statement, Int32(column))
    return String(decoding: bytes(text, column), as: UTF8.self)
  }

  package func blob(_ column: Int) throws -> [UInt8] {
    try expect(SQLITE_BLOB, column)
    let blob = sqlite3_column_blob(statement, Int32(column))
    return Array(bytes(blob?.assumingMemoryBound(to: UInt8.self), column))
  }

  package func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

  private func bytes(_ start: UnsafePointer<UInt8>?, _ column: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
  }

  private func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }

  private func expect(_ expected: Int32, _ column: Int) throws {
    guard type(column) != expected else { return }
    let name = sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? ""
    throw CheckpointCoding.Damage(message: "unexpected type in the column '\(name)'")
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
