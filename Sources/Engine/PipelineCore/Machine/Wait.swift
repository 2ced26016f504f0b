import CEL

/// Something that waits, and why: progress, reports and JSON show this, and compute nothing of it themselves (one home per fact).
public struct Wait: Hashable, Sendable, Codable {
  /// What waits.
  public enum Subject: Hashable, Sendable, Codable {
    /// The run itself, which reads a list or undoes the effects of items.
    case run
    /// A run-level step.
    case step(Int)
    /// An item, or one of its parts.
    case item(ItemKey)
    /// Items of a loop that have not started.
    case pending(loop: Int, count: Int)
  }

  /// What waits.
  public let subject: Subject
  /// Its name for the user, such as the item's label, or `step 'sign_in'`.
  public let name: String
  /// The reason for the wait.
  public let blocker: Blocker
  /// When the subject last changed its state.
  public let since: Instant
  /// Why the last attempt failed: the subject's own, or that of the step that it waits for.
  public let failure: Failure?
  /// Items that wait for the same batch, including the subject; 0 if it waits for none.
  public let standing: Int
  /// How far its turns or parts are, as in `turn 3 of 'sent': offset 16777216`; empty if there are no turns or parts.
  public let place: String
}

extension Machine {
  /// Everything that waits: a run-level step, then of each loop its items with their parts,
  /// and those that have not started.
  public func waits() -> [Wait] {
    var waits: [Wait] = []
    if let blocker = waiting.blockers[nil], ![.items, .process].contains(blocker.kind.0) {
      waits.append(Wait(blocker.step.map { .step($0) } ?? .run, of: nil, blocker, in: self))
    }
    for loop in state.loops.indices {
      for ordinal in state.loops[loop].active.keys.sorted() {
        waits += self.waits(of: ItemKey(loop: loop, ordinal: ordinal))
      }
      let count = state.loops[loop].counts[.pending]
      if count > 0, let blocker = pendingBlocker(of: loop) {
        waits.append(Wait(.pending(loop: loop, count: count), of: nil, blocker, in: self))
      }
    }
    return waits
  }

  /// The waits of an item of the window, and of each of its parts.
  private func waits(of key: ItemKey) -> [Wait] {
    guard let blocker = waiting.blockers[key], let item = frames.item(key) else { return [] }
    var waits = [Wait(.item(key), of: key, blocker, in: self)]
    for (step, current) in zip(pipeline.loops[key.loop].steps, item.frame) {
      for number in current.parts?.active.keys.sorted() ?? [] {
        let part = key.part(number, of: step, generation: current.generation)
        guard let blocker = waiting.blockers[part] else { continue }
        waits.append(Wait(.item(part), of: part, blocker, in: self))
      }
    }
    return waits
  }

  /// Why the next pending item of a loop does not start; `nil` if the run does not continue, or is about to start it.
  func pendingBlocker(of loop: Int) -> Blocker? {
    guard state.status == .running, let own = waiting.blockers[nil] else { return .stopped }
    guard own == .loop(loop) else {
      // The run has not come to the loop.
      return own.step.map { .dependency(step: pipeline.loops[loop].steps.first ?? $0, on: $0) }
        ?? own
    }
    let declaration = pipeline.loops[loop]
    if workingItems(in: loop) >= declaration.concurrency {
      return .concurrency(limit: declaration.concurrency)
    }
    if mayBegin(in: loop) { return state.loops[loop].isLoading ? .enumeration(loop: loop) : nil }
    let key = waiting.disk.frames.first { $0?.loop == loop && $0?.part == nil }
    // Otherwise as many items wait as may, each with its own reason.
    return key.flatMap { waiting.blockers[$0] } ?? .loop(loop)
  }
}

extension Wait {
  /// Describes why the subject, or the frame of `key`, waits.
  fileprivate init(_ subject: Subject, of key: ItemKey?, _ blocker: Blocker, in machine: Machine) {
    let frames = machine.frames
    let moments =
      frames.frame(key).map(\.since) + [frames.abandonProgress(of: key)?.since].compactMap { $0 }
    (self.subject, self.blocker) = (subject, blocker)
    name = Self.name(of: subject, in: frames)
    since = max(moments.max() ?? frames.state.began, frames.state.began)
    failure = Self.failure(behind: blocker, of: key, in: frames)
    standing = key.map(machine.queuedItems) ?? 0
    place = key.map { Self.place(of: $0, in: frames) } ?? ""
  }

