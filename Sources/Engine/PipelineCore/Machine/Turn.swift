import CEL

/// The turns of `repeat` steps: the values that one turn leaves for the next, and the server's report of them.
///
/// A `repeat` step succeeds with the values of a turn, and the steps of the turn are derived from them. When these
/// have succeeded, its values are replaced: that is a new generation, so the same steps are issued again.
struct Turn {
  /// The `repeat` step.
  let place: StepPlace
  let now: Instant

  /// Returns the first or kept values of a `repeat` step; `nil` if the server must be asked.
  func begin(in machine: inout Machine) -> Machine.AdvanceOutcome? {
    guard let template = machine.pipeline.repeatTemplate(of: place.step),
      let current = machine.frames.stepState(place.step, for: place.key),
      current.status == .pending, current.turn == 0 || template.resync == nil
    else { return nil }
    if current.turn > 0 { return set(current.outputs, turn: current.turn, in: &machine) }
    return evaluated(template.from, in: &machine).map { set($0, turn: 1, in: &machine) } ?? .wait
  }

  /// Ends a turn: the next one follows with the values that it left.
  func end(in machine: inout Machine) -> Machine.AdvanceOutcome {
    guard let template = machine.pipeline.repeatTemplate(of: place.step),
      let current = machine.frames.stepState(place.step, for: place.key)
    else { return .wait }
    guard let values = evaluated(template.next, in: &machine) else { return .wait }
    let isIdle = machine.pipeline.turn(of: place.step).allSatisfy {
      machine.frames.stepState($0, for: place.key, \.status) == .skipped
    }
    let outcome = set(values, turn: current.turn + 1, in: &machine)
    guard case .again = outcome, let moved = machine.frames.stepState(place.step, for: place.key),
      !moved.isOver
    else { return outcome }
    if !isIdle, moved.hasProgressed(from: current) {
      machine.frames.update(place) { $0.reissues = 0 }
      machine.frames.countTurnAnew(place)
      return .again
    }
    let words = moved.standstill(machine.pipeline.steps[place.step])
    let failure = Failure("the last turn brought no progress: \(words)")
    return stall(failure, machine.pipeline.steps[place.step].retry, in: &machine)
  }

  func evaluated(_ values: [NamedTemplate<Compiled>], in machine: inout Machine) -> [OutputValue]? {
    let scope = machine.frames.scope(of: place.key, at: now)
    do throws(EvaluationFailure) {
      var result: [OutputValue] = []
      for (value, output) in zip(values, machine.pipeline.steps[place.step].outputs) {
        result.append(
          OutputValue(
            value: try machine.evaluator.value(value.value, scope), isSecret: output.isSecret,
            isSealed: output.isSealed))
      }
      return result
    } catch {
      machine.failEvaluation(place, error.failure, at: now)
      return nil
    }
  }

  /// Makes `values` those of a turn.
  func set(_ values: [OutputValue], turn: Int, in machine: inout Machine) -> Machine.AdvanceOutcome
  {
    let sources = machine.frames.sources(of: place.step, for: place.key).uses
    machine.frames.update(place) { step in
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
    return check(in: &machine) ? .again : .wait
  }

  /// Notes the progress of the values, and whether another turn follows;
  /// `false` if that cannot be evaluated.
  func check(in machine: inout Machine) -> Bool {
    guard let template = machine.pipeline.repeatTemplate(of: place.step) else { return true }
    do throws(EvaluationFailure) {
      let scope = machine.frames.scope(of: place.key, at: now)
      let isOver = try machine.evaluator.isTrue(template.until, scope)
      machine.frames.update(place) { step in
        step.isOver = isOver
        let reached = step.distance
        step.farthest = [step.farthest, reached].compactMap { $0 }.max()
      }
      return true
    } catch {
      machine.failEvaluation(place, error.failure, at: now)
      return false
    }
  }

  /// Counts a turn without progress: it is tried again after a pause, or the frame waits for the user.
  func stall(
    _ failure: Failure, _ policy: RetryPolicy, after: Instant? = nil, in machine: inout Machine
  ) -> Machine.AdvanceOutcome {
    guard machine.invalidateResult(place.step, place.key, failure, for: place.key, at: now) else {
      return .wait
    }
    let count = max(machine.frames.stepState(place.step, for: place.key, \.reissues) ?? 1, 1)
    let moment = now + machine.frames.jittered(policy.delay(afterFailures: count), policy)
    let wished = policy.retryAfter == .honor ? after : nil
    machine.frames.update(place) {
      $0.notBefore = [$0.notBefore, moment, wished].compactMap { $0 }.max()
    }
    return .again
  }

  /// Applies the values that the server has reported.
  func noteResync(from old: StepState, in machine: inout Machine) {
    guard machine.pipeline.repeatTemplate(of: place.step) != nil,
      let new = machine.frames.stepState(place.step, for: place.key)
    else { return }
    if new.hasProgressed(from: old) {
      machine.frames.update(place) { $0.reissues = 0 }
      machine.frames.countTurnAnew(place)
    }
    machine.frames.update(place) { $0.turn += 1 }
  }

  /// Asks the server for the progress of an interrupted turn, which does not count as a failure.
  func resyncInterrupted(in machine: inout Machine) -> Bool {
    guard let turns = machine.pipeline.resynced(place.step) else { return false }
    machine.frames.update(place) { step in
      step.status = .pending
      step.since = now
    }
    machine.frames.update(StepPlace(key: place.key, step: turns)) { $0.isInvalidated = true }
    return true
  }
}
