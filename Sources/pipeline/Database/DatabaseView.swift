import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelinePostgreSQL

struct DatabaseView {
  let database: RunDatabase
  /// For the definitions.
  private let scratch: ScratchFolder

  init(_ database: RunDatabase) throws(CommandFailure) {
    self.database = database
    let parent = FileManager.default.temporaryDirectory.path + "/pipeline-\(getuid())"
    scratch = try ScratchFolder(in: parent)
  }

  func shards(of run: StoredRun, only number: Int? = nil) async throws -> ShardedRun {
    let stored = try await database.runs.shards(of: run)
    guard !stored.isEmpty else { throw CommandFailure(.environment, Self.isLoading(run)) }
    let chosen = stored.filter { number == nil || $0.number == number }
    if let number, chosen.isEmpty {
      let missing = number == Shard.leadNumber ? "lead" : "shard \(number)"
      throw CommandFailure(
        .invalid,
        "run '\(run.calling)' has no \(missing); its shards are 1 to \(run.shards)")
    }
    return ShardedRun(
      parts: try chosen.map { try part($0, run) }, count: run.shards, isWhole: number == nil,
      keeping: scratch)
  }

  static func isLoading(_ run: StoredRun) -> String {
    "the items of run '\(run.calling)' are not in the database yet; if no process loads them, `pipeline run FILE --name … --continue` goes on with that"
  }

  private func part(
    _ stored: StoredShard, _ run: StoredRun
  ) throws(CommandFailure) -> ShardedRun.Part {
    guard let shard = Shard(stored: stored.number, of: run.shards) else {
      throw CommandFailure(
        .environment, "the database has a shard \(stored.number) of \(run.shards)")
    }
    let place = DatabaseShard(
      database: database, run: run, number: stored.number, worker: stored.worker,
      isGivenBack: stored.worker == nil && stored.wish == .resume)
    return .init(shard: shard, folder: try scratch.folder(of: place))
  }
}
