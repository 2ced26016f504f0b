import CSQLite

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
