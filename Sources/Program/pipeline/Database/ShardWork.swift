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
  }

  func work() async throws -> Outcome {
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let definition = try await Definition.kept(folder, warns: false)
    let secrets = try InputResolver(
      definition, options.work.inputs, root: options.work.root ?? folder.origin?.root
    ).resolveSecrets()
    let sealer = try options.work.key.sealer(
      for: definition.pipeline, outside: options.work.state.folder)
    guard let database = folder.shard?.database else {
      preconditionFailure("a worker works on shards of a database")
    }
    let store = database.runs.store(
      of: lease.run, shard: lease.shard, pipeline: definition.pipeline, sealer: sealer)
    let credentials = Credentials.store(sealer, database)
    let outcome = await Result {
      try await work(definition.pipeline, secrets, store, credentials)
    }
    await store.close()
    return try outcome.get()
  }

  private func work(
    _ pipeline: Pipeline, _ secrets: [String: Value], _ store: PostgreSQLCheckpointStore,
    _ credentials: (any CredentialStore)?
  ) async throws -> Outcome {
    try await store.begin(epoch: lease.epoch)
    var state = try await store.load()
    state.secrets = secrets
    let events = try await events(state, pipeline, store)
    let limited = try options.work.execution.limits.limiting(pipeline.share(of: lease.run.slots))
    let clock: any PipelineEngine.Clock
    (clock, state.time) = options.work.execution.clock(of: state)
    // The machine's bandwidth and its descriptors, which all shards of this worker share.
    var configuration = try options.work.execution.network.transport(
      of: limited, isServerHere: false, shares: options.work.worker.atMost)
    configuration.maySend = { [gate = control.gate] in gate.isOpen }
    let transport = try HTTPTransport(configuration: configuration, clock: clock)
    let gated = GatedTransport(base: transport, gate: control.gate)
    let ports = Executor.Ports(
      store: store, requests: gated, transfers: gated,
      files: try folder.workspace(store), clock: clock,
      authorizer: RequestSigner(
        given: try options.work.execution.network.given.keys(for: pipeline)),
      exchanges: options.records.observer(options.display), credentials: credentials)
    let executor = Executor(
      evaluator: Evaluator(limited), ports: ports,
      observer: nil, taskExecutor: BlockingPool(threads: 1))
    control.begin(executor)
    let limits = ProcessLimits(
      exchanges: configuration.exchanges,
      networkTimeout: try options.work.execution.network.networkLimit())
    let (first, epoch) = (state, lease.epoch)
    let result = await Result {
      try await executor.run(first, epoch: epoch, events: [.limitsKnown(limits)] + events)
    }
    await transport.shutdown()
    return Outcome(state: try result.get(), pipeline: pipeline, folder: folder)
  }

  /// What the run of the shard must be told first.
  private func events(
    _ state: RunState, _ pipeline: Pipeline, _ store: PostgreSQLCheckpointStore
  ) async throws -> [Event] {
    if lease.wish == .cancel {
      return RunSession.canBeGivenUp(state) ? [.cancelRequested] : [.runResumed]
    }
    guard lease.epoch > 1 else { return [.runBegan] }
    let opened = RunTarget.Opened(
      store: store, state: state, epoch: lease.epoch, pipeline: pipeline)
    if [.retry, .retryAccepting, .retryFailed].contains(lease.wish) {
      _ = try await ChangedFiles(opened: opened, series: nil)
        .accept(nil, onlyUnread: lease.wish != .retryAccepting)
    }
    let retried: [Event] =
      switch lease.wish {
      case .retry, .retryAccepting: try await opened.retry([.paused, .failed])
      case .retryFailed: try await opened.retry([.failed])
      case .retryPaused: try await opened.retry([.paused])
      case .resume, .cancel, nil: []
      }
    return [.runResumed] + (state.status == .paused ? [.unpaused] : []) + retried
  }
}
