/// Results that die before they are of use, and what went with a process.
extension Machine {
  /// Marks a result as expired, so that its step is reissued.
  ///
  /// - Returns: false when it died too often and the frame that needs it was paused for that.
  mutating func invalidateResult(
    _ step: Int, _ ownerKey: ItemKey?, _ failure: Failure, for key: ItemKey?, at now: Instant
  ) -> Bool {
    let declaration = pipeline.steps[step]
    let limit = declaration.reissueLimit
    let producer = stepState(step, for: ownerKey)
    // A secret that went with its process was interrupted, and that uses nothing up.
    let isLost = producer?.outputs.contains { $0.value == nil } ?? false
    guard let producer, isLost || producer.reissues < limit else {
      let reason = Failure(
        "step '\(declaration.id)' was issued anew \(limit) times without getting further: "
          + failure.message, status: failure.status)
      if ownerKey == nil {
        halt(reason, at: now)
        blockers[key] = .stopped
      } else if let key {
        leaveWindow(key, as: .paused, reason: reason, at: now)
      }
      return false
    }
    let pause = isLost ? nil : pauseBeforeReissue(of: step, producer, ownerKey, at: now)
    let isEarly = now - producer.since < declaration.retry.maximum
    update(StepPlace(key: ownerKey, step: step)) { step in
      step.isInvalidated = true
      step.reissues += isLost ? 0 : 1
      if !isLost { step.unusedInvalidations = isEarly ? step.unusedInvalidations + 1 : 0 }
      step.notBefore = pause
      step.failure = failure
    }
    reconsiderSkips(after: step, in: ownerKey)
    return true
  }

  /// Notes that something succeeded with a result: its deaths so far were not in vain.
  mutating func noteUse(of step: Int, by key: ItemKey?) {
    let ownerKey = owner(of: step, readFrom: key)
    guard let producer = stepState(step, for: ownerKey), !producer.isInvalidated else { return }
    // Within an item the number of deaths stays bounded, whatever came of them.
    let isBounded = ownerKey != nil
    guard producer.unusedInvalidations > 0 || !isBounded && producer.reissues > 0 else { return }
    update(StepPlace(key: ownerKey, step: step)) { step in
      step.unusedInvalidations = 0
      if !isBounded { step.reissues = 0 }
    }
  }

  /// When a result that died may be made anew; `nil` at once.
  ///
  /// The first time is at once. One that dies again and again, earlier than the longest delay of its
  /// step's retry policy and before anything succeeded with it, waits as that policy says of
  /// failures. One of run scope that was of use is made anew at most once in the policy's first delay.
  mutating func pauseBeforeReissue(
    of step: Int, _ producer: StepState, _ ownerKey: ItemKey?, at now: Instant
  ) -> Instant? {
    let declaration = pipeline.steps[step]
    // When such a transfer begins is the author's word.
    guard declaration.transfer?.earliest == nil else { return nil }
    let moment: Instant
    if producer.unusedInvalidations > 0, now - producer.since < declaration.retry.maximum {
      let policy = declaration.retry
      moment = now + jittered(policy.delay(afterFailures: producer.unusedInvalidations), policy)
    } else if ownerKey == nil, producer.generation > 1 {
      moment = producer.since + declaration.retry.initial
    } else {
      return nil
    }
    return moment > now ? moment : nil
  }

  /// Whether the server would know a repeat again: the step has a key, and all that the request was made of is
  /// still there.
  func canRepeatUnderItsKey(_ place: StepPlace, _ current: StepState, at now: Instant) -> Bool {
    let declaration = pipeline.steps[place.step]
    guard declaration.idempotencyHeader != nil,
      declaration.idempotencyKey != nil || isMadeFromCurrent(current, place.step, for: place.key)
    else { return false }
    return declaration.uses.allSatisfy { use in
      guard !use.isCredential, let producer = stepState(use.step, for: place.key) else {
        return true
      }
      return producer.status == .skipped
        || reasonUnusable(of: use, producer, at: now, need: .zero) == nil
    }
  }

  /// Why nobody can ask what became of the step, where that is so: what identifies it was secret and went with the
  /// process that held it.
  func lostToProbe(_ place: StepPlace) -> Failure? {
    let declaration = pipeline.steps[place.step]
    for use in declaration.probe?.uses ?? [] where !use.isCredential {
      guard let output = use.output, let producer = stepState(use.step, for: place.key),
        producer.status == .succeeded, producer.outputs.indices.contains(output),
        producer.outputs[output].value == nil
      else { continue }
      let source = pipeline.steps[use.step]
      return Failure(
        "nobody can ask any more whether step '\(declaration.id)' took effect: its probe reads the secret "
          + "'\(source.outputs[output].name)' of step '\(source.id)', which went with the process; look at the "
          + "server, then 'pipeline retry' repeats the step from '\(source.id)' on")
    }
    return nil
  }
}

extension Machine {
  /// What a loop that holds the run back leaves undone; `nil` where nothing stands after it.
  func heldBack(by loop: Int) -> Failure? {
    guard let place = pipeline.nodes.firstIndex(of: .loop(loop)),
      pipeline.nodes.indices.contains(place + 1)
    else { return nil }
    let counts = state.loops[loop].counts
    let stopped = [(counts[.failed], "failed"), (counts[.paused], "paused")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " and ")
    let next =
      switch pipeline.nodes[place + 1] {
      case .step(let step): "'\(pipeline.steps[step].id)'"
      case .loop(let other): "'for_each: \(pipeline.loops[other].variable)'"
      }
    return Failure(
      "\(next) was not begun: of the items of 'for_each: \(pipeline.loops[loop].variable)' before it "
        + stopped)
  }
}

extension LoopState {
  /// Whether items keep what stands after the loop from being done, now that none is at work.
  public func holdsBack(_ loop: Loop) -> Bool {
    switch loop.failures {
    case .stop: counts[.paused] + counts[.failed] > 0
    case .allow: counts[.paused] > 0
    }
  }
}
