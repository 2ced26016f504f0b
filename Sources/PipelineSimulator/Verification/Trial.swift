import CEL
import PipelineCore
import PipelineEngine

/// One thing that is done to a run.
enum Disturbance: Hashable, Sendable {
  /// The process ends at the point with this number.
  case crash(Int)
  /// The request with this number has an unknown outcome, or an answer that is not true.
  case fault(Int, ServerModel.PlannedFault)
  /// The server refuses every attempt of the step, so that items are given up.
  case refusal(step: Int)
  /// The refusal before it ends, and a person lets the items that were given up begin again.
  case retry
}

/// Ends processes at points that are told by their number, and looks at the machine after each turn.
struct NumberedCrashes: FaultHooks {
  private(set) var count = 0
  private var wanted: Set<Int>
  /// The points at which a process ended.
  private(set) var points: [CrashPoint] = []
  /// What the machine found wrong with itself, and when.
  private(set) var violations: [(at: Instant, text: String)] = []

  init(_ wanted: Set<Int>) { self.wanted = wanted }

  mutating func endsProcess(at point: CrashPoint) -> Bool {
    if case .after(let effect) = point {
      // What does not reach the world cannot have been done by half.
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

/// A run of the smallest size with some disturbances.
struct Trial: Sendable {
  let run: SimulatedRun
  /// Whether a person had to let items go on.
  let neededPerson: Bool
  /// Items that waited for a person, with the reason.
  let paused: [Item]
  let faultHooks: NumberedCrashes
  /// The numbers of the requests that were disturbed.
  let faults: [Int]

  var journal: ServerJournal { (run.server as? ModelServer)?.journal ?? ServerJournal() }

  /// - Parameter steps: Steps of the simulation after which a stretch of the run has no end.
  init(_ setup: TrialSetup, _ disturbances: [Disturbance], steps: Int) {
    var crashes: Set<Int> = []
    var model = ServerModel.ideal
    // Answers take time, so that a process can end before they are there.
    model.latency = .constant(0.1)
    for disturbance in disturbances {
      switch disturbance {
      case .crash(let number): crashes.insert(number)
      case .fault(let number, let fault): model.planned[number] = fault
      case .refusal(let step): model.refusals[step] = 400
      case .retry: break
      }
    }
    var settings = SimulatedRun.Settings()
    settings.faultHooks = NumberedCrashes(crashes)
    settings.limit = .seconds(400 * 86400)
    settings.steps = steps
    var run = SimulatedRun(
      setup.pipeline, inputs: setup.inputs, server: setup.server.restarted(model: model, seed: 1),
      disk: setup.disk, settings: settings)
    run.simulate()
    let paused = Self.stopped(run)
    var neededPerson = false
    // A person lets go on what waits for one, as often as something can have been lost.
    let isRefused = disturbances.contains { if case .refusal = $0 { true } else { false } }
    for _ in 0...disturbances.count
    where run.outcome == .rested
      && (isRefused ? Self.hasLeft(run) || !Self.wasRefused(run) : !Self.isComplete(run))
    {
      neededPerson = true
      run.begin(retrying: true)
      run.simulate()
    }
    if disturbances.contains(.retry) {
      neededPerson = true
      Self.retry(&run, atMost: disturbances.count)
    }
    self.run = run
    faults = disturbances.compactMap { if case .fault(let number, _) = $0 { number } else { nil } }
    self.neededPerson = neededPerson
    self.paused = paused
    faultHooks = run.faultHooks as? NumberedCrashes ?? NumberedCrashes([])
  }

  /// Ends refusals, and lets a person begin again what was given up for them.
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

  /// Whether compensations are left that could not be carried out.
  private static func hasLeft(_ run: SimulatedRun) -> Bool {
    run.state?.loops.contains { $0.leftAtServer > 0 } ?? false
  }

  /// Whether the refusal was met; who stopped before it goes on.
  private static func wasRefused(_ run: SimulatedRun) -> Bool {
    guard let server = run.server as? ModelServer else { return true }
    return server.journal.deliveries.contains { delivery in
      if case .refused(_, let step) = delivery.outcome { step == delivery.id.step } else { false }
    }
  }

  private static func isComplete(_ run: SimulatedRun) -> Bool {
    run.state?.status == .finished && stopped(run).isEmpty
  }

  /// How every item stands.
  var statuses: [Item.Status] {
    run.pipeline.loops.indices.flatMap { run.items(loop: $0).map(\.status) }
  }
}

/// A pipeline with the smallest inputs that let it do something.
struct TrialSetup: Sendable {
  let pipeline: Pipeline
  let inputs: SimulatedRun.Inputs
  let disk: VirtualDisk
  let server: ModelServer

  init(_ pipeline: Pipeline, items: Int, server: ModelServer) {
    self.pipeline = pipeline
    self.server = server
    var inputs = SimulatedRun.Inputs()
    var disk = VirtualDisk()
    for input in pipeline.inputs {
      switch input.kind {
      case .secret: inputs.secrets[input.name] = "secret"
      case .files:
        let files = Self.files(items, pipeline.budgets.diskBytes)
        for file in files { disk.add(file) }
        inputs.files[input.name] = files
      case .file:
        let file = Self.files(1, pipeline.budgets.diskBytes)[0]
        disk.add(file)
        inputs.values[input.name] = file.value
      default: inputs.values[input.name] = InferenceWorld.value(of: input)
      }
    }
    self.inputs = inputs
    self.disk = disk
  }

  /// A small file, then a larger one, so that steps for either are met; a budget holds some copies of each.
  private static func files(_ count: Int, _ budget: Int64?) -> [FileValue] {
    (0..<count).map { index in
      let wished: Int64 = index % 2 == 0 ? 1024 : 8 << 20
      // Of one name, as files of two folders can be.
      return FileValue(
        path: "/items/\(index + 1)/photo.jpg", name: "photo.jpg",
        size: min(wished, max((budget ?? .max) / 8, 1)), modified: 0, contentType: "image/jpeg")
    }
  }
}
