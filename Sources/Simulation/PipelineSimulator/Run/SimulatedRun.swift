/// One run of a pipeline in virtual time: the engine's own core and interpreter, with every port
/// simulated (invariant 10).
///
/// It does not read a clock or randomness from the system: the same pipeline, values, ports and
/// seed produce the same ``trace``, byte for byte.
///
/// ```swift
/// var run = SimulatedRun(pipeline, inputs: inputs, server: server) let outcome = run.simulate()
/// print(TraceText(run.pipeline, from: run.start).render(run.trace))
/// ```
public struct SimulatedRun: Sendable {
  /// The values of a run's inputs.
  public struct Inputs: Sendable {
    /// Values of inputs that are not files: of those that are not secret, and of secret ones.
    public var values, secrets: [String: Value]
    /// The files of `files` inputs.
    public var files: [String: [FileValue]]

    /// Values by input name.
    public init(
      values: [String: Value] = [:], secrets: [String: Value] = [:],
      files: [String: [FileValue]] = [:]
    ) { (self.values, self.secrets, self.files) = (values, secrets, files) }
  }

  /// An action of the user or the system on the process.
  public enum Intervention: Hashable, Sendable {
    case restart
    /// The user stops the run after a checkpoint.
    case pause
    case cancel
    /// From now on, this many bytes are free for files that the run makes; `nil` means no limit.
    case freeSpace(Int64?)
    /// The system deletes the files that the run created.
    case purgeFiles
    /// The device's wall clock is moved forward, or back, by this much.
    case changeClock(by: Duration)
  }

  /// Settings for the whole simulation.
  public struct Settings: Sendable {
    /// The start; 2026-01-05T08:00:00Z, a Monday, by default.
    public var start = Instant(milliseconds: 1_767_600_000_000)
    /// Seed of the back-offs' jitter.
    public var seed: UInt64 = 1
    /// Virtual time after which it ends, even if work is left.
    public var limit: Duration = .seconds(30 * 86400)
    /// Number of steps at one instant, without the end of an item or a part, after which it ends: something is looping
    /// without time passing.
    public var turnsPerInstant = 10_000
    /// Number of turns and instants after which it ends; a typical item needs a few dozen.
    public var steps = 20_000_000
    /// The cost limit of the run; exceeding it ends the run like too many steps.
    package var budget = WorkBudget.simulation
    /// Whether to keep a trace; without one, a simulation of a million events needs little memory.
    public var isTraced = true
    /// Whether to record ``TraceEvent/Fact/blocked(_:_:)``, and how long items wait for what.
    public var tracesBlockers = false
    /// Whether the transfer service sends bodies in pieces, as on a desktop; a phone's accepts files.
    public var sendsPieces = false
    /// Whether the store keeps a history.
    public var keepsHistory = false
    /// An action on the process, and its time after the start.
    public var interventions: [(after: Duration, Intervention)] = []
    /// Faults between the core and the ports; by default none.
    public var faultHooks: (any FaultHooks)?

    /// The defaults.
    public init() {}
  }

  /// How a simulation ends.
  public enum Outcome: Hashable, Sendable {
    /// The run has stopped: finished, paused or cancelled.
    case rested
    /// The run has work left, but the run is stuck.
    case stuck
    /// The run has work left, and the simulated time has ended.
    case outOfTime
    /// The run keeps working without time passing.
    case endless
    /// The step limit was reached, and the run had work left.
    case tooManySteps(Int)
    case storeFailed(StoreFailure)
  }

  /// The definition.
  public let pipeline: Pipeline
  /// When virtual time starts.
  public let start: Instant
  /// Virtual time.
  public internal(set) var now: Instant
  var clocks: DeviceClocks
  /// What happened so far.
  public internal(set) var trace = Trace()
  /// The files of the run.
  public internal(set) var disk: VirtualDisk
  package internal(set) var tally = Tally()
  /// The sign-ins that outlive the run's processes.
  package var credentials: [CredentialID: StoredCredential] = [:]
  /// The store.
  public internal(set) var table: CheckpointTable<ValueForm>
  /// How it ended; `nil` while it continues.
  public internal(set) var outcome: Outcome?

