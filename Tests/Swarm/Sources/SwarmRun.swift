import Basics
import CEL
import Foundation
import PipelineCore
import PipelineEngine
import PipelineSimulator

/// What one seed came to.
public struct SwarmResult: Sendable {
  /// The seed.
  public let seed: UInt64
  /// Where the pipeline came from.
  public let shape: String
  /// Violations, in order of time.
  public internal(set) var violations: [String]
  /// The coverage marks that were reached.
  public let coverageMarks: [CoverageMark: Int]
  /// Hash of the history and of the server's effects (FNV-1a, 64 bits).
  public let hash: UInt64
  /// Virtual time.
  public let elapsed: Duration
  /// Requests that reached the network.
  public let requests: Int
  /// Faults by kind.
  public let faults: [String: Int]
  /// Where a trace did not have the draws that the run asked for.
  public internal(set) var misfits: [String] = []
  /// The timeline, where something was violated.
  public internal(set) var timeline: String
}

/// One run of a seed: faults, then none, then everything must be done.
struct SwarmRun {
  let plan: SwarmPlan
  private let tape: DrawTape?
  private(set) var run: SimulatedRun
  private var violations: [String] = []
  var coverageMarks: [CoverageMark: Int] = [:]

  init(
    _ plan: SwarmPlan, _ server: ModelServer, tape: DrawTape? = nil, bug: PlantedBug?
  ) {
    self.plan = plan
    self.tape = tape
    var inputs = SimulatedRun.Inputs()
    var disk = VirtualDisk(capacity: plan.freeSpace)
    for file in plan.items { disk.add(file) }
    for input in plan.pipeline.inputs {
      switch input.kind {
      case .secret: inputs.secrets[input.name] = .string(Self.secret)
      case .files: inputs.files[input.name] = plan.items
      default: inputs.values[input.name] = Self.value(of: input)
      }
    }
    var settings = SimulatedRun.Settings()
    settings.seed = plan.seed
    settings.limit = plan.safety
    settings.keepsHistory = true
    settings.sendsPieces = plan.limits.sendsPieces
    settings.turnsPerInstant = 1500
    settings.faultHooks = InvariantWatch(plan, tape, bug: bug)
    settings.interventions =
      plan.deviceClockJumps.map { ($0.after, .changeClock(by: $0.by)) } + plan.wishes
    run = SimulatedRun(
      plan.pipeline, inputs: inputs,
      server: SwarmServer(
        server.restarted(model: plan.server, draws: Draws(seed: plan.seed, tape: tape)), plan, tape,
        bug: bug),
      device: SwarmDevice(plan.device, seed: plan.seed, tape), disk: disk, settings: settings)
  }

  private static let secret = "pa55w0rd-of-the-swarm"

  static func value(of input: InputDeclaration) -> Value {
    switch input.kind {
    case .int: 1
    case .bool: true
    case .duration: .duration(.seconds(60))
    case .size: .int(1000)
    case .url: "https://server.test"
    case .folder: "/target"
    case .string, .secret, .file, .files: "text"
    }
  }

  /// Both phases.
  mutating func execute() -> SwarmResult {
    safetyPhase()
    livenessPhase()
    return result()
  }

  private mutating func safetyPhase() {
    var draws = Draws(seed: plan.seed ^ 0x5045_5253_4F4E, tape: tape)
    var choices = Draws(seed: plan.seed ^ 0x4348_4F49_4345, tape: tape)
    if let jump = plan.clockJump, jump.after < plan.safety {
      run.simulate(for: jump.after)
      run.changeWorld { server, _, _, _ in
        guard var swarm = server as? SwarmServer else { return }
        swarm.jumpClock(by: jump.by)
        server = swarm
      }
      coverageMarks[.clockJumped, default: 0] += 1
    }
    for _ in 0..<60 {
      run.simulate()
      switch run.outcome {
      case .storeFailed: run.begin(retrying: false)
      case .rested where !isComplete && draws.flip(0.7, "person retries"):
        coverageMarks[.personRetried, default: 0] += 1
        run.begin(retrying: true, items: choice(&choices))
      case .endless, .tooManySteps, .stuck:
        violations.append("while faults are on: \(run.outcome.map { "\($0)" } ?? "")\(waits)")
        return
      default: return
      }
    }
  }

