/// Starts a run: creates it, works on it until it stops, and tidies up.
struct RunStart {
  let state: StateFolder
  let options: RunOptions
  let format: ReportFormat
  let key: SealKey
  let manifest: Manifest?
  let definition: Definition
  let origin: RunFolder.Origin
  /// How many hidden files and folders its patterns skip; known when its items are.
  let hidden = Locked(0)

  /// Puts a run with an ID and its items into a store.
  typealias Creation = (RunID, any RunStore) async throws -> RunState

  /// Starts a run that `creation` puts into its store; `announce` is called before anything is sent.
  func begin(_ creation: Creation, announce: (RunID) throws -> Void) async throws {
    // Nothing is created for a run whose keys are missing.
    _ = try options.network.givenKeys(for: definition.pipeline)
    let retention = try Retention(environment: Terminal.environment(Retention.variable))
    let sealer = try key.sealer(for: definition.pipeline, outside: state)
    let folder = try state.create { RunCreation.name(definition.pipeline.name) }
    let lock = try RunLock.take(folder)
    defer { withExtendedLifetime(lock) {} }
    let (store, created, epoch) = try await create(creation, in: folder, sealer)
    try announce(folder.id)
    // Only now, because the session reads where the run came from.
    let session = RunSession(
      folder: folder, pipeline: options.limiting(definition.pipeline), options: options,
      format: format, manifest: manifest, sealer: sealer)
    let outcome = await Result {
      try await session.execute(store: store, state: created, epoch: epoch, events: [.runBegan])
    }
    await tidy(retention)
    _ = try outcome.get()
  }

  /// Creates the run in its folder; if the run cannot start, nothing is left behind.
  private func create(
    _ creation: Creation, in folder: RunFolder, _ sealer: (any SecretSealer)?
  ) async throws -> (store: any RunStore, state: RunState, epoch: Int) {
    do {
      let reserved = try origin.name.map {
        try RunName.reserve(
          $0, for: folder.id, shard: origin.shard.flatMap { Shard($0) }, in: state)
      }
      defer { withExtendedLifetime(reserved) {} }
      let store = try await folder.openStore(definition.pipeline, sealer: sealer)
      let epoch = try await store.claim()
      let created = try await creation(folder.id, store)
      var known = origin
      known.hidden = hidden.withLock { $0 > 0 ? $0 : nil }
      // Last, because this makes the folder a run: a process killed earlier does not leave a run behind.
      try folder.writeOrigin(known, definition: definition)
      return (store, created, epoch)
    } catch {
      try? FileManager.default.removeItem(atPath: folder.path)
      guard (error as? StoreFailure)?.kind == .full else { throw error }
      throw CommandFailure.environment(
        "the disk of '\(state.path)' is full, so the run was not started; free some space, or name another folder with --state"
      )
    }
  }

  /// Removes finished runs if the user has requested that, and reports when they occupy much space.
  private func tidy(_ retention: Retention?) async {
    let finished = FinishedRuns(state: state)
    let removed = if let retention { await finished.apply(retention) } else { String?.none }
    guard options.progress.isTalkative else { return }
    if let removed { Terminal.error(removed) }
    if let notice = await finished.notice() { Terminal.error(notice) }
  }
}