  var settings: Settings
  let interpreter: Interpreter
  let secrets: [String: Value]
  /// The server, with everything it has recorded.
  public internal(set) var server: any SimulatedServer
  /// The device, with everything it has counted.
  public internal(set) var device: any DeviceModel
  var core: RunCore?
  var queue = EventQueue()
  /// Requests by the user that are not durable yet.
  var requests: [Event] = []
  var inFlight: [EffectID: InFlightCommand] = [:]
  /// Whether the process has asked for the transfers of the one before it.
  var isSessionAdopted = true
  var agenda = Agenda<AgendaEntry>()
  /// The fault hooks, with everything they have recorded.
  public internal(set) var faultHooks: (any FaultHooks)?
  /// Distinguishes the current timer from those that it replaced.
  var timer = 0
  var blockers: [ItemKey?: Blocker] = [:]
  /// The values of `repeat` steps, as they were last stored.
  var carried: [StepOfItem: [OutputValue]] = [:]
  /// The first claim that was refused, because two items have the same target.
  package internal(set) var sharedTarget: TargetClaim.Refusal?
  /// The first violation of ``PropertyResult/wholeFiles``.
  public internal(set) var shortfall: PropertyResult?
  var collected: [StepOfItem: CollectedParts] = [:]
  let repeated: [Int]
  private var observer = DeviceObserver()
  /// Steps at this instant.
  var turns = 0
  /// Steps so far, and those before the last call of ``begin(retrying:limit:)``.
  public private(set) var steps = 0
  var budget: WorkBudget
  /// The part of the evaluations' cost that was spent.
  private var evaluated = 0
  private var earlierSteps = 0

  enum AgendaEntry: Sendable {
    case response(EffectID, Response)
    case file(EffectID, MaterializationPlan, path: String)
    case timer(Int)
    case alarm(Int)
    case intervention(Intervention)
  }

  /// An effect that was performed and has no response yet.
  struct InFlightCommand: Sendable {
    let command: Command
    var operation: PortOperation
    let begun: Instant
    var response: Response?
    /// The command that the request was created from, if an earlier process handed it over, or it was renewed.
    var sender: Command?
  }

  /// Prepares a run with its items, which are in the store before it starts; `disk` has the files that `inputs` name.
  public init(
    _ pipeline: Pipeline, inputs: Inputs = Inputs(), server: any SimulatedServer,
    device: any DeviceModel = IdealDevice(), disk: VirtualDisk = VirtualDisk(),
    settings: Settings = Settings()
  ) {
    self.pipeline = pipeline
    repeated = pipeline.steps.indices.filter { pipeline.steps[$0].kind == .repeat }
    budget = settings.budget
    for files in inputs.files.values { budget.allow(1_000_000 * files.count, .work) }
    (self.server, self.device) = (server, device)
    if let bytes = pipeline.budgets.bytesPerSecond {
      self.device.limitTransfers(toBytesPerSecond: bytes)
    }
    (self.disk, self.settings) = (disk, settings)
    faultHooks = settings.faultHooks
    start = settings.start
    now = settings.start
    clocks = DeviceClocks(at: settings.start)
    secrets = inputs.secrets
    interpreter = Interpreter(Evaluator(pipeline), sendsPieces: settings.sendsPieces)
    table = CheckpointTable(
      ValueForm(), of: pipeline, events: settings.keepsHistory ? HistoryCoding(pipeline) : nil)
    var values = inputs.values
    for (name, files) in inputs.files { values[name] = .list(files.map(\.value)) }
    let state = RunState(
      id: RunID("\(pipeline.name)-simulated"), pipeline: pipeline, inputs: values,
      secrets: inputs.secrets, seed: settings.seed, began: now)
    let (evaluator, scope) = (Evaluator(pipeline), Scope(state, item: nil, now: now))
    let loops = pipeline.loops.enumerated().compactMap { index, loop -> EnumeratedLoop? in
      guard let files = loop.filesInput.flatMap({ inputs.files[$0] }) else { return nil }
      // Only inputs are read, which are valid.
      guard (try? evaluator.hasItems(index, scope)) != false
      else { return EnumeratedLoop(loop: index) { _ in } }
      return EnumeratedLoop(loop: index) { yield in for file in files { try yield(.file(file)) } }
    }
    for (after, intervention) in settings.interventions {
      agenda.schedule(.intervention(intervention), at: start + after)
    }
    do throws(StoreFailure) {
      _ = try table.create(state, items: loops)
      try launch(.runBegan)
    } catch { end(.storeFailed(error)) }
  }

