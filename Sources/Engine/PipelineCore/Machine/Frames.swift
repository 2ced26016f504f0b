import CEL

/// A step of a frame: the run's (`nil`), an item's or a part's.
struct StepPlace: Hashable, Sendable {
  let key: ItemKey?
  /// Index in ``Pipeline/steps``.
  let step: Int
}

/// The frames of a run: its own, those of the items in the window, and those of their parts.
///
/// Each change here records that it must become durable.
struct Frames: Equatable, Sendable {
  /// Evaluates the expressions of the definition; not part of the state.
  let evaluator: Evaluator
  /// Everything durable, and the window.
  var state: RunState
  /// The parts of items, as expressions see them, derived from the state.
  var lists: [ItemKey: [Value]] = [:]
  /// What must become durable before the next effect.
  var changes = Changes()

  init(_ state: RunState, evaluator: Evaluator) {
    (self.state, self.evaluator) = (state, evaluator)
  }

  var pipeline: Pipeline { evaluator.pipeline }

  /// The frame of an item or (`nil`) of the run.
  func frame(_ key: ItemKey?) -> Frame {
    guard let key else { return state.frame }
    guard let frame = read(key, \.frame) else { return [] }
    guard let part = key.part else { return frame }
    return parts(part, in: frame)?.active[part.number] ?? []
  }

  /// The item of a frame; `nil` if the frame is not in the window.
  func item(_ key: ItemKey?) -> Item? { key.flatMap { isInWindow($0) ? read($0, \.self) : nil } }

  /// What undoes the item of a frame; `nil` if it is not being undone, or the frame is not in the window.
  func abandonProgress(of key: ItemKey?) -> Item.AbandonProgress? {
    key.flatMap { isInWindow($0) ? read($0, \.abandoning) ?? nil : nil }
  }

  /// Whether the item or the part is in the window.
  func isInWindow(_ key: ItemKey) -> Bool {
    guard let part = key.part else {
      return state.loops[key.loop].active.index(forKey: key.ordinal) != nil
    }
    guard let frame = read(key, \.frame) else { return false }
    return parts(part, in: frame)?.active[part.number] != nil
  }

  /// A field of the item in the window that `key` or its part belongs to.
  ///
  /// The dictionary's own subscript would copy the whole item, and count a reference to all that it has.
  func read<Field>(_ key: ItemKey, _ field: (Item) -> Field) -> Field? {
    guard let index = state.loops[key.loop].active.index(forKey: key.ordinal) else { return nil }
    return field(state.loops[key.loop].active.values[index])
  }

  /// The state of a step: the run's if it is run-level, else the item's or the part's.
  func stepState(_ step: Int, for key: ItemKey?) -> StepState? {
    let declaration = pipeline.steps[step]
    if declaration.loop == nil { return state.frame[declaration.position] }
    let frame = frame(declaration.owner(readFrom: key))
    return frame.indices.contains(declaration.position) ? frame[declaration.position] : nil
  }

  /// A field of the state of a step, without a copy of the rest; `nil` if the frame is not in the window.
  func stepState<Field>(_ step: Int, for key: ItemKey?, _ field: (StepState) -> Field) -> Field? {
    let declaration = pipeline.steps[step]
    if declaration.loop == nil { return field(state.frame[declaration.position]) }
    let frame = frame(declaration.owner(readFrom: key))
    return frame.indices.contains(declaration.position) ? field(frame[declaration.position]) : nil
  }

  /// The frame that a step belongs to when it is read from `key`.
  func owner(of step: Int, readFrom key: ItemKey?) -> ItemKey? {
    pipeline.steps[step].owner(readFrom: key)
  }

  /// Changes the state of a step in place and records that it must become durable.
  mutating func update(_ place: StepPlace, _ change: (inout StepState) -> Void) {
    let position = pipeline.steps[place.step].position
    if let key = owner(of: place.step, readFrom: place.key) {
      if let part = key.part {
        updatePart(key, part) { frame in
          if frame.indices.contains(position) { change(&frame[position]) }
        }
      } else if state.loops[key.loop].active[key.ordinal]?.frame.indices.contains(position) == true
      {
        change(
          &state.loops[key.loop].active[key.ordinal, default: Self.placeholder].frame[position])
        changes.touched.insert(key)
      }
    } else {
      change(&state.frame[position])
      changes.isRunChanged = true
    }
  }

