import CEL

/// The batches of a run: those in flight, and the items that wait for one.
struct Batches: Hashable, Sendable {
  /// The members of each batch that is in flight, by the fence of its first member.
  var inFlight: [EffectID: [ItemKey]] = [:]
  /// Items queued for a batch, by step.
  var queues: [Int: BatchQueue] = [:]
  /// The group of each item that reached a step with `batch`: the items that may share one.
  var groups: [StepPlace: Value] = [:]

  /// Items that are queued for a batch, or whose batch has a single place for all.
  func itemsWithoutPlace(in loop: Int, of pipeline: Pipeline) -> Int {
    guard !queues.isEmpty || !inFlight.isEmpty else { return 0 }
    var count = 0
    for (step, queue) in queues where pipeline.steps[step].loop == loop {
      count += queue.count
    }
    for (id, members) in inFlight where id.item?.loop == loop { count += members.count - 1 }
    return count
  }

  /// When the first batch of each group is sent even if it is not full.
  func deadlines(in pipeline: Pipeline) -> [Instant] {
    queues.flatMap { step, queue in
      pipeline.steps[step].batch.map { policy in queue.begun.map { $0 + policy.within } } ?? []
    }
  }

  /// Removes an item from the queue for the step's next batch.
  mutating func remove(_ key: ItemKey, _ step: Int) {
    queues[step]?.remove(key)
    if queues[step]?.isEmpty == true { queues[step] = nil }
  }

  /// Whether a batch of the same group must end first; one that is sent again counts as started.
  func isUnderWay(before keys: [ItemKey], _ step: Int, in frames: Frames, at now: Instant) -> Bool {
    guard frames.pipeline.steps[step].batch?.isSerial == true, let first = keys.first else {
      return false
    }
    let position = frames.pipeline.steps[step].position
    let group = group(of: StepPlace(key: first, step: step), in: frames, at: now)
    let isSentAgain = frames.stepState(step, for: first)?.batch != nil
    return frames.state.loops[first.loop].active.values.contains { item in
      guard item.frame.indices.contains(position), item.frame[position].batch != nil,
        isSentAgain ? item.frame[position].isInFlight : true, !keys.contains(item.key)
      else { return false }
      return self.group(of: StepPlace(key: item.key, step: step), in: frames, at: now) == group
    }
  }

  /// The group that the item shares with others of its batch, even before it is queued in a new process.
  func group(of place: StepPlace, in frames: Frames, at now: Instant) -> Value? {
    guard let by = frames.pipeline.steps[place.step].batch?.by else { return nil }
    return groups[place] ?? (try? frames.evaluator.value(by, frames.scope(of: place.key, at: now)))
  }
}
