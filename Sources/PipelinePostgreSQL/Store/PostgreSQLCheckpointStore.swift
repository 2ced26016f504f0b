public import PipelineCore
public import PipelineEngine
import Synchronization

/// Stores one shard of a run in a PostgreSQL database, which many machines can reach.
///
/// One connection writes and reads on a queue of its own; no call blocks a thread of Swift's pool. A batch is one statement,
/// and the owner's epoch is checked in its transaction. Task cancellation is ignored.
public final class PostgreSQLCheckpointStore: CheckpointStore {
  let connection: Connection
  let coding: CheckpointCoding
  let events: HistoryCoding
  let run: Int
  let shard: Int
  /// The last batch that is known to be stored; `nil` before the first look.
  let last = Mutex<Int?>(nil)

  /// Opens shard number `shard` of the run called `run`, and creates the tables where they are missing.
  ///
  /// - Parameters:
  ///   - address: A connection string of libpq, such as `postgresql://user@host/database`.
  ///   - schema: The PostgreSQL schema of the tables.
  ///   - sealer: Encrypts sealed outputs.
  /// - Throws: ``StoreFailure`` if the server cannot be used; its message has no password.
  public init(
    address: String, run: String, shard: Int = 1, schema: String = "pipeline", pipeline: Pipeline,
    sealer: (any SecretSealer)? = nil
  ) async throws(StoreFailure) {
    let connection = Connection(address: address, schema: schema)
    do throws(StoreFailure) {
      self.run = try await connection.perform(repeats: true) { session in
        try Schema.migrate(session, schema: schema)
        let known = try session.query("SELECT id FROM run WHERE name = $1", [.text(run)])
        if known.count == 1 { return try known.integer(0, 0) }
        try session.query(
          "INSERT INTO run (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", [.text(run)])
        return try session.query("SELECT id FROM run WHERE name = $1", [.text(run)]).integer(0, 0)
      }
    } catch {
      await connection.close()
      throw error
    }
    self.connection = connection
    self.shard = shard
    coding = CheckpointCoding(pipeline, sealer: sealer)
    events = HistoryCoding(pipeline)
  }

  /// Closes the connection; later calls fail.
  public func close() async { await connection.close() }

  /// The first two values of each statement.
  var here: [Parameter] { [.integer(run), .integer(shard)] }
}
