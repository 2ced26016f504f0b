import Basics
import HistorySupport
import PipelineCore
import PipelineEngine
import PipelineSimulator

/// Applies the seed's actions to the process, and checks the invariants after each turn.
struct InvariantWatch: FaultHooks {
  private var faults: SwarmPlan.ProcessFaults
  private let bug: PlantedBug?
  let pipeline: Pipeline
  private var draws: Draws
  private var now = Instant(milliseconds: 0)
  /// Whether this process has had a turn.
  private var hasBegun = false
  /// Accepted responses, the newest last.
  private var past: [Event] = []
  /// Frames as the store has them.
  private(set) var durable: [ItemKey?: Frame] = [:]
  private var statuses: [ItemKey: Item.Status] = [:]
  /// Parts that are stored as done.
  var concluded: Set<ItemKey> = []
  /// When the last turn was, and the reference of its time.
  private var lastTurn: (boot: String?, at: Instant)?
  /// The run according to its history.
  private var fold: HistoryFold?
  /// The checkpoint that a planted bug holds back.
  private var held: CheckpointBatch?
  /// The store's record of effects.
  private(set) var ledger: EffectLedger
  let tellsLimits = true
  private let limits: ProcessLimits
  /// Whether this process has received its limits.
  private var knowsLimits = false
  /// Failures of a step before an outcome that does not count as one.
  private var uncounted: (key: ItemKey?, step: Int, generation: Int, failures: Int)?
  private var endsAllowance = false
  private var unanswered: Machine?  // before a stale response
  var conditions = RunConditions()
  /// Files that a planted bug reports as deleted.
  private var forgotten: [Event] = []
  /// When requests were sent that count towards each rate.
  var paced: [String: [Instant]] = [:]
  private(set) var violations: [(at: Instant, text: String)] = []
  private(set) var coverageMarks: [CoverageMark: Int] = [:]

  /// Whether the size of a file is known in advance: that of a download without a budget is not.
  private let isSizeKnown: Bool

  init(_ plan: SwarmPlan, _ tape: DrawTape?, bug: PlantedBug?) {
    isSizeKnown =
      plan.pipeline.budgets.diskBytes != nil
      || !plan.pipeline.steps.contains { step in
        if case .download = step.action { true } else { false }
      }
    faults = plan.process
    limits = plan.limits
    ledger = EffectLedger(plan.pipeline)
    self.bug = bug
    pipeline = plan.pipeline
    draws = Draws(seed: plan.seed ^ 0x5741_5443_48, tape: tape)
  }

  /// From now on nothing goes wrong.
  mutating func calm() {
    let isSingle = faults.isSingle
    faults = SwarmPlan.ProcessFaults()
    faults.isSingle = isSingle
  }

  private mutating func mark(_ sighting: CoverageMark) { coverageMarks[sighting, default: 0] += 1 }

  private mutating func violate(_ text: String) {
    if violations.count < 5 { violations.append((now, text)) }
  }

  // MARK: Events

  mutating func takeEvents(from queue: inout EventQueue, _ machine: Machine) -> [Event] {
    if hasBegun, draws.flip(faults.lateAnswer, "stale response"), let late = lateAnswer(machine) {
      // In a turn of its own, in which nothing may change.
      mark(.lateAnswer)
      unanswered = machine
      return planted([late], machine)
    }
    var events = faults.isSingle ? queue.takeFirst(1) : queue.takeAll()
    let told = bug == .limitsIgnored ? ProcessLimits(sendsPieces: limits.sendsPieces) : limits
    if !knowsLimits, told != ProcessLimits() { events.insert(.limitsKnown(told), at: 0) }
    knowsLimits = true
    events += forgotten
    forgotten = []
    noteUncounted(events, machine)
    for event in events { noteConditions(event, machine) }
    for case .concluded(let id, let verdict) in events {
      if case .unknown = verdict { mark(.outcomeUnknown) }
      if case .success = verdict, machine.inFlight.contains(id) { ledger.noteSuccess(of: id) }
      if case .unavailable(.diskSpace, _) = verdict { mark(.diskFull) }
      if case .poll = verdict { mark(.polled) }
      if case .interrupted = verdict, id.item?.part != nil { mark(.partInterrupted) }
      if case .success = verdict, pipeline.step(of: id)?.kind == .digest { mark(.digested) }
      if case .interrupted = verdict, pipeline.step(of: id)?.transfer == nil {
        mark(.shortInterrupted)
      }
      past.append(.concluded(id, verdict))
    }
    if past.count > 40 { past.removeFirst(past.count - 40) }
    return planted(events, machine)
  }

