extension StoreFailure {
  /// The meaning of an error of the server at `place` for the user, and what to do about it,
  /// without values and passwords.
  init(_ error: any Error, place: String) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let damage as CheckpointCoding.Damage:
      self.init(.corrupt, message: "the store at \(place) is damaged: \(damage.message)")
    case let error as PostgreSQLError: self.init(error, place)
    default: self.init(.system, message: "the store at \(place) cannot be used: \(error)")
    }
  }

  private init(_ error: PostgreSQLError, _ place: String) {
    let message = error.message
    let line = Self.line(message)
    // A server that was reached reports FATAL, unless its messages are translated.
    let problem = message.contains("FATAL:") ? "refuses the connection" : "cannot be reached"
    let (kind, words): (Kind, String) =
      switch error.state {
      case Schema.State.stale:
        (.staleOwner, "another process has acquired the run at \(place); follow it there")
      case Schema.State.noRun: (.notFound, Self.noRun(place).message)
      case Schema.State.missingItem:
        (.corrupt, "the store at \(place) is damaged: it lacks an item of the batch")
      case "53100":
        (.full, "the disk of \(place) is full; nothing was lost: free some space and resume")
      case "25006": (.readOnly, Self.isReadOnly(place))
      case "42501":
        (.readOnly, "the user may not do this at \(place): \(message); let its owner grant it")
      case "22P05":
        (
          .system,
          "the database of \(place) lacks a character of this run: \(line); use a database with the encoding UTF8"
        )
      case PostgreSQLError.unconfirmedState:
        (
          .system,
          "\(place) stored something and its standby did not confirm it; nothing was lost: resume when the standby is back"
        )
      case "": (.system, "\(place) \(problem): \(line)")
      default:
        (
          .system,
          "the store at \(place) cannot be used: PostgreSQL reports \"\(line)\" (\(error.state))"
        )
      }
    self.init(kind, message: words)
  }

  private static func line(_ message: String) -> String {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: "; ")
    return line.hasSuffix(".") ? String(line.dropLast()) : line
  }

  static func isReadOnly(_ place: String) -> String {
    "\(place) is read-only, and a store must be writable: use the primary server, for example with target_session_attrs=read-write"
  }

  static func noRun(_ place: String) -> StoreFailure {
    StoreFailure(.notFound, message: "the store at \(place) contains no such run")
  }
}
