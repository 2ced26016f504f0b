import Foundation
import PipelineEngine
import PipelineFiles
@testable import PipelinePostgreSQL
import Testing

/// Where sign-ins are kept, and what a test may do to them without the store.
struct CredentialPlace {
  enum Kind: String, Sendable { case folder, database }

  /// The database only where `Tests/Servers/postgresql` has started a server.
  static let kinds: [Kind] = address == nil ? [.folder] : [.folder, .database]
  private static let address = ProcessInfo.processInfo.environment["PIPELINE_TEST_POSTGRESQL"]

  let folder: TemporaryFolder
  private let runs: PostgreSQLRuns?

  init(_ kind: Kind) async throws {
    folder = try TemporaryFolder()
    runs =
      kind == .folder
      ? nil
      : try await PostgreSQLRuns(
        address: try #require(Self.address), schema: "pipeline_tests", patience: .zero)
  }

  func close() async { await runs?.close() }

  /// Opens the store, as another process does.
  func store(_ key: [UInt8], earlier: [UInt8]? = nil) throws -> any CredentialStore {
    let sealer = try #require(AESGCMSealer(key: key, earlier: earlier))
    guard let runs else { return FileCredentialStore(folder: path, sealer: sealer) }
    return PostgreSQLCredentialStore(runs, sealer: sealer)
  }

  func ids() async throws -> [CredentialID] {
    guard let runs else { return try FileCredentialStore.entries(in: path).map(\.id) }
    return try await runs.credentials().map(\.id)
  }

  func remove(_ id: CredentialID) async throws -> Bool {
    guard let runs else {
      return try await FileCredentialStore.remove(FileCredentialStore.name(of: id), in: path)
    }
    return try await runs.remove(id)
  }

  /// The text that is kept of a sign-in.
  func text(of id: CredentialID) async throws -> String {
    guard let runs else { return try String(contentsOfFile: file(id), encoding: .utf8) }
    return try await runs.connection.perform(repeats: false) { session in
      try session.query(
        "SELECT sealed FROM credential WHERE origin = $1 AND client = $2",
        [.text(id.origin), .text(id.client)]
      ).text(0, 0)
    }
  }

  /// Keeps of one sign-in what is kept of another.
  func replace(_ id: CredentialID, with other: CredentialID) async throws {
    guard let runs else {
      try FileManager.default.removeItem(atPath: file(id))
      return try FileManager.default.copyItem(atPath: file(other), toPath: file(id))
    }
    let text = try await text(of: other)
    let changed = try await runs.connection.perform(repeats: false) { session in
      try session.query(
        "UPDATE credential SET sealed = $3 WHERE origin = $1 AND client = $2",
        [.text(id.origin), .text(id.client), .text(text)]
      ).changed
    }
    #expect(changed == 1)
  }

  var path: String { folder("credentials") }
  private func file(_ id: CredentialID) -> String {
    "\(path)/\(FileCredentialStore.name(of: id)).json"
  }
}
