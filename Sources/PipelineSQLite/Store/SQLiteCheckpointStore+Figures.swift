import PipelineCore
public import PipelineEngine

extension SQLiteCheckpointStore {
  /// The sizes of all items that are files, by state.
  public func sizes() async throws(StoreFailure) -> ItemSizes {
    try await connection.read { database in
      var sizes = ItemSizes()
      try database.rows(
        """
        SELECT status, count(size) AS count, sum(size) AS bytes FROM (
          SELECT item.status AS status, json_extract(CAST(subject AS TEXT), '$.file.size') AS size
          FROM subject JOIN item USING (key))
        GROUP BY status
        """
      ) { row in
        guard let status = Item.Status(rawValue: Int(try row.integer(0))), !row.isNull(2) else {
          return
        }
        sizes.add(status, count: Int(try row.integer(1)), bytes: try row.integer(2))
      }
      return sizes
    }
  }

  /// The time within the run in which no process worked on it: from the last turn of each process to the first of the next.
  public func idleTime() async throws(StoreFailure) -> Duration {
    try await connection.read(Self.idleTime)
  }

  /// Reads the figures of the run in the file at `path`, which may be in use.
  public static func peekFigures(path: String) async throws(StoreFailure) -> RunFigures {
    let connection = try await Connection.openReadOnly(path: path)
    let result: Result<RunFigures, StoreFailure>
    do throws(StoreFailure) {
      result = .success(
        try await connection.read { database in
          let left = try database.integer(
            """
            SELECT coalesce(sum(json_extract(loop.value, '$.left')), 0)
            FROM run, json_each(CAST(state AS TEXT), '$.loops') AS loop
            """)
          return RunFigures(idle: try idleTime(database), leftAtServer: Int(left ?? 0))
        })
    } catch { result = .failure(error) }
    await connection.close()
    return try result.get()
  }

  @Sendable private static func idleTime(_ database: Database) throws -> Duration {
    // A run with one owner was never interrupted, and its history need not be read.
    guard let epoch = try database.integer("SELECT epoch FROM owner"), epoch > 1
    else { return .zero }
    let milliseconds = try database.integer(
      """
      SELECT coalesce(sum(at - (
        SELECT at FROM history AS earlier WHERE earlier.sequence < history.sequence
        ORDER BY earlier.sequence DESC LIMIT 1)), 0)
      FROM history WHERE \(Schema.launches)
      """)
    return .milliseconds(max(milliseconds ?? 0, 0))
  }
}

/// What the database computes for a list of runs.
public struct RunFigures: Hashable, Sendable {
  /// The time within the run in which no process worked on it.
  public let idle: Duration
  /// Items that left something at the server.
  public let leftAtServer: Int
}
