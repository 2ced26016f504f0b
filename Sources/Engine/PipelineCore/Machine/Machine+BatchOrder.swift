import CEL

extension Machine {
  /// The role of an item in its batch; `nil` if that cannot be evaluated, which then has ended the step.
  mutating func batchShare(_ place: StepPlace, at now: Instant) -> BatchShare? {
    guard let policy = pipeline.steps[place.step].batch, !policy.ofItems.isEmpty else {
      return BatchShare()
    }
    do throws(EvaluationFailure) {
      var share = BatchShare()
      let scope = frames.scope(of: place.key, at: now)
      if let by = policy.by { share.group = try evaluator.value(by, scope) }
      if let bytes = policy.bytes {
        guard case .int(let size) = try evaluator.value(bytes.size, scope), size >= 0 else {
          throw EvaluationFailure(
            message: "expected a number of bytes", location: bytes.size.location)
        }
        share.bytes = size
      }
      return share
    } catch {
      failEvaluation(place, error.failure, at: now)
      return nil
    }
  }

  /// Whether a batch of the same group must end first; one that is sent again counts as started.
  func isBatchUnderWay(before keys: [ItemKey], _ step: Int, at now: Instant) -> Bool {
    guard pipeline.steps[step].batch?.isSerial == true, let first = keys.first else { return false }
    let position = pipeline.steps[step].position
    let group = batchGroup(StepPlace(key: first, step: step), at: now)
    let isSentAgain = frames.stepState(step, for: first)?.batch != nil
    return state.loops[first.loop].active.values.contains { item in
      guard item.frame.indices.contains(position), item.frame[position].batch != nil,
        isSentAgain ? item.frame[position].isInFlight : true, !keys.contains(item.key)
      else { return false }
      return batchGroup(StepPlace(key: item.key, step: step), at: now) == group
    }
  }

  /// The group that the item shares with others of its batch, even before it is queued in a new process.
  private func batchGroup(_ place: StepPlace, at now: Instant) -> Value? {
    guard let by = pipeline.steps[place.step].batch?.by else { return nil }
    return batches.groups[place] ?? (try? evaluator.value(by, frames.scope(of: place.key, at: now)))
  }

  /// Sends a batch that no further item can join; returns whether anything was started.
  mutating func sendCompleteBatch(_ loop: Int, at now: Instant) -> Bool {
    guard !batches.queues.isEmpty else { return false }
    for step in pipeline.loops[loop].steps {
      guard let policy = pipeline.steps[step].batch, let queue = batches.queues[step] else {
        continue
      }
      for batch in queue.resends.keys.sorted() {
        guard let members = queue.resends[batch], members.count >= frames.size(of: members, step),
          !frames.isInFlight(batchOf: members[0], step, loop)
        else { continue }
        if send(members, step, at: now) { return true }
      }
      for batch in queue.next(policy) where batch.isFull {
        if send(batch.members, step, at: now) { return true }
      }
    }
    return false
  }

  /// Sends a batch that is due or full; returns whether anything was started.
  mutating func sendWaitingBatch(_ loop: Int, at now: Instant) -> Bool {
    guard !batches.queues.isEmpty else { return false }
    for step in pipeline.loops[loop].steps {
      guard let policy = pipeline.steps[step].batch, let queue = batches.queues[step] else {
        continue
      }
      let isLast = !queue.fresh.isEmpty && !canJoinBatch(step, loop)
      for batch in queue.next(policy) where isLast || batch.begun + policy.within <= now {
        if send(batch.members, step, at: now) { return true }
      }
      for batch in queue.resends.keys.sorted() {
        guard let members = queue.resends[batch], let first = members.first,
          let membership = frames.stepState(step, for: first)?.batch
        else { continue }
        let present = frames.members(of: membership, step, loop)
        guard present.count < frames.size(of: present, step), !canActivate(loop) else { continue }
        disband(present, step, at: now)
        return true
      }
    }
    return false
  }

  /// Sends a batch that is smaller than it could be, because it holds the resource that all others wait for.
  mutating func sendSmallerBatch(at now: Instant) -> Bool {
    for step in batches.queues.keys.sorted() {
      guard let policy = pipeline.steps[step].batch, let queue = batches.queues[step] else {
        continue
      }
      for batch in queue.next(policy) {
        if send(batch.members, step, at: now) { return true }
      }
    }
    return false
  }

  private func canActivate(_ loop: Int) -> Bool {
    let current = state.loops[loop]
    guard current.counts[.pending] > 0 else { return false }
    return current.active.count < pipeline.windowLimit(loop)
      || itemsWithoutPlace(in: loop) < current.active.count
  }

  /// Whether an item may still arrive for the step's next batch.
  private func canJoinBatch(_ step: Int, _ loop: Int) -> Bool {
    if canActivate(loop) { return true }
    let position = pipeline.steps[step].position
    return state.loops[loop].active.values.contains { item in
      guard item.abandoning == nil, item.frame.indices.contains(position) else { return false }
      let current = item.frame[position]
      switch current.status {
      case .pending: return current.batch == nil
      case .queued: return queuedBatchStep(of: item.key) == nil
      // Its response was secret and was lost with the process: the item must ask again, unless
      // its command in flight ends without it.
      case .succeeded: return current.outputs.contains { $0.value == nil }
      case .running, .probing, .unknown, .skipped: return false
      }
    }
  }
}
