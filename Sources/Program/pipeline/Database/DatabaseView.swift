struct DatabaseView {
  let database: RunDatabase
  /// For the definitions.
  private let scratch: ScratchFolder

  init(_ database: RunDatabase) throws(CommandFailure) {
    self.database = database
    let parent = FileManager.default.temporaryDirectory.path + "/pipeline-\(getuid())"
    scratch = try ScratchFolder(in: parent)
  }

  /// The definition that workers need of a run.
  func definition(of run: StoredRun) async throws -> Definition {
    try await Definition.kept(
      scratch.folder(of: DatabaseShard(database: database, run: run, number: 1)), warns: false)
  }

  func shards(of run: StoredRun, only number: Int? = nil) async throws -> ShardedRun {
    let stored = try await database.runs.shards(of: run)
    guard !stored.isEmpty else { throw CommandFailure.environment(Self.isLoading(run)) }
    let chosen = stored.filter { number == nil || $0.number == number }
    if let number, chosen.isEmpty {
      let missing = number == Shard.leadNumber ? "lead" : "shard \(number)"
      throw CommandFailure.invalid(
        "run '\(run.displayName)' has no \(missing); its shards are 1 to \(run.shards)")
    }
    return ShardedRun(
      parts: try parts(chosen, run), count: run.shards, isWhole: number == nil,
      keeping: scratch)
  }

  static func isLoading(_ run: StoredRun) -> String {
    "the items of run '\(run.displayName)' are not in the database yet; if no process loads them, `pipeline run FILE --name … --continue` continues that"
  }

  /// All shards have the same definition, so that one folder is enough.
  private func parts(
    _ stored: [StoredShard], _ run: StoredRun
  ) throws(CommandFailure) -> [ShardedRun.Part] {
    var parts: [ShardedRun.Part] = []
    for stored in stored {
      guard let shard = Shard(stored: stored.number, of: run.shards) else {
        throw CommandFailure.environment(
          "the database has a shard \(stored.number) of \(run.shards)")
      }
      let place = DatabaseShard(
        database: database, run: run, number: stored.number, worker: stored.worker,
        isGivenBack: stored.worker == nil && stored.wish == .resume, trouble: stored.trouble,
        refusal: stored.refusal)
      let folder =
        if let first = parts.first {
          RunFolder(id: run.id(ofShard: stored.number), path: first.folder.path, shard: place)
        } else {
          try scratch.folder(of: place)
        }
      parts.append(.init(shard: shard, folder: folder))
    }
    return parts
  }
}
