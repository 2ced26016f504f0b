import ArgumentParser
import PipelineCommands

struct StoreOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Work with the runs of a PostgreSQL database, such as postgresql://user@host/database. A password belongs into PGPASSWORD or ~/.pgpass.",
      valueName: "url"))
  var store: String?

  func validate() throws {
    guard let store else { return }
    guard ["postgresql://", "postgres://"].contains(where: store.hasPrefix) else {
      throw ValidationError(
        "--store '\(store)': expected the address of a PostgreSQL database, such as postgresql://user@host/database."
      )
    }
  }

  /// Refuses options that do not go with a database, each with whether it was given, and a hint.
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
