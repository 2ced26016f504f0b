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

  func connect() async throws -> RunDatabase? {
    guard let store else { return nil }
    return try await RunDatabase(store)
  }
}
