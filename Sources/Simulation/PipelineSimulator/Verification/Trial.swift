enum Disturbance: Hashable, Sendable {
  /// The process crashes at the point with this number.
  case crash(Int)
  /// The request with this number has an unknown outcome, or an untrue response.
  case fault(Int, ServerModel.PlannedFault)
  /// The server refuses every attempt of the step, so that items are abandoned.
  case refusal(step: Int)
  /// The refusal before it ends, and the user retries the abandoned items.
  case retry

  /// Whether a response is not the server's, or cannot be read.
  var isForeign: Bool {
    if case .fault(_, let fault) = self { fault.isForeign || fault == .unreadable } else { false }
  }

  var isRefusal: Bool { if case .refusal = self { true } else { false } }
}

/// Crashes processes at numbered points, and checks the machine after each turn.
struct NumberedCrashes: FaultHooks {
  private(set) var count = 0
  private var wanted: Set<Int>
  private(set) var points: [CrashPoint] = []
  private(set) var violations: [(at: Instant, text: String)] = []
  /// What a shell with a planted bug makes of an event.
  var plant: (@Sendable (Event, Machine) -> Event)?

  init(_ wanted: Set<Int>) { self.wanted = wanted }

  mutating func takeEvents(from queue: inout EventQueue, _ machine: Machine) -> [Event] {
    let events = queue.takeAll()
    return plant.map { plant in events.map { plant($0, machine) } } ?? events
  }

  /// The same, with crashes that are still to come.
  func crashing(at wanted: Set<Int>) -> Self {
    var crashes = self
    crashes.wanted = wanted
    return crashes
  }

  mutating func endsProcess(at point: CrashPoint) -> Bool {
    if case .after(let effect) = point {
      // What does not reach the world cannot be left half done.
      guard case .perform = effect else { return false }
    }
    count += 1
    guard wanted.contains(count) else { return false }
    points.append(point)
    return true
  }

  mutating func turnEnded(_ machine: Machine, _ disk: VirtualDisk, at now: Instant) {
    for text in machine.violations() { violations.append((now, text)) }
    if machine.pipeline.budgets.diskBytes != nil, disk.used > machine.reservedDiskBytes {
      violations.append(
        (now, "\(disk.used) bytes are on the disk, \(machine.reservedDiskBytes) are reserved"))
    }
  }
}

/// A run of the smallest size with some faults.
struct Trial: Sendable {
  let run: SimulatedRun
  /// Items that waited for the user, with the reason.
  let paused: [Item]
  let faultHooks: NumberedCrashes
  let faults: [Int]

  var journal: ServerJournal { run.journal }

  /// Carries `run`, whose faults are `disturbances`, to its end.
  init(_ run: SimulatedRun, _ disturbances: [Disturbance]) {
    var run = run
    run.simulate()
    let paused = Self.stopped(run)
    // The user retries waiting items, as often as something can have been lost.
    let isRefused = disturbances.contains(where: \.isRefusal)
    for _ in 0...disturbances.count
    where run.outcome == .rested
      && (isRefused ? Self.hasLeft(run) || !Self.wasRefused(run) : !Self.isComplete(run))
    {
      run.begin(retrying: true)
      run.simulate()
    }
    if disturbances.contains(.retry) { Self.retry(&run, atMost: disturbances.count) }
    self.run = run
    faults = disturbances.compactMap { if case .fault(let number, _) = $0 { number } else { nil } }
    self.paused = paused
    faultHooks = run.faultHooks as? NumberedCrashes ?? NumberedCrashes([])
  }

  /// Ends refusals, and lets the user retry the items abandoned because of them.
  private static func retry(_ run: inout SimulatedRun, atMost count: Int) {
    if var server = run.server as? ModelServer {
      server.model.refusals = [:]
      run.server = server
    }
    for _ in 0..<count where run.outcome == .rested && !isComplete(run) {
      run.begin(retrying: true)
      run.simulate()
    }
  }

  private static func stopped(_ run: SimulatedRun) -> [Item] {
    run.pipeline.loops.indices.flatMap { run.items(loop: $0) }.filter {
      $0.status == .paused || $0.status == .failed
    }
  }

  private static func hasLeft(_ run: SimulatedRun) -> Bool {
    run.state?.loops.contains { $0.leftAtServer > 0 } ?? false
  }

  /// Whether the server has refused a request; a run that stopped before that continues.
  private static func wasRefused(_ run: SimulatedRun) -> Bool {
    guard let server = run.server as? ModelServer else { return true }
    return server.journal.deliveries.contains { delivery in
      if case .refused(_, let step) = delivery.outcome { step == delivery.id.step } else { false }
    }
  }

  private static func isComplete(_ run: SimulatedRun) -> Bool {
    run.state?.status == .finished && stopped(run).isEmpty
  }

  var statuses: [Item.Status] {
    run.pipeline.loops.indices.flatMap { run.items(loop: $0).map(\.status) }
  }
}

extension SimulatedRun {
  fileprivate var journal: ServerJournal { (server as? ModelServer)?.journal ?? ServerJournal() }
}

/// The states of a run without faults: a trial starts with the last one before its faults, since it is the same until then.
struct Rehearsal: Sendable {
  private let setup: TrialSetup
  /// The states before some steps, in order; the first is the start.
  private var states: [SimulatedRun] = []
  let baseline: Trial

