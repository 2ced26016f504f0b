import DemoServer
import PipelineHTTP
import PipelineSigning

/// Works on one run until it stops: connects the ports, shows progress, and watches for signals and requests.
struct RunSession {
  let folder: RunFolder
  /// With the limits that the user asks for.
  let pipeline: Pipeline
  let options: RunOptions
  let format: ReportFormat
  /// Whether the user has requested to cancel the run, so that a cancelled run counts as success.
  var isCancelling = false
  /// The file in which it leaves the outcome of each item.
  var manifest: Manifest?
  /// Encrypts the sign-ins that the run stores; `nil` if it does not store any.
  let sealer: (any SecretSealer)?

  func execute(
    store: any RunStore, state: RunState, epoch: Int, events: [Event]
  ) async throws -> RunState {
    var state = state
    let clock: any PipelineEngine.Clock
    (clock, state.time) = options.clock(of: state)
    let configuration = options.network.transport(
      of: pipeline, isServerHere: folder.origin?.demo == true)
    let limits = ProcessLimits(
      exchanges: configuration.exchanges, networkTimeout: options.network.timeout)
    let transport = try HTTPTransport(configuration: configuration, clock: clock)
    let records = try options.openRecords()
    try leaveTerminal(state, events)
    // Without sizes the progress is measured by items.
    let sizes = options.progress != .none ? try? await store.sizes() : nil
    let display = records.recording(options.progress.display)
    let progress = MeasuredProgress(
      pipeline, sizes: sizes, display: display, shared: SharedProgress(folder))
    let device = options.phases.map { SimulatedDevice(phases: $0, clock: clock) }
    let ports = Executor.Ports(
      store: store, requests: transport, transfers: transport,
      files: try folder.workspace(store), clock: clock, device: device,
      authorizer: RequestSigner(given: try options.network.givenKeys(for: pipeline)),
      exchanges: records.observer(display), credentials: Credentials.store(sealer, nil))
    let signals = InterruptSignals.process
    display.begin(folder)
    let stop = StopLimits(
      bytes: options.limits.transfer, time: options.limits.time, progress: progress)
    let result = await Result {
      try await carryOn(state, epoch, events, signals, limits, stop) { executor(ports, progress) }
    }
    display.end()
    await transport.shutdown()
    let idle = (try? await store.idleTime()) ?? .zero
    let written = await Result {
      try await manifest?.write(self.report(of: result.get(), idle: idle), pipeline, store)
    }
    await store.close()
    let final = try result.get()
    forgetRequests(final)
    let report = self.report(of: final, idle: idle)
    records.log?.write(report.text)
    records.complain()
    if case .failure(let problem) = written {
      Terminal.error("pipeline: error: \((problem as? CommandFailure)?.message ?? "\(problem)")")
    }
    let isTold = try await conclude(
      report, final, isInterrupted: signals.wasInterrupted,
      options.finish.map { FinishHook(finish: $0, report: report) }
    ) { try HTTPTransport(configuration: configuration, clock: clock) }
    if case .failure = written { throw CommandFailure(.environment) }
    if !isTold { throw CommandFailure(.incomplete) }
    return final
  }

  private func executor(_ ports: Executor.Ports, _ progress: MeasuredProgress) -> Executor {
    // Not a loop of the network's: a terminal that is held would stop the network, too.
    let thread = BlockingPool(threads: 1)
    return Executor(
      evaluator: Evaluator(pipeline), ports: ports, observer: progress, taskExecutor: thread)
  }

  private func report(of final: RunState, idle: Duration) -> RunReport {
    var report = RunReport(state: final, pipeline: pipeline, in: folder)
    report.idle = idle
    return report
  }

  /// Goes to the background, if that was asked for and there is something to do.
  private func leaveTerminal(_ state: RunState, _ events: [Event]) throws {
    let hasEnded = state.status == .finished || state.status == .cancelled
    // A run that has ended is reported where it was requested.
    guard !hasEnded || events.contains(where: \.isWork) else { return }
    try Detachment.leaveTerminal(for: folder.id.rawValue, log: folder.outputPath)
  }

  /// Removes the requests of other processes that were honored, or cannot be.
  private func forgetRequests(_ final: RunState) {
    RunRequest.pause.remove(for: folder)
    if final.status == .cancelling || final.status == .cancelled || !final.canBeGivenUp {
      RunRequest.cancel.remove(for: folder)
    }
  }

