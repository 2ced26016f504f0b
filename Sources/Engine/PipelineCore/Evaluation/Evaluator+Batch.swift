import CEL

extension Evaluator {
  /// The scope in which a step's request is rendered and its response is judged; that of a batch
  /// has `batch.entries`, and that of a step whose request reads its own idempotency key has the key.
  public func scope(_ scope: Scope, ofRequestOf step: Step) throws(EvaluationFailure) -> Scope {
    let scope = withPrevious(try keyed(scope, of: step), of: step)
    guard let batch = step.batch, scope.locals["batch.entries"] == nil else { return scope }
    var entries: [Value] = []
    entries.reserveCapacity(scope.members.count)
    for member in scope.members { entries.append(try value(batch.entry, scope.of(member))) }
    var complete = scope
    complete.locals["batch.entries"] = .list(entries)
    return complete
  }

  /// The scope with the outputs of the step's own last success, if its expressions read them; null where there is none.
  private func withPrevious(_ scope: Scope, of step: Step) -> Scope {
    guard pipeline.readsPrevious.contains(step.id) else { return scope }
    let frame = scope.frame(of: step)
    let state = frame.indices.contains(step.position) ? frame[step.position] : StepState()
    let values = state.previous.isEmpty ? state.outputs : state.previous
    var complete = scope
    for (index, output) in step.outputs.enumerated() {
      let value = values.indices.contains(index) ? values[index].value : nil
      complete.locals["previous.\(output.name)"] = value ?? .null
    }
    return complete
  }

  /// The outcome that a good response reports for each member of the batch.
  ///
  /// A member that it does not mention, or for which the step's expressions cannot be evaluated, has an unknown outcome if
  /// the step creates, because the server has acted; otherwise it waits for the user.
  func results(
    _ batch: BatchPolicy, _ step: Step, _ view: ResponseView, _ scope: Scope, _ whole: StepResult
  ) -> Verdict {
    var entries: [Value] = []
    if case .list(let known)? = scope.locals["batch.entries"] { entries = known }
    var verdicts: [Verdict] = []
    verdicts.reserveCapacity(scope.members.count)
    for (index, member) in scope.members.enumerated() {
      var own = scope.of(member)
      own.locals["batch.index"] = .int(Int64(index))
      own.locals["batch.entry"] = index < entries.count ? entries[index] : .null
      do throws(EvaluationFailure) {
        own.locals["batch.result"] = try value(batch.result, own, response: view)
        verdicts.append(try verdict(batch, step, view, own))
      } catch {
        let failure = Failure(
          "no result for it: \(error.failure.message)", status: view.response.status)
        verdicts.append(step.effect == .create ? .unknown(failure) : .pause(failure))
      }
    }
    return .results(whole, verdicts)
  }

  private func verdict(
    _ batch: BatchPolicy, _ step: Step, _ view: ResponseView, _ scope: Scope
  ) throws(EvaluationFailure) -> Verdict {
    for matcher in batch.matchers {
      if let condition = matcher.condition {
        guard try isTrue(condition, scope, response: view) else { continue }
      }
      guard matcher.outcome != .success
      else { return .success(try result(of: step, view, scope, 0)) }
      let verdict = try verdict(
        of: matcher, in: step, view, scope,
        otherwise: "step '\(step.id)': the item's result in the response")
      switch verdict {
      // When the user retries it, the probe is asked first, as for a step without a batch.
      case .fail, .pause, .pauseRun: return step.probe == nil ? verdict : .uncertain(verdict)
      default: return verdict
      }
    }
    let failure = Failure(
      "step '\(step.id)': no entry of `results.on` matches the item's result in the response",
      status: view.response.status)
    return step.effect == .create ? .unknown(failure) : .fail(failure)
  }
}
