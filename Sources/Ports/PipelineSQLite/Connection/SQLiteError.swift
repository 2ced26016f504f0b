import CSQLite

/// An error that SQLite reports.
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
