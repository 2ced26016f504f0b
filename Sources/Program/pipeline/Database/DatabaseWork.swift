/// How much a worker holds.
struct WorkerLimits {
  /// Shards at once.
  let atMost: Int
  /// How long a shard stays this worker's without a sign of life.
  let lease: Duration
}

struct DatabaseWork {
  let database: RunDatabase
  /// The only run to work on; `nil` is any.
  var run: StoredRun?
  /// Whether to end when nothing is left to do, neither here nor by others.
  let endsAtRest: Bool
  let worker: WorkerLimits
  let inputs: InputSelection
  let state: StateFolder
  let key: SealKey
  let options: RunOptions
  let root: String?
  let format: ReportFormat
  /// The file with the time when the worker last heard from the database, if requested.
  var heartbeat: String?
  /// The pipelines that may have the secrets, and the files that they use; empty is any.
  var allowedPipelines: [AllowedPipeline] = []
  /// Whether a cancelled run counts as success.
  var isCancelling = false

  /// - Throws: ``CommandFailure`` with the status that the run's report has.
  func work(in place: WorkerPlace) async throws {
    let records = place.records
    let worker = Worker(
      WorkerOptions(work: self, place: place, display: records.recording(SilentDisplay())))
    let signals = InterruptSignals.process
    signals.onFirst { worker.stop() }
    signals.onSecond { worker.abandon() }
    let progress = DatabaseProgress(database, run, options.progress)
    progress.begin()
    let outcome = await Result { try await worker.work() }
    progress.end()
    records.complain()
    try outcome.get()
    if signals.wasInterrupted {
      Terminal.error("stopped after a checkpoint; other workers continue with the shards")
      throw CommandFailure(.interrupted)
    }
    if let run { return try await report(on: run) }
    for run in worker.left {
      let report = try await ShardedReport(DatabaseView(database).shards(of: run))
      guard !report.isComplete else { continue }
      throw CommandFailure(
        .incomplete, "run '\(run.displayName)' has items that are left to other workers")
    }
  }

  /// Refuses a pipeline that anyone who can write to the database may have put there.
  func requireAllowed(_ definition: Definition) throws(CommandFailure) {
    guard !allowedPipelines.isEmpty else { return }
    for text in [definition.text] + definition.used.values {
      let digest = AllowedPipeline.digest(of: text)
      guard allowedPipelines.contains(where: { $0.digest == digest }) else {
        throw CommandFailure.invalid(
          "--allow-pipeline does not allow the text of its pipeline '\(definition.pipeline.name)', or of a file that it uses, which has the SHA-256 \(digest)"
        )
      }
    }
  }

  private func report(on run: StoredRun) async throws {
    let report = try await ShardedReport(try DatabaseView(database).shards(of: run))
    if !options.isQuiet || !report.isComplete { report.print(after: options.progress, format) }
    if !report.isComplete, !(isCancelling && report.isGivenUp) { throw CommandFailure(.incomplete) }
  }
}
