import Synchronization

/// Stores one shard of a run in a PostgreSQL database, which many machines can reach.
///
/// One connection writes and reads on a queue of its own; no call blocks a thread of Swift's pool. A batch is one statement,
/// and the owner's epoch is checked in its transaction. Task cancellation is ignored.
public final class PostgreSQLCheckpointStore: CheckpointStore {
  let connection: Connection
  let coding: CheckpointCoding
  let events: HistoryCoding
  let run, shard: Int
  /// The file that this machine has in place of one that another machine listed; `nil` is the same.
  let localFile: @Sendable (FileValue) -> FileValue?
  /// The last batch that is known to be stored; `nil` before the first look.
  let last = Mutex<Int?>(nil)
  let lastFrame = Mutex<RunFrame?>(nil)

  /// How long a server is awaited that was reached before.
  public static let usualPatience = Duration.seconds(300)

  /// Opens shard number `shard` of the run with the ID `run`, and creates the tables and the run where they are missing.
  public init(
    address: String, run: String, shard: Int = 1, schema: String = PostgreSQLRuns.usualSchema,
    pipeline: Pipeline, sealer: (any SecretSealer)? = nil, patience: Duration = usualPatience
  ) async throws(StoreFailure) {
    let connection = Connection(address: address, schema: schema, patience: patience)
    do throws(StoreFailure) {
      self.run = try await connection.perform(repeats: true) { session in
        try Schema.current.migrate(session, schema: schema)
        let known = try session.query("SELECT id FROM run WHERE run = $1", [.text(run)])
        if known.count == 1 { return try known.integer(0, 0) }
        try session.query(
          "INSERT INTO run (run, pipeline, shards) VALUES ($1, $2, 1) ON CONFLICT (run) DO NOTHING",
          [.text(run), .text(pipeline.name)])
        return try session.query("SELECT id FROM run WHERE run = $1", [.text(run)]).integer(0, 0)
      }
    } catch {
      await connection.close()
      throw error
    }
    (self.connection, self.shard) = (connection, shard)
    localFile = { _ in nil }
    coding = CheckpointCoding(pipeline, sealer: sealer)
    events = HistoryCoding(pipeline)
  }

  /// Opens shard number `shard` of an existing run; connects with the first call.
  init(
    _ connection: Connection, run: Int, shard: Int, pipeline: Pipeline,
    sealer: (any SecretSealer)?, localFile: @escaping @Sendable (FileValue) -> FileValue?
  ) {
    (self.connection, self.run, self.shard) = (connection, run, shard)
    self.localFile = localFile
    coding = CheckpointCoding(pipeline, sealer: sealer)
    events = HistoryCoding(pipeline)
  }

  /// Closes the connection; later calls fail.
  public func close() async { await connection.close() }
  /// The first two values of each statement.
  var here: [Parameter] { [.integer(run), .integer(shard)] }
}
