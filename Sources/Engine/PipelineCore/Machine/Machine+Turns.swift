import CEL

/// The turns of `repeat` steps: the values that one turn leaves for the next, and the server's report of them.
///
/// A `repeat` step succeeds with the values of a turn, and the steps of the turn are derived from them. When these
/// have succeeded, its values are replaced: that is a new generation, so the same steps are issued again.
extension Machine {
  /// The description of a `repeat` step; `nil` for any other.
  private func template(of step: Int) -> RepeatTemplate? {
    if case .repeat(let template) = pipeline.steps[step].action { template } else { nil }
  }

  /// Whether the step runs in turns, and no other turn follows.
  func isTurnOver(_ step: Int, for key: ItemKey?) -> Bool {
    guard let turns = pipeline.steps[step].turnOf, let current = stepState(turns, for: key) else {
      return false
    }
    return current.status == .skipped || current.isOver && isSettled(turns, for: key)
  }

  /// Whether a step from outside of the turns reads one that no turn will run again.
  func isLeftOutOfTurns(_ step: Int, by place: StepPlace) -> Bool {
    let turns = pipeline.steps[step].turnOf
    return turns != nil && pipeline.steps[place.step].turnOf != turns && place.step != turns
      && isTurnOver(step, for: place.key)
  }

  /// The step itself if it is not settled; the `repeat` step if the turn ends with it and others follow.
  func unsettled(_ step: Int, for key: ItemKey?) -> Int? {
    if !isSettled(step, for: key) { return step }
    guard let turns = pipeline.steps[step].turnOf, pipeline.turn(of: turns).last == step,
      !isTurnOver(step, for: key)
    else { return nil }
    return turns
  }

  /// Whether a `repeat` step that is issued again resumes at its last position.
  func keepsTurn(_ place: StepPlace) -> Bool {
    guard let template = template(of: place.step),
      let current = stepState(place.step, for: place.key), current.turn > 0,
      isMadeFromCurrent(current, place.step, for: place.key)
    else { return false }
    let isLost = current.outputs.contains { $0.value == nil }
    return !isLost || template.resync != nil && !readsItself(place.step)
  }

  /// Whether the request that asks for the values needs those that are known.
  private func readsItself(_ step: Int) -> Bool {
    let name = "steps.\(pipeline.steps[step].id)."
    return pipeline.steps[step].action.request?.expressions.contains { expression in
      expression.compiled.references.contains { $0.variable.hasPrefix(name) }
    } ?? false
  }

  /// Returns the first or kept values of a `repeat` step; `nil` if the server must be asked.
  mutating func beginTurn(_ place: StepPlace, at now: Instant) -> AdvanceOutcome? {
    guard let template = template(of: place.step),
      let current = stepState(place.step, for: place.key), current.status == .pending,
      current.turn == 0 || template.resync == nil
    else { return nil }
    if current.turn > 0 { return setTurn(place, current.outputs, turn: current.turn, at: now) }
    return evaluated(template.from, place, at: now).map {
      setTurn(place, $0, turn: 1, at: now)
    } ?? .wait
  }

  /// Ends a turn: the next one follows with the values that it left.
  mutating func endTurn(_ place: StepPlace, at now: Instant) -> AdvanceOutcome {
    guard let template = template(of: place.step),
      let current = stepState(place.step, for: place.key)
    else { return .wait }
    guard let values = evaluated(template.next, place, at: now) else { return .wait }
    let isIdle = pipeline.turn(of: place.step).allSatisfy {
      stepState($0, for: place.key, \.status) == .skipped
    }
    let outcome = setTurn(place, values, turn: current.turn + 1, at: now)
    guard case .again = outcome, let moved = stepState(place.step, for: place.key), !moved.isOver
    else { return outcome }
    if !isIdle, hasProgressed(from: current, to: moved) {
      update(place) { $0.reissues = 0 }
      countTurnAnew(place)
      return .again
    }
    let words = Self.words(moved, pipeline.steps[place.step])
    let failure = Failure("the last turn brought no progress: \(words)")
    return stall(place, failure, pipeline.steps[place.step].retry, at: now)
  }

  private mutating func evaluated(
    _ values: [NamedTemplate<Compiled>], _ place: StepPlace, at now: Instant
  ) -> [OutputValue]? {
    let scope = scope(of: place.key, at: now)
    do throws(EvaluationFailure) {
      var result: [OutputValue] = []
      for (value, output) in zip(values, pipeline.steps[place.step].outputs) {
        result.append(
          OutputValue(
            value: try evaluator.value(value.value, scope), isSecret: output.isSecret,
            isSealed: output.isSealed))
      }
      return result
    } catch {
      failEvaluation(place, error.failure, at: now)
      return nil
    }
  }

  /// Makes `values` those of a turn.
  private mutating func setTurn(
    _ place: StepPlace, _ values: [OutputValue], turn: Int, at now: Instant
  ) -> AdvanceOutcome {
    let sources = sources(of: place.step, for: place.key).uses
    update(place) { step in
      step.status = .succeeded
      step.generation += 1
      step.attempt = 1
      step.turn = turn
      step.outputs = values
      step.sources = sources
      step.since = now
      step.begun = step.begun ?? now
      step.notBefore = nil
      step.isInvalidated = false
    }
    return checkTurn(place, at: now) ? .again : .wait
  }

