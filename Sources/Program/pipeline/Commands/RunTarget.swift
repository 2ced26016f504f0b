/// An existing run, and how to work on it.
struct RunTarget: ParsableArguments {
  @Argument(help: "The run: its ID, the start of that, or its name (default: the newest run).")
  var run: String?

  @OptionGroup var inputs: InputOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var database: StoreOption
  @OptionGroup var worker: WorkerLimitOptions
  @OptionGroup var execution: ExecutionOptions
  @OptionGroup var form: FormatOptions
  @OptionGroup var reach: RootOption
  @OptionGroup var key: SealKeyOptions
  @OptionGroup var manifest: ManifestOption

  @Flag(help: "Continue with the changed file; steps that an item has passed must be unchanged.")
  var acceptChanges = false

  @Flag(
    help: "Continue with the definition that the run started with, even if the file has changed.")
  var keepDefinition = false

  @Flag(
    help:
      "With --store: also work on the run until nothing is left to do; without it, the command only records the request for the workers."
  ) var work = false

  func validate() throws {
    guard database.store != nil else {
      if work { throw ValidationError("--work needs --store, which names the database.") }
      return
    }
    try execution.validateForDatabase()
    try StoreOption.refuse([
      (
        manifest.file != nil, "--report",
        "`pipeline items RUN --store … --format csv` lists the items of all shards"
      ), (acceptChanges, "--accept-changes", "a run in a database keeps its original definition"),
      (keepDefinition, "--keep-definition", "a run in a database does so in any case"),
    ])
  }

  /// Acquires the run, lets `prepare` decide what happens to it first, and works on it until it stops; honors requests of others.
  func proceed(
    on folder: RunFolder, cancels: Bool = false, lock: RunLock? = nil,
    _ prepare: (OpenRun) async throws -> [Event]
  ) async throws {
    PrivateProcess.keepFiles()
    _ = try manifest.manifest()
    try await folder.requireKnownForm()
    let lock = try lock ?? RunLock.take(folder)
    defer { withExtendedLifetime(lock) {} }
    let origin = folder.origin
    do {
      let definition = try await DefinitionChange(
        folder: folder, origin: origin, root: reach.folder ?? origin?.root
      ).settle(acceptChanges: acceptChanges, keepDefinition: keepDefinition)
      let server = origin?.demo == true ? try await EmbeddedServer.start(in: state.folder) : nil
      let outcome = await Result { try await proceed(folder, definition, server, cancels, prepare) }
      await server?.stop()
      try outcome.get()
    } catch let failure as StoreFailure { throw CommandFailure(storeFailure: failure) }
  }

  /// Whether standard output is for programs.
  var speaksJSON: Bool { form.format == .json || execution.progress == .json }

  /// Prints `words`, the command's result; programs get the run's report instead, and the words on standard error.
  func say(_ words: String, of folder: RunFolder) async throws {
    guard speaksJSON else { return Terminal.print(words) }
    let opened = try await RunSnapshot.open(folder.id.rawValue, in: state.folder)
    await opened.report().print(after: execution.progress, form.format)
    await opened.store.close()
    Terminal.error(words)
  }

  /// The result of `prepare`; if there is nothing to do, programs still get the run's report.
  private func speakingJSON(
    _ opened: OpenRun, of folder: RunFolder, _ prepare: (OpenRun) async throws -> [Event]
  ) async throws -> [Event] {
    do { return try await prepare(opened) } catch let failure as CommandFailure {
      guard speaksJSON, let note = failure.note else { throw failure }
      var report = RunReport(state: opened.state, pipeline: opened.pipeline, in: folder)
      report.idle = (try? await opened.store.idleTime()) ?? .zero
      report.print(after: execution.progress, form.format)
      Terminal.error(note)
      throw CommandFailure(failure.status)
    }
  }

  private func proceed(
    _ folder: RunFolder, _ definition: Definition, _ server: EmbeddedServer?, _ cancels: Bool,
    _ prepare: (OpenRun) async throws -> [Event]
  ) async throws {
    var resolver = InputResolver(
      definition, inputs.selection, root: reach.folder ?? folder.origin?.root)
    resolver.use(server, quiet: execution.quiet)
    let options = try execution.options()
    let secrets = try resolver.resolveSecrets()
    let sealer = try key.source.sealer(for: definition.pipeline, outside: state.folder)
    let store = try await folder.openStore(definition.pipeline, sealer: sealer)
    let epoch = try await store.claim()
    var loaded = try await store.load()
    Resealing.report(loaded.frame, definition.pipeline)
    try resolver.refuseOthers(than: loaded.inputs, patterns: folder.origin?.patterns)
    loaded.secrets = secrets
    if let server { loaded.inputs["server"] = .string(server.baseURL) }
    // If another process has asked to cancel the run in the meantime, do nothing else first.
    let isGivenUp = !cancels && RunRequest.cancel.isLeft(for: folder)
    let first =
      isGivenUp
      ? []
      : try await speakingJSON(
        OpenRun(store: store, state: loaded, epoch: epoch, pipeline: definition.pipeline),
        of: folder, prepare)
    let cancels = cancels || isGivenUp
    let session = RunSession(
      folder: folder, pipeline: options.limiting(definition.pipeline), options: options,
      format: form.format, isCancelling: cancels, manifest: try manifest.manifest(), sealer: sealer)
    // A run that is cancelled by this command must not start new work first.
    // For a run that continues, it means that the user asked for it, so that long waits end.
    let goesOn = loaded.status == .paused || loaded.status == .running
    let unpause: [Event] = goesOn && !cancels ? [.unpaused] : []
    let cancel: [Event] = cancels ? [.cancelRequested] : []
    _ = try await session.execute(
      store: store, state: loaded, epoch: epoch,
      events: cancels ? cancel : [.runResumed] + unpause + first)
  }

  /// Records a request for the shards of a run in a database, which its workers carry out; with `--work`, this process is one of them until the run stops.
  func wish(_ wish: ShardWish, in database: RunDatabase) async throws {
    let found = try await database.find(run)
    guard found.isLoaded else { throw CommandFailure.environment(DatabaseView.isLoading(found)) }
    let work =
      self.work
      ? DatabaseWork(
        database: database, run: found, endsAtRest: true, worker: try worker.limits,
        inputs: inputs.selection, state: state.folder, key: key.source,
        options: try execution.options(), root: reach.folder, format: form.format,
        isCancelling: wish == .cancel) : nil
    // A command that fails does not leave a request behind.
    let place = try await work?.place(for: DatabaseView(database).definition(of: found))
    let count = try await database.runs.wish(wish, of: found)
    if count == 0, wish != .resume, wish != .cancel {
      throw CommandFailure(
        .done, nil, note: "no item of run '\(found.displayName)' is paused or has failed")
    }
    if let work, let place { return try await work.work(in: place) }
    if speaksJSON {
      try await ShardedReport(DatabaseView(database).shards(of: found)).print(
        after: execution.progress, form.format)
    }
    let attach = database.command(["attach", found.displayName])
    let shards = count > 0 ? " (\(ReportFormatting.count(count, "shard")))" : ""
    let words =
      "requested for run '\(found.displayName)'\(shards); its workers carry it out, and `\(attach)` shows the progress"
    if speaksJSON { Terminal.error(words) } else { Terminal.print(words) }
  }
}