  /// Puts a step back: it is to be issued again, or probed, once the time has come.
  mutating func putBack(
    _ place: StepPlace, as status: StepState.Status, _ failure: Failure?,
    until moment: Instant? = nil, at now: Instant
  ) {
    let probe = pipeline.steps[place.step].probe
    update(place) { step in
      step.putBack(as: status, probe, at: now)
      step.failure = failure
      step.notBefore = [moment, step.notBefore].compactMap { $0 }.max()
    }
  }

  /// Changes an item of the window and records that it must become durable.
  mutating func update(_ key: ItemKey, _ change: (inout Item) -> Void) {
    guard isInWindow(key) else { return }
    change(&state.loops[key.loop].active[key.ordinal, default: Self.placeholder])
    changes.touched.insert(key)
  }

  static let placeholder = Item(key: ItemKey(loop: 0, ordinal: 0), subject: .value(.null))

  /// The scope of a frame: the run's, an item's or a part's.
  func scope(of key: ItemKey?, at now: Instant) -> Scope {
    let scope = Scope(state, item: item(key), now: now)
    guard let key, let value = partValue(key) else { return scope }
    return scope.of(key, part: value, frame(key))
  }

  /// The steps of a frame, by their index in ``Pipeline/steps``.
  func steps(of key: ItemKey?) -> [(step: Int, state: StepState)] {
    Array(zip(pipeline.steps(of: key), frame(key)))
  }

  /// All frames of the window, the run's first, items in order.
  func all() -> [(key: ItemKey?, frame: Frame)] {
    var result: [(ItemKey?, Frame)] = [(nil, state.frame)]
    for (loop, current) in state.loops.enumerated() {
      for ordinal in current.active.keys.sorted() {
        guard let item = current.active[ordinal] else { continue }
        let key = ItemKey(loop: loop, ordinal: ordinal)
        result.append((key, item.frame))
        for (step, current) in zip(pipeline.loops[loop].steps, item.frame) {
          for (number, frame) in current.parts?.active.sorted(by: { $0.key < $1.key }) ?? [] {
            result.append((key.part(number, of: step, generation: current.generation), frame))
          }
        }
      }
    }
    return result
  }

  /// The fence of the step's current issue; for a batch, that of the first member present.
  func effectID(_ place: StepPlace) -> EffectID {
    let place = StepPlace(key: carrier(of: place) ?? place.key, step: place.step)
    let current = stepState(place.step, for: place.key)
    return EffectID(
      run: state.id, item: place.key, step: place.step, generation: current?.generation ?? 0,
      attempt: current?.attempt ?? 0)
  }

  /// The fence of the step's next attempt.
  func nextEffectID(_ place: StepPlace) -> EffectID {
    let current = stepState(place.step, for: place.key)
    let attempt = current?.attempt ?? 0
    return EffectID(
      run: state.id, item: place.key, step: place.step,
      generation: (current?.generation ?? 0) + (attempt == 0 ? 1 : 0), attempt: attempt + 1)
  }

  /// Whether the effect is limited by the execution allowance: all except transfers.
  func needsAllowance(_ id: EffectID) -> Bool {
    guard let step = id.step, pipeline.steps[step].transfer != nil else { return true }
    return stepState(step, for: id.item, \.status) == .probing
  }

  mutating func count(_ loop: Int, _ status: Item.Status, _ change: Int) {
    state.loops[loop].counts[status] += change
    changes.isRunChanged = true
  }

  /// Resets the failure counts of run-level steps.
  mutating func resetAttempts() {
    for index in state.frame.indices {
      state.frame[index].failures = 0
      state.frame[index].reissues = 0
      state.frame[index].unusedInvalidations = 0
      state.frame[index].begun = nil
      state.frame[index].notBefore = nil
    }
  }

