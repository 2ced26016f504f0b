public import PipelineCore

/// One state of an exploration: the machine, the world around it and the time.
public struct Node: Sendable {
  /// The machine.
  public var machine: Machine
  /// The requests of the machine without an outcome.
  public var world: ModelWorld
  /// The requests that the server accepted.
  public var server = ExplorationServer()
  /// The time.
  public var now = Instant(milliseconds: 0)
  /// Faults that may still happen.
  public var faults: Int
  /// The first event of each process, with its limits; `nil` omits it.
  public var limits: ProcessLimits?
  /// The moves that led here, newest last.
  public var trail: [String] = []
  /// All results of each move, where they are needed.
  public var transcript: Transcript?

  /// A run of `pipeline` that has not started.
  public init(_ pipeline: Pipeline, files: [Int64], faults: Int) {
    let subjects = ModelWorld.subjects(files)
    world = ModelWorld(pipeline, subjects: pipeline.loops.map { _ in subjects })
    machine = Machine(
      ModelWorld.state(of: pipeline, files: files.count), evaluator: Evaluator(pipeline))
    self.faults = faults
  }

  /// The same for nodes that behave alike.
  public var fingerprint: Int {
    var hasher = Hasher()
    machine.hashBehaviour(into: &hasher, at: now)
    for id in world.commands.keys.sorted(by: Self.order) {
      hasher.combine(id.item)
      hasher.combine(id.step)
      hasher.combine(world.commands[id])
      hasher.combine(world.members(of: id))
      hasher.combine(world.interrupts.contains(id))
      hasher.combine(world.pendingRenewals[id])
    }
    hasher.combine(world.loads)
    hasher.combine(world.discards)
    hasher.combine(world.hasStopped)
    for loop in world.rows.items {
      for item in loop {
        hasher.combine(item.status)
        if item.status == .paused || item.status == .failed {
          machine.combine(item.frame, of: item.key, into: &hasher, at: now)
          machine.combine(item.abandoning, into: &hasher, at: now)
          machine.combine(item.remnants, item.frame, into: &hasher)
        }
      }
    }
    hasher.combine(server)
    hasher.combine(faults)
    return hasher.finalize()
  }

  /// Whether the compensation in flight is for a result that was replaced.
  private func undoesRemnant(_ id: EffectID) -> Bool {
    guard let key = id.item else { return false }
    let index = machine.state.loops[key.loop].active[key.ordinal]?.abandoning?.index
    return (index ?? 0) >= machine.pipeline.loops[key.loop].onAbandon.count
  }

  static func order(_ left: EffectID, _ right: EffectID) -> Bool {
    func rank(_ id: EffectID) -> (ItemKey, Int, Int) {
      (id.item ?? ItemKey(loop: -1, ordinal: -1), id.step ?? -1, id.generation ?? 0)
    }
    return rank(left) < rank(right)
  }

  /// Applies a move and returns the problems of its result.
  public mutating func make(_ move: Move) -> [String] {
    faults -= move.cost
    trail.append(move.text(machine))
    if let instant = move.moment { now = max(now, instant) }
    if move.isCrash {
      machine = Machine(machine.state.stored, evaluator: machine.evaluator)
      world.crash()
    }
    var problems: [String] = []
    if case .concluded(let id, _) = move.event {
      let members = world.members(of: id)
      if move.commits {
        for key in members where !move.refused.contains(key) {
          problems += server.commit(id, for: key, machine)
        }
        if members.isEmpty { problems += server.commit(id, for: id.item, machine) }
      }
      if let step = id.step { for key in move.refused { server.refuse(step, for: key) } }
      server.note(move, members.isEmpty ? [id.item] : members, machine)
      server.follow(move.event, machine.pipeline)
      if id.isCompensation, case .concluded(_, .success) = move.event, !undoesRemnant(id) {
        server.undo(id)
      }
    }
    var event = move.event
    if case .itemsRequeued(let loop, _, _) = event { event = world.rows.requeue(loop) }
    world.willApply(event)
    if let limits, move.isCrash || event == .runBegan {
      _ = machine.apply(.limitsKnown(limits), at: now)
    }
    let before = transcript == nil ? nil : machine
    let effects = machine.apply(event, at: now)
    let checkpoint = machine.takeCheckpoint()
    if let before {
      transcript?.note(trail.last ?? "", effects, checkpoint, from: before, to: machine, at: now)
    }
    world.rows.commit(checkpoint, of: machine.state)
    problems += world.take(effects, machine, at: now) + world.rows.missing(of: machine.state)
    problems += machine.violations()
    if case .itemsRequeued = event { server.accept(riskOf: self) }
    if event == .unpaused { server.accept(riskOf: self) }
    return problems
  }
}

/// The server's final state: how often each creating step took effect for each item.
public struct ExplorationServer: Hashable, Sendable {
  private struct Creation: Hashable {
    let item: ItemKey?
    let step: Int
    var generation = 0
  }
  /// Whether a result that is reissued after it expired is another thing; otherwise every creation of a step is one too
  /// many.
  public var tellsGenerations = false
  private var keys: [Creation: Set<Int>] = [:]
  private var counts: [Creation: Int] = [:]
  private var batches: [Creation: Set<String>] = [:]
  /// The key under which a step took effect without the machine's knowledge.
  private var untold: [Creation: String] = [:]

  /// Nothing was created yet.
  public init() {}