  /// Notes the number of failures of a step with a single response that does not count as a failure.
  private mutating func noteUncounted(_ events: [Event], _ machine: Machine) {
    uncounted = nil
    // A cancelled run is waited for until it ends: a shortage then counts.
    guard machine.state.status == .running, events.count == 1,
      case .concluded(let id, let verdict) = events[0], machine.inFlight.contains(id),
      case .step(let step, let generation) = id.target, let state = state(id, machine)
    else { return }
    switch verdict {
    case .interrupted, .unavailable, .poll:
      uncounted = (id.item, step, generation, state.failures)
    default: break
    }
  }

  private func state(_ id: EffectID, _ machine: Machine) -> StepState? {
    machine.steps(of: id.item).first { $0.step == id.step }?.state
  }

  private mutating func lateAnswer(_ machine: Machine) -> Event? {
    let late = past.filter { event in
      guard case .concluded(let id, _) = event else { return false }
      return !machine.inFlight.contains(id)
    }
    // Those that could be mistaken for a response to a request in flight come first.
    let near = late.filter { event in
      guard case .concluded(let id, _) = event else { return false }
      return machine.inFlight.contains { $0.item == id.item && $0.step == id.step }
    }
    return late.isEmpty ? nil : draws.pick(near.isEmpty ? late : near, "which stale response")
  }

  private func planted(_ events: [Event], _ machine: Machine) -> [Event] {
    guard let bug else { return events }
    return events.compactMap { bug.planted($0, machine) }
  }

  // MARK: Checkpoints and effects

  mutating func commit(
    _ batch: CheckpointBatch, to table: inout CheckpointTable<ValueForm>
  ) throws(StoreFailure) -> [TargetClaim.Refusal] {
    now = max(now, batch.at)
    if draws.flip(faults.refusal, "checkpoint refused") {
      mark(.storeRefused)
      throw StoreFailure(.full, message: "the swarm refuses this checkpoint")
    }
    guard bug == .commitAfterPerform else { return try commitNow(batch, to: &table) }
    defer { held = batch }
    guard let held, held.epoch == batch.epoch else { return [] }
    return try commitNow(held, to: &table)
  }

  mutating func refusesRead() -> Bool {
    guard draws.flip(faults.refusal, "read refused") else { return false }
    mark(.readRefused)
    return true
  }

  private mutating func commitNow(
    _ batch: CheckpointBatch, to table: inout CheckpointTable<ValueForm>
  ) throws(StoreFailure) -> [TargetClaim.Refusal] {
    let before = table
    if fold == nil { fold = try Self.fold(table, pipeline) }
    let refusals = try table.commit(bug?.planted(batch) ?? batch)
    checkHistory(of: table, before)
    note(batch.parts)
    conditions.committed(at: batch.at)
    for item in batch.items {
      durable[item.key] = item.frame
      statuses[item.key] = item.status
      // A frame that waits for an item does not wait for the item's remnants.
      let next = item.abandoning?.next
      let isComplete = next == .done || next == .skipped
      ledger.note(item.frame, of: item.key, status: isComplete ? next : item.status)
    }
    if let state = batch.state {
      durable[nil] = state.frame
      ledger.note(state.frame, of: nil, status: nil)
      ledger.note(state.status)
    }
    return refusals
  }

