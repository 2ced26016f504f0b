import CSQLite

extension StoreFailure {
  /// The meaning of an error of the database at `path` for the user, and what to do about it;
  /// values in statements are never part of the message.
  init(_ error: any Error, path: String) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let damage as CheckpointCoding.Damage:
      self.init(
        .corrupt, message: "the store '\(path)' is damaged: \(damage.message); \(Self.restore)")
    case let error as SQLiteError: self.init(error, path: path)
    default: self.init(.system, message: "the store '\(path)' cannot be used: \(error)")
    }
  }

  private static let restore = "restore the run's folder from a backup, or start a new run"

  private init(_ error: SQLiteError, path: String) {
    let says = "SQLite reports \"\(error.message)\" (\(error.extendedCode))"
    let (kind, message): (Kind, String) =
      switch (error.code, error.extendedCode) {
      case (SQLITE_FULL, _), (_, Self.noSpaceForIndex):
        (.full, "the disk of '\(path)' is full; nothing was lost: free some space and resume")
      case (SQLITE_READONLY, _), (SQLITE_PERM, _):
        (.readOnly, "'\(path)' or its folder is not writable; \(Self.permit)")
      case (SQLITE_CANTOPEN, _):
        (.readOnly, "'\(path)' cannot be opened: its folder is missing or locked; \(Self.permit)")
      case (SQLITE_NOTADB, _): (.corrupt, "'\(path)' is not a store of a run; \(Self.restore)")
      case (SQLITE_CORRUPT, _): (.corrupt, "the store '\(path)' is damaged; \(Self.restore)")
      case (SQLITE_BUSY, _), (SQLITE_LOCKED, _):
        (.system, "another process keeps '\(path)' locked; end it, or try again later")
      default: (.system, "the store '\(path)' cannot be used: \(says)")
      }
    self.init(kind, message: message)
  }

  /// `SQLITE_IOERR_SHMSIZE`, a macro that Swift cannot import: there is no space for the log's index.
  private static let noSpaceForIndex = SQLITE_IOERR | 19 << 8
  private static let permit = "check the path and its permissions, or copy the run's folder"

  static func noRun(_ path: String) -> StoreFailure {
    StoreFailure(.notFound, message: "'\(path)' contains no run")
  }

  static func closed(_ path: String) -> StoreFailure {
    StoreFailure(.system, message: "the store '\(path)' is closed")
  }

  static func openedForReading(_ path: String) -> StoreFailure {
    StoreFailure(.readOnly, message: "the store '\(path)' was opened for reading only")
  }

  static func unreadableLog(_ path: String) -> StoreFailure {
    StoreFailure(
      .readOnly,
      message: "'\(path)' was not closed and its folder is not writable: "
        + "copy the whole folder to a writable place, and read it there")
  }

  static func foreign(_ path: String) -> StoreFailure {
    StoreFailure(
      .corrupt, message: "'\(path)' is a database of another program, not a store of a run")
  }

  static func taken(_ path: String) -> StoreFailure {
    StoreFailure(
      .staleOwner, message: "another process has acquired the run in '\(path)'; follow it there")
  }

  static func occupied(_ path: String) -> StoreFailure {
    StoreFailure(
      .system, message: "'\(path)' already contains a run; resume it, or choose a new folder")
  }
}
