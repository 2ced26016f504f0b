struct WorkerLimits: ParsableArguments {
  @Option(help: .help("Maximum number of shards to process at once.", "number")) var atMost = 1

  @Option(
    help: .help(
      "How long a worker keeps a shard without renewing its lease; after that, another worker can claim it.",
      "duration"))
  var lease = "30s"

  func validate() throws {
    guard (1...1000).contains(atMost) else {
      throw ValidationError("--at-most must be from 1 to 1000.")
    }
    _ = try leaseTime
  }

  var leaseTime: Duration { get throws { try Arguments.interval(lease, for: "--lease") } }
}

struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "work", "Work on shards of runs in a database, alongside other workers.",
    """
    Claims shards one at a time and releases each when it is finished. A worker that is stopped releases its shards after a \
    checkpoint; one that is killed, or cannot reach the database, loses them when their leases expire, and other workers continue. Start as many as you \
    like, anywhere: they need the database, the files under the same paths, and the secrets of the runs.

    EXAMPLES
      PIPELINE_INPUT_PASSWORD=… pipeline work --store postgresql://db/runs
      pipeline work --store postgresql://db/runs --run nightly --at-most 4
      pipeline work --store postgresql://db/runs --until-done

    \(ExitStatus.working)
    """)

  @OptionGroup var database: StoreOption

  @Option(help: .help("Work on this run only: its ID, the start of that, or its name.", "run"))
  var run: String?

  @Flag(help: "Exit when all shards are finished.") var untilDone = false

  @Option(
    help: .help(
      "Write the time to this file whenever the database has confirmed the worker's leases, three times per --lease, so that a supervisor can detect a stuck worker.",
      "file"), completion: .file())
  var heartbeat: String?

  @Option(
    name: .customLong("allow-pipeline"),
    help: .help(
      "Work only on runs of this pipeline, and pass secrets to it: the SHA-256 of its file, as sha256sum prints it; repeat it for other pipelines and for the files that they use (default: any pipeline).",
      "sha256"))
  var allowedPipelines: [String] = []

  @OptionGroup var worker: WorkerLimits
  @OptionGroup var inputs: InputOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var key: SealKeyOptions
  @OptionGroup var execution: ExecutionOptions
  @OptionGroup var form: FormatOptions
  @OptionGroup var reach: RootOption

  func validate() throws {
    let digits = Set("0123456789abcdefABCDEF")
    if let text = allowedPipelines.first(where: { $0.count != 64 || !digits.isSuperset(of: $0) }) {
      throw ValidationError("--allow-pipeline '\(text)': expected 64 hexadecimal digits.")
    }
    if database.store == nil {
      throw ValidationError("expected --store with the address of a database.")
    }
    try execution.validateForDatabase()
  }

  func run() async throws {
    guard let database = try await database.connect() else { return }
    let found = if let run { try await database.find(run) } else { StoredRun?.none }
    let work = DatabaseWork(
      database: database, run: found, endsAtRest: untilDone, worker: worker, inputs: inputs,
      state: state, key: key, execution: execution, root: reach.folder, form: form,
      heartbeat: heartbeat, allowedPipelines: allowedPipelines.map { $0.lowercased() })
    try await work.work(in: try await work.place())
  }
}

struct DatabaseWork {
  let database: RunDatabase
  /// The only run to work on; `nil` is any.
  var run: StoredRun?
  /// Whether to end when nothing is left to do, neither here nor by others.
  let endsAtRest: Bool
  let worker: WorkerLimits
  let inputs: InputOptions
  let state: StateOptions
  let key: SealKeyOptions
  let execution: ExecutionOptions
  let root: String?
  let form: FormatOptions
  /// The file with the time when the worker last heard from the database, if requested.
  var heartbeat: String?
  /// The digests of the pipelines that may have the secrets, and of the files that they use; empty is any.
  var allowedPipelines: [String] = []
  /// Whether a cancelled run counts as success.
  var isCancelling = false

  /// - Throws: ``CommandFailure`` with the status that the run's report has.
  func work(in place: WorkerPlace) async throws {
    let records = place.records
    let worker = Worker(
      WorkerOptions(
        work: self, lease: try worker.leaseTime, place: place,
        display: records.recording(SilentDisplay())))
    let signals = InterruptSignals.process
    signals.onFirst { worker.stop() }
    signals.onSecond { worker.abandon() }
    let progress = DatabaseProgress(database, run, execution.progress)
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
      var digester = StreamDigester([.sha256])
      Array(text.utf8).withUnsafeBytes { digester.add($0) }
      let digest = digester.digests()[.sha256] ?? ""
      guard allowedPipelines.contains(digest) else {
        throw CommandFailure.invalid(
          "--allow-pipeline does not allow the text of its pipeline '\(definition.pipeline.name)', or of a file that it uses, which has the SHA-256 \(digest)"
        )
      }
    }
  }

  private func report(on run: StoredRun) async throws {
    let report = try await ShardedReport(try DatabaseView(database).shards(of: run))
    if !execution.quiet || !report.isComplete {
      report.print(after: execution.progress, form.format)
    }
    if !report.isComplete, !(isCancelling && report.isGivenUp) { throw CommandFailure(.incomplete) }
  }
}

extension ExecutionOptions {
  /// Refuses options that are meaningful only for a run that one process works on.
  func validateForDatabase() throws {
    try StoreOption.refuse([
      (detach, "--detach", "let a service manager start workers"),
      (device != .desktop, "--device", "workers need a device that may always run"),
      (onFinish != nil, "--on-finish", "let the caller check the exit status"),
      (requireOnFinish, "--require-on-finish", "it cannot be combined with --on-finish"),
      (maxDuration != nil, "--max-duration", "stop the workers, or `pipeline pause` the run"),
      (maxTransfer != nil, "--max-transfer", "stop the workers, or `pipeline pause` the run"),
    ])
  }
}
