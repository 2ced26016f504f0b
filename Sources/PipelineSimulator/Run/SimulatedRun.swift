public import CEL
public import PipelineCore
public import PipelineEngine

/// One run of a pipeline in virtual time: the engine's own core and interpreter, with every port
/// simulated (DESIGN law 9).
///
/// Nothing in it reads a clock or draws chance from the system: the same pipeline, values, ports and
/// seed give the same ``trace``, byte for byte.
///
/// ```swift
/// var run = SimulatedRun(pipeline, inputs: inputs, server: server)
/// let outcome = run.simulate()
/// print(TraceText(run.pipeline, from: run.start).render(run.trace))
/// ```
public struct SimulatedRun: Sendable {
  /// What a run is given for its inputs.
  public struct Inputs: Sendable {
    /// Values of inputs that are neither secret nor files.
    public var values: [String: Value]
    /// Values of secret inputs.
    public var secrets: [String: Value]
    /// The files of `files` inputs.
    public var files: [String: [FileValue]]

    /// Values by the inputs' names.
    public init(
      values: [String: Value] = [:], secrets: [String: Value] = [:],
      files: [String: [FileValue]] = [:]
    ) {
      self.values = values
      self.secrets = secrets
      self.files = files
    }
  }

  /// Something that a person or the system does to the process.
  public enum Intervention: Hashable, Sendable {
    /// The process is killed and started again at once.
    case restart
    /// A person stops the run after a checkpoint.
    case pause
    /// A person gives the run up.
    case cancel
    /// So many bytes are free from now on for files that the run makes; `nil` is without limit.
    case freeSpace(Int64?)
    /// The system deletes the files that the run made.
    case purgeFiles
    /// The device's wall clock is put forward by so much, or back.
    case changeClock(by: Duration)
  }

  /// What holds for the whole simulation.
  public struct Settings: Sendable {
    /// When it begins; 2026-01-05T08:00:00Z, a Monday, where nothing is said.
    public var start = Instant(milliseconds: 1_767_600_000_000)
    /// Seeds the jitter of back-offs.
    public var seed: UInt64 = 1
    /// Virtual time after which it ends, whatever is left to do.
    public var limit: Duration = .seconds(30 * 86400)
    /// Steps of the simulation at one instant after which it ends: something goes round in circles that
    /// take no time.
    public var turnsPerInstant = 100_000
    /// Steps of the simulation after which it ends: turns of the engine, and moments at which something
    /// is due.
    ///
    /// An item of a usual pipeline takes a few dozen.
    public var steps = 20_000_000
    /// Whether a trace is kept; without one a simulation of a million events needs little memory.
    public var isTraced = true
    /// Whether ``TraceEvent/Fact/blocked(_:_:)`` is recorded, and the time that items wait for what.
    public var tracesBlockers = false
    /// Whether the store keeps a history.
    public var keepsHistory = false
    /// What is done to the process, and how long after the start.
    public var interventions: [(after: Duration, Intervention)] = []
    /// What happens between the core and the ports; nothing, where there is none.
    public var faultHooks: (any FaultHooks)?

    /// The defaults.
    public init() {}
  }

  /// How a simulation ends.
  public enum Outcome: Hashable, Sendable {
    /// The run rests: it is finished, paused or cancelled.
    case rested
    /// The run has something left to do, and nothing can ever happen any more.
    case stuck
    /// The run has something left to do, and the time of the simulation is over.
    case outOfTime
    /// The run does ever more without time passing.
    case endless
    /// So many steps were simulated, and the run had something left to do.
    case tooManySteps(Int)
    /// A checkpoint could not be kept.
    case storeFailed(StoreFailure)
  }

  /// The definition.
  public let pipeline: Pipeline
  /// When virtual time begins.
  public let start: Instant
  /// Virtual time.
  public internal(set) var now: Instant
  /// What the device's clocks show.
  var clocks: DeviceClocks
  /// What happened so far.
  public internal(set) var trace = Trace()
  /// The files that the run made.
  public internal(set) var disk: VirtualDisk
  /// What was counted along the way.
  public internal(set) var tally = Tally()
  /// The store.
  public internal(set) var table: CheckpointTable<ValueForm>
  /// How it ended; `nil` while it goes on.
  public internal(set) var outcome: Outcome?

  var settings: Settings
  let interpreter: Interpreter
  let secrets: [String: Value]
  /// The server, with whatever it has noted.
  public internal(set) var server: any SimulatedServer
  /// The device, with whatever it has counted.
  public internal(set) var device: any DeviceModel
  /// The process's memory; gone while the process is.
  var core: RunCore?
  var queue = EventQueue()
  /// What people have asked for and is not durable yet.
  var requests: [Event] = []
  var inFlight: [EffectID: InFlightCommand] = [:]
  /// Whether the process has asked for the transfers of the one before it.
  var isSessionAdopted = true
  var agenda = Agenda<AgendaEntry>()
  /// What happens between the core and the ports, with whatever it has noted.
  public internal(set) var faultHooks: (any FaultHooks)?
  /// Tells the timer that counts from those that were replaced.
  var timer = 0
  var blockers: [ItemKey?: Blocker] = [:]
  private var observer = DeviceObserver()
  /// Steps at this instant.
  private var turns = 0
  /// Steps so far, and those before ``begin(retrying:limit:)`` was last asked for.
  public private(set) var steps = 0
  private var earlierSteps = 0

