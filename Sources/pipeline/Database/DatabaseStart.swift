import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineFiles
import PipelinePostgreSQL
import Synchronization

struct DatabaseStart {
  let database: RunDatabase
  let definition: Definition
  let origin: RunFolder.Origin
  let shards: Int
  let slots: Int
  let isTalkative: Bool
  private let hasLoaded = Flag()

  init(
    database: RunDatabase, definition: Definition, origin: RunFolder.Origin, shards: Int,
    slots: Int, isTalkative: Bool
  ) {
    (self.database, self.definition, self.origin) = (database, definition, origin)
    (self.shards, self.slots, self.isTalkative) = (shards, slots, isTalkative)
  }

  private final class Flag: Sendable {
    private let state = Mutex(false)
    var value: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
  }

  /// Creates the run, or goes on with the loading of one that is not loaded.
  func begin(
    _ resolved: InputResolver.Resolved, continuing known: StoredRun?
  ) async throws -> StoredRun {
    do {
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
        if known == nil, !hasLoaded.value { _ = try? await database.runs.remove(run) }
        throw error
      }
      return run
    } catch let failure as StoreFailure {
      throw CommandFailure(storeFailure: failure)
    }
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
        hasLoaded.set()
        if isTalkative, loaded % 100_000 == 0 {
          Terminal.error("\(ReportFormatting.count(loaded, "item")) are in the database")
        }
      }
    ) { number in
      creation.state(run.id(ofShard: number), Shard(stored: number, of: count), values, now)
    }
  }
}
