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

  func compensationID(_ key: ItemKey, _ abandoning: Item.AbandonProgress) -> EffectID {
    EffectID(run: state.id, item: key, target: .compensation, attempt: abandoning.attempt)
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

  func policy(of abandoning: Item.AbandonProgress, _ key: ItemKey) -> RetryPolicy {
    undoing(abandoning.index, of: key)
      .map { pipeline.loops[key.loop].onAbandon[$0.compensation].retry } ?? .standard
  }
}

/// A request that undoes something of an item: index in ``Loop/onAbandon``, and the remnant that it is for, if any.
struct Undoing: Hashable {
  let compensation: Int
  let remnant: Remnant?
}

extension Item {
  /// Whether the item, which is about to end with `status`, has remnants to be undone.
  func hasRemnants(endingAs status: Status) -> Bool {
    remnants.contains { !isKept($0, endingAs: status) }
  }

  /// Whether the server keeps the effect that a remnant names, or may have no other effect of it.
  func isKept(_ remnant: Remnant, endingAs status: Status) -> Bool {
    var isSame = true
    var isReplaced = false
    let isComplete = status == .done || status == .skipped
    for position in remnant.positions {
      let was = remnant.frame[position]
      let current = frame.indices.contains(position) ? frame[position] : nil
      let isPresent = current.map { $0.hasResult && !$0.isForeign } ?? false
      if isComplete, !isPresent { return true }
      isReplaced = isReplaced || current.map { $0.generation > was.generation } ?? false
      isSame =
        isSame && isPresent && current?.outputs.map(\.value) == was.outputs.map(\.value)
        && !was.outputs.contains(where: \.isSecret)
    }
    return isSame || isComplete && !isReplaced
  }
}
