public import Logging
import Synchronization

/// Owns one run: drains events, applies them, commits once, performs the effects (invariant 6).
///
/// An executor works on a run from acquiring it until nothing is left to do or the run is stopped. It
/// is the task-based shell around a ``RunCore``: the machine decides, and this type only
/// carries its decisions to the ports. Everything it starts is a child of ``run(_:epoch:events:)`` and ends with it.
public final class Executor: Sendable {
  /// The environment of an executor.
  public struct Ports: Sendable {
    /// Stores the run.
    public let store: any CheckpointStore
    /// Sends short requests.
    public let requests: any RequestTransport
    /// Carries transfers.
    public let transfers: any TransferService
    /// Creates and deletes files.
    public let files: any FileWorkspace
    /// Provides the time.
    public let clock: any Clock
    /// Grants time to run; `nil` means no limit.
    public let device: (any Device)?
    /// Signs requests; `nil` means that steps with signatures fail.
    public let authorizer: (any RequestAuthorizer)?
    /// Receives each exchange with a server; `nil` costs nothing.
    public let exchanges: (any ExchangeObserver)?
    /// Keeps sign-ins; `nil` means that steps which keep one fail.
    public let credentials: (any CredentialStore)?

    /// Connects the ports.
    public init(
      store: any CheckpointStore, requests: any RequestTransport, transfers: any TransferService,
      files: any FileWorkspace, clock: any Clock, device: (any Device)? = nil,
      authorizer: (any RequestAuthorizer)? = nil, exchanges: (any ExchangeObserver)? = nil,
      credentials: (any CredentialStore)? = nil
    ) {
      (self.store, self.requests, self.transfers, self.files) = (store, requests, transfers, files)
      (self.clock, self.device, self.authorizer) = (clock, device, authorizer)
      self.exchanges = exchanges
      self.credentials = credentials
    }
  }

  private let interpreter: Interpreter
  private let ports: Ports
  private let observer: (any RunObserver)?
  private let logger: Logger
  private let taskExecutor: (any TaskExecutor)?
  private let longestWait: Duration?
  private let wake = Mutex<Instant?>(nil)
  private let mailbox = Mailbox()
  private let renewalContinuations = RenewalContinuations()
  private let board = TransferBoard()

  /// Prepares the execution of a run of the evaluator's pipeline.
  ///
  /// With one thread, a task executor passes work on without waking another thread, which costs most.
  ///
  /// - Parameter longestWait: A run with nothing in flight whose next event is later than this is put aside, as if its process had ended: see ``wakeTime``.
  public init(
    evaluator: Evaluator, ports: Ports, observer: (any RunObserver)? = nil,
    logger: Logger = Logger(label: "pipeline") { _ in SwiftLogNoOpLogHandler() },
    taskExecutor: (any TaskExecutor)? = nil, longestWait: Duration? = nil
  ) {
    // A device's time ends before a body in pieces is sent: it gets a file.
    interpreter = Interpreter(
      evaluator, sendsPieces: ports.device == nil && ports.transfers.sendsPieces)
    (self.ports, self.observer, self.logger) = (ports, observer, logger)
    (self.taskExecutor, self.longestWait) = (taskExecutor, longestWait)
  }

  /// When a run that was put aside, and is still `running`, must be continued; `nil` if it was not put aside.
  public var wakeTime: Instant? { wake.withLock { $0 } }

  /// Requests a stop after a checkpoint; commands in flight are interrupted, and cancelling resumes later.
  public func requestPause(_ reason: String) {
    mailbox.post(.pauseRequested(Failure(reason)), fromDevice: true)
  }

  /// Divides the server's rates and transfers among this many shards of the run from now on.
  public func requestShares(_ shares: Int) {
    mailbox.post(.sharesChanged(shares), fromDevice: true)
  }

  /// Cancels the run: the effects of its items on servers are undone, and nothing new starts.
  public func requestCancel() { mailbox.post(.cancelRequested, fromDevice: true) }

