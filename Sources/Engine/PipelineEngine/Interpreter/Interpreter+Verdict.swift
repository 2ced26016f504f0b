extension Interpreter {
  /// The verdict on the response to a request or an upload; a failure includes the server's response.
  public func verdict(on response: Response, to operation: PortOperation, of command: Command)
    -> Verdict
  {
    let verdict = evaluator.covered(
      judged(response, operation, command), of: operation.request, command.scope)
    guard verdict.hasFailure else { return verdict }
    let kept = evaluator.kept(
      of: response, to: operation.request, of: evaluator.pipeline.step(of: command.id),
      command.scope)
    return kept.map(verdict.answered) ?? verdict
  }

  private func judged(
    _ response: Response, _ operation: PortOperation, _ command: Command
  ) -> Verdict {
    if case .abandon(let index) = command.action {
      return compensationVerdict(on: response, index, command)
    }
    guard let step = evaluator.pipeline.step(of: command.id) else { return .notDone }
    switch command.action {
    case .probe:
      guard let probe = step.probe else { return .notDone }
      return evaluator.probeVerdict(of: step, probe: probe, response: response, command.scope)
    case .abandon: return .notDone
    case .attempt, .adopt:
      if let refusal = refusal(in: response, to: operation, of: command) { return refusal.verdict }
      let response = unsigned(response, to: operation)
      var sent: Int64 = 0
      switch operation {
      case .send(let request): sent = Int64(request.body.count)
      case .upload(_, let file, let body):
        sent = body.size
        if let lost = lostFile(file, response, step, command.scope) { return lost }
      case .adopt(_, .sent(let file, let bytes)):
        sent = bytes
        if let lost = lostFile(file, response, step, command.scope) { return lost }
      case .materialize, .download, .adopt(_, .received): break
      case .none(let verdict): return verdict
      }
      return evaluator.verdict(
        of: step, response: response, command.scope, earlierStatuses: statuses(step, command),
        sent: sent)
    }
  }

  /// The verdict on a materialization, or on computing digests, that lasted `duration`.
  public func verdict(
    on outcome: Result<FileValue, FileFailure>, duration: Duration, of command: Command
  ) -> Verdict {
    switch outcome {
    case .failure(let failure): return verdict(on: failure, of: command)
    case .success(let file):
      guard let step = evaluator.pipeline.step(of: command.id) else { return .notDone }
      do throws(EvaluationFailure) {
        var outputs: [OutputValue] = []
        var scope = command.scope
        if step.kind == .digest { scope.locals["digest"] = Evaluator.value(of: file.digests) }
        for output in step.outputs {
          let value = try evaluator.value(output.value, scope)
          outputs.append(
            OutputValue(value: value, isSecret: output.isSecret, isSealed: output.isSealed))
        }
        return .success(
          StepResult(
            outputs: outputs, file: step.makesFile ? file : nil, duration: duration))
      } catch { return .fail(error.failure) }
    }
  }

  /// Whether the response to a download is the file.
  public static func hasFile(_ response: Response) -> Bool {
    response.error == nil && (200..<300).contains(response.status)
  }

  /// The verdict on a download with the file that it left; without a file it is not a success.
  public func verdict(on verdict: Verdict, file: FileValue?) -> Verdict {
    guard case .success(var result) = verdict else { return verdict }
    guard let file else {
      return .fail(
        Failure(
          "a response with status \(result.status ?? 0) counts as success but brings no file",
          status: result.status))
    }
    result.file = file
    result.bytes = file.size
    return .success(result)
  }

  /// The verdict on a download whose file already exists, perhaps from an earlier attempt of this run.
  public func verdict(onPresent file: FileValue, of plan: DownloadPlan, _ id: EffectID) -> Verdict {
    plan.save?.existing == .skip && id.attempt == 1
      ? .itemSkipped(Failure("the file is there already")) : .success(StepResult(file: file))
  }

  /// The verdict on a file that could not be created, read or downloaded; a lost file of a step is recreated.
  public func verdict(on failure: FileFailure, of command: Command) -> Verdict {
    switch failure.kind {
    case .missing, .changed, .unreadable:
      guard let step = evaluator.pipeline.step(of: command.id), let path = failure.source,
        let maker = maker(of: path, for: step, command.scope)
      else { break }
      return .expired(step: maker, Failure(failure.message))
    case .noSpace, .tooManyOpenFiles, .reservationExceeded, .mismatch, .refused, .interrupted,
      .system:
      break
    }
    return Self.verdict(on: failure)
  }

  private func maker(of path: String, for step: Step, _ scope: Scope) -> Int? {
    step.uses.lazy.map(\.step).first { index in
      evaluator.pipeline.steps[index].makesFile
        && evaluator.state(of: index, in: scope)?.file?.path == path
    }
  }

  /// The verdict on a file that could not be created or downloaded.
  public static func verdict(on failure: FileFailure) -> Verdict {
    switch failure.kind {
    case .noSpace: .unavailable(.diskSpace, Failure(failure.message, lacking: .diskSpace))
    case .tooManyOpenFiles: .unavailable(.openFiles, Failure(failure.message, lacking: .openFiles))
    case .interrupted: .interrupted
    case .missing, .unreadable, .changed: .fail(Failure(failure.message, lacking: .files))
    case .reservationExceeded, .refused: .fail(Failure(failure.message))
    case .system: .retry(Failure(failure.message, lacking: .files))
    case .mismatch: .retry(Failure(failure.message))
    }
  }

  /// A file that a step made and that was deleted or damaged can be remade; a user's file cannot.
  private func lostFile(
    _ file: FileValue, _ response: Response, _ step: Step, _ scope: Scope
  ) -> Verdict? {
    guard let error = response.error, error.kind == .fileUnreadable || error.kind == .fileChanged,
      let maker = maker(of: file.path, for: step, scope)
    else { return nil }
    return .expired(step: maker, Failure(error.message))
  }

  /// A compensation is done if the server confirms it, or if there is nothing to undo (any more).
  private func compensationVerdict(
    on response: Response, _ index: Int, _ command: Command
  ) -> Verdict {
    guard let key = command.id.item else { return .notDone }
    if let error = response.error {
      let failure = Failure(error.message)
      switch error.kind {
      case .interrupted: return .interrupted
      case .badURL, .tls, .fileChanged, .fileUnreadable, .notAllowed: return .fail(failure)
      case .networkUnavailable:
        return .unavailable(.network, Failure(error.message, lacking: .network))
      case .tooManyOpenFiles:
        return .unavailable(.openFiles, Failure(error.message, lacking: .openFiles))
      case .nameNotResolved, .connectionRefused, .connectionLost, .timeout, .responseTooLarge:
        return .retry(failure)
      }
    }
    let compensation = evaluator.pipeline.loops[key.loop].onAbandon[index]
    let failure = Failure(
      "\(compensation.request.method) returned \(response.status)"
        + evaluator.redirection(of: response, command.scope), status: response.status)
    switch response.status {
    // 499 is the response of some servers when an upload is cancelled (google.rpc.Code, CANCELLED).
    case 200..<300, 404, 410, 499: return .success(StepResult(status: response.status))
    case 401:
      guard let credential = compensation.uses.first(where: \.isCredential) else {
        return .fail(failure)
      }
      return .expired(step: credential.step, failure)
    case 501, 505: return .fail(failure)
    case 408, 425, 429, 500...:
      return .retry(
        failure, after: RetryAfterHeader.instant(of: response, atMost: compensation.retry))
    default: return .fail(failure)
    }
  }

  private func statuses(_ step: Step, _ command: Command) -> [Int] {
    let frame = command.scope.frame(of: step)
    return frame.indices.contains(step.position) ? frame[step.position].statuses : []
  }
}
