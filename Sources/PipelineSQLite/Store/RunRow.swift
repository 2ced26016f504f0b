import GRDB
import PipelineCore
import PipelineEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The single row of the table `run`: the stored state, and columns for a list of runs.
enum RunRow {
  /// Columns that repeat parts of the state, so that they can be read without the pipeline.
  static let counts: [(column: String, status: Item.Status)] = [
    ("pending", .pending), ("active", .active), ("paused", .paused), ("failed", .failed),
    ("done", .done), ("skipped", .skipped), ("cancelled", .cancelled),
  ]

  static func insert(_ state: RunState, _ coding: CheckpointCoding, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO run (run, pipeline, status, reason, began, ended, pending, active, paused,
          failed, done, skipped, cancelled, state, id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
        """,
      arguments: [state.id.rawValue, coding.pipeline.name] + changing(state, coding))
  }

  /// - Returns: Whether there was a run.
  static func update(
    _ state: RunState, _ coding: CheckpointCoding, _ database: Database
  ) throws -> Bool {
    try database.cachedStatement(
      sql: """
        UPDATE run SET status = ?, reason = ?, began = ?, ended = ?, pending = ?, active = ?,
          paused = ?, failed = ?, done = ?, skipped = ?, cancelled = ?, state = ? WHERE id = 1
        """
    ).execute(arguments: changing(state, coding))
    return database.changesCount == 1
  }

  /// The stored state without its items; `nil` if there is no run.
  static func state(_ coding: CheckpointCoding, _ database: Database) throws -> RunState? {
    let bytes = try Data.fetchOne(database, sql: "SELECT state FROM run WHERE id = 1")
    return try bytes.map { try coding.state(Array($0)) }
  }

  private static func changing(_ state: RunState, _ coding: CheckpointCoding) -> StatementArguments
  {
    var arguments: StatementArguments = [
      state.status.rawValue, state.reason?.message, state.began.milliseconds,
      state.ended?.milliseconds,
    ]
    arguments += StatementArguments(
      counts.map { _, status in state.loops.reduce(0) { $0 + $1.counts[status] } })
    return arguments + [Data(coding.encode(state))]
  }
}
