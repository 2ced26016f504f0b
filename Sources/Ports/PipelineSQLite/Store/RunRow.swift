/// The stored state of the run itself: the single row of the table `run`,
/// with columns for a list of runs, and that of the table `frame`.
enum RunRow {
  /// Columns that repeat parts of the state, so that they can be read without the pipeline.
  static let counts: [(column: String, status: Item.Status)] = [
    ("pending", .pending), ("active", .active), ("paused", .paused), ("failed", .failed),
    ("done", .done), ("skipped", .skipped), ("cancelled", .cancelled),
  ]

  static func insert(_ state: RunState, _ coding: CheckpointCoding, _ database: Database) throws {
    try database.run(Schema.statements["insert_run"], state.id.rawValue, coding.pipeline.name)
    _ = try update(state, isFrameNew: true, coding, database)
  }

  static func update(
    _ state: RunState, isFrameNew: Bool, _ coding: CheckpointCoding, _ database: Database
  ) throws -> Bool {
    if isFrameNew {
      try database.run(
        "INSERT OR REPLACE INTO frame (id, state) VALUES (1, ?)", coding.encode(frame: state))
    }
    func count(_ status: Item.Status) -> Int { state.loops.reduce(0) { $0 + $1.counts[status] } }
    try database.run(
      Schema.statements["update_run"], state.status.rawValue, state.reason?.message,
      state.began.milliseconds, state.ended?.milliseconds, count(.pending), count(.active),
      count(.paused), count(.failed), count(.done), count(.skipped), count(.cancelled),
      coding.encode(turn: state))
    return database.changes == 1
  }

  static func state(_ coding: CheckpointCoding, _ database: Database) throws -> RunState? {
    try database.first(
      "SELECT run.state, frame.state FROM run LEFT JOIN frame USING (id) WHERE id = 1"
    ) { try coding.state(turn: $0.blob(0), frame: $0.blob(1)) }
  }
}
