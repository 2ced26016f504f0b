struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "work", "Work on shards of runs in a database, alongside other workers.",
    status: ExitStatus.working)

  @OptionGroup var database: StoreOption

  @Option(help: .help("Work on this run only: its ID, the start of that, or its name.", "run"))
  var run: String?

  @Flag(help: "Exit when all shards are finished.") var untilDone = false

  @Option(
    help: .help(
      "Write the time to this file whenever the database has confirmed the worker's leases, three times per --lease, so that a supervisor can detect a stuck worker.",
      "file"), completion: .file()) var heartbeat: String?

  @Option(
    name: .customLong("allow-pipeline"),
    help: .help(
      "Work only on runs of this pipeline, and pass secrets to it: the SHA-256 of its file, as sha256sum prints it; repeat it for other pipelines and for the files that they use (default: any pipeline). With hosts after it, as in 3f9a…=api.example.com,*.example.org, the pipeline's requests go only to these, instead of to those of --allow-host.",
      "sha256[=host,…]")) var allowedPipelines: [String] = []

  @OptionGroup var worker: WorkerLimitOptions
  @OptionGroup var inputs: InputOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var key: SealKeyOptions
  @OptionGroup var execution: ExecutionOptions
  @OptionGroup var form: FormatOptions
  @OptionGroup var reach: RootOption

  func validate() throws {
    if let text = allowedPipelines.first(where: { AllowedPipeline($0) == nil }) {
      throw ValidationError(
        "--allow-pipeline '\(text)': expected 64 hexadecimal digits, and optionally = and hosts, such as api.example.com,*.example.org."
      )
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
      database: database, run: found, endsAtRest: untilDone, worker: try worker.limits,
      inputs: inputs.selection, state: state.folder, key: key.source,
      options: try execution.options(), root: reach.folder, format: form.format,
      heartbeat: heartbeat, allowedPipelines: allowedPipelines.compactMap(AllowedPipeline.init))
    try await work.work(in: try await work.place())
  }
}
