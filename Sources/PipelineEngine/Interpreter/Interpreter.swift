public import PipelineCore

/// Carries out commands through the ports and says what they came to.
///
/// It decides nothing: what an answer means, the step's matchers say.
public struct Interpreter: Sendable {
  let evaluator: Evaluator
  let requests: any RequestTransport
  let transfers: any TransferService
  let files: any FileWorkspace
  let clock: any Clock
  let progress: @Sendable (EffectID, Int64) -> Void

  /// Connects the ports.
  ///
  /// `progress` is told the bytes of a transfer so far.
  public init(
    evaluator: Evaluator, requests: any RequestTransport, transfers: any TransferService,
    files: any FileWorkspace, clock: any Clock,
    progress: @escaping @Sendable (EffectID, Int64) -> Void = { _, _ in }
  ) {
    self.evaluator = evaluator
    self.requests = requests
    self.transfers = transfers
    self.files = files
    self.clock = clock
    self.progress = progress
  }

  /// Carries out one command; cancelling the task ends it soon, with ``Verdict/interrupted``.
  public func perform(_ command: Command) async -> Verdict {
    let step = evaluator.pipeline.steps[command.id.step]
    do throws(EvaluationFailure) {
      switch command.action {
      case .attempt(let reserved):
        switch step.action {
        case .request(let template): return try await request(template, step, command)
        case .upload(let template): return try await upload(template, step, command)
        case .materialize(let template):
          return try await materialize(template, step, command, reserved: reserved)
        }
      case .probe: return try await probe(step, command)
      case .abandon(let index): return try await abandon(index, step, command)
      }
    } catch {
      return .fail(error.failure)
    }
  }

  private func request(
    _ template: RequestTemplate, _ step: Step, _ command: Command
  ) async throws(EvaluationFailure) -> Verdict {
    let rendered = try render(template, step, command)
    let answer = await requests.send(rendered)
    return evaluator.verdict(
      of: step, answer: answer, command.scope, earlierStatuses: statuses(step, command),
      sent: Int64(rendered.body.count))
  }

  private func upload(
    _ template: UploadTemplate, _ step: Step, _ command: Command
  ) async throws(EvaluationFailure) -> Verdict {
    let file = try evaluator.file(template.file, command.scope)
    var rendered = try render(template.request, step, command)
    if let type = file.contentType,
      !rendered.headers.contains(where: { $0.name.lowercased() == "content-type" })
    {
      rendered.headers.append(.init(name: "Content-Type", value: type))
    }
    let id = command.id
    let answer = await transfers.upload(
      rendered, file: file, path: files.absolutePath(of: file), progress: { progress(id, $0) })
    if let lost = lostFile(file, answer, step) { return lost }
    return evaluator.verdict(
      of: step, answer: answer, command.scope, earlierStatuses: statuses(step, command),
      sent: file.size)
  }

  /// A body of ours that is gone or damaged can be made again; a user's file cannot.
  private func lostFile(_ file: FileValue, _ answer: Answer, _ step: Step) -> Verdict? {
    guard let error = answer.error, error.kind == .fileUnreadable || error.kind == .fileChanged,
      !file.path.hasPrefix("/"),
      let maker = step.uses.first(where: { use in
        if case .materialize = evaluator.pipeline.steps[use.step].action { true } else { false }
      })
    else { return nil }
    return .expired(step: maker.step, Failure(error.message))
  }

  private func materialize(
    _ template: MaterializeTemplate, _ step: Step, _ command: Command, reserved: Int64
  ) async throws(EvaluationFailure) -> Verdict {
    var plan = try evaluator.plan(template, command.scope, id: command.id)
    plan.reservedBytes = reserved
    let begun = clock.now()
    let path = Self.path(of: step, for: command.id.item)
    do {
      let file = try await files.materialize(plan, at: path)
      var outputs: [OutputValue] = []
      for output in step.outputs {
        let value = try evaluator.value(output.value, command.scope)
        outputs.append(OutputValue(value: value, isSecret: output.isSecret))
      }
      return .success(
        StepResult(outputs: outputs, file: file, duration: clock.now() - begun, bytes: file.size))
    } catch let failure as FileFailure {
      return Self.verdict(of: failure)
    } catch {
      guard let failure = error as? EvaluationFailure else { return .fail(Failure("\(error)")) }
      throw failure
    }
  }

  private static func verdict(of failure: FileFailure) -> Verdict {
    switch failure.kind {
    case .noSpace: .noSpace(Failure(failure.message))
    case .interrupted: .interrupted
    case .missing, .unreadable, .changed, .reservationExceeded: .fail(Failure(failure.message))
    case .system: .retry(Failure(failure.message))
    }
  }

  private func probe(
    _ step: Step, _ command: Command
  ) async throws(EvaluationFailure) -> Verdict {
    guard let probe = step.probe else { return .notDone }
    let rendered = try evaluator.render(probe.request, command.scope, at: step.location)
    let answer = await requests.send(rendered)
    return evaluator.probeVerdict(of: step, probe: probe, answer: answer, command.scope)
  }

  /// A compensation is done when the server says so, or when there is nothing (any more) to undo.
  private func abandon(
    _ index: Int, _ step: Step, _ command: Command
  ) async throws(EvaluationFailure) -> Verdict {
    guard let key = command.id.item else { return .notDone }
    let template = evaluator.pipeline.loops[key.loop].onAbandon[index].request
    let rendered = try evaluator.render(template, command.scope, at: step.location)
    let answer = await requests.send(rendered)
    if let error = answer.error {
      return error.kind == .interrupted ? .interrupted : .fail(Failure(error.message))
    }
    if (200..<300).contains(answer.status) || [404, 410].contains(answer.status) {
      return .success(StepResult(status: answer.status))
    }
    return .fail(
      Failure("\(template.method) answered \(answer.status)", status: answer.status))
  }

  private func render(
    _ template: RequestTemplate, _ step: Step, _ command: Command
  ) throws(EvaluationFailure) -> RenderedRequest {
    let key = step.idempotencyHeader.map { ($0, evaluator.idempotencyKey(command.id)) }
    return try evaluator.render(template, command.scope, at: step.location, idempotency: key)
  }

  private func statuses(_ step: Step, _ command: Command) -> [Int] {
    let frame = step.loop == nil ? command.scope.runFrame : command.scope.itemFrame
    return frame.indices.contains(step.position) ? frame[step.position].statuses : []
  }

  /// The path, under the run's folder, of the file that a step makes for an item.
  ///
  /// A folder for each item would cost more than its small file; a few folders keep each of them
  /// short and let several threads work in different ones.
  static func path(of step: Step, for key: ItemKey?) -> String {
    guard let key else { return "run/\(step.id)" }
    return "\(key.ordinal % 64)/\(key.loop)-\(key.ordinal)-\(step.id)"
  }

  /// The paths of all files that an item, or the run, can have.
  static func paths(of key: ItemKey?, in pipeline: Pipeline) -> [String] {
    let steps = key.map { pipeline.loops[$0.loop].steps } ?? pipeline.runSteps
    return steps.map { pipeline.steps[$0] }.filter { step in
      if case .materialize = step.action { true } else { false }
    }.map { path(of: $0, for: key) }
  }
}
