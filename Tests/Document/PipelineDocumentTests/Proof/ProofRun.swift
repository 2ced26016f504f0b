import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator

/// A simulated run of a drawn or edited pipeline that notes what went wrong inside.
struct ProofRun {
  /// The records of the hooks of a run.
  struct Notes: FaultHooks {
    /// The process ends each time after this many turns.
    let crashInterval: Int?
    private var turns = 0
    /// The most bytes of the disk budget that were reserved at once.
    private(set) var reservedBytes: Int64 = 0
    /// Laws that the machine broke.
    private(set) var violations: Set<String> = []
    /// How commands and enumerations failed.
    private(set) var failures: [Failure] = []

    init(crashInterval: Int?) { self.crashInterval = crashInterval }

    mutating func takeEvents(from queue: inout EventQueue, _ machine: Machine) -> [Event] {
      let events = queue.takeAll()
      for event in events {
        switch event {
        case .concluded(_, .fail(let failure)), .enumerationFailed(_, let failure):
          failures.append(failure)
        default: break
        }
      }
      return events
    }

    mutating func endsProcess(at point: CrashPoint) -> Bool {
      guard case .afterCommit = point, let crashInterval else { return false }
      turns += 1
      return turns.isMultiple(of: crashInterval)
    }

    mutating func turnEnded(_ machine: Machine, _ disk: VirtualDisk, at now: Instant) {
      reservedBytes = max(reservedBytes, machine.reservedDiskBytes)
      violations.formUnion(machine.violations().map { "\($0)" })
    }
  }

  private(set) var run: SimulatedRun
  let notes: Notes

  /// Runs `pipeline` on a computer with all `files` until it has stopped, for at most `steps` steps.
  init(
    _ pipeline: Pipeline, values: [String: Value], secrets: [String: Value], files: [FileValue],
    server: any SimulatedServer, seed: UInt64 = 1, crashInterval: Int? = nil, steps: Int = 20_000
  ) {
    var settings = SimulatedRun.Settings()
    settings.seed = seed
    settings.steps = steps
    settings.isTraced = false
    settings.faultHooks = Notes(crashInterval: crashInterval)
    let lists = pipeline.inputs.filter { $0.kind == .files }.map { ($0.name, files) }
    run = SimulatedRun(
      pipeline,
      inputs: .init(
        values: values, secrets: secrets, files: Dictionary(uniqueKeysWithValues: lists)),
      server: server, disk: Self.disk(with: files), settings: settings)
    run.simulate()
    notes = run.faultHooks as? Notes ?? Notes(crashInterval: nil)
  }

  /// A disk with `files`, of whose contents only the sizes are known.
  static func disk(with files: [FileValue]) -> VirtualDisk {
    var disk = VirtualDisk()
    for file in files { disk.add(file) }
    return disk
  }

  /// The items of all loops that got all their files from the input, as they are stored.
  var items: [[Item]] { run.pipeline.loops.indices.map { run.items(loop: $0) } }
}
