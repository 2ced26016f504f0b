import GRDB
import PipelineCore
import PipelineEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is stored of the run itself: the single row of the table `run`, with columns for a list of runs, and that of the table `frame`.
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
    try writeFrame(state, coding, database)
  }

  /// - Parameter isFrameNew: Whether the row of the table `frame` is not that of `state`.
  /// - Returns: Whether there was a run.
  static func update(
    _ state: RunState, isFrameNew: Bool, _ coding: CheckpointCoding, _ database: Database
  ) throws -> Bool {
    if isFrameNew { try writeFrame(state, coding, database) }
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
    guard let turn = try Data.fetchOne(database, sql: "SELECT state FROM run WHERE id = 1") else {
      return nil
    }
    // An earlier version's run has all in one, also when it is only read.
    let frame =
      try database.tableExists("frame")
      ? Data.fetchOne(database, sql: "SELECT state FROM frame WHERE id = 1") : nil
    return try coding.state(turn: Array(turn), frame: Array(frame ?? turn))
  }

  private static func writeFrame(
    _ state: RunState, _ coding: CheckpointCoding, _ database: Database
  ) throws {
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO frame (id, state) VALUES (1, ?)")
      .execute(arguments: [Data(coding.encode(frame: state))])
  }

  private static func changing(_ state: RunState, _ coding: CheckpointCoding) -> StatementArguments
  {
    func count(_ status: Item.Status) -> Int {
      state.loops.reduce(0) { $0 + $1.counts[status] }
    }
    // In one literal: to add lists of arguments costs more than to write the row.
    return [
      state.status.rawValue, state.reason?.message, state.began.milliseconds,
      state.ended?.milliseconds, count(.pending), count(.active), count(.paused), count(.failed),
      count(.done), count(.skipped), count(.cancelled), Data(coding.encode(turn: state)),
    ]
  }
}
