struct DatabaseRunOptions: ParsableArguments {
  @OptionGroup var address: StoreOption
  @OptionGroup var worker: WorkerLimitOptions

  @Option(
    help: .help(
      "With --store: number of shards to divide the items into; workers process them one at a time (default: 16).",
      "number")) var shards: Int?

  @Option(
    help: .help(
      "With --store: maximum number of shards that all workers process at once (default: all).",
      "number")) var atOnce: Int?

  @Option(
    help: .help("With --store: shards of runs with higher priority are processed first.", "number"))
  var priority = 0

  @Option(
    help: .help(
      "With --store: runs of one priority share the workers in proportion to their weights.",
      "number")) var weight = 1

  @Flag(help: "With --store: create the run, and leave the work to `pipeline work`.")
  var createOnly = false

  @Flag(
    help:
      "With --store: record the SHA-256 of each file, so that workers whose copies have other times can send them."
  ) var recordDigests = false
  var isUsed: Bool { address.store != nil }

  /// Most shards: each is a row that is locked and written by itself.
  private static let maximum = 10_000

  func validate() throws {
    guard isUsed else {
      let given: [(Bool, String)] = [
        (shards != nil, "--shards"), (atOnce != nil, "--at-once"), (createOnly, "--create-only"),
        (priority != 0, "--priority"), (weight != 1, "--weight"),
        (recordDigests, "--record-digests"),
      ]
      if let option = given.first(where: \.0)?.1 {
        throw ValidationError("\(option) needs --store, which names the database.")
      }
      return
    }
    for (number, option) in [(shards, "--shards"), (atOnce, "--at-once"), (weight, "--weight")] {
      if let number, !(1...Self.maximum).contains(number) {
        throw ValidationError("\(option) must be from 1 to \(Self.maximum).")
      }
    }
  }

  /// Refuses options that are meaningful only without a database.
  func validate(demo: Bool, watch: Bool, shard: String?, manifest: String?, dryRun: Bool) throws {
    guard isUsed else { return }
    try StoreOption.refuse([
      (
        demo, "--demo",
        "start `pipeline demo-server`, and pass its address to the run and its workers"
      ), (watch, "--watch", "start a run for each batch of files"),
      (shard != nil, "--shard", "workers claim the shards of a database automatically"),
      (
        manifest != nil, "--report",
        "`pipeline items RUN --store … --format csv` lists the items of all shards"
      ), (dryRun, "--dry-run", "omit --store to see the plan"),
    ])
  }
}

extension RunCommand {
  /// Creates the run in a database, and works on it as any worker does until it ends.
  func runInDatabase(_ definition: Definition) async throws {
    guard let found = try await database.address.connect() else { return }
    var work =
      database.createOnly
      ? nil
      : DatabaseWork(
        database: found, run: nil, endsAtRest: true, worker: try database.worker.limits,
        inputs: inputs.selection, state: state.folder, key: key.source,
        options: try execution.options(), root: reach.folder, format: form.format)
    let place = try await work?.place(for: definition)
    let earlier = continues ? try await earlier(in: found, definition) : nil
    let run: StoredRun
    if let earlier, earlier.isLoaded {
      run = earlier
    } else {
      let resolved = try InputResolver(definition, selection, root: reach.folder).resolve()
      announce(definition, resolved)
      sayWhatGoesOn(in: found)
      let shards = database.shards ?? 16
      run = try await DatabaseStart(
        database: found, definition: definition,
        origin: .init(
          definition: StateFolder.absolute(file), demo: false,
          root: reach.folder.map(StateFolder.absolute),
          patterns: resolved.files.mapValues(\.wholeText), name: naming.name), shards: shards,
        slots: database.atOnce ?? shards, priority: database.priority, weight: database.weight,
        recordsDigests: database.recordDigests, isTalkative: execution.progress.isTalkative
      ).begin(resolved, continuing: earlier)
    }
    guard let place else { return Terminal.print(run.id.rawValue) }
    if execution.progress.isTalkative { Terminal.error("run \(run.id) in \(run.shards) shards") }
    work?.run = run
    try await work?.work(in: place)
  }