  var isOver: Bool {
    switch state.status {
    case .cancelled: true
    case .finished:
      state.loops.allSatisfy { $0.counts[.paused] == 0 && $0.counts[.failed] == 0 }
    case .running, .paused, .cancelling: false
    }
  }

  /// A turn has made progress, so its transfers move something new; those of a range of a file continue in it.
  mutating func countTurnAnew(_ place: StepPlace) {
    for step in pipeline.turn(of: place.step) {
      if case .upload(let template) = pipeline.steps[step].action, template.range != nil {
        continue
      }
      let own = StepPlace(key: place.key, step: step)
      if stepState(step, for: place.key, \.movedTo) ?? 0 > 0 { update(own) { $0.movedTo = 0 } }
    }
  }

  /// Narrows the bounds of a server's clock.
  mutating func learn(_ clock: StepResult.HostClock) {
    let known = state.clocks[clock.host]
    state.clocks[clock.host] = known?.narrowed(by: clock.offset) ?? clock.offset
    changes.isRunChanged = true
  }

  mutating func learn(from result: StepResult, _ place: StepPlace, isProbe: Bool) {
    let kind = pipeline.steps[place.step].kind
    guard kind.hasResponse else { return }
    if let clock = result.clock { learn(clock) }
    if kind == .request || kind == .poll || isProbe {
      state.pace.learn(request: result.duration)
    } else if kind == .upload {
      state.pace.learn(upload: result.bytes, in: result.duration)
    }
    changes.isRunChanged = true
  }

  /// The active items that were sent in the batch and whose result is unknown.
  func members(of batch: BatchMembership, _ step: Int, _ loop: Int) -> [ItemKey] {
    let position = pipeline.steps[step].position
    return state.loops[loop].active.values.compactMap { item in
      guard item.frame.indices.contains(position), let other = item.frame[position].batch,
        other.first == batch.first, other.generation == batch.generation
      else { return nil }
      return item.key
    }.sorted()
  }

  /// The first of those that one request is sent for; `nil` if the step's request is for one item.
  func carrier(of place: StepPlace) -> ItemKey? {
    guard let key = place.key, let batch = stepState(place.step, for: key)?.batch else {
      return nil
    }
    let isSent = stepState(place.step, for: key, \.isInFlight)
    return members(of: batch, place.step, key.loop).first {
      stepState(place.step, for: $0, \.isInFlight) == isSent
    }
  }

  /// The step at which an item was queued for a batch when its process ended.
  func queuedPlace(of item: Item) -> StepPlace? {
    let steps = pipeline.loops[item.key.loop].steps
    guard let step = zip(steps, item.frame).first(where: { $1.status == .queued })?.0,
      // The values of its group may have been secret, and lost.
      pipeline.steps[step].batch?.ofItems.isEmpty == true,
      steps.prefix(while: { $0 != step }).allSatisfy({ isSettled($0, for: item.key) })
    else { return nil }
    return StepPlace(key: item.key, step: step)
  }

  /// Whether other members of the item's batch are in flight: two requests would have the same fence.
  func isInFlight(batchOf key: ItemKey, _ step: Int, _ loop: Int) -> Bool {
    guard let batch = stepState(step, for: key)?.batch else { return false }
    return members(of: batch, step, loop).contains {
      stepState(step, for: $0, \.isInFlight) == true
    }
  }

  /// The size of the batch: members that were released without the others have a smaller one.
  func size(of members: [ItemKey], _ step: Int) -> Int {
    members.compactMap { stepState(step, for: $0)?.batch?.items }.max() ?? 0
  }
}

extension ItemKey {
  /// Orders frames: the run's first, items in order.
  static func precedes(_ left: ItemKey?, _ right: ItemKey?) -> Bool {
    guard let right else { return false }
    guard let left else { return true }
    return left < right
  }
}

extension EffectID {
  static func order(_ left: EffectID, _ right: EffectID) -> Bool {
    (left.item ?? ItemKey(loop: -1, ordinal: -1), left.step ?? .max)
      < (right.item ?? ItemKey(loop: -1, ordinal: -1), right.step ?? .max)
  }
}
