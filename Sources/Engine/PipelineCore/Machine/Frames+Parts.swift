import CEL

/// The parts of items: their keys, their values, and how far they are.
extension Frames {
  /// Changes the frame of a part, and records that its item must become durable.
  mutating func updatePart(_ key: ItemKey, _ part: ItemKey.Part, _ change: (inout Frame) -> Void) {
    guard isInWindow(key) else { return }
    let position = pipeline.steps[part.step].position
    state.loops[key.loop].active[key.ordinal, default: Self.placeholder].frame[position]
      .parts?.update(part.number, change)
    changes.touched.insert(key.whole)
  }

  /// The parts that a part belongs to, in its item's frame; `nil` if they have started over since, or have ended.
  func parts(_ part: ItemKey.Part, in frame: Frame) -> PartsState? {
    let position = pipeline.steps[part.step].position
    guard frame.indices.contains(position), frame[position].generation == part.generation else {
      return nil
    }
    return frame[position].parts
  }

  /// The key of an item's part.
  func part(_ number: Int, of step: Int, _ key: ItemKey) -> ItemKey {
    key.part(number, of: step, generation: stepState(step, for: key, \.generation) ?? 0)
  }

  /// The part as expressions see it.
  func partValue(_ key: ItemKey) -> Value? {
    guard let part = key.part, let list = lists[key.whole],
      list.indices.contains(part.number)
    else { return nil }
    return list[part.number]
  }

  func list(
    _ template: PartsTemplate, _ key: ItemKey, at now: Instant
  ) throws(EvaluationFailure) -> [Value] {
    guard let list = try evaluator.value(template.items, scope(of: key, at: now)).listValue else {
      throw EvaluationFailure(message: "expected a list", location: template.items.location)
    }
    return Array(list)
  }

  /// Evaluates the list again in a process that has not seen it; `false` if its sources were lost.
  @discardableResult
  mutating func recoverParts(_ step: Int, _ key: ItemKey, at now: Instant) -> Bool {
    if lists[key] != nil { return true }
    guard let template = pipeline.partsTemplate(of: step),
      let known = stepState(step, for: key)?.parts
    else { return false }
    if let list = try? list(template, key, at: now), list.count == known.count {
      lists[key] = list
      return true
    }
    update(StepPlace(key: key, step: step)) { $0.isInvalidated = true }
    return false
  }

  /// Evaluates the lists of all items that have parts in progress.
  mutating func recoverParts(at now: Instant) {
    for case (let key?, let frame) in all() where key.part == nil {
      for (step, current) in zip(pipeline.steps(of: key), frame) where current.parts != nil {
        recoverParts(step, key, at: now)
      }
    }
  }

  /// Whether the step's parts are being worked on.
  func hasOpenParts(_ step: Int, for key: ItemKey?) -> Bool {
    stepState(step, for: key) { $0.parts != nil } == true
  }

  /// Whether everything before the step, and its list, is as it was when the parts started.
  func isOpen(_ step: Int, for key: ItemKey) -> Bool {
    for other in pipeline.steps(of: key) {
      guard unsettled(other, for: key) == nil else { return false }
      if other == step { return true }
    }
    return false
  }

  /// The parts of an item whose outcome is unknown.
  func unresolvedParts(of key: ItemKey) -> [ItemKey] {
    pipeline.steps(of: key).flatMap { step in
      (stepState(step, for: key)?.parts?.active ?? [:]).filter {
        $0.value.contains(where: \.isUnresolved)
      }.keys.sorted().map { part($0, of: step, key) }
    }
  }

  /// Starts the next part of an item; `nil` if all have started.
  mutating func beginPart(of step: Int, _ key: ItemKey) -> Int? {
    let fresh = Frame(repeating: StepState(), count: pipeline.partSteps(of: step).count)
    var number: Int?
    update(StepPlace(key: key, step: step)) { state in
      number = state.parts?.next
      if let number { state.parts?.active[number] = fresh }
    }
    return number
  }

  /// All parts are done, so the step has their values.
  mutating func finishParts(_ place: StepPlace, _ template: PartsTemplate, at now: Instant) {
    update(place) { step in
      let parts = step.parts
      step.outputs = template.collect.indices.map { index in
        OutputValue(value: .list(parts?.values(at: index) ?? []))
      }
      step.parts = nil
      step.isOver = true
      step.since = now
    }
    if let key = place.key {
      lists[key] = nil
      forgetParts(of: place.step, key)
    }
  }

  /// Lets the store drop the rows of the parts that are done.
  mutating func forgetParts(of step: Int, _ key: ItemKey) {
    changes.parts.append(.forgotten(key, step: step))
  }
}
