import CEL

extension Machine {
  struct StepPlace: Hashable {
    let key: ItemKey?
    /// Index in ``Pipeline/steps``.
    let step: Int
  }

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
  private func read<Field>(_ key: ItemKey, _ field: (Item) -> Field) -> Field? {
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

  /// Changes an item of the window and records that it must become durable.
  mutating func update(_ key: ItemKey, _ change: (inout Item) -> Void) {
    guard isInWindow(key) else { return }
    change(&state.loops[key.loop].active[key.ordinal, default: Self.placeholder])
    changes.touched.insert(key)
  }

  static let placeholder = Item(
    key: ItemKey(loop: 0, ordinal: 0), subject: .value(.null))

  /// Whether the step has nothing more to do: skipped, or succeeded with a result that is valid
  /// and derived from current results.
  func isSettled(_ step: Int, for key: ItemKey?) -> Bool {
    guard let status = stepState(step, for: key, \.status) else { return false }
    if isTurnOver(step, for: key) { return true }
    switch status {
    case .skipped: return true
    case .pending, .queued, .running, .probing, .unknown: return false
    case .succeeded:
      guard let current = stepState(step, for: key), !current.isInvalidated else { return false }
      return isMadeFromCurrent(current, step, for: key)
    }
  }

  /// Generations of everything that the step and its probe read, in the order of their uses.
  func sources(of step: Int, for key: ItemKey?) -> (uses: [Int], probe: [Int]) {
    func generations(_ uses: [OutputUse]) -> [Int] {
      uses.map { stepState($0.step, for: key, \.generation) ?? 0 }
    }
    let declaration = pipeline.steps[step]
    return (generations(declaration.uses), generations(declaration.probe?.uses ?? []))
  }

  /// Whether what identifies the result was derived from current results.
  func isMadeFromCurrent(_ current: StepState, _ step: Int, for key: ItemKey?) -> Bool {
    for (use, source) in zip(pipeline.steps[step].uses, current.sources) where !use.isCredential {
      let isCurrent = stepState(use.step, for: key) { producer in
        producer.generation == source && (!producer.isInvalidated || producer.status == .skipped)
      }
      guard isCurrent == true else { return false }
    }
    return true
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

  /// Prepares a step to be reissued after its result expired.
  mutating func prepareReissue(_ place: StepPlace, at now: Instant) {
    let batch = stepState(place.step, for: place.key)?.batch
    defer { if let batch { leaveBatch(place, from: batch, at: now) } }
    let keepsTurn = keepsTurn(place)
    if !keepsTurn { noteRemnants(of: place) }
    dropParts(of: place.step, place.key)
    let readsPrevious = pipeline.readsPrevious.contains(pipeline.steps[place.step].id)
    update(place) { step in
      // An expired result may have to wait before its step is reissued.
      if !step.isInvalidated { step.notBefore = nil }
      step.status = .pending
      step.attempt = 0
      step.failures = 0
      step.isInvalidated = false
      step.isForeign = false
      step.begun = nil
      step.slower = nil
      step.statuses = []
      if !keepsTurn {
        if readsPrevious, !step.outputs.isEmpty { step.previous = step.outputs }
        step.outputs = []
        step.turn = 0
        step.isOver = false
        step.farthest = nil
        // A turn that is kept keeps its sources, so that it starts over if they expire in the meantime.
        step.sources = []
      }
      step.file = nil
      step.parts = nil
      step.batch = nil
      step.since = now
    }
  }
}
