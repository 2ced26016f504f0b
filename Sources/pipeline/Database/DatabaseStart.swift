import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineFiles
import PipelinePostgreSQL

struct DatabaseStart {
  let database: RunDatabase
  let definition: Definition
  let origin: RunFolder.Origin
  let shards: Int
  let slots: Int
  let isTalkative: Bool
  private let hasLoaded = Shared(false)

  /// Creates the run, or goes on with the loading of one that is not loaded.
  func begin(
    _ resolved: InputResolver.Resolved, continuing known: StoredRun?
  ) async throws -> StoredRun {
    try await database.runs.requireWritable()
    let run: StoredRun
    if let known {
      run = known
    } else {
      try await refuseName()
      run = try await database.runs.create(
        RunCreation.name(definition.pipeline.name), name: origin.name,
        pipeline: definition.pipeline, shards: shards, slots: slots,
        material: StoredRun.Material(definition, origin))
    }
    if run.isLoaded { return run }
    do {
      try await load(run, resolved)
    } catch {
      // What cannot be listed now would be in the way of its name.
      if known == nil, !hasLoaded.withLock({ $0 }) { _ = try? await database.runs.remove(run) }
      throw error
    }
    return run
  }

  private func refuseName() async throws {
    guard let name = origin.name, let other = try await database.runs.runs(called: name).first,
      other.name == name || other.id.rawValue.hasPrefix(name)
    else { return }
    throw CommandFailure(
      .invalid,
      "the database has a run called '\(name)': '\(other.id)'; choose another name, or continue that with --continue"
    )
  }

  private func load(_ run: StoredRun, _ resolved: InputResolver.Resolved) async throws {
    let creation = RunCreation(definition: definition, resolved: resolved, id: run.id)
    let now = SteadyClock().now()
    let values = try creation.values()
    let count = run.shards
    let isTalkative = isTalkative
    try await database.runs.load(
      run, try creation.loops(creation.state(run.id, nil, values, now), now),
      pipeline: definition.pipeline,
      progress: { [hasLoaded] loaded in
        hasLoaded.withLock { $0 = true }
        if isTalkative, loaded % 100_000 == 0 {
          Terminal.error("\(ReportFormatting.count(loaded, "item")) are in the database")
        }
      }
    ) { number in
      creation.state(run.id(ofShard: number), Shard(stored: number, of: count), values, now)
    }
  }
}
