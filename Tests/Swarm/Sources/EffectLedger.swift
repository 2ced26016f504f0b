import PipelineCore

/// The store's record of each effect of a creating step: whether it succeeded, its sources,
/// and the items of its request.
struct EffectLedger {
  /// One generation of a step for an item, or for the run.
  struct IssuedStep: Hashable {
    let key: ItemKey?
    let step: Int
    let generation: Int
  }

  private let pipeline: Pipeline
  /// Those that the run recorded as succeeded.
  private var known: Set<IssuedStep> = []
  /// The generations of the results that each was derived from.
  private var sources: [IssuedStep: [Int]] = [:]
  /// What one request stood for, by its fence.
  private var members: [EffectID: [IssuedStep]] = [:]
  /// When a run-level step last succeeded, as this process recorded it, and with which generation.
  private var issued: [Int: (at: Instant, generation: Int)] = [:]
  private var statuses: [ItemKey: Item.Status] = [:]
  /// The results that compensations can name.
  private(set) var replaced: ReplacedResults

  init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
    replaced = ReplacedResults(pipeline)
  }

  /// Records durable changes.
  mutating func note(_ frame: Frame, of key: ItemKey?, status: Item.Status?) {
    if let key, key.part == nil {
      statuses[key] = status
      replaced.note(frame, of: key, status: status)
    }
    let steps = key.map { pipeline.steps(of: $0) } ?? pipeline.runSteps
    for (part, frame) in pipeline.parts(of: key, frame) { note(frame, of: part, status: nil) }
    if key == nil { noteIssues(frame) }
    for step in steps where pipeline.steps[step].effect == .create {
      let position = pipeline.steps[step].position
      guard frame.indices.contains(position) else { continue }
      let state = frame[position]
      let made = IssuedStep(key: key, step: step, generation: state.generation)
      if state.status == .succeeded { known.insert(made) }
      if state.isInFlight { sources[made] = state.sources }
    }
  }

  /// Records that a server has reported that an attempt took effect.
  mutating func noteSuccess(of id: EffectID) {
    for made in members(of: id) { known.insert(made) }
  }

  /// The state that a process drops: a frame that continues after its end, or at the user's request,
  /// waits for nothing.
  mutating func processEnded() { issued = [:] }

  /// A process that undoes a cancelled run signs in at once.
  mutating func note(_ status: RunState.Status) { if status != .running { issued = [:] } }

  private mutating func noteIssues(_ frame: Frame) {
    for step in pipeline.runSteps where frame.indices.contains(pipeline.steps[step].position) {
      let state = frame[pipeline.steps[step].position]
      guard state.status == .succeeded else { continue }
      // A secret that went with its process was lost, and not used up.
      let isLost = state.outputs.contains { $0.value == nil }
      issued[step] = isLost ? nil : (state.since, state.generation)
    }
  }

  /// The members of one request; the request itself if it is not a batch.
  func members(of id: EffectID) -> [IssuedStep] {
    if let known = members[id] { return known }
    guard case .step(let step, let generation) = id.target else { return [] }
    return [IssuedStep(key: id.item, step: step, generation: generation)]
  }

  /// Records a command; returns its problems.
  mutating func note(_ command: Command, durable: [ItemKey?: Frame]) -> [String] {
    let id = command.id
    guard let index = id.step else { return [] }
    let step = pipeline.steps[index]
    var found: [String] = []
    if !command.scope.members.isEmpty { found += noteBatch(command, of: index, durable) }
    guard step.loop == nil, case .attempt = command.action else { return found }
    // An unknown outcome is resolved first, even if items before the step were retried in the meantime.
    if durable[nil]?[step.position].isUnresolved != true {
      found += unfinished(before: index).map { "\(id) is sent, and \($0)" }
    }
    if let pause = missingPause(command) { found.append(pause) }
    return found
  }

  /// A run-level step is reissued at once the first time, and from then on at most once in the first delay of its policy.
  private func missingPause(_ command: Command) -> String? {
    guard case .step(let index, let generation) = command.id.target else { return nil }
    let step = pipeline.steps[index]
    guard command.id.attempt == 1, generation > 2, step.retry.jitter == .none,
      step.transfer == nil, let last = issued[index], last.generation == generation - 1
    else { return nil }
    let age = command.scope.now - last.at
    return age < step.retry.initial
      ? "'\(step.id)' is reissued \(age.milliseconds) ms after it was issued" : nil
  }

  /// A batch whose answer was lost is sent again as it was.
  private mutating func noteBatch(
    _ command: Command, of step: Int, _ durable: [ItemKey?: Frame]
  ) -> [String] {
    let id = command.id
    let position = pipeline.steps[step].position
    let count = command.scope.members.count
    var found: [String] = []
    let known = members.updateValue([], forKey: id)
    for member in command.scope.members {
      guard let state = durable[member.item]?[position] else { continue }
      members[id]?.append(IssuedStep(key: member.item, step: step, generation: state.generation))
      if let batch = state.batch, batch.isOpen, batch.items != count {
        found.append(
          "\(id) is for \(count) items, but \(member.item) was sent with \(batch.items)")
      }
    }
    if let known, known != members[id] { found.append("\(id) is the fence of two requests") }
    return found
  }

  /// Why a run-level step must not be sent yet: items of a loop before it are not done.
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

  /// Whether the later one was not intended: the outcome of the earlier one was never known, and
  /// both were derived from the same results.
  func isUnwanted(_ later: IssuedStep, after earlier: IssuedStep) -> Bool {
    guard !known.contains(earlier), let old = sources[earlier], let new = sources[later] else {
      return false
    }
    return old == new
  }
}

extension Pipeline {
  /// The frames of an item's parts that are being worked on.
  func parts(of key: ItemKey?, _ frame: Frame) -> [(ItemKey, Frame)] {
    guard let key, key.part == nil else { return [] }
    return zip(steps(of: key), frame).flatMap { index, state in
      (state.parts?.active ?? [:]).sorted { $0.key < $1.key }.map { number, frame in
        (key.part(number, of: index, generation: state.generation), frame)
      }
    }
  }

  /// Steps outside of loops.
  fileprivate var runSteps: [Int] { steps.indices.filter { steps[$0].loop == nil } }
}