  /// The state of the run: in the process's memory, or if there is no process, in the store.
  public var state: RunState? { core?.machine.state ?? (try? table.load()) }

  /// Why each frame of the window waits.
  public var waiting: [ItemKey?: Blocker] {
    let blockers = core?.machine.blockers ?? [:]
    let lead = clocks.lead
    return lead == .zero ? blockers : blockers.mapValues { $0.moved(by: .zero - lead) }
  }

  /// The first item that has started and is not done.
  var firstUnfinished: ItemKey? {
    let all = pipeline.loops.indices.lazy.flatMap { items(loop: $0) }
    return all.first { ![.done, .skipped, .pending].contains($0.status) }?.key
      ?? all.first { $0.status == .pending }?.key
  }

  /// Items of a loop as they are at the end, in order.
  public func items(loop: Int) -> [Item] {
    (try? table.items(loop: loop, status: nil, after: -1, limit: .max)) ?? []
  }

  /// Advances virtual time until the run stops or is stuck, or the time or ``Settings/steps`` are used up.
  @discardableResult public mutating func simulate() -> Outcome {
    while true {
      if let outcome { return outcome }
      advance()
    }
  }

  /// Performs the next step: a turn of the engine, or everything that is due next.
  mutating func advance() {
    guard outcome == nil else { return }
    steps += 1
    turns += 1
    if turns > settings.turnsPerInstant {
      end(.endless)
    } else if steps - earlierSteps > settings.steps || !spendTurn() {
      end(.tooManySteps(steps - earlierSteps - 1))
    } else if core != nil, !queue.isEmpty {
      turn()
      if settings.isTraced { observe() }
    } else if core?.machine.hasStopped == true {
      end(.rested)
    } else if let next = agenda.next {
      let deadline = start + settings.limit
      guard next <= deadline else {
        pass(to: deadline)
        end(.outOfTime)
        return
      }
      pass(to: next)
      // Everything that is due at once belongs to one turn.
      while let due = agenda.popDue(by: now) { fire(due.entry) }
      if settings.isTraced { observe() }
    } else {
      end(.stuck)
    }
  }

  /// Advances time while nothing happens.
  private mutating func pass(to instant: Instant) {
    guard instant > now else { return }
    if settings.tracesBlockers {
      tally.pass(instant - now, heldBy: (device as? PhoneDevice)?.foremostHold(at: now))
    }
    turns = 1
    budget.allow(Int((instant - now) / .milliseconds(86_400_000) * 20_000_000), .work)
    now = instant
  }

  private mutating func spendTurn() -> Bool {
    let cost = interpreter.evaluator.cost
    defer { evaluated = cost }
    return budget.spend(WorkBudget.turn(steps: pipeline.steps.count) + cost - evaluated)
  }

  /// The cost of other runs of the same evaluator does not count.
  mutating func restartMeter() { evaluated = interpreter.evaluator.cost }

  /// Spends the size of texts that are kept, of which only large ones count.
  mutating func keep(_ bytes: Int) { budget.spend(max(0, bytes - (16 << 10)), .bytes) }

  private mutating func observe() {
    guard let phone = device as? PhoneDevice else { return }
    for fact in observer.changes(of: phone, diskUse: disk.used, at: now) {
      trace.note(.device(fact), at: now)
    }
  }

  /// Restarts the count of ``Settings/steps`` for another stretch of the run.
  mutating func restartCount() {
    earlierSteps = steps
    turns = 0
  }

  mutating func end(_ outcome: Outcome) {
    self.outcome = outcome
    note(.ended(outcome))
  }
}
