import PipelineSQLite

/// One file in the run's folder, with the files that SQLite puts next to it.
extension SQLiteCheckpointStore: RunStore {
  private static func path(in folder: RunFolder) -> String { folder.path + "/" + fileName }

  static func open(
    _ folder: RunFolder, _ pipeline: Pipeline, _ sealer: (any SecretSealer)?
  ) async throws(StoreFailure) -> Self {
    try await Self(path: path(in: folder), pipeline: pipeline, sealer: sealer)
  }

  static func openToRead(
    _ folder: RunFolder, _ pipeline: Pipeline
  ) async throws(StoreFailure) -> SQLiteCheckpointStore {
    try await openReadOnly(path: path(in: folder), pipeline: pipeline)
  }

  static func summary(of folder: RunFolder) async throws(StoreFailure) -> RunSummary {
    try await peek(path: path(in: folder))
  }

  static func figures(of folder: RunFolder) async throws(StoreFailure) -> RunFigures {
    try await peekFigures(path: path(in: folder))
  }

  static func paths(in folder: RunFolder) -> [String] {
    ["", "-wal", "-shm"].map { path(in: folder) + $0 }
  }
}