  /// The items that the user retries: some of those that are paused or have failed, or `nil` for all.
  private mutating func choice(_ draws: inout Draws) -> [ItemKey]? {
    let stopped = run.pipeline.loops.indices.flatMap { run.items(loop: $0) }
      .filter { $0.status == .paused || $0.status == .failed }
    let batches = lostBatches(of: stopped)
    guard draws.flip(batches.isEmpty ? 0.3 : 0.8, "person chooses") else { return nil }
    var chosen = Set(stopped.map(\.key).filter { _ in draws.flip(0.5, "item is chosen") })
    // A batch is named after its first member: the behavior of the others without it is worth a check.
    if draws.flip(0.5, "batch is parted") {
      for batch in batches {
        chosen.remove(batch[0])
        chosen.formUnion(batch.dropFirst())
      }
    }
    if batches.contains(where: {
      !$0.allSatisfy(chosen.contains) && $0.contains(where: chosen.contains)
    }) {
      coverageMarks[.batchParted, default: 0] += 1
    }
    return chosen.isEmpty ? nil : chosen.sorted()
  }

  /// Groups of two or more items that were sent in one request whose outcome is unknown.
  private func lostBatches(of items: [Item]) -> [[ItemKey]] {
    var batches: [String: [ItemKey]] = [:]
    for item in items {
      for state in item.frame {
        guard let batch = state.batch, batch.isOpen else { continue }
        batches["\(item.key.loop) \(batch.first) \(batch.generation)", default: []].append(item.key)
      }
    }
    return batches.values.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  private var stopped: Int {
    run.state?.loops.reduce(0) { $0 + $1.counts[.paused] + $1.counts[.failed] } ?? 0
  }

  /// Whether nothing is left to do: all is done, or the run was cancelled and nothing of it is on
  /// the server that can still be undone.
  private var isComplete: Bool {
    switch run.state?.status {
    case .finished: stopped == 0
    case .cancelled: true
    case .running, .paused, .cancelling, nil: false
    }
  }

  private var isGivenUp: Bool {
    plan.wishes.contains { $0.1 == .cancel && $0.after <= run.now - run.start }
  }

  private var waits: String {
    let text = TraceText(run)
    let waiting = run.waiting.map { key, blocker in
      "\(key.map { "\($0)" } ?? "run") waits for \(text.text(blocker))"
    }
    return waiting.sorted().first.map { "; \($0)" } ?? ""
  }

  private mutating func livenessPhase() {
    coverageMarks[.leftAtServer] =
      run.state?.loops.contains { $0.leftAtServer > 0 } == true ? 1 : nil
    run.changeWorld { server, device, disk, interference in
      if var swarm = server as? SwarmServer {
        swarm.calm()
        server = swarm
      }
      if var swarm = device as? SwarmDevice {
        swarm.calm()
        device = swarm
      }
      disk.capacity = nil
      if var watch = interference as? InvariantWatch {
        watch.calm()
        interference = watch
      }
    }
    for _ in 0..<8 {
      run.begin(retrying: !isGivenUp, limit: .seconds(40 * 86400))
      // The user's request is kept until it is durable, even if the process ends.
      if isGivenUp { run.intervene(.cancel) }
      run.simulate()
      if isComplete, run.outcome == .rested { return }
    }
    let how = run.outcome.map { "\($0)" } ?? ""
    violations.append(
      "not finished after all faults stopped: \(how), \(stopped) items paused or failed\(waits)"
    )
  }

  // MARK: Final invariants

  private mutating func result() -> SwarmResult {
    let server = run.server as? SwarmServer
    let journal = server?.journal ?? ServerJournal()
    let watch = run.faultHooks as? InvariantWatch
    let device = run.device as? SwarmDevice
    for (at, text) in watch?.violations ?? [] {
      violations.append("\(TraceText.time(at - run.start)): \(text)")
    }
    violations += device?.violations.prefix(3) ?? []
    violations += server?.violations.prefix(3) ?? []
    if let watch {
      let check = EffectCheck(run, watch.ledger, journal)
      violations += check.doubled() + check.leftBehind() + check.replacedAndLeft()
    }
    checkRetryAfter()
    checkShortages()
    checkDisk()
    checkSecrets()
    checkStoredState()
    count(journal)
    coverageMarks.merge(watch?.coverageMarks ?? [:]) { $0 + $1 }
    coverageMarks.merge(server?.coverageMarks ?? [:]) { $0 + $1 }
    coverageMarks.merge(device?.coverageMarks ?? [:]) { $0 + $1 }
    return SwarmResult(
      seed: plan.seed, shape: plan.shape, violations: violations, coverageMarks: coverageMarks,
      hash: hash(journal), elapsed: run.now - run.start, requests: journal.deliveries.count,
      faults: faults(journal),
      timeline: violations.isEmpty ? "" : timeline)
  }

  /// A server's request applies from the checkpoint that contains it: a response that is lost with its process was
  /// never known.
  private mutating func checkRetryAfter() {
    var until: [String: (bound: Instant, known: Instant)] = [:]
    // A stale response does not concern the current attempt.
    var newest: [String: Int] = [:]
    var uncounted = UncountedTime()
    func name(_ id: EffectID) -> String {
      "\(id.item.map { "\($0)" } ?? "run") \(id.target)"
    }
    for event in run.trace.events {
      if uncounted.begins(with: event.fact) { until = [:] }
      switch event.fact {
      // An interrupted command has ended: any later outcome is outdated.
      case .concluded(let id, .interrupted): newest[name(id)] = id.attempt + 1
      case .concluded(let id, .retry(_, let bound?, _)) where id.attempt == newest[name(id)]:
        until[name(id)] = (bound, event.at)
      case .sent(let exchange) where exchange.purpose == .attempt:
        let id = exchange.id
        newest[name(id)] = id.attempt
        guard let wish = until[name(id)], event.at < wish.bound, !isCut(wish.known, event.at),
          plan.pipeline.step(of: id)?.retry.retryAfter == .honor
        else { continue }
        violations.append("\(id) was sent before the time that Retry-After asked for")
      // A probe of an attempt ends the wait for its response.
      case .sent(let exchange) where exchange.purpose == .probe:
        newest[name(exchange.id)] = exchange.id.attempt
      case .processEnded: until = until.filter { $0.value.known < event.at }
      // Continued items do not wait, and all earlier commands are outdated.
      case .ended:
        until = [:]
        newest = newest.mapValues { $0 + 1 }
      default: break
      }
    }
  }

  /// A shortage of the machine does not concern a server: no attempt is counted.
  private mutating func checkShortages() {
    var lacking: Set<EffectID> = []
    for event in run.trace.events {
      switch event.fact {
      case .answered(let id, let response):
        if response.error?.isShortage == true { lacking.insert(id) } else { lacking.remove(id) }
      case .concluded(let id, let verdict):
        guard lacking.remove(id) != nil else { continue }
        switch verdict {
        case .unavailable, .interrupted: continue
        default: violations.append("\(id) had a shortage, but it counted as an attempt: \(verdict)")
        }
      default: break
      }
    }
  }

  /// Whether the run was cancelled between two moments: undoing starts over.
  private func isCut(_ begin: Instant, _ end: Instant) -> Bool {
    plan.wishes.contains { wish in
      wish.1 == .cancel && begin <= run.start + wish.after && run.start + wish.after <= end
    }
  }

  private mutating func checkDisk() {
    guard run.outcome == .rested, isComplete else { return }
    if run.disk.used != 0 {
      violations.append("files are left at the end: \(run.disk.paths)")
    }
  }

  private mutating func checkSecrets() {
    let secret = Data(Self.secret.utf8)
    for batch in run.table.history(after: 0, limit: .max)
    where Data(batch.events).range(of: secret) != nil {
      violations.append("the history contains a secret")
      return
    }
    guard let stored = try? run.table.load() else {
      violations.append("the stored state cannot be read")
      return
    }
    let frames = [stored.frame] + stored.loops.flatMap { $0.active.values.map(\.frame) }
    let outputs = frames.flatMap { $0 }.flatMap(\.outputs)
    if !stored.secrets.isEmpty || outputs.contains(where: { $0.isSecret && $0.value != nil }) {
      violations.append("a secret is stored")
    }
  }

  /// The stored state is the process's state, except for secrets.
  private mutating func checkStoredState() {
    guard run.outcome == .rested, let state = run.state, let stored = try? run.table.load() else {
      return
    }
    func redacted(_ frame: Frame) -> Frame {
      frame.map { step in
        var step = step
        step.outputs = step.outputs.map(\.redacted)
        return step
      }
    }
    if redacted(state.frame) != stored.frame || state.status != stored.status
      || state.loops.map(\.counts) != stored.loops.map(\.counts)
    {
      violations.append("the stored state differs from the process's")
    }
  }

  private var timeline: String { TraceText(run).render(run.trace) }

  /// Where another run of the same seed has gone another way.
  func difference(from other: SwarmRun) -> String {
    for (one, two) in zip(run.trace.events, other.run.trace.events) where one != two {
      return "\(one) / \(two)"
    }
    let histories = [self, other].map { $0.run.table.history(after: 0, limit: .max) }
    for (one, two) in zip(histories[0], histories[1]) where one != two {
      let texts = [one, two].map { String(decoding: $0.events, as: UTF8.self) }
      return "\(texts[0]) / \(texts[1])"
    }
    return "\(run.trace.events.count) / \(other.run.trace.events.count) events"
  }
}

extension TransportFailure {
  fileprivate var isShortage: Bool { kind == .networkUnavailable || kind == .tooManyOpenFiles }
}
