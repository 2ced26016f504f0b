public import PipelineCore
public import PipelineEngine

/// Digests of files, beside the run: what is lost of them is read again.
extension SQLiteCheckpointStore: DigestCache {
  /// See ``/PipelineEngine/DigestCache/digests(of:)``.
  public func digests(of content: FileContent) async -> [DigestAlgorithm: String] {
    let rows = try? await connection.read { database in
      var rows: [(DigestAlgorithm, String)] = []
      try database.rows(
        """
        SELECT algorithm, digest FROM digest
        WHERE path = ? AND first = ? AND length = ? AND device = ? AND inode = ? AND size = ?
          AND modified = ?
        """, content.path, content.offset, content.length, content.device, content.inode,
        content.size, content.modified
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
          """
          INSERT OR REPLACE INTO digest
            (path, first, length, algorithm, device, inode, size, modified, digest)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """, content.path, content.offset, content.length, algorithm.rawValue, content.device,
          content.inode, content.size, content.modified, digest)
      }
    }
  }
}