  private static func fold(
    _ table: CheckpointTable<ValueForm>, _ pipeline: Pipeline
  ) throws(StoreFailure) -> HistoryFold {
    let state = try table.load()
    var items: [[Item]] = []
    for loop in state.loops.indices {
      items.append(try table.items(loop: loop, status: nil, after: -1, limit: .max))
    }
    return try HistoryFold(state, items: items, pipeline: pipeline)
  }

  /// Replaying the history yields the stored state.
  private mutating func checkHistory(
    of table: CheckpointTable<ValueForm>, _ before: CheckpointTable<ValueForm>
  ) {
    guard violations.isEmpty, var fold else { return }
    self.fold = nil
    defer { self.fold = fold }
    do throws(StoreFailure) {
      for batch in table.history(after: fold.sequence, limit: .max) {
        try fold.fold(batch, over: before)
      }
      for difference in try fold.differences(from: table) { violate(difference) }
    } catch {
      violate("the history cannot be folded: \(error.message)")
    }
  }

  mutating func performedEffects(_ effects: [Effect]) -> [Effect] {
    endsAllowance = effects.contains(.endAllowance)
    for effect in effects {
      if case .perform(let command) = effect {
        check(command)
        if let text = disregardOfPause(command) { violate(text) }
      }
      if case .answerRenewal(let id, let decision) = effect { check(decision, to: id) }
      for text in checkRates(of: effect) { violate(text) }
    }
    guard bug == .releaseForgotten else { return effects }
    return effects.filter { effect in
      guard case .discardFiles(let key?, let bytes, _) = effect,
        statuses[key] == .paused || statuses[key] == .failed
      else { return true }
      forgotten.append(.filesDiscarded(key, bytes: bytes))
      return false
    }
  }

  /// An effect is demanded by durable state, and derived from valid results.
  private mutating func check(_ command: Command) {
    let id = command.id
    guard let step = pipeline.step(of: id) else { return }
    for text in ledger.note(command, durable: durable) { violate(text) }
    if !command.scope.members.isEmpty, id.attempt > 1 { mark(.batchSentAgain) }
    // A batch that is sent again may have lost the member whose fence it has.
    let frame = durableFrame(command.scope.members.first?.item ?? id.item)
    for text in disorderOfParts(id, frame) + disorderOfBatch(command) { violate(text) }
    let state = frame.indices.contains(step.position) ? frame[step.position] : nil
    if state?.isInFlight != true || state?.generation != id.generation
      || state?.attempt != id.attempt
    {
      violate("\(id) is performed, but the store has \(state.map { "\($0.status)" } ?? "nothing")")
    }
    // A batch that may have taken effect is sent again unchanged.
    guard case .attempt = command.action, state?.batch?.isOpen != true else { return }
    for (index, use) in step.uses.enumerated() {
      let maker = pipeline.steps[use.step]
      let frame = command.scope.frame(of: maker)
      guard let output = use.output, frame.indices.contains(maker.position),
        case let source = frame[maker.position], source.outputs.indices.contains(output)
      else { continue }
      // A request whose outcome is unknown is repeated as it was; only what authorizes it is renewed.
      if let state, state.isUnresolved, !use.isCredential {
        if state.sources[index] != source.generation {
          violate("\(id) is repeated with a different result of '\(maker.id)'")
        }
        continue
      }
      if !source.outputs[output].isValid(at: command.scope.now) {
        violate("\(id) is sent with an expired result of '\(maker.id)'")
      }
    }
  }