  /// Notes the progress of the values, and whether another turn follows;
  /// `false` if that cannot be evaluated.
  mutating func checkTurn(_ place: StepPlace, at now: Instant) -> Bool {
    guard let template = template(of: place.step) else { return true }
    do throws(EvaluationFailure) {
      let scope = scope(of: place.key, at: now)
      let isOver = try evaluator.isTrue(template.until, scope)
      update(place) { step in
        step.isOver = isOver
        let reached = Self.distance(step)
        step.farthest = [step.farthest, reached].compactMap { $0 }.max()
      }
      return true
    } catch {
      failEvaluation(place, error.failure, at: now)
      return false
    }
  }

  /// The first whole number among the values.
  private static func distance(_ step: StepState) -> Int64? {
    for case .int(let number)? in step.outputs.map(\.value) { return number }
    return nil
  }

  /// Whether the values are farther than all before them; without a whole number, whether they are others.
  private func hasProgressed(from old: StepState, to new: StepState) -> Bool {
    guard let reached = Self.distance(new) else {
      return old.outputs.map(\.value) != new.outputs.map(\.value)
    }
    return old.farthest.map { reached > $0 } ?? true
  }

  private static func words(_ step: StepState, _ declaration: Step) -> String {
    for (output, value) in zip(declaration.outputs, step.outputs) where !output.isSecret {
      guard case .int(let number)? = value.value else { continue }
      let before = step.farthest.map { $0 > number ? ", and was \($0) before" : "" } ?? ""
      return "'\(output.name)' is \(number)\(before)"
    }
    return "its values are the same"
  }

  /// Counts a turn without progress: it is tried again after a pause, or the frame waits for the user.
  private mutating func stall(
    _ place: StepPlace, _ failure: Failure, _ policy: RetryPolicy, after: Instant? = nil,
    at now: Instant
  ) -> AdvanceOutcome {
    guard invalidateResult(place.step, place.key, failure, for: place.key, at: now) else {
      return .wait
    }
    let count = max(stepState(place.step, for: place.key, \.reissues) ?? 1, 1)
    let moment = now + jittered(policy.delay(afterFailures: count), policy)
    let wished = policy.retryAfter == .honor ? after : nil
    update(place) { $0.notBefore = [$0.notBefore, moment, wished].compactMap { $0 }.max() }
    return .again
  }

  /// The `repeat` step whose server reports the progress of a turn, if the step runs in one.
  func resynced(_ step: Int) -> Int? {
    guard let turns = pipeline.steps[step].turnOf, template(of: turns)?.resync != nil else {
      return nil
    }
    return turns
  }

  /// Asks the server for the progress of a failed turn; `false` if the verdict stands.
  mutating func resync(
    after verdict: Verdict, _ place: StepPlace, _ current: StepState, at now: Instant
  ) -> Bool {
    guard let turns = resynced(place.step), current.status == .running else { return false }
    switch verdict {
    case .retry(let failure, let after, _): resync(turns, failure, after, place, current, at: now)
    case .unknown(let failure): resync(turns, failure, nil, place, current, at: now)
    case .uncertain(let answered): return resync(after: answered, place, current, at: now)
    case .success, .results, .expired, .fail, .pause, .pauseRun, .unavailable, .poll, .stale,
      .interrupted, .notDone, .itemDone, .itemSkipped:
      return false
    }
    return true
  }

  private mutating func resync(
    _ turns: Int, _ failure: Failure, _ after: Instant?, _ place: StepPlace, _ current: StepState,
    at now: Instant
  ) {
    let after = after.map { pauseHost(of: place, failure, after: $0, until: $0, at: now) }
    release(place)
    update(place) { step in
      step.status = .pending
      step.since = now
      step.failure = failure
      step.note(failure.status)
    }
    let asked = StepPlace(key: place.key, step: turns)
    if let known = stepState(turns, for: place.key), known.status == .succeeded,
      !known.isInvalidated,
      case .wait = stall(asked, failure, pipeline.steps[place.step].retry, after: after, at: now)
    {
      return
    }
    continueFrame(place.key, at: now)
  }

  /// Asks the server for the progress of an interrupted turn, which does not count as a failure.
  mutating func resyncInterrupted(_ place: StepPlace, at now: Instant) -> Bool {
    guard let turns = resynced(place.step) else { return false }
    update(place) { step in
      step.status = .pending
      step.since = now
    }
    update(StepPlace(key: place.key, step: turns)) { $0.isInvalidated = true }
    return true
  }

  /// Applies the values that the server has reported.
  mutating func noteResync(_ place: StepPlace, from old: StepState, at now: Instant) {
    guard template(of: place.step) != nil, let new = stepState(place.step, for: place.key) else {
      return
    }
    if hasProgressed(from: old, to: new) {
      update(place) { $0.reissues = 0 }
      countTurnAnew(place)
    }
    update(place) { $0.turn += 1 }
  }
}
