import CEL

/// The turns of `repeat` steps: the values that one turn leaves for the next, and the server's report of them.
///
/// A `repeat` step succeeds with the values of a turn, and the steps of the turn are derived from them. When these
/// have succeeded, its values are replaced: that is a new generation, so the same steps are issued again.
extension Machine {
  /// Returns the first or kept values of a `repeat` step; `nil` if the server must be asked.
  mutating func beginTurn(_ place: StepPlace, at now: Instant) -> AdvanceOutcome? {
    guard let template = pipeline.repeatTemplate(of: place.step),
      let current = frames.stepState(place.step, for: place.key), current.status == .pending,
      current.turn == 0 || template.resync == nil
    else { return nil }
    if current.turn > 0 { return setTurn(place, current.outputs, turn: current.turn, at: now) }
    return evaluated(template.from, place, at: now).map {
      setTurn(place, $0, turn: 1, at: now)
    } ?? .wait
  }

  /// Ends a turn: the next one follows with the values that it left.
  mutating func endTurn(_ place: StepPlace, at now: Instant) -> AdvanceOutcome {
    guard let template = pipeline.repeatTemplate(of: place.step),
      let current = frames.stepState(place.step, for: place.key)
    else { return .wait }
    guard let values = evaluated(template.next, place, at: now) else { return .wait }
    let isIdle = pipeline.turn(of: place.step).allSatisfy {
      frames.stepState($0, for: place.key, \.status) == .skipped
    }
    let outcome = setTurn(place, values, turn: current.turn + 1, at: now)
    guard case .again = outcome, let moved = frames.stepState(place.step, for: place.key),
      !moved.isOver
    else { return outcome }
    if !isIdle, moved.hasProgressed(from: current) {
      frames.update(place) { $0.reissues = 0 }
      frames.countTurnAnew(place)
      return .again
    }
    let words = moved.standstill(pipeline.steps[place.step])
    let failure = Failure("the last turn brought no progress: \(words)")
    return stall(place, failure, pipeline.steps[place.step].retry, at: now)
  }

  private mutating func evaluated(
    _ values: [NamedTemplate<Compiled>], _ place: StepPlace, at now: Instant
  ) -> [OutputValue]? {
    let scope = frames.scope(of: place.key, at: now)
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
    let sources = frames.sources(of: place.step, for: place.key).uses
    frames.update(place) { step in
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
    guard let template = pipeline.repeatTemplate(of: place.step) else { return true }
    do throws(EvaluationFailure) {
      let scope = frames.scope(of: place.key, at: now)
      let isOver = try evaluator.isTrue(template.until, scope)
      frames.update(place) { step in
        step.isOver = isOver
        let reached = step.distance
        step.farthest = [step.farthest, reached].compactMap { $0 }.max()
      }
      return true
    } catch {
      failEvaluation(place, error.failure, at: now)
      return false
    }
  }

  /// Counts a turn without progress: it is tried again after a pause, or the frame waits for the user.
  mutating func stall(
    _ place: StepPlace, _ failure: Failure, _ policy: RetryPolicy, after: Instant? = nil,
    at now: Instant
  ) -> AdvanceOutcome {
    guard invalidateResult(place.step, place.key, failure, for: place.key, at: now) else {
      return .wait
    }
    let count = max(frames.stepState(place.step, for: place.key, \.reissues) ?? 1, 1)
    let moment = now + frames.jittered(policy.delay(afterFailures: count), policy)
    let wished = policy.retryAfter == .honor ? after : nil
    frames.update(place) { $0.notBefore = [$0.notBefore, moment, wished].compactMap { $0 }.max() }
    return .again
  }

  /// Asks the server for the progress of an interrupted turn, which does not count as a failure.
  mutating func resyncInterrupted(_ place: StepPlace, at now: Instant) -> Bool {
    guard let turns = pipeline.resynced(place.step) else { return false }
    frames.update(place) { step in
      step.status = .pending
      step.since = now
    }
    frames.update(StepPlace(key: place.key, step: turns)) { $0.isInvalidated = true }
    return true
  }

  /// Applies the values that the server has reported.
  mutating func noteResync(_ place: StepPlace, from old: StepState, at now: Instant) {
    guard pipeline.repeatTemplate(of: place.step) != nil,
      let new = frames.stepState(place.step, for: place.key)
    else {
      return
    }
    if new.hasProgressed(from: old) {
      frames.update(place) { $0.reissues = 0 }
      frames.countTurnAnew(place)
    }
    frames.update(place) { $0.turn += 1 }
  }
}