  /// Continues the run from the stored state.
  ///
  /// Cancelling the task is ``requestPause(_:)``: nothing new starts, commands in flight are
  /// interrupted, and responses that have arrived are kept. The call then returns as usual, with a state that is
  /// `paused` (`cancelling` if the run is being cancelled, or the run's end if that came first); another
  /// process continues with `runResumed` and `unpaused`. A process that the device has suspended does not wait
  /// to be resumed for that. When the call returns, or throws, nothing that it started is left running.
  public func run(
    _ state: RunState, epoch: Int, events: [Event]
  ) async throws(StoreFailure) -> RunState {
    let result = await withTaskExecutorPreference(taskExecutor) {
      await withTaskCancellationHandler {
        await withDiscardingTaskGroup(returning: Result<RunState, StoreFailure>.self) { group in
          let result = await drive(state, epoch, events, &group)
          group.cancelAll()
          return result
        }
      } onCancel: {
        mailbox.release()
      }
    }
    return try result.get()
  }

  private func drive(
    _ state: RunState, _ epoch: Int, _ events: [Event], _ group: inout DiscardingTaskGroup
  ) async -> Result<RunState, StoreFailure> {
    var shell = LoopContext(core: RunCore(state, epoch: epoch, evaluator: interpreter.evaluator))
    let orphans = await ports.files.sweep(keeping: RunCore.heldFiles(of: state))
    if orphans > 0 { logger.info("removed orphaned files", metadata: ["count": "\(orphans)"]) }
    await discardOrphanedPartials(state)
    mailbox.begin(with: withPort(events))
    if let device = ports.device {
      group.addTask { [mailbox] in await device.run { Self.deliver($0, to: mailbox) } }
    }
    let failure: StoreFailure?
    do throws(StoreFailure) {
      while !shell.core.hasStopped {
        try await step(&shell, &group)
        if let moment = longWait(shell) {
          wake.withLock { $0 = moment }
          break
        }
        planTick(&shell, &group)
      }
      failure = nil
    } catch { failure = error }
    shell.cancelCommands()
    for task in shell.commands.values { await task.value }
    return failure.map { .failure($0) } ?? .success(shell.core.machine.state)
  }

  /// The next event of a run that waits for nothing but the time, if it is late enough to put the run aside.
  private func longWait(_ shell: LoopContext) -> Instant? {
    guard let longestWait, let due = shell.timerDue, shell.commands.isEmpty, mailbox.isEmpty,
      due - ports.clock.now() > longestWait, due != shell.core.machine.dividedToken
    else { return nil }
    let state = shell.core.machine.state
    let isWaiting =
      state.status == .running && state.loops.allSatisfy { $0.isEnumerated && !$0.isLoading }
    return isWaiting && shell.core.machine.inFlight.isEmpty ? due : nil
  }

  private func withPort(_ events: [Event]) -> [Event] {
    var events = events
    for index in events.indices {
      guard case .limitsKnown(var limits) = events[index] else { continue }
      limits.sendsPieces = interpreter.sendsPieces
      events[index] = .limitsKnown(limits)
      return events
    }
    guard interpreter.sendsPieces else { return events }
    return [.limitsKnown(ProcessLimits(sendsPieces: true))] + events
  }

  /// Deletes partial files of items that have ended: a process may have been killed before the deletion.
  private func discardOrphanedPartials(_ state: RunState) async {
    for path in await ports.files.partials() {
      guard let key = Evaluator.item(ofPath: path) else { continue }
      let isActive =
        state.loops.indices.contains(key.loop) && state.loops[key.loop].active[key.ordinal] != nil
      if isActive { continue }
      let rows = try? await ports.store.items(
        loop: key.loop, status: nil, after: key.ordinal - 1, limit: 1)
      guard let rows else { continue }
      switch rows.first(where: { $0.key == key })?.status {
      case .active, .paused, .pending: continue
      case .done, .failed, .skipped, .cancelled, nil: await ports.files.discardPartial(path)
      }
    }
  }

