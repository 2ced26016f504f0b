import GRDB
public import PipelineCore
public import PipelineEngine

/// Digests of files, beside the run: what is lost of them is read again.
extension SQLiteCheckpointStore: DigestCache {
  /// See ``/PipelineEngine/DigestCache/digests(of:)``.
  public func digests(of content: FileContent) async -> [DigestAlgorithm: String] {
    let rows = try? await connection.read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT algorithm, digest FROM digest
          WHERE path = ? AND first = ? AND length = ? AND device = ? AND inode = ? AND size = ?
            AND modified = ?
          """)
      let arguments: StatementArguments = [
        content.path, content.offset, content.length, content.device, content.inode, content.size,
        content.modified,
      ]
      return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
        DigestAlgorithm(rawValue: row["algorithm"]).map { ($0, row["digest"] as String) }
      }
    }
    return Dictionary(rows ?? [], uniquingKeysWith: { first, _ in first })
  }

  /// See ``/PipelineEngine/DigestCache/keep(_:of:)``.
  public func keep(_ digests: [DigestAlgorithm: String], of content: FileContent) async {
    try? await connection.write(.normal) { database in
      for (algorithm, digest) in digests {
        try database.cachedStatement(
          sql: """
            INSERT OR REPLACE INTO digest
              (path, first, length, algorithm, device, inode, size, modified, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          content.path, content.offset, content.length, algorithm.rawValue, content.device,
          content.inode, content.size, content.modified, digest,
        ])
      }
    }
  }
}