  /// Lets a signal end the loading, with the command that continues it.
  private func sayWhatGoesOn(in database: RunDatabase) {
    let words =
      naming.name.map {
        "`\(database.command(["run", file, "--name", $0, "--continue"]))` with the same inputs continues that"
      } ?? "`\(database.command(["runs"]))` shows it, and `pipeline runs rm` removes it"
    InterruptSignals.process.onFirst {
      Terminal.error("stopped before all items were in the database; \(words)")
      InterruptSignals.end()
    }
  }

  /// The run that `--continue` means, if there is one.
  private func earlier(in database: RunDatabase, _ definition: Definition) async throws
    -> StoredRun?
  {
    guard let name = naming.name else { return nil }
    guard let found = try await database.runs.runs(called: name).first(where: { $0.name == name })
    else { return nil }
    guard found.pipeline == definition.pipeline.name else {
      throw CommandFailure.invalid(
        "the run '\(name)' belongs to the pipeline '\(found.pipeline)', and not of '\(definition.pipeline.name)'; name another one"
      )
    }
    let given = [
      ("--shards", self.database.shards, found.shards),
      ("--at-once", self.database.atOnce, found.slots),
    ]
    if let (option, _, known) = given.first(where: { $0.1 != nil && $0.1 != $0.2 }) {
      throw CommandFailure.invalid(
        "run '\(name)' was started with \(option) \(known), which cannot be changed; omit it")
    }
    guard found.isLoaded || found.material.definition == definition.text else {
      throw CommandFailure.invalid(
        "run '\(name)' was started with a different version of '\(file)' and is not loaded: restore that text, or remove the run with "
          + "`\(database.command(["runs", "rm", name]))`")
    }
    return found
  }
}

struct DatabaseStart {
  let database: RunDatabase
  let definition: Definition
  let origin: RunFolder.Origin
  let shards, slots, priority, weight: Int
  let recordsDigests: Bool
  let isTalkative: Bool
  private let hasLoaded = Locked(false)

  /// Creates the run, or continues loading one that is not loaded.
  func begin(_ resolved: InputResolver.Resolved, continuing known: StoredRun?) async throws
    -> StoredRun
  {
    try await database.runs.requireWritable()
    let run: StoredRun
    if let known {
      run = known
    } else {
      try await refuseName()
      run = try await database.runs.create(
        RunCreation.name(definition.pipeline.name), name: origin.name,
        pipeline: definition.pipeline, shards: shards, slots: slots, priority: priority,
        weight: weight, material: StoredRun.Material(definition, origin))
    }
    if run.isLoaded { return run }
    do { try await load(run, resolved) } catch {
      // A run whose files cannot be listed now would occupy the name.
      if known == nil, !hasLoaded.withLock({ $0 }) { _ = try? await database.runs.remove(run) }
      throw error
    }
    return run
  }

  private func refuseName() async throws {
    guard let name = origin.name, let other = try await database.runs.runs(called: name).first,
      other.name == name || other.id.rawValue == name
    else { return }
    throw CommandFailure.invalid(
      "the database already has a run named '\(name)': '\(other.id)'; choose another name, or continue that with --continue"
    )
  }

  private func load(_ run: StoredRun, _ resolved: InputResolver.Resolved) async throws {
    let creation = RunCreation(
      definition: definition, resolved: resolved, id: run.id, isQuiet: !isTalkative)
    let now = SteadyClock().now()
    let values = try creation.values()
    let count = run.shards
    let isTalkative = isTalkative
    let loops = try creation.loops(creation.state(run.id, nil, values, now), now)
    try await database.runs.load(
      run, recordsDigests ? loops.map(\.withDigests) : loops, pipeline: definition.pipeline,
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

extension EnumeratedLoop {
  /// The same items, of which the files have their SHA-256.
  fileprivate var withDigests: EnumeratedLoop {
    EnumeratedLoop(loop: loop) { yield in
      try enumerate { subject in
        guard case .file(let file) = subject, file.problem == nil else { return try yield(subject) }
        try yield(.file(file.with(sha256: SourceFile.sha256(of: file))))
      }
    }
  }
}