  /// What is due at some instant.
  enum AgendaEntry: Sendable {
    case response(EffectID, Response)
    case file(EffectID, MaterializationPlan, path: String)
    case timer(Int)
    case alarm(Int)
    case intervention(Intervention)
  }

  /// An effect that is performed and not answered.
  struct InFlightCommand: Sendable {
    let command: Command
    var operation: PortOperation
    let begun: Instant
    var response: Response?
    /// The command whose values the request was made from, where that was an earlier one: another
    /// process handed the transfer over, or its request was made anew.
    var sender: Command?
  }

  /// Prepares a run with its items; they are in the store before it begins.
  ///
  /// - Parameters:
  ///   - pipeline: The definition.
  ///   - inputs: Its inputs' values.
  ///   - server: Answers requests and uploads.
  ///   - device: When the process may run; always, where nothing is said.
  ///   - disk: Free space, with the files that `inputs` name.
  ///   - settings: Start, seed and limits.
  public init(
    _ pipeline: Pipeline, inputs: Inputs = Inputs(), server: any SimulatedServer,
    device: any DeviceModel = IdealDevice(), disk: VirtualDisk = VirtualDisk(),
    settings: Settings = Settings()
  ) {
    self.pipeline = pipeline
    self.server = server
    self.device = device
    self.disk = disk
    self.settings = settings
    faultHooks = settings.faultHooks
    start = settings.start
    now = settings.start
    clocks = DeviceClocks(at: settings.start)
    secrets = inputs.secrets
    interpreter = Interpreter(Evaluator(pipeline))
    table = CheckpointTable(
      ValueForm(), events: settings.keepsHistory ? HistoryCoding(pipeline) : nil)
    var values = inputs.values
    for (name, files) in inputs.files { values[name] = .list(files.map(\.value)) }
    let state = RunState(
      id: RunID("\(pipeline.name)-simulated"), pipeline: pipeline, inputs: values,
      secrets: inputs.secrets, seed: settings.seed, began: now)
    let loops = pipeline.loops.enumerated().compactMap { index, loop -> EnumeratedLoop? in
      guard let files = loop.filesInput.flatMap({ inputs.files[$0] }) else { return nil }
      return EnumeratedLoop(loop: index) { yield in
        for file in files { try yield(.file(file)) }
      }
    }
    for (after, intervention) in settings.interventions {
      agenda.schedule(.intervention(intervention), at: start + after)
    }
    do throws(StoreFailure) {
      _ = try table.create(state, items: loops)
      try launch(.runBegan)
    } catch {
      end(.storeFailed(error))
    }
  }

  /// Where the run stands: in the process's memory, or while there is no process, in the store.
  public var state: RunState? { core?.machine.state ?? (try? table.load()) }

  /// Why each frame of the window waits.
  public var waiting: [ItemKey?: Blocker] {
    let blockers = core?.machine.blockers ?? [:]
    let lead = clocks.lead
    return lead == .zero ? blockers : blockers.mapValues { $0.moved(by: .zero - lead) }
  }

  /// The first item that somebody worked on, or works on, and that is not done.
  var firstUnfinished: ItemKey? {
    let all = pipeline.loops.indices.lazy.flatMap { items(loop: $0) }
    return all.first { ![.done, .skipped, .pending].contains($0.status) }?.key
      ?? all.first { $0.status == .pending }?.key
  }

  /// Items of a loop as they stand at the end, in order.
  public func items(loop: Int) -> [Item] {
    (try? table.items(loop: loop, status: nil, after: -1, limit: .max)) ?? []
  }

  /// Lets virtual time pass until the run rests, nothing can happen any more, the time is over, or
  /// ``Settings/steps`` are used up.
  @discardableResult
  public mutating func simulate() -> Outcome {
    while true {
      if let outcome { return outcome }
      advance()
    }
  }

  /// Lets the next thing happen: a turn of the engine, or all that is due next.
  mutating func advance() {
    guard outcome == nil else { return }
    steps += 1
    turns += 1
    guard turns <= settings.turnsPerInstant else {
      end(.endless)
      return
    }
    guard steps - earlierSteps <= settings.steps else {
      end(.tooManySteps(settings.steps))
      return
    }
    if core != nil, !queue.isEmpty {
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
      // All that is due at once is one turn's.
      while let due = agenda.popDue(by: now) { fire(due.entry) }
      if settings.isTraced { observe() }
    } else {
      end(.stuck)
    }
  }

  /// Lets time pass, in which nothing happens.
  private mutating func pass(to instant: Instant) {
    guard instant > now else { return }
    if settings.tracesBlockers {
      let hold = (device as? PhoneDevice)?.foremostHold(at: now)
      tally.pass(instant - now, heldBy: hold)
    }
    turns = 1
    now = instant
  }

  private mutating func observe() {
    guard let phone = device as? PhoneDevice else { return }
    for fact in observer.changes(of: phone, diskUse: disk.used, at: now) {
      trace.note(.device(fact), at: now)
    }
  }

  /// Begins the count of ``Settings/steps`` anew, for another stretch of the run.
  mutating func restartCount() {
    earlierSteps = steps
    turns = 0
  }

  @discardableResult
  mutating func end(_ outcome: Outcome) -> Outcome {
    self.outcome = outcome
    note(.ended(outcome))
    return outcome
  }
}
