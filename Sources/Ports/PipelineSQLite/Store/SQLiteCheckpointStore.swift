import Synchronization

/// Stores one run in one SQLite file, so that it survives the process and a power failure.
///
/// The file and SQLite's companion files (`-wal`, `-shm`) are in the run's folder, contain nothing
/// that names the folder, and move with it. One connection writes and reads on its own thread;
/// no call blocks a thread of Swift's pool. Task cancellation is ignored. The tables are
/// described in `docs/checkpoints.md`.
public final class SQLiteCheckpointStore: CheckpointStore {
  /// Name of the file inside a run's folder.
  public static let fileName = "run.sqlite"
  let connection: Connection
  let coding: CheckpointCoding
  let events: HistoryCoding
  /// The version of the run's inputs and its own steps that this connection wrote last;
  /// `nil` before that.
  let lastFrame = Mutex<RunFrame?>(nil)

  /// Opens or creates the store in the file at `path`, for the owner of a run of `pipeline`.
  public convenience init(
    path: String, pipeline: Pipeline, sealer: (any SecretSealer)? = nil
  ) async throws(StoreFailure) {
    try await self.init(path: path, pipeline: pipeline, sealer: sealer, schema: .run)
  }

  package convenience init(
    path: String, pipeline: Pipeline, sealer: (any SecretSealer)? = nil, schema: Schema
  ) async throws(StoreFailure) {
    self.init(try await Connection.open(path: path, schema: schema), pipeline, sealer)
  }

  /// Opens the store in the file at `path` for reading, while another process writes or after it has ended.
  ///
  /// Operations that would change the run fail with ``StoreFailure/Kind/readOnly``.
  ///
  /// - Throws: ``StoreFailure`` as ``init(path:pipeline:)`` does, and
  ///   ``StoreFailure/Kind/notFound`` if there is no run.
  public static func openReadOnly(
    path: String, pipeline: Pipeline
  ) async throws(StoreFailure) -> SQLiteCheckpointStore {
    SQLiteCheckpointStore(try await Connection.openReadOnly(path: path), pipeline)
  }

  private init(_ connection: Connection, _ pipeline: Pipeline, _ sealer: (any SecretSealer)? = nil)
  {
    self.connection = connection
    coding = CheckpointCoding(pipeline, sealer: sealer)
    events = HistoryCoding(pipeline)
  }

  /// Moves the log into the file and closes it; later calls fail.
  public func close() async { await connection.close() }

  /// Limits the file to `pages` pages of 4096 bytes, for tests of a full disk.
  package func limit(pages: Int) async throws(StoreFailure) {
    try await connection.perform { try $0.execute("PRAGMA max_page_count = \(pages)") }
  }
}