  /// A transfer continues with valid values, which are stored.
  private mutating func check(_ decision: RenewalDecision, to id: EffectID) {
    guard let step = pipeline.step(of: id) else { return }
    let scope: Scope
    let frame = durableFrame(id.item)
    let state = frame.indices.contains(step.position) ? frame[step.position] : nil
    switch decision {
    case .unchanged: return
    case .request(let values): scope = values
    case .authorization(let values):
      scope = values
      if state?.challenges == 0 { violate("\(id) got a reply that the store does not know") }
    }
    for (index, use) in step.uses.enumerated() where use.isCredential {
      guard let output = use.output else { continue }
      let maker = pipeline.steps[use.step]
      let source = scope.frame(of: maker)[maker.position]
      if !source.outputs[output].isValid(at: scope.now) {
        violate("\(id) continues with an expired result of '\(maker.id)'")
      }
      if state?.sources.indices.contains(index) != true
        || state?.sources[index] != source.generation
      {
        violate("\(id) continues with a different result of '\(maker.id)' than the store knows")
      }
    }
  }

  mutating func endsProcess(at point: CrashPoint) -> Bool {
    switch point {
    case .after(.perform), .after(.answerRenewal), .beforeCommit, .afterCommit: break
    case .after: return false
    }
    guard faults.crash > 0, draws.flip(faults.crash, "crash") else { return false }
    switch point {
    case .beforeCommit: mark(.crashedBeforeCommit)
    case .afterCommit: mark(.crashedAfterCommit)
    case .after: mark(.crashedAfterEffect)
    }
    return true
  }

  mutating func processEnded() {
    (hasBegun, knowsLimits, endsAllowance) = (false, false, false)
    (held, uncounted, unanswered, forgotten) = (nil, nil, nil, [])
    ledger.processEnded()
    conditions.processEnded()
  }

  // MARK: Invariants

  mutating func turnEnded(_ machine: Machine, _ disk: VirtualDisk, at now: Instant) {
    let boot = machine.state.time?.boot
    if lastTurn?.boot != boot { conditions.pauses = [:] }
    for text in disregardOfConditions(machine) { violate(text) }
    if let lastTurn, lastTurn.boot == boot, now < lastTurn.at {
      violate("time went back from \(lastTurn.at) to \(now)")
    }
    lastTurn = (boot, now)
    self.now = now
    hasBegun = true
    for text in machine.violations() { violate(text) }
    if var other = unanswered {
      // Time has passed as well, and changes things whether or not the response does.
      let nothing = EffectID(
        run: other.state.id, item: nil, step: 0, generation: -1, attempt: 0)
      _ = other.apply(.concluded(nothing, .interrupted), at: now)
      if other.state != machine.state { violate("a stale response changed something") }
    }
    unanswered = nil
    if isSizeKnown, disk.used > machine.reservedDiskBytes {
      violate("\(disk.used) bytes are on the disk, \(machine.reservedDiskBytes) are reserved")
    }
    if endsAllowance {
      for id in machine.inFlight where pipeline.step(of: id)?.transfer == nil {
        violate("\(id) is in flight at the end of the allowance")
      }
    }
    endsAllowance = false
    checkFailures(machine)
    for text in excessOfConnections(machine, limits) + excessOfBatches(machine, at: now) {
      violate(text)
    }
    for blocker in machine.blockers.values {
      if let sighting = blocker.coverageMark { mark(sighting) }
      // A day is the most that a server's wish is honored for, and no pause of these pipelines is longer.
      if case .delay(let step, let until) = blocker, until - now > .seconds(86400 + 60) {
        violate("'\(pipeline.steps[step].id)' waits until \(until)")
      }
    }
    checkReissues(machine)
  }

  private mutating func checkFailures(_ machine: Machine) {
    defer { uncounted = nil }
    guard let uncounted,
      let after = machine.steps(of: uncounted.key).first(where: { $0.step == uncounted.step })?
        .state,
      after.generation == uncounted.generation, after.failures > uncounted.failures
    else { return }
    violate("'\(pipeline.steps[uncounted.step].id)' counts as failed, but no server has refused it")
  }

  private mutating func checkReissues(_ machine: Machine) {
    for loop in machine.state.loops {
      for item in loop.active.values {
        for (step, state) in machine.steps(of: item.key)
        where state.reissues > pipeline.steps[step].reissueLimit + 1 {
          violate("'\(pipeline.steps[step].id)' was reissued \(state.reissues) times")
        }
      }
    }
  }
}
