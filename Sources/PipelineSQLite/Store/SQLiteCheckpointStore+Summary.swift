import GRDB
import PipelineCore
public import PipelineEngine

extension SQLiteCheckpointStore {
  /// Reads the summary of a run from the store in the file at `path`, which may be in use.
  ///
  /// - Throws: ``StoreFailure`` as ``openReadOnly(path:pipeline:)`` does.
  public static func peek(path: String) async throws(StoreFailure) -> RunSummary {
    let connection = try await Connection.openReadOnly(path: path)
    let result: Result<RunSummary, StoreFailure>
    do throws(StoreFailure) {
      result = .success(
        try await connection.read { database in
          guard let row = try Row.fetchOne(database, sql: "SELECT * FROM run WHERE id = 1") else {
            throw StoreFailure.noRun(path)
          }
          return try RunSummary(row)
        })
    } catch {
      result = .failure(error)
    }
    await connection.close()
    return try result.get()
  }
}

extension RunSummary {
  fileprivate init(_ row: Row) throws {
    guard let status = RunState.Status(rawValue: try row.text("status")) else {
      throw CheckpointCoding.Damage(message: "expected a run's status")
    }
    var counts = ItemCounts()
    for (column, status) in RunRow.counts { counts[status] = Int(try row.integer(column)) }
    self.init(
      id: RunID(try row.text("run")), pipeline: try row.text("pipeline"), status: status,
      reason: row.isNull("reason") ? nil : try row.text("reason"), counts: counts,
      began: Instant(milliseconds: try row.integer("began")),
      ended: row.isNull("ended") ? nil : Instant(milliseconds: try row.integer("ended")))
  }
}
