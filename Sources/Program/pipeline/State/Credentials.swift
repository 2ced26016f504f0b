/// The credential store of the user, or of a database.
enum Credentials {
  static var folder: String { StateFolder.usual.path + "/credentials" }

  static func store(_ sealer: (any SecretSealer)?, _ database: RunDatabase?) -> (
    any CredentialStore
  )? {
    guard let sealer else { return nil }
    if let database { return PostgreSQLCredentialStore(database.runs, sealer: sealer) }
    return FileCredentialStore(folder: folder, sealer: sealer)
  }

  /// All sign-ins by the name that commands use.
  static func all(
    _ database: RunDatabase?
  ) async throws -> [(name: String, id: CredentialID, stored: String)] {
    guard let database else {
      return try FileCredentialStore.entries(in: folder).map { ($0.name, $0.id, $0.stored) }
    }
    return try await database.runs.credentials().map {
      (FileCredentialStore.name(of: $0.id), $0.id, $0.stored)
    }
  }
}