  private static func name(of subject: Subject, in frames: Frames) -> String {
    switch subject {
    case .run: return "the run"
    case .step(let step): return "step '\(frames.pipeline.steps[step].id)'"
    case .pending(_, let count): return count == 1 ? "1 item" : "\(count) items"
    case .item(let key):
      return (frames.item(key)?.subject.label ?? "")
        + (key.part.map { " part \($0.number + 1)" } ?? "")
    }
  }

  private static func failure(
    behind blocker: Blocker, of key: ItemKey?, in frames: Frames
  ) -> Failure? {
    if case .compensation = blocker { return frames.abandonProgress(of: key)?.failure }
    if let producer = blocker.producer { return frames.stepState(producer, for: key)?.failure }
    return frames.frame(key).first { $0.status != .succeeded && $0.failure != nil }?.failure
  }

  /// How far the turns or the parts of the frame are.
  private static func place(of key: ItemKey, in frames: Frames) -> String {
    for (index, current) in frames.steps(of: key) {
      let step = frames.pipeline.steps[index]
      if let parts = current.parts {
        let active = parts.active.keys.sorted().map { String($0 + 1) }.joined(separator: ", ")
        let words = active.isEmpty ? "" : ", in progress: \(active)"
        return "\(parts.done) of \(parts.count) parts of '\(step.id)' are done\(words)"
      }
      guard current.turn > 0, !current.isOver else { continue }
      // Whole numbers measure progress; texts are long, and may be addresses that grant access.
      let values = zip(step.outputs, current.outputs).compactMap { output, known -> String? in
        guard case .int(let number)? = known.value, !output.isSecret else { return nil }
        return "\(output.name) \(number)"
      }
      let words = values.isEmpty ? "" : ": " + values.joined(separator: ", ")
      return "turn \(current.turn) of '\(step.id)'\(words)"
    }
    return ""
  }
}

extension Machine {
  /// The machine that the process which works on the run has, as far as the stored state shows it: commands in flight stay so,
  /// and that process has the secrets that the store must not contain.
  public init(observing state: RunState, evaluator: Evaluator, at now: Instant) {
    self.init(state.withPlaceholders, evaluator: evaluator)
    isRecovered = true
    for (key, frame) in frames.all() {
      for (step, current) in zip(pipeline.steps(of: key), frame) {
        ledger.diskBytes += current.reservedBytes
        guard current.isInFlight else { continue }
        let id = frames.effectID(StepPlace(key: key, step: step))
        if !inFlight.contains(id) { launch(id) }
        if let key, pipeline.steps[step].batch != nil {
          batches.inFlight[id, default: []].append(key)
        }
        if current.status == .running, pipeline.steps[step].transfer != nil {
          ledger.transfers += 1
        }
        waiting.blockers[key] =
          current.status == .probing ? .probe(step: step) : .attempt(step: step)
      }
      if let key, let abandoning = frames.abandonProgress(of: key), abandoning.since != nil,
        abandoning.notBefore == nil
      {
        launch(frames.compensationID(key, abandoning))
        waiting.blockers[key] = .compensation()
      }
    }
    _ = apply(.runResumed, at: now)
  }
}

extension RunState {
  /// With a placeholder for each secret that is not stored.
  fileprivate var withPlaceholders: RunState {
    func complete(_ step: StepState) -> StepState {
      var step = step
      step.outputs = step.outputs.map { output in
        output.isSecret && output.value == nil ? output.with(value: .string("***")) : output
      }
      step.parts = step.parts?.with(complete)
      return step
    }
    var state = self
    state.frame = frame.map(complete)
    for loop in loops.indices {
      state.loops[loop].active = loops[loop].active.mapValues { item in
        var item = item
        item.frame = item.frame.map(complete)
        return item
      }
    }
    return state
  }
}
