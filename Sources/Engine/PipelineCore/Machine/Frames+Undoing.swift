/// What an item left at the server, and whether it can be undone.
extension Frames {
  /// Records the remnants of a step's result, just before the step is reissued.
  mutating func noteRemnants(of place: StepPlace) {
    guard let key = place.key, key.part == nil, pipeline.steps[place.step].loop != nil,
      stepState(place.step, for: key, \.status) == .succeeded
    else { return }
    for (index, compensation) in pipeline.loops[key.loop].onAbandon.enumerated() {
      let named = compensation.named(in: pipeline)
      guard named.contains(place.step), let remnant = remnant(of: index, naming: named, key)
      else { continue }
      update(key) { $0.remnants.append(remnant) }
    }
  }

  /// The results that the compensation names, as they are; `nil` if one is missing, existed before, or was noted already.
  func remnant(of index: Int, naming named: [Int], _ key: ItemKey) -> Remnant? {
    let known = item(key)?.remnants.filter { $0.compensation == index } ?? []
    var frame = Frame(repeating: StepState(), count: pipeline.loops[key.loop].steps.count)
    for step in named {
      let position = pipeline.steps[step].position
      guard let current = stepState(step, for: key), current.status == .succeeded,
        !current.isForeign, frame.indices.contains(position),
        !known.contains(where: { $0.frame[position].generation == current.generation })
      else { return nil }
      frame[position].status = .succeeded
      frame[position].generation = current.generation
      frame[position].since = current.since
      frame[position].outputs = current.outputs.map(\.withoutLifetime)
    }
    return Remnant(compensation: index, frame: frame)
  }

  /// A request that undoes something of an item: index in ``Loop/onAbandon``, and the remnant that it is for, if any.
  struct Undoing: Hashable {
    let compensation: Int
    let remnant: Remnant?
  }

  /// The effects to undo at this place: the compensations of the item itself, then its remnants.
  func undoing(_ index: Int, of key: ItemKey) -> Undoing? {
    let count = pipeline.loops[key.loop].onAbandon.count
    if index < count { return index < 0 ? nil : Undoing(compensation: index, remnant: nil) }
    guard let remnants = item(key)?.remnants, remnants.indices.contains(index - count) else {
      return nil
    }
    let remnant = remnants[index - count]
    return Undoing(compensation: remnant.compensation, remnant: remnant)
  }

  /// Whether an item that is about to end with `status` has remnants to be undone.
  func hasRemnants(_ key: ItemKey, endingAs status: Item.Status) -> Bool {
    item(key)?.remnants.contains { !isKept($0, by: key, endingAs: status) } ?? false
  }

  /// Whether the server keeps the effect that a remnant names, or may have no other effect of it.
  func isKept(_ remnant: Remnant, by key: ItemKey, endingAs status: Item.Status) -> Bool {
    var isSame = true
    var isReplaced = false
    let isComplete = status == .done || status == .skipped
    for position in remnant.positions {
      let was = remnant.frame[position]
      let step = pipeline.loops[key.loop].steps[position]
      let current = stepState(step, for: key)
      let isPresent =
        current.map { $0.status == .succeeded && !$0.isInvalidated && !$0.isForeign } ?? false
      if isComplete, !isPresent { return true }
      isReplaced = isReplaced || current.map { $0.generation > was.generation } ?? false
      isSame =
        isSame && isPresent && current?.outputs.map(\.value) == was.outputs.map(\.value)
        && !was.outputs.contains(where: \.isSecret)
    }
    return isSame || isComplete && !isReplaced
  }

  func isValid(_ use: OutputUse, for key: ItemKey, at now: Instant) -> Bool {
    guard let producer = stepState(use.step, for: key), producer.status == .succeeded,
      !producer.isInvalidated
    else { return false }
    guard let output = use.output else { return true }
    return producer.outputs.indices.contains(output)
      && producer.outputs[output].isValid(at: now)
  }

  /// Whether the use may name something that the run did not create.
  func isForeign(_ use: OutputUse, for key: ItemKey) -> Bool {
    !use.isCredential && stepState(use.step, for: key, \.isForeign) == true
  }

  /// Why an effect can no longer be named: it was secret, and was lost with its process.
  func loss(of use: OutputUse, _ producer: StepState) -> Failure? {
    guard let output = use.output, producer.status == .succeeded, !producer.isInvalidated,
      producer.outputs.indices.contains(output),
      producer.outputs[output].value == nil
    else { return nil }
    let step = pipeline.steps[use.step]
    return Failure(
      "'\(step.outputs[output].name)' of step '\(step.id)' is secret and was lost with its process")
  }

  func compensationID(_ key: ItemKey, _ abandoning: Item.AbandonProgress) -> EffectID {
    EffectID(run: state.id, item: key, target: .compensation, attempt: abandoning.attempt)
  }

  func policy(of abandoning: Item.AbandonProgress, _ key: ItemKey) -> RetryPolicy {
    undoing(abandoning.index, of: key)
      .map { pipeline.loops[key.loop].onAbandon[$0.compensation].retry } ?? .standard
  }
}
