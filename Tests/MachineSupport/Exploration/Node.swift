public import PipelineCore

/// One state of an exploration: the machine, the world around it and the time.
public struct Node: Sendable {
  /// The machine.
  public var machine: Machine
  /// What the machine asked for and was not given.
  public var world: ModelWorld
  /// What the server took.
  public var server = ModelServer()
  /// The time.
  public var now = Instant(milliseconds: 0)
  /// Faults that may still happen.
  public var faults: Int
  /// The moves that led here, newest last.
  public var trail: [String] = []

  /// A run of `pipeline` that has not begun.
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
    machine.combineBehaviour(into: &hasher, at: now)
    for id in world.commands.keys.sorted(by: Self.order) {
      hasher.combine(id.item)
      hasher.combine(id.step)
      hasher.combine(id.generation == 0)
      hasher.combine(world.commands[id])
      hasher.combine(world.interrupts.contains(id))
    }
    hasher.combine(world.loads)
    hasher.combine(world.discards)
    hasher.combine(world.hasStopped)
    for loop in world.rows.items {
      for item in loop {
        hasher.combine(item.status)
        if item.status == .paused || item.status == .failed {
          machine.combine(item.frame, of: item.key, into: &hasher, at: now)
        }
      }
    }
    hasher.combine(server)
    hasher.combine(faults)
    return hasher.finalize()
  }

  static func order(_ left: EffectID, _ right: EffectID) -> Bool {
    (left.item ?? ItemKey(loop: -1, ordinal: -1), left.step, left.generation)
      < (right.item ?? ItemKey(loop: -1, ordinal: -1), right.step, right.generation)
  }

  /// Applies a move and says what is wrong with what came of it.
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
      if move.commits { problems += server.commit(id, machine) }
      if id.generation == 0 { server.undo(id) }
    }
    var event = move.event
    if case .itemsRequeued(let loop, _, _) = event { event = world.rows.requeue(loop) }
    world.willApply(event)
    let effects = machine.apply(event, at: now)
    world.rows.commit(machine.takeCheckpoint())
    problems += world.take(effects, machine, at: now)
    problems += machine.violations()
    return problems
  }
}

/// What a server holds in the end: how often each creating step took effect for each item.
public struct ModelServer: Hashable, Sendable {
  private struct Creation: Hashable {
    let item: ItemKey?
    let step: Int
  }
  private var keys: [Creation: Set<Int>] = [:]
  private var counts: [Creation: Int] = [:]

  /// Nothing was created yet.
  public init() {}

  /// Lets an attempt take effect; a repeat with a known key does not.
  ///
  /// - Returns: a complaint where a step whose outcome can be probed took effect twice.
  mutating func commit(_ id: EffectID, _ machine: Machine) -> [String] {
    let step = machine.pipeline.steps[id.step]
    guard step.effect == .create else { return [] }
    let creation = Creation(item: id.item, step: id.step)
    if step.idempotencyHeader != nil {
      keys[creation, default: []].insert(id.generation)
      return []
    }
    guard step.probe != nil else { return [] }
    counts[creation, default: 0] += 1
    return counts[creation, default: 0] > 1
      ? ["'\(step.id)' of \(id.item.map { "\($0)" } ?? "run") took effect twice"] : []
  }

  /// Takes back what was created for the item; where that fails, the item says so and what it left is known.
  mutating func undo(_ id: EffectID) {
    for creation in counts.keys where creation.item == id.item { counts[creation] = nil }
  }

  /// Whether the step took effect for the item.
  func holds(_ id: EffectID) -> Bool {
    counts[Creation(item: id.item, step: id.step), default: 0] > 0
  }
}
