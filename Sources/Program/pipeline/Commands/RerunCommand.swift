struct RerunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "rerun", "Start a new run with the definition, the inputs and the files of an earlier one.",
    status: ExitStatus.working)

  @Argument(help: "The run: its ID, the start of that, or its name (default: the newest run).")
  var run: String?

  @Option(
    help: .help("Start at this step of the run, or at the first step of its first loop.", "step"))
  var from: String?

  @OptionGroup var naming: RunNameOption
  @OptionGroup var inputs: InputOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var execution: ExecutionOptions
  @OptionGroup var form: FormatOptions
  @OptionGroup var reach: RootOption
  @OptionGroup var key: SealKeyOptions
  @OptionGroup var manifest: ManifestOption

  func run() async throws {
    guard try execution.worksHere(form.format) else { return }
    PrivateProcess.keepFiles()
    let manifest = try self.manifest.manifest()
    let folder = try state.folder.find(run)
    try await folder.requireKnownForm()
    let definition = try await Definition.kept(folder)
    let origin = folder.origin
    var resolver = InputResolver(definition, inputs.selection, root: reach.folder ?? origin?.root)
    let server = origin?.demo == true ? try await EmbeddedServer.start(in: state.folder) : nil
    resolver.use(server, quiet: execution.quiet)
    let start = RunStart(
      state: state.folder, options: try execution.options(), format: form.format, key: key.source,
      manifest: manifest, definition: definition,
      origin: .init(
        definition: origin?.definition ?? folder.definitionPath, demo: server != nil,
        root: reach.folder.map(StateFolder.absolute) ?? origin?.root, patterns: origin?.patterns,
        name: naming.name))
    let outcome = await Result { try await begin(start, folder, resolver, server) }
    await server?.stop()
    try outcome.get()
  }

  private func begin(
    _ start: RunStart, _ folder: RunFolder, _ resolver: InputResolver, _ server: EmbeddedServer?
  ) async throws {
    // So that it neither changes nor is removed while it is read. Another process that works on
    // it changes neither its inputs nor its set of items.
    var held: RunLock? = from == nil ? try RunLock.takeIfFree(folder) : try RunLock.take(folder)
    let isWorkedOn = held == nil
    let store = try await folder.openStoreToRead(start.definition.pipeline)
    let old = try await store.load()
    try resolver.refuseOthers(than: old.inputs, patterns: folder.origin?.patterns)
    let rerun = Rerun(start.definition.pipeline, old, store)
    let frame = try from.map { step throws(CommandFailure) in
      try Self.refuse(old, folder)
      return try rerun.frame(from: step, at: SteadyClock().now())
    }
    let secrets = try resolver.resolveSecrets()
    try await start.begin { id, new in
      let created = try await rerun.create(
        id, in: new, secrets: secrets, server: server?.baseURL, frame: frame)
      await store.close()
      // Everything was read.
      held = nil
      return created
    } announce: { _ in
      guard execution.progress.isTalkative else { return }
      Terminal.error("a rerun of '\(folder.id)'\(from.map { " from step '\($0)'" } ?? "")")
      if isWorkedOn {
        Terminal.error("note: a process still works on '\(folder.id)', which sends the same items")
      }
      for line in rerun.remarks { Terminal.error("pipeline: warning: \(line)") }
    }
    withExtendedLifetime(held) {}
  }

  /// A run that can still undo or continue something needs its results itself.
  private static func refuse(_ old: RunState, _ folder: RunFolder) throws(CommandFailure) {
    guard old.canBeGivenUp || old.leftAtServer > 0 else { return }
    throw CommandFailure.invalid(
      "run '\(old.id)' is unfinished, so its results cannot be reused: continue it with "
        + "`\(folder.command("resume"))` or `\(folder.command("retry"))`, cancel it with `\(folder.command("cancel"))`, or omit "
        + "--from")
  }
}
