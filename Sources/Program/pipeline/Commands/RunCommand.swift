struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "run", "Start a run of a pipeline, and work on it until it ends.", status: ExitStatus.working)

  @Argument(help: "The pipeline's YAML file.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @OptionGroup var inputs: InputOptions
  @OptionGroup var files: FileOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var key: SealKeyOptions
  @OptionGroup var execution: ExecutionOptions
  @OptionGroup var form: FormatOptions
  @OptionGroup var reach: RootOption
  @OptionGroup var manifest: ManifestOption
  @OptionGroup var naming: RunNameOption
  @OptionGroup var share: ShardOption
  @OptionGroup var database: DatabaseRunOptions

  @Flag(
    name: .customLong("continue"),
    help: "Resume the run with this --name if it exists (for restarted jobs).") var continues =
    false

  @Flag(
    help: "Run against an embedded server, which also sets the inputs server, user and password.")
  var demo = false

  @Option(
    help: .help(
      "Delay of each response of the embedded server; 300ms leaves time to watch.", "duration"))
  var demoLatency = "0s"

  @Flag(
    help: "Keep watching until Ctrl-C: files that appear later are processed in a follow-up run.")
  var watch = false

  @Option(
    help: .help("How long --watch waits before it retries paused items (default: 10m).", "duration")
  ) var retryAfter: String?

  @Flag(help: "Show the plan, the items, and the first item's requests; send and write nothing.")
  var dryRun = false

  @Option(help: .help("Maximum number of items that --dry-run lists as text (default: 20).", "n"))
  var limit: Int?

  func validate() throws {
    guard dryRun || limit == nil else { throw ValidationError("--limit needs --dry-run.") }
    if let limit, limit < 0 { throw ValidationError("--limit must be at least 0.") }
    if dryRun, execution.detach {
      throw ValidationError(
        "--dry-run starts nothing, so --detach has nothing to put in the background.")
    }
    try database.validate(
      demo: demo, watch: watch, shard: share.shard, manifest: manifest.file, dryRun: dryRun)
    if database.isUsed { try execution.validateForDatabase() }
    if continues, naming.name == nil {
      throw ValidationError("--continue needs --name, the run to continue.")
    }
    guard watch else {
      if retryAfter != nil {
        throw ValidationError("--retry-after needs --watch; `pipeline retry` retries at once.")
      }
      return
    }
    _ = try retryInterval
    if dryRun { throw ValidationError("--dry-run starts nothing, so --watch has nothing to do.") }
    if share.shard != nil || continues {
      throw ValidationError(
        "--watch starts many runs and continues by itself, so \(continues ? "--continue" : "--shard") cannot be combined with it."
      )
    }
    if !files.lists.isEmpty {
      throw ValidationError(
        "--watch looks for files that match patterns; a list for --files-from contains no patterns."
      )
    }
    if manifest.file != nil {
      throw ValidationError(
        "--report covers one run, and --watch starts many; `pipeline items RUN` lists the items of each."
      )
    }
  }

  func run() async throws {
    guard try execution.worksHere(form.format) else { return }
    PrivateProcess.keepFiles()
    let manifest = try self.manifest.manifest()
    let definition = try Definition.load(file, root: reach.folder)
    let shard = try share.find()
    if database.isUsed {
      try ShardFitness.check(definition.pipeline, .database)
      return try await runInDatabase(definition)
    }
    if shard != nil { try ShardFitness.check(definition.pipeline, .folders) }
    if continues, let folder = try earlier(shard) {
      try await check(folder, isOf: definition.pipeline)
      return try await resume(folder)
    }
    var resolver = InputResolver(definition, selection, root: reach.folder)
    if dryRun {
      if demo { resolver.presets = EmbeddedServer.presets(baseURL: "http://127.0.0.1") }
      let resolved = try resolver.resolve()
      let plan = try RunPlan(
        definition: definition, resolved: resolved, shard: shard, limit: limit ?? RunPlan.usualLimit
      ).render(form.format)
      plan.lines.forEach(Terminal.print)
      guard plan.unreadable > 0 else { return }
      throw CommandFailure(
        .incomplete, "\(ReportFormatting.count(plan.unreadable, "named file")) cannot be read")
    }
    let server =
      demo
      ? try await EmbeddedServer.start(
        in: state.folder, latency: Arguments.duration(demoLatency, for: "--demo-latency")) : nil
    resolver.use(server, quiet: execution.quiet)
    let resolved = try resolver.resolve()
    let outcome = await Result {
      if watch {
        try await watchFolders(definition, resolved)
      } else {
        await mentionUnfinished()
        try await begin(definition, resolved, manifest, shard: shard)
      }
    }
    await server?.stop()
    _ = try outcome.get()
  }

  var selection: InputSelection {
    InputSelection(values: inputs.values, file: inputs.file, lists: files.lists, rules: files.rules)
  }

  /// Prints the destinations and the files of the run before it starts.
  func announce(_ definition: Definition, _ resolved: InputResolver.Resolved) {
    guard execution.progress.isTalkative else { return }
    let audit = PipelineAudit(definition.pipeline, used: Array(definition.used.keys))
    let inputs = resolved.texts(of: definition.pipeline)
    for line in audit.announcement(inputs: inputs) { Terminal.error(line) }
  }

  /// Reports which earlier run of the same file could be continued instead.
  private func mentionUnfinished() async {
    guard execution.progress.isTalkative,
      let run = await state.folder.newestUnfinished(of: StateFolder.absolute(file))
    else { return }
    Terminal.error(
      "note: run '\(run.folder.id)' of this file is not complete (\(run.condition)): `\(run.continuation)` \(run.continuationWords)"
    )
  }

  private func begin(
    _ definition: Definition, _ resolved: InputResolver.Resolved, _ manifest: Manifest?,
    shard: Shard? = nil, name: String? = nil, series: String? = nil,
    creating: (RunID) throws -> Void = { _ in }, created: (RunID) throws -> Void = { _ in }
  ) async throws {
    let start = RunStart(
      state: state.folder, options: try execution.options(), format: form.format, key: key.source,
      manifest: manifest, definition: definition,
      origin: .init(
        definition: StateFolder.absolute(file), demo: demo,
        root: reach.folder.map(StateFolder.absolute),
        patterns: resolved.files.mapValues(\.wholeText),
        name: name ?? (series == nil ? naming.name : nil), series: series, shard: shard?.description
      ))
    try await start.begin { id, store in
      try creating(id)
      return try await RunCreation(
        definition: definition, resolved: resolved, id: id, shard: shard, hidden: start.hidden,
        isQuiet: execution.quiet
      ).create(in: store, now: SteadyClock().now())
    } announce: { id in
      try created(id)
      announce(definition, resolved)
    }
  }

  /// The run that `--continue` means, if there is one.
  private func earlier(_ shard: Shard?) throws(CommandFailure) -> RunFolder? {
    let named = state.folder.folders().filter { $0.origin?.name == naming.name }
    guard let first = named.first else { return nil }
    let shards = named.map { $0.origin?.shard.flatMap { Shard($0) } }
    // Each task of an array continues its own shard, or starts it if it does not exist.
    if let index = shards.firstIndex(of: shard) { return named[index] }
    if let shard, shards.allSatisfy({ $0?.count == shard.count }) { return nil }
    let words = shards[0].map { "shard \($0)" } ?? "not divided into shards"
    throw CommandFailure.invalid(
      "the run '\(first.origin?.name ?? "")' in '\(state.folder.path)' is \(words), but --shard is \(shard?.description ?? "nothing"); name another one, or "
        + "continue that with `\(first.command("resume"))`")
  }

  /// Refuses to continue another pipeline's run because it has the name.
  private func check(_ folder: RunFolder, isOf pipeline: Pipeline) async throws {
    let other = try await folder.summary().pipeline
    guard other == pipeline.name else {
      throw CommandFailure.invalid(
        "the run '\(naming.name ?? "")' is of the pipeline '\(other)', and not of '\(pipeline.name)'; name another one"
      )
    }
  }

  // MARK: Watching

  private var retryInterval: Duration {
    get throws { try Arguments.interval(retryAfter ?? "10m", for: "--retry-after") }
  }

  private func watchFolders(_ definition: Definition, _ resolved: InputResolver.Resolved)
    async throws
  {
    guard !resolved.files.isEmpty else {
      throw CommandFailure.invalid(
        "pipeline '\(definition.pipeline.name)' has no input of the type 'files', so there is nothing to watch"
      )
    }
    let series = try Series(
      name: naming.name, of: definition, at: StateFolder.absolute(file),
      settings: settings(definition, resolved), in: state.folder)
    let loop = SeriesLoop(
      series: series, state: state.folder, isTalkative: execution.progress.isTalkative,
      sources: resolved.files,
      begin: { takes, creating, created in
        var chosen = resolved
        for name in chosen.files.keys { chosen.files[name]?.selection = .init(takes: takes) }
        try await begin(
          definition, chosen, nil, name: series.nextName(in: state.folder), series: series.key,
          creating: creating, created: created)
      }, resume: resume, retry: retry, retryInterval: try retryInterval)
    try await loop.work()
  }

  /// The inputs that are neither secret nor files, nor the embedded server's.
  private func settings(_ definition: Definition, _ resolved: InputResolver.Resolved) -> [String:
    String]
  {
    var settings = resolved.texts(of: definition.pipeline)
    for input in definition.pipeline.inputs where [.secret, .files].contains(input.kind) {
      settings[input.name] = nil
    }
    if demo { for name in EmbeddedServer.presets(baseURL: "").keys { settings[name] = nil } }
    return settings
  }

  private func resume(_ folder: RunFolder) async throws {
    try await target(folder).proceed(on: folder) { _ in [] }
  }

  private func retry(_ folder: RunFolder) async throws {
    try await target(folder).proceed(on: folder) { try await $0.retry([.paused]) }
  }

  private func target(_ folder: RunFolder) throws -> RunTarget {
    var target = try RunTarget.parse([folder.id.rawValue])
    (target.inputs, target.state, target.execution) = (inputs, state, execution)
    (target.form, target.reach, target.key, target.manifest) = (form, reach, key, manifest)
    return target
  }
}