  /// Lets an attempt take effect; a repeat with a known key does not.
  ///
  /// - Returns: a complaint where a step whose outcome can be probed took effect twice.
  mutating func commit(_ id: EffectID, for key: ItemKey?, _ machine: Machine) -> [String] {
    guard case .step(let index, let generation) = id.target else { return [] }
    let step = machine.pipeline.steps[index]
    guard step.effect == .create else { return [] }
    let creation = Creation(
      item: key, step: index, generation: tellsGenerations ? generation : 0)
    if step.keyPlace != nil, let known = untold[Creation(item: key, step: index)],
      known != Self.key(id, key, machine)
    {
      return [
        "'\(step.id)' of \(key.map { "\($0)" } ?? "run") took effect twice: nothing had told whether it did under the key "
          + "before"
      ]
    }
    if step.keyPlace != nil, step.batch != nil {
      // A batch is known by its key, whichever items it has; another key takes effect once more.
      if let key = Self.key(id, key, machine) { batches[creation, default: []].insert(key) }
      return batches[creation, default: []].count > 1
        ? ["'\(step.id)' of \(key.map { "\($0)" } ?? "run") took effect in two batches"] : []
    }
    if step.keyPlace != nil {
      keys[creation, default: []].insert(generation)
      return []
    }
    guard step.probe != nil else { return [] }
    counts[creation, default: 0] += 1
    return counts[creation, default: 0] > 1
      ? ["'\(step.id)' of \(key.map { "\($0)" } ?? "run") took effect twice"] : []
  }

  private static func key(_ id: EffectID, _ key: ItemKey?, _ machine: Machine) -> String? {
    let item = key.flatMap { machine.state.loops[$0.loop].active[$0.ordinal] }
    let isBatch = machine.pipeline.step(of: id)?.batch != nil
    let now = Instant(milliseconds: 0)
    return machine.evaluator.idempotencyKey(
      id,
      isBatch
        ? Scope(machine.state, batch: [item].compactMap { $0 }, now: now)
        : Scope(machine.state, item: item, now: now))
  }

  /// Notes for which of the items the machine learns whether the attempt took effect.
  mutating func note(_ move: Move, _ items: [ItemKey?], _ machine: Machine) {
    guard case .concluded(let id, let verdict) = move.event, let step = id.step,
      machine.pipeline.steps[step].keyPlace != nil, machine.pipeline.steps[step].probe == nil,
      machine.pipeline.steps[step].effect == .create
    else { return }
    for (index, item) in items.enumerated() {
      let creation = Creation(item: item, step: step)
      var own = verdict
      if case .results(_, let verdicts) = verdict, index < verdicts.count { own = verdicts[index] }
      switch own {
      case .success, .itemDone, .itemSkipped: untold[creation] = nil
      default:
        guard move.commits else { continue }
        untold[creation] =
          item.map(move.refused.contains) == true ? nil : Self.key(id, item, machine)
      }
    }
  }

  /// Whether the server has the key of an attempt, and so replays its response.
  func knowsKey(of id: EffectID, _ members: [ItemKey]) -> Bool {
    guard let step = id.step else { return false }
    let items: [ItemKey?] = members.isEmpty ? [id.item] : members
    return items.contains { untold[Creation(item: $0, step: step)] != nil }
  }

  /// The user continues items that waited because their outcome could not be determined.
  mutating func accept(riskOf node: Node) {
    untold = untold.filter { creation, _ in
      let step = node.machine.pipeline.steps[creation.step]
      let frame =
        creation.item.map { key in
          node.machine.state.loops[key.loop].active[key.ordinal]?.frame
            ?? node.world.rows.items[key.loop][key.ordinal].frame
        } ?? node.machine.state.frame
      guard creation.item?.part == nil, frame.indices.contains(step.position) else { return true }
      switch frame[step.position].status {
      case .pending, .queued, .succeeded, .skipped: return false
      case .running, .probing, .unknown: return true
      }
    }
  }

  /// The server reports that a batch did not take effect for a member, or does not any more.
  mutating func refuse(_ step: Int, for key: ItemKey?) {
    forget { $0.item == key && $0.step == step }
  }

  /// A result derived from one that expired or is reissued is another thing the next time.
  mutating func follow(_ event: Event, _ pipeline: Pipeline) {
    guard case .concluded(let id, let verdict) = event, !id.isCompensation else { return }
    switch verdict {
    case .expired(let step, _, _):
      batches = batches.filter { $0.key.item != id.item || $0.key.step != step }
    case .success:
      for (step, declaration) in pipeline.steps.enumerated()
      where declaration.uses.contains(where: { $0.step == id.step && $0.output != nil }) {
        batches = batches.filter { $0.key.item != id.item || $0.key.step != step }
      }
    default: return
    }
  }

  /// Undoes the results that were created for the item.
  mutating func undo(_ id: EffectID) {
    forget { $0.item == id.item }
  }

  private mutating func forget(_ isMeant: (Creation) -> Bool) {
    counts = counts.filter { !isMeant($0.key) }
    untold = untold.filter { !isMeant($0.key) }
    batches = batches.filter { !isMeant($0.key) }
  }

  /// Whether the step took effect for the item, or for a member of the batch.
  func holds(_ id: EffectID, _ members: [ItemKey]) -> Bool {
    guard case .step(let step, let generation) = id.target else { return false }
    let items: [ItemKey?] = members.isEmpty ? [id.item] : members
    return items.contains {
      let creation = Creation(item: $0, step: step, generation: tellsGenerations ? generation : 0)
      return counts[creation, default: 0] > 0
    }
  }
}
