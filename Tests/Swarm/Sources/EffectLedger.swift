import PipelineCore

/// What the store has known of each effect of a creating step: whether it succeeded, what it was made from, and which
/// items one request stood for.
struct EffectLedger {
  /// One generation of a step for an item, or for the run.
  struct Made: Hashable {
    let key: ItemKey?
    let step: Int
    let generation: Int
  }

  private let pipeline: Pipeline
  /// Those that the run knew as succeeded.
  private var known: Set<Made> = []
  /// The generations of the results that each was made from.
  private var sources: [Made: [Int]] = [:]
  /// What one request stood for, by its fence.
  private var members: [EffectID: [Made]] = [:]
  /// The moments at which a run-scope step was reissued, in this process.
  private var begun: [Int: [Instant]] = [:]
  private var statuses: [ItemKey: Item.Status] = [:]

  init(_ pipeline: Pipeline) { self.pipeline = pipeline }

  /// Takes in what has become durable.
  mutating func note(_ frame: Frame, of key: ItemKey?, status: Item.Status?) {
    if let key { statuses[key] = status }
    let steps = key.map { pipeline.loops[$0.loop].steps } ?? pipeline.runSteps
    for step in steps where pipeline.steps[step].effect == .create {
      let position = pipeline.steps[step].position
      guard frame.indices.contains(position) else { continue }
      let state = frame[position]
      let made = Made(key: key, step: step, generation: state.generation)
      if state.status == .succeeded { known.insert(made) }
      if state.isInFlight { sources[made] = state.sources }
    }
  }

  /// Takes in that a server has said of an attempt that it took effect.
  mutating func noteSuccess(of id: EffectID) {
    for made in members(of: id) { known.insert(made) }
  }

  mutating func processEnded() { begun = [:] }

  /// What one request stands for, itself where it is no batch.
  func members(of id: EffectID) -> [Made] {
    members[id] ?? [Made(key: id.item, step: id.step, generation: id.generation)]
  }

  /// Takes in a command; gives what is wrong with it.
  mutating func note(_ command: Command, durable: [ItemKey?: Frame]) -> [String] {
    let id = command.id
    let step = pipeline.steps[id.step]
    var found: [String] = []
    if !command.scope.members.isEmpty { found += noteBatch(command, durable) }
    guard step.loop == nil, case .attempt = command.action else { return found }
    found += unfinished(before: id.step).map { "\(id) is sent, and \($0)" }
    guard id.attempt == 1, id.generation > 1 else { return found }
    let now = command.scope.now
    let recent = begun[id.step, default: []].filter { now - $0 < .seconds(1) }
    begun[id.step] = recent + [now]
    if recent.count >= 3 {
      found.append("'\(step.id)' is reissued \(recent.count + 1) times in 1 s")
    }
    return found
  }

  /// A batch whose answer was lost is sent again as it was.
  private mutating func noteBatch(_ command: Command, _ durable: [ItemKey?: Frame]) -> [String] {
    let id = command.id
    let position = pipeline.steps[id.step].position
    let count = command.scope.members.count
    var found: [String] = []
    members[id] = []
    for member in command.scope.members {
      guard let state = durable[member.item]?[position] else { continue }
      members[id]?.append(Made(key: member.item, step: id.step, generation: state.generation))
      if let batch = state.batch, batch.isOpen, batch.items != count {
        found.append(
          "\(id) stands for \(count) items, and \(member.item) was sent with \(batch.items)")
      }
    }
    return found
  }

  /// Why a step of run scope must not be sent yet: items of a loop before it are not done.
  private func unfinished(before step: Int) -> [String] {
    var found: [String] = []
    for node in pipeline.nodes {
      switch node {
      case .step(step): return found
      case .step: continue
      case .loop(let loop):
        let held: Set<Item.Status> =
          pipeline.loops[loop].failures == .stop
          ? [.active, .pending, .paused, .failed] : [.active, .pending, .paused]
        for (key, status) in statuses where key.loop == loop && held.contains(status) {
          found.append("\(key) is \(status)")
        }
      }
    }
    return found
  }

  /// Whether nobody can have wanted the later one: what became of the earlier one was never known, and both were made
  /// from the same results.
  func isUnwanted(_ later: Made, after earlier: Made) -> Bool {
    guard !known.contains(earlier), let old = sources[earlier], let new = sources[later] else {
      return false
    }
    return old == new
  }
}

extension Pipeline {
  /// Steps outside of loops.
  fileprivate var runSteps: [Int] { steps.indices.filter { steps[$0].loop == nil } }
}