  /// How many steps the kept states have seen together at most: each holds what happened in its own, about 1 kB for each.
  private static let maximum = 32_768

  /// - Parameter steps: Number of simulation steps after which the run counts as endless.
  init(_ setup: TrialSetup, steps: Int) {
    self.setup = setup
    var run = setup.run(Faults([]), steps: steps)
    var (stride, seen) = (1, 0)
    while run.outcome == nil {
      if run.steps % stride == 0 {
        states.append(run)
        seen += run.steps
      }
      if seen > Self.maximum {
        stride *= 2
        states.removeAll { $0.steps % stride != 0 }
        seen = states.reduce(0) { $0 + $1.steps }
      }
      run.advance()
    }
    baseline = Trial(run, [])
  }

  /// The trial of some faults, of which a stretch of more than `steps` counts as endless.
  func trial(_ disturbances: [Disturbance], steps: Int) -> Trial {
    let faults = Faults(disturbances)
    // With a refusal, the server differs from the start.
    guard faults.model.refusals.isEmpty, let state = states.last(where: { faults.isAfter($0) })
    else { return Trial(setup.run(faults, steps: steps), disturbances) }
    return Trial(state.continued(faults, steps: steps), disturbances)
  }
}

/// The faults of a trial, in the simulation's form.
struct Faults {
  private(set) var crashes: Set<Int> = []
  private(set) var model = ServerModel.ideal

  init(_ disturbances: [Disturbance]) {
    // Responses are delayed, so that a process can end before they arrive.
    model.latency = .constant(0.1)
    for disturbance in disturbances {
      switch disturbance {
      case .crash(let number): crashes.insert(number)
      case .fault(let number, let fault): model.planned[number] = fault
      case .refusal(let step): model.refusals[step] = 400
      case .retry: break
      }
    }
  }

  func isAfter(_ run: SimulatedRun) -> Bool {
    let (points, requests) = (
      (run.faultHooks as? NumberedCrashes)?.count ?? 0, run.journal.deliveries.count
    )
    return crashes.allSatisfy { $0 > points } && model.planned.keys.allSatisfy { $0 > requests }
  }
}

extension SimulatedRun {
  /// The run of a trial from here, with faults that are still to come.
  fileprivate func continued(_ faults: Faults, steps: Int) -> Self {
    var run = self
    run.restartMeter()
    run.settings.steps = steps
    run.faultHooks = (faultHooks as? NumberedCrashes)?.crashing(at: faults.crashes)
    if var server = server as? ModelServer {
      server.model = faults.model
      run.server = server
    }
    return run
  }
}

/// A pipeline with the smallest inputs that cause any work.
struct TrialSetup: Sendable {
  let pipeline: Pipeline
  let inputs: SimulatedRun.Inputs
  let disk: VirtualDisk
  let server: ModelServer
  /// Whether bodies are sent in pieces; otherwise the process makes files first.
  var sendsPieces = false
  var plant: (@Sendable (Event, Machine) -> Event)?

  init(_ pipeline: Pipeline, items: Int, server: ModelServer, areEmpty: Bool = false) {
    self.pipeline = pipeline
    self.server = server
    func files(_ count: Int) -> [FileValue] {
      Self.files(count, server.piece, pipeline.budgets.diskBytes, areEmpty)
    }
    var inputs = SimulatedRun.Inputs()
    var disk = VirtualDisk()
    for input in pipeline.inputs {
      switch input.kind {
      case .secret: inputs.secrets[input.name] = "secret"
      case .files:
        let files = files(items)
        for file in files { disk.add(file) }
        inputs.files[input.name] = files
      case .file:
        let file = files(1)[0]
        disk.add(file)
        inputs.values[input.name] = file.value
      default: inputs.values[input.name] = InferenceWorld.value(of: input)
      }
    }
    self.inputs = inputs
    self.disk = disk
  }

  func run(_ faults: Faults, steps: Int) -> SimulatedRun {
    var settings = SimulatedRun.Settings()
    var crashes = NumberedCrashes(faults.crashes)
    crashes.plant = plant
    settings.faultHooks = crashes
    settings.limit = .seconds(400 * 86400)
    settings.steps = steps
    settings.sendsPieces = sendsPieces
    return SimulatedRun(
      pipeline, inputs: inputs, server: server.restarted(model: faults.model, seed: 1),
      disk: disk, settings: settings)
  }

  /// A small file and a larger one, so that steps for either are reached; a budget fits some copies of each.
  ///
  /// Where files are sent in pieces, the first has three, of which the last is small, and the other one.
  private static func files(
    _ count: Int, _ piece: Int64?, _ budget: Int64?, _ areEmpty: Bool
  ) -> [FileValue] {
    (0..<count).map { index in
      let wished = index % 2 == 0 ? piece.map { 2 * $0 + 1 } ?? 1024 : piece ?? 8 << 20
      // The same name twice, as files of two folders can have.
      let relative = index == 0 ? "photo.jpg" : "\(index + 1)/photo.jpg"
      return FileValue(
        path: "/items/\(relative)", name: "photo.jpg", relative: relative,
        size: areEmpty ? 0 : min(wished, max((budget ?? .max) / 8, 1)), modified: 0,
        contentType: "image/jpeg")
    }
  }
}
