import PipelineHTTP
import PipelineSigning

struct ShardWork {
  let control: ShardControl
  let folder: RunFolder
  let options: WorkerOptions

  private var lease: ShardLease { control.lease }

  struct Outcome {
    let state: RunState
    let pipeline: Pipeline
    let folder: RunFolder
    /// Why the shard, or some of its items, are left to other workers.
    var refusal: ShardRefusal?
    /// For how long there is nothing to do, if that is longer than a lease.
    var pause: Duration?
  }

  func work() async throws -> Outcome {
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let definition = try await Definition.kept(folder, warns: false)
    try options.work.requireAllowed(definition)
    let means = try options.work.means(
      for: definition, root: folder.origin?.root, isPaced: lease.run.isPaced)
    guard let database = folder.shard?.database else {
      preconditionFailure("a worker works on shards of a database")
    }
    let store = database.runs.store(
      of: lease.run, shard: lease.shard, pipeline: definition.pipeline, sealer: means.sealer,
      localFile: SourceFile.copy)
    let credentials = Credentials.store(means.sealer, database)
    let outcome = await Result {
      try await work(definition.pipeline, means, store, credentials)
    }
    await store.close()
    return try outcome.get()
  }

  private func work(
    _ pipeline: Pipeline, _ means: WorkerMeans, _ store: PostgreSQLCheckpointStore,
    _ credentials: (any CredentialStore)?
  ) async throws -> Outcome {
    try await store.begin(epoch: lease.epoch)
    var state = try await store.load()
    state.secrets = means.secrets
    if lease.wish != .cancel, state.status != .cancelling { try await checkFiles(state, store) }
    let events = try await events(state, pipeline, store)
    let clock: any PipelineEngine.Clock
    (clock, state.time) = options.work.options.clock(of: state)
    var configuration = means.network
    configuration.maySend = { [gate = control.gate] in gate.isOpen }
    let transport = try HTTPTransport(configuration: configuration, clock: clock)
    if let url = Evaluator(pipeline).firstDestination(Scope(state, item: nil, now: clock.now())),
      let failure = await transport.lackOfRoute(to: url)
    {
      await transport.shutdown()
      throw ShardRefusal(
        failure.message, failure.circumstance == .hostNotListed ? .hosts : .network)
    }
    let gated = GatedTransport(base: transport, gate: control.gate)
    let ports = Executor.Ports(
      store: store, requests: gated, transfers: gated,
      files: try folder.workspace(store), clock: clock,
      authorizer: RequestSigner(given: means.keys),
      exchanges: options.place.records.observer(options.display), credentials: credentials)
    let executor = Executor(
      evaluator: Evaluator(means.limited), ports: ports,
      observer: nil, taskExecutor: BlockingPool(threads: 1),
      longestWait: options.lease)
    control.begin(executor)
    let limits = ProcessLimits(
      exchanges: configuration.exchanges,
      networkTimeout: means.networkTimeout, worker: options.machine,
      shares: lease.shares)
    let (first, epoch) = (state, lease.epoch)
    let result = await Result {
      try await executor.run(first, epoch: epoch, events: [.limitsKnown(limits)] + events)
    }
    await transport.shutdown()
    let last = try result.get()
    return Outcome(
      state: last, pipeline: pipeline, folder: folder, refusal: try await refusal(last, store),
      pause: executor.wakeTime.map { $0 - clock.now() })
  }

  /// Refuses a shard before anything is sent if the folder of its files is not on this machine, or none of several files.
  private func checkFiles(_ state: RunState, _ store: PostgreSQLCheckpointStore) async throws {
    for loop in state.loops.indices where state.loops[loop].counts[.pending] > 0 {
      let limit = 8
      let sample = try await store.items(loop: loop, status: .pending, after: -1, limit: limit)
      let files = sample.compactMap { item -> FileValue? in
        guard case .file(let file) = item.subject, file.isUsers, file.problem == nil,
          ChangedFiles.change(of: item) == .gone, file.path.hasSuffix(file.relative)
        else { return nil }
        return file
      }
      guard let file = files.first, files.count == sample.count else { continue }
      let root = String(file.path.dropLast(file.relative.count))
      if (try? FileManager.default.contentsOfDirectory(atPath: root))?.isEmpty ?? true {
        throw ShardRefusal("the folder '\(root)' of the run's files is missing or empty", .files)
      }
      if files.count == limit {
        throw ShardRefusal("the first \(limit) files are not in the folder '\(root)'", .files)
      }
    }
  }

  /// The resources that the machine lacked for the whole shard, or for some of its items.
  private func refusal(
    _ state: RunState, _ store: PostgreSQLCheckpointStore
  ) async throws -> ShardRefusal? {
    if state.status == .paused, let reason = state.reason, let lack = reason.lacking {
      return ShardRefusal(reason.message, lack)
    }
    guard state.status == .finished else { return nil }
    var items: [Item] = []
    for loop in state.loops.indices { items += try await store.leftToOthers(loop, state) }
    guard let reason = items.first?.reason, let lack = reason.lacking else { return nil }
    return ShardRefusal("\(ReportFormatting.count(items.count, "item")): \(reason.message)", lack)
  }

  /// The first events for the run of the shard.
  private func events(
    _ state: RunState, _ pipeline: Pipeline, _ store: PostgreSQLCheckpointStore
  ) async throws -> [Event] {
    if lease.wish == .cancel {
      return state.canBeGivenUp ? [.cancelRequested] : [.runResumed]
    }
    guard lease.epoch > 1 else { return [.runBegan] }
    let opened = OpenRun(
      store: store, state: state, epoch: lease.epoch, pipeline: pipeline)
    if [.retry, .retryAccepting, .retryFailed].contains(lease.wish) {
      _ = try await ChangedFiles(opened: opened, series: nil)
        .accept(
          nil, onlyUnread: lease.wish != .retryAccepting,
          lease.wish == .retryAccepting ? [.pending, .paused, .failed] : [.paused, .failed])
    }
    let retried: [Event] =
      switch lease.wish {
      case .retry, .retryAccepting: try await opened.retry([.paused, .failed])
      case .retryFailed: try await opened.retry([.failed])
      case .retryPaused: try await opened.retry([.paused])
      case .resume, .cancel, nil: try await retryLeft(opened, store)
      }
    return [.runResumed] + (state.status == .paused || lease.wish == .resume ? [.unpaused] : [])
      + retried
  }

  /// Tries the items again that other workers left.
  private func retryLeft(
    _ opened: OpenRun, _ store: PostgreSQLCheckpointStore
  ) async throws -> [Event] {
    var keys: [ItemKey] = []
    for loop in opened.state.loops.indices {
      keys += try await store.leftToOthers(loop, opened.state).map(\.key)
    }
    return keys.isEmpty ? [] : try await opened.requeue(keys)
  }
}

extension PostgreSQLCheckpointStore {
  /// The paused items of a loop that other workers are to try.
  fileprivate func leftToOthers(_ loop: Int, _ state: RunState) async throws -> [Item] {
    guard state.loops[loop].counts[.paused] > 0 else { return [] }
    var items: [Item] = []
    try await eachPage(of: loop, .paused) { page in
      items += page.filter { $0.reason?.lacking != nil }
    }
    return items
  }
}
