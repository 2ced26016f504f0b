struct StoreOption: ParsableArguments {
  @Option(
    help: .help(
      "Work with the runs of a PostgreSQL database, such as postgresql://user@host/database. Put the password in PGPASSWORD or ~/.pgpass.",
      "url"))
  var store: String?

  func validate() throws {
    guard let store else { return }
    guard ["postgresql://", "postgres://"].contains(where: store.hasPrefix) else {
      throw ValidationError(
        "--store '\(store)': expected the address of a PostgreSQL database, such as postgresql://user@host/database."
      )
    }
    let place = store.drop { $0 != "/" }.dropFirst(2)
    let user = place.prefix { !"/?".contains($0) }.split(separator: "@").dropLast()
    if user.contains(where: { $0.contains(":") }) || place.contains("password=") {
      throw ValidationError(
        "--store must not contain a password, which every process could read; set PGPASSWORD, or write it to ~/.pgpass."
      )
    }
  }

  /// Refuses options that cannot be combined with a database, each with whether it was passed, and a hint.
  static func refuse(_ options: [(Bool, String, String)]) throws {
    if let (_, option, hint) = options.first(where: \.0) {
      throw ValidationError("\(option) does not go with --store: \(hint).")
    }
  }

  func connect() async throws -> RunDatabase? {
    guard let store else { return nil }
    return try await RunDatabase(store)
  }
}

extension ExecutionOptions {
  /// Refuses options that are meaningful only for a run that one process works on.
  func validateForDatabase() throws {
    try StoreOption.refuse([
      (detach, "--detach", "let a service manager start workers"),
      (device != .desktop, "--device", "workers need a device that may always run"),
      (onFinish != nil, "--on-finish", "let the caller check the exit status"),
      (requireOnFinish, "--require-on-finish", "it cannot be combined with --on-finish"),
      (maxDuration != nil, "--max-duration", "stop the workers, or `pipeline pause` the run"),
      (maxTransfer != nil, "--max-transfer", "stop the workers, or `pipeline pause` the run"),
    ])
  }
}
