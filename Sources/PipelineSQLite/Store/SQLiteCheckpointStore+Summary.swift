import PipelineCore
public import PipelineEngine

extension SQLiteCheckpointStore {
  /// Reads the summary of a run from the store in the file at `path`, which may be in use.
  public static func peek(path: String) async throws(StoreFailure) -> RunSummary {
    let connection = try await Connection.openReadOnly(path: path)
    let result: Result<RunSummary, StoreFailure>
    do throws(StoreFailure) {
      result = .success(
        try await connection.read { database in
          let summary = try database.first(
            """
            SELECT run, pipeline, status, reason, began, ended, \(columns) FROM run WHERE id = 1
            """
          ) { try RunSummary($0) }
          guard let summary else { throw StoreFailure.noRun(path) }
          return summary
        })
    } catch { result = .failure(error) }
    await connection.close()
    return try result.get()
  }

  private static let columns = RunRow.counts.map(\.column).joined(separator: ", ")
}

extension RunSummary {
  fileprivate init(_ row: Row) throws {
    guard let status = RunState.Status(rawValue: try row.text(2)) else {
      throw CheckpointCoding.Damage(message: "expected a run's status")
    }
    var counts = ItemCounts()
    for (index, count) in RunRow.counts.enumerated() {
      counts[count.status] = Int(try row.integer(6 + index))
    }
    self.init(
      id: RunID(try row.text(0)), pipeline: try row.text(1), status: status,
      reason: row.isNull(3) ? nil : try row.text(3), counts: counts,
      began: Instant(milliseconds: try row.integer(4)),
      ended: row.isNull(5) ? nil : Instant(milliseconds: try row.integer(5)))
  }
}
