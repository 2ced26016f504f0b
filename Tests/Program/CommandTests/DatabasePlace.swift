import Foundation
import PipelineCommands
import TestSupport
import Testing

/// A scene with a database of its own.
struct DatabasePlace {
  /// The server of the tests, which `Tests/Servers/postgresql` starts.
  static let address = ProcessInfo.processInfo.environment["PIPELINE_TEST_POSTGRESQL"]

  let scene: Scene
  let server: ServerProcess
  let store: String

  /// - Parameters:
  ///   - files: How many files the run sends.
  ///   - definition: The pipeline's text, in `upload.yaml`.
  ///   - arguments: Options of the demo server.
  init(
    files: Int = 30, definition: String = ExpiryTests.definition, _ arguments: String...
  ) async throws {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.files(files)
    try scene.directory.write(definition, to: "upload.yaml")
    self.scene = scene
    server = try await scene.server(arguments)
    store = try Self.database()
  }

  /// The address of a new database with some options of `CREATE DATABASE`.
  static func database(_ options: String = "") throws -> String {
    let name = "test_\(UInt64.random(in: 0 ... .max))"
    let known = try #require(address)
    try sql("CREATE DATABASE \(name) \(options)", on: known)
    var url = try #require(URLComponents(string: known))
    url.path = "/" + name
    return try #require(url.string)
  }

  @discardableResult
  static func sql(_ text: String, on store: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["psql", "-qAt", "-v", "ON_ERROR_STOP=1", store, "-c", text]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// How many times sessions that have ended have searched the table of shards; waits for those that are ending.
  ///
  /// The server's own work, such as a vacuum, is counted as transactions, but not as searches.
  func searchesOfShards() throws -> Int {
    try awaitSessions()
    let text = try Self.sql(
      "SELECT seq_scan + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'shard'",
      on: store)
    return try #require(Int(text))
  }

  private func awaitSessions() throws {
    try Self.sql(
      """
      DO $body$ BEGIN
        WHILE EXISTS (SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'pipeline')
        LOOP PERFORM pg_sleep(0.01), pg_stat_clear_snapshot(); END LOOP;
      END $body$
      """, on: store)
  }

  /// How many rows of items the server has read for sessions that have ended; waits for those that are ending.
  func rowsRead() throws -> Int {
    try awaitSessions()
    let text = try Self.sql(
      """
      SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) FROM pg_stat_user_tables
      WHERE relname IN ('item', 'subject')
      """, on: store)
    return try #require(Int(text))
  }

  func run(_ arguments: String...) async throws -> CommandRunner.Outcome {
    try await scene.pipeline.run(arguments + ["--store", store])
  }

  /// Creates a run in four shards, and leaves the work to others.
  func create(_ arguments: String..., server url: String? = nil) async throws {
    let created = try await scene.pipeline.run(
      [
        "run", "upload.yaml", "--input", "server=\(url ?? server.url)", "--shards", "4",
        "--create-only",
      ]
        + arguments + ["--store", store])
    #expect(created.status == 0, "\(created)")
  }

  func start(_ arguments: String...) throws -> RunningCommand { try start(arguments) }

  func start(_ arguments: [String]) throws -> RunningCommand {
    try scene.pipeline.start(arguments + ["--store", store])
  }

  func checkAllDone(_ count: Int = 30) {
    let finalized = server.journal.filter { $0.event == "finalize" }
    #expect(finalized.count == count)
    #expect(Set(finalized.compactMap(\.name)).count == count)
  }
}