  private static func deliver(_ change: DeviceChange, to mailbox: Mailbox) {
    switch change {
    case .granted(let until): mailbox.resume(with: .allowanceGranted(until: until))
    case .expiring: mailbox.post(.allowanceExpiring, fromDevice: true)
    }
  }

  private struct LoopContext {
    var core: RunCore
    /// Tasks of their own, each awaited, since a group cannot interrupt one of its children.
    var commands: [EffectID: Task<Void, Never>] = [:]
    var timer: Task<Void, Never>?
    var timerDue: Instant?
    var observed: Instant?
    var isObserverBehind = false
    /// Wakes the loop though nothing happens, and when.
    var ticker: Task<Void, Never>?
    var tickDue: ContinuousClock.Instant?
    /// Whether the machine has been informed that the run's task was cancelled.
    var knowsCancellation = false

    func cancelCommands() { for task in commands.values { task.cancel() } }
  }

  /// Starts something that can be cancelled before the group is, and ends with it.
  private func begin(
    in group: inout DiscardingTaskGroup, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let task = Task(executorPreference: taskExecutor, operation: body)
    group.addTask {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
    return task
  }

  private func step(
    _ shell: inout LoopContext, _ group: inout DiscardingTaskGroup
  ) async throws(StoreFailure) {
    var events = await mailbox.drain()
    let now = ports.clock.now()
    if Task.isCancelled, !shell.knowsCancellation {
      // This event comes first, so that the results of cancelled commands do not start anything again.
      shell.knowsCancellation = true
      shell.cancelCommands()
      events.insert(.pauseRequested(Failure("the task of the run was cancelled")), at: 0)
    }
    if events.isEmpty, shell.knowsCancellation == Task.isCancelled {
      // A second has passed: only the observer is notified, because there was no turn.
      return observe([], &shell, now)
    }
    for index in events.indices.reversed() {
      guard case .concluded(let id, _) = events[index] else { continue }
      // Its result is posted, so this returns at once.
      await shell.commands.removeValue(forKey: id)?.value
      if let moved = board.end(id) { events.insert(moved, at: index) }
    }
    let turn = shell.core.turn(events, at: now)
    let refusals = try await ports.store.commit(turn.batch)
    for effect in turn.effects(without: refusals) { perform(effect, &shell, &group) }
    for event in shell.core.events(of: refusals) { mailbox.post(event) }
    observe(turn.batch.items, &shell, now)
  }

  private func perform(
    _ effect: Effect, _ shell: inout LoopContext, _ group: inout DiscardingTaskGroup
  ) {
    switch effect {
    case .perform(let command): begin(command, &shell)
    case .answerRenewal(let id, let decision): renewalContinuations.resume(id, decision)
    case .interrupt(let id): shell.commands[id]?.cancel()
    case .setTimer(let instant):
      shell.timer?.cancel()
      shell.timerDue = instant
      shell.timer = begin(in: &group) { [mailbox, clock = ports.clock] in
        await clock.sleep(until: instant)
        if !Task.isCancelled { mailbox.post(.timerFired) }
      }
    case .loadItems(let loop, let status, let after, let limit):
      group.addTask { await self.load(loop, status, after, limit) }
    case .enumerate(let loop):
      let scope = Scope(shell.core.machine.state, item: nil, now: ports.clock.now())
      let (shard, epoch) = (shell.core.machine.state.shard, shell.core.epoch)
      group.addTask { await self.enumerate(loop, scope, shard, epoch) }
    case .discardFiles(let key, let bytes, let partials):
      let paths = interpreter.paths(of: key)
      let partialPaths = partials ? interpreter.partialPaths(of: key) : []
      group.addTask { [mailbox, files = ports.files] in
        for path in paths { await files.discard(path) }
        for path in partialPaths { await files.discardPartial(path) }
        mailbox.post(.filesDiscarded(key, bytes: bytes))
      }
    case .endAllowance:
      mailbox.suspend()
      ports.device?.didSuspend(transfers: shell.core.machine.queuedTransfers)
    // The core decides whether it still holds at the end of the turn.
    case .stop: break
    }
  }

  private func begin(_ command: Command, _ shell: inout LoopContext) {
    let task = Task(executorPreference: taskExecutor) {
      [board, mailbox, interpreter, ports, renewalContinuations] in
      let begun = ports.clock.now()
      let verdict = await interpreter.perform(
        command, through: ports, board: board, learn: { mailbox.post($0) }
      ) { id, renewal in
        await renewalContinuations.wait(id) {
          let held = mailbox.post(.renewalRequested(id, renewal))
          if held > 0 { ports.device?.didHoldBack(events: held) }
        }
      }
      let held = mailbox.post(
        .concluded(command.id, verdict.lasting(ports.clock.now() - begun)))
      if held > 0 { ports.device?.didHoldBack(events: held) }
    }
    shell.commands[command.id] = task
    if shell.knowsCancellation { task.cancel() }
  }

  private func load(_ loop: Int, _ status: Item.Status, _ after: Int, _ limit: Int) async {
    do throws(StoreFailure) {
      let items = try await ports.store.items(
        loop: loop, status: status, after: after, limit: limit)
      mailbox.post(.itemsLoaded(loop: loop, items, isLast: items.count < limit))
    } catch { mailbox.post(.loadFailed(loop: loop, Failure(error.message))) }
  }

  private func enumerate(_ loop: Int, _ scope: Scope, _ shard: Shard?, _ epoch: Int) async {
    do {
      let subjects = try interpreter.subjects(of: loop, scope, in: shard)
      try await ports.store.enumerate(loop: loop, subjects: subjects, epoch: epoch)
      mailbox.post(.itemsEnumerated(loop: loop, count: subjects.count))
    } catch {
      let failure =
        (error as? EvaluationFailure)?.failure ?? Failure((error as? StoreFailure)?.message ?? "")
      mailbox.post(.enumerationFailed(loop: loop, failure))
    }
  }

  private static let observationInterval: Duration = .milliseconds(100)
  /// How often observers are notified while bytes are being transferred, and how long they may be behind.
  private static let tick: Duration = .seconds(1)

  /// Wakes the loop when the observer is to be notified next, if nothing does so before.
  private func planTick(_ shell: inout LoopContext, _ group: inout DiscardingTaskGroup) {
    guard let observer, !shell.core.hasStopped,
      // Transfers that were just requested are not on the board yet.
      let interval = shell.isObserverBehind || shell.core.machine.queuedTransfers > 0
        ? Self.tick : observer.interval
    else { return }
    let now = ContinuousClock.now
    if let due = shell.tickDue, due > now, due <= now + interval { return }
    let due = now + interval
    shell.tickDue = due
    shell.ticker?.cancel()
    shell.ticker = begin(in: &group) { [mailbox] in
      if (try? await Task.sleep(until: due, clock: .continuous)) != nil { mailbox.wake() }
    }
  }

  private func observe(_ items: [Item], _ shell: inout LoopContext, _ now: Instant) {
    let settled = items.filter { $0.status != .active }
    guard let observer else { return }
    if !settled.isEmpty { observer.itemsLeft(settled) }
    let isDue = shell.observed.map { now - $0 >= Self.observationInterval } ?? true
    shell.isObserverBehind = !isDue
    guard isDue || shell.core.hasStopped else { return }
    shell.observed = now
    observer.progressed(
      RunProgress(
        shell.core.machine, interpreter.evaluator.pipeline, board.now,
        isAtRest: shell.core.hasStopped, at: now))
  }
}
