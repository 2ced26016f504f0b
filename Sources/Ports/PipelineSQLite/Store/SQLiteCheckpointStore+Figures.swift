extension SQLiteCheckpointStore {
  /// The sizes of all items that are files, by state.
  public func sizes() async throws(StoreFailure) -> ItemSizes {
    try await connection.read { database in
      var sizes = ItemSizes()
      try database.rows(Schema.statements["sizes"]) { row in
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
    try await Connection.reading(path) { database in
      let left = try database.integer(Schema.statements["left_at_server"])
      return RunFigures(idle: try idleTime(database), leftAtServer: Int(left ?? 0))
    }
  }

  @Sendable private static func idleTime(_ database: Database) throws -> Duration {
    // A run with one owner was never interrupted, and its history need not be read.
    guard let epoch = try database.integer("SELECT epoch FROM owner"), epoch > 1 else {
      return .zero
    }
    let milliseconds = try database.integer(Schema.statements["idle_time"])
    return .milliseconds(max(milliseconds ?? 0, 0))
  }
}

/// The figures that the database computes for a list of runs.
public struct RunFigures: Hashable, Sendable {
  /// The time within the run in which no process worked on it.
  public let idle: Duration
  /// Items that left something at the server.
  public let leftAtServer: Int
}

extension SQLiteCheckpointStore {
  /// Reads the summary of a run from the store in the file at `path`, which may be in use.
  public static func peek(path: String) async throws(StoreFailure) -> RunSummary {
    try await Connection.reading(path) { database in
      let summary = try database.first(
        "SELECT run, pipeline, status, reason, began, ended, \(columns) FROM run WHERE id = 1"
      ) { try RunSummary($0) }
      guard let summary else { throw StoreFailure.noRun(path) }
      return summary
    }
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

/// Digests of files, in addition to the run: lost ones are computed again.
extension SQLiteCheckpointStore: DigestCache {
  /// See ``/PipelineEngine/DigestCache/digests(of:)``.
  public func digests(of content: FileContent) async -> [DigestAlgorithm: String] {
    let rows = try? await connection.read { database in
      var rows: [(DigestAlgorithm, String)] = []
      try database.rows(
        Schema.statements["digests"], content.path, content.offset, content.length, content.device,
        content.inode, content.size, content.modified
      ) { row in
        guard let algorithm = DigestAlgorithm(rawValue: try row.text(0)) else { return }
        rows.append((algorithm, try row.text(1)))
      }
      return rows
    }
    return Dictionary(rows ?? [], uniquingKeysWith: { first, _ in first })
  }

  /// See ``/PipelineEngine/DigestCache/keep(_:of:)``.
  public func keep(_ digests: [DigestAlgorithm: String], of content: FileContent) async {
    try? await connection.write(.normal) { database in
      for (algorithm, digest) in digests {
        try database.run(
          Schema.statements["keep_digest"], content.path, content.offset, content.length,
          algorithm.rawValue, content.device, content.inode, content.size, content.modified, digest)
      }
    }
  }
}
