/// A shard of a database; the folder identifies it.
extension PostgreSQLCheckpointStore: RunStore {
  private static func shard(_ folder: RunFolder) -> DatabaseShard {
    guard let shard = folder.shard else {
      preconditionFailure("a folder without a shard of a database has another store")
    }
    return shard
  }

  static func open(
    _ folder: RunFolder, _ pipeline: Pipeline, _ sealer: (any SecretSealer)?
  ) async throws(StoreFailure) -> PostgreSQLCheckpointStore {
    let shard = shard(folder)
    return shard.database.runs.store(
      of: shard.run, shard: shard.number, pipeline: pipeline, sealer: sealer)
  }

  static func openToRead(
    _ folder: RunFolder, _ pipeline: Pipeline
  ) async throws(StoreFailure) -> PostgreSQLCheckpointStore {
    try await open(folder, pipeline, nil)
  }
}