  /// Prints how the run ended, and notifies others of it; returns whether the command may end as the run did.
  private func conclude(
    _ report: RunReport, _ final: RunState, isInterrupted: Bool, _ hook: FinishHook?,
    _ transport: @Sendable () throws -> HTTPTransport
  ) async throws -> Bool {
    let ended = Result<Void, any Error>(catching: {
      try end(report, final, interrupted: isInterrupted)
    })
    // A user who has pressed Ctrl-C should not have to wait.
    let isTold = if !isInterrupted, let hook { await hook.tell(transport) } else { true }
    try ended.get()
    return isTold
  }

  /// Works on the run until it stops, honoring requests from other processes.
  private func carryOn(
    _ state: RunState, _ epoch: Int, _ events: [Event], _ signals: InterruptSignals,
    _ limits: ProcessLimits, _ stop: StopLimits, with makeExecutor: () -> Executor
  ) async throws -> RunState {
    var state = state
    var events = events
    if RunRequest.pause.isLeft(for: folder) {
      // The pause was requested before this process started, so do not start any work.
      let isRetried = events.contains { if case .itemsRequeued = $0 { true } else { false } }
      events = [Self.pause] + events.filter { $0 != .unpaused } + (isRetried ? [Self.pause] : [])
    }
    while true {
      let executor = makeExecutor()
      signals.onFirst { executor.requestPause("stopped by a signal") }
      let requests = watchRequests(executor, stop)
      let result = await Result {
        try await executor.run(state, epoch: epoch, events: [.limitsKnown(limits)] + events)
      }
      requests.cancel()
      let wasAsked = await requests.value || events.contains(.cancelRequested)
      state = try result.get()
      // The request came after the run had stopped for another reason.
      guard !wasAsked, RunRequest.cancel.isLeft(for: folder), !signals.wasInterrupted,
        state.status == .paused || state.status == .finished, state.canBeGivenUp
      else { return state }
      events = [.cancelRequested]
    }
  }

  private static let pause = Event.pauseRequested(Failure(RunReport.pausedByUser))

  /// Passes each request of other processes to the run once; returns whether cancellation was requested.
  private func watchRequests(_ executor: Executor, _ stop: StopLimits) -> Task<Bool, Never> {
    let folder = folder
    let occasions = RequestOccasions(folder, stop)
    return Task {
      var isPausing = false
      var isCancelling = false
      var isStopped = false
      for await _ in occasions.stream {
        if !isStopped, !isCancelling, let reason = stop.reached {
          isStopped = true
          executor.requestPause(reason)
        }
        if !isCancelling, RunRequest.cancel.isLeft(for: folder) {
          isCancelling = true
          executor.requestCancel()
        }
        if !isPausing, RunRequest.pause.isLeft(for: folder) {
          isPausing = true
          // Once cancelling has started, it runs to its end.
          if !isCancelling { executor.requestPause(RunReport.pausedByUser) }
        }
      }
      withExtendedLifetime(occasions) {}
      return isCancelling
    }
  }

  /// Prints how the run ended, and ends with the documented status.
  private func end(_ report: RunReport, _ state: RunState, interrupted: Bool) throws {
    if !options.isQuiet || !report.isComplete { report.print(after: options.progress, format) }
    if interrupted {
      let verb = state.status == .cancelling ? "cancel" : "resume"
      Terminal.error("stopped after a checkpoint; continue with `\(folder.command(verb))`")
      throw CommandFailure(.interrupted)
    }
    if state.status == .paused, let reason = state.reason {
      // The report in text already contains this.
      if format != .text || options.progress == .json {
        Terminal.error("pipeline: the run is paused: \(reason.message)")
      }
      if reason.lacking == .network {
        Terminal.error("`\(folder.command("resume"))` tries again")
        throw CommandFailure(.offline)
      }
    }
    let isWanted = isCancelling && state.status == .cancelled && state.leftAtServer == 0
    if !report.isComplete, !isWanted { throw CommandFailure(.incomplete) }
  }
}

extension Event {
  /// Whether it continues a run that has ended.
  fileprivate var isWork: Bool {
    switch self {
    case .itemsRequeued, .cancelRequested: true
    default: false
    }
  }
}
