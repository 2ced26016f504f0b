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
    _ connection: Connection, run: Int, shard: Int, pipeline: Pipeline, sealer: (any SecretSealer)?,
    localFile: @escaping @Sendable (FileValue) -> FileValue?
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

/// The lead of a run executes the run-level steps: its results are passed to the others,
/// and steps after the loops wait for them.
extension PostgreSQLCheckpointStore {
  /// Opens the run to those with items when the lead reaches its first loop, and lets the lead continue when all of them are done.
  func awaitShards(_ epoch: Int) async throws(StoreFailure) {
    let isDone = try await connection.transaction(repeats: true) { [self] session in
      try checkOwner(epoch, session)
      let run = try session.query(
        "SELECT is_open, shards FROM run WHERE id = $1 FOR UPDATE", [.integer(run)])
      if try !run.bool(0, 0) { try giveResults(to: try run.integer(0, 1), session) }
      let isDone = try session.query(
        "SELECT \(Schema.statements["are_others_done"]) FROM run WHERE id = $1",
        [.integer(self.run)]
      ).bool(0, 0)
      try session.query(
        "UPDATE shard SET waits = $3 WHERE run = $1 AND shard = $2", here + [.bool(!isDone)])
      return isDone
    }
    guard isDone else {
      throw StoreFailure(
        .enumeration,
        message: "the items are worked on in the other shards; what comes after them waits")
    }
  }

  /// Stores the lead's results in the frames of the shards with items, which have not started.
  private func giveResults(to count: Int, _ session: Session) throws {
    guard let lead = try storedState(session) else { throw StoreFailure.noRun(session.place) }
    // One by one, since a result may be a list of megabytes.
    for number in 1...count {
      var state = RunState(
        id: lead.id, pipeline: coding.pipeline, inputs: lead.inputs, seed: 0, began: lead.began,
        shard: Shard(number, of: count))
      state.frame = lead.frame
      try session.query(
        "UPDATE shard SET frame = $3 WHERE run = $1 AND shard = $2 AND epoch = 0",
        [.integer(run), .integer(number), .bytes(coding.encode(frame: state))])
    }
    try session.query("UPDATE run SET is_open = true WHERE id = $1", [.integer(run)])
  }

  /// The sizes of all items that are files, by state.
  public func sizes() async throws(StoreFailure) -> ItemSizes {
    try await connection.perform(repeats: true) { [self] session in
      let rows = try session.query(Schema.statements["sizes"], here)
      var sizes = ItemSizes()
      for row in 0..<rows.count {
        guard let status = Item.Status(rawValue: try rows.integer(row, 0)) else { continue }
        sizes.add(status, count: try rows.integer(row, 1), bytes: Int64(try rows.integer(row, 2)))
      }
      return sizes
    }
  }

  /// The time within the shard's run in which no process worked on it: before and between processes.
  public func idleTime() async throws(StoreFailure) -> Duration {
    try await connection.perform(repeats: true) { [self] session in
      let rows = try session.query(Schema.statements["idle_time"], here)
      return .milliseconds(max(try rows.integer(0, 0), 0))
    }
  }

  /// Replaces the subjects and the progress of items that are not active.
  public func replace(_ items: [Item], epoch: Int) async throws(StoreFailure) {
    guard !items.isEmpty else { return }
    try await connection.transaction(repeats: true) { [self] session in
      try checkOwner(epoch, session)
      for item in items {
        try session.query(
          "UPDATE subject SET subject = $4 WHERE run = $1 AND shard = $2 AND key = $3",
          here + [.integer(item.key.row), .bytes(coding.encode(subject: item.subject))])
        try session.query(
          "UPDATE item SET status = $4, progress = $5 WHERE run = $1 AND shard = $2 AND key = $3",
          here + [
            .integer(item.key.row), .integer(item.status.rawValue),
            .bytes(coding.encode(progress: item)),
          ])
      }
    }
  }
}

/// Digests are of files as one machine sees them: a store that many machines share does not keep them.
extension PostgreSQLCheckpointStore: DigestCache {
  /// None.
  public func digests(of content: FileContent) async -> [DigestAlgorithm: String] { [:] }
  /// Nothing is kept.
  public func keep(_ digests: [DigestAlgorithm: String], of content: FileContent) async {}
}
