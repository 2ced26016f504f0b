import CEL

/// Turns commands into operations on ports, and the ports' results into verdicts.
///
/// It performs and decides nothing itself: the step's matchers interpret a response. The
/// engine performs the operations with tasks, the simulator in virtual time.
public struct Interpreter: Sendable {
  /// Evaluates the templates of the run's pipeline.
  public let evaluator: Evaluator
  /// Whether the transfer service sends bodies in pieces, so that none is written first.
  public let sendsPieces: Bool
  /// Whether an entry `same` compares the time of a file with that of the server.
  private let comparesTimes: Bool

  /// An interpreter for runs of the evaluator's pipeline.
  public init(_ evaluator: Evaluator, sendsPieces: Bool = false) {
    (self.evaluator, self.sendsPieces) = (evaluator, sendsPieces)
    comparesTimes = evaluator.pipeline.steps.flatMap(\.matchers).contains {
      $0.isComparison && $0.condition?.compiled.source.contains(".modified") == true
    }
  }

  /// The operation that performs `command`.
  public func operation(for command: Command) -> PortOperation {
    guard let step = evaluator.pipeline.step(of: command.id) else { return compensation(command) }
    do throws(EvaluationFailure) {
      switch command.action {
      case .attempt(let reserved): return try attempt(step, command, reserved)
      case .adopt: return adoption(step, command)
      case .probe:
        guard let probe = step.probe else { return .none(.notDone) }
        let scope = try evaluator.scope(command.scope, ofRequestOf: step)
        var request = try evaluator.render(probe.request, scope, at: step.location)
        request.signing?.fence = evaluator.fence(command.id, command.scope) + "-probe"
        return .send(request)
      case .abandon: return .none(.notDone)
      }
    } catch { return .none(.fail(error.failure)) }
  }

  private func compensation(_ command: Command) -> PortOperation {
    guard case .abandon(let index) = command.action, let key = command.id.item else {
      return .none(.notDone)
    }
    let loop = evaluator.pipeline.loops[key.loop]
    do throws(EvaluationFailure) {
      var request = try evaluator.render(
        loop.onAbandon[index].request, command.scope, at: loop.location)
      if namesWhatIsPresent(request, loop.onAbandon[index], command.scope, loop.location) {
        return .none(.notDone)
      }
      request.signing?.fence = evaluator.fence(command.id, command.scope)
      return .send(request)
    } catch { return .none(.fail(error.failure)) }
  }

  /// Whether a request that undoes a replaced result would undo its replacement; only here are the secrets known.
  private func namesWhatIsPresent(
    _ request: RenderedRequest, _ compensation: Abandonment, _ scope: Scope,
    _ location: SourceLocation
  ) -> Bool {
    guard let scope = scope.ofPresentResults,
      let other = try? evaluator.render(compensation.request, scope, at: location)
    else { return false }
    return request.method == other.method && request.url == other.url && request.body == other.body
  }

  /// Not rendered again: it was sent as it was, and its credentials may be lost with the process.
  private func adoption(_ step: Step, _ command: Command) -> PortOperation {
    guard let settings = settings(step, command) else { return .none(.interrupted) }
    do throws(EvaluationFailure) {
      switch step.action {
      case .upload(let template):
        let file = try evaluator.file(template.file, command.scope)
        let bytes = try evaluator.body(template, of: file, command.scope).size
        return .adopt(settings, .sent(file, bytes: bytes))
      case .download(let template):
        let plan = try evaluator.plan(template, command.scope, at: step.location)
        return .adopt(
          settings, .received(plan, path: Evaluator.path(of: step, for: command.id.item)))
      case .request, .poll, .materialize, .digest, .repeat, .forEach: return .none(.interrupted)
      }
    } catch { return .none(.interrupted) }
  }

  private func attempt(
    _ step: Step, _ command: Command, _ reserved: Int64
  ) throws(EvaluationFailure) -> PortOperation {
    switch step.action {
    case .request(let template): return .send(try render(template, step, command))
    case .poll(let poll): return .send(try render(poll.request, step, command))
    case .upload(let template): return try upload(template, step, command)
    case .download(let template): return try download(template, step, command)
    case .repeat(let template):
      guard let request = template.resync else { return .none(.notDone) }
      return .send(try render(request, step, command))
    case .forEach: return .none(.notDone)
    case .digest(let template):
      return .materialize(
        try evaluator.plan(template, command.scope),
        path: Evaluator.path(of: step, for: command.id.item))
    case .materialize(let template):
      var plan = try evaluator.plan(template, command.scope, id: command.id)
      if let index = command.id.step, evaluator.pipeline.secretBodies.contains(index) {
        plan.unwritten = command.scope.now
      } else if sendsPieces, reserved == 0 {
        plan.unwritten = command.scope.now
        return .materialize(plan, path: Evaluator.pathInPieces(of: step, for: command.id.item))
      } else {
        plan.reservedBytes = reserved
      }
      return .materialize(plan, path: Evaluator.path(of: step, for: command.id.item))
    }
  }

  private func upload(
    _ template: UploadTemplate, _ step: Step, _ command: Command
  ) throws(EvaluationFailure) -> PortOperation {
    let file = try evaluator.file(template.file, command.scope)
    var rendered = try render(template.request, step, command)
    if let type = file.contentType, !rendered.omittedHeaders.contains("content-type"),
      !rendered.headers.contains(where: { $0.name.lowercased() == "content-type" })
    {
      rendered.headers.append(.init(name: "Content-Type", value: type))
    }
    rendered.transfer = settings(step, command)
    rendered.trailers = try evaluator.trailers(template, command.scope)
    let read = template.trailers.flatMap(\.value.expressions).flatMap(\.compiled.references)
    if read.contains(where: { evaluator.pipeline.secretNames.contains($0.variable) }) {
      rendered.carriesSecret = true
    }
    guard let maker = evaluator.unwrittenProducer(of: file, command.scope) else {
      return .upload(rendered, file, try evaluator.body(template, of: file, command.scope))
    }
    if evaluator.pipeline.secretBodies.contains(maker) {
      rendered.carriesSecret = true
    } else if !sendsPieces {
      // An earlier process could; this one makes a file of it.
      return .none(
        .expired(step: maker, Failure("the transfer service accepts only files")))
    }
    do throws(EvaluationFailure) {
      return .upload(rendered, file, try evaluator.body(template, of: file, command.scope))
    } catch {
      // Its sources have changed, so it is recreated.
      return .none(.expired(step: maker, error.failure))
    }
  }

  private func download(
    _ template: DownloadTemplate, _ step: Step, _ command: Command
  ) throws(EvaluationFailure) -> PortOperation {
    let plan = try evaluator.plan(template, command.scope, at: step.location)
    var rendered = try render(template.request, step, command)
    rendered.transfer = settings(step, command)
    return .download(rendered, plan, path: Evaluator.path(of: step, for: command.id.item))
  }

  private func render(
    _ template: RequestTemplate, _ step: Step, _ command: Command
  ) throws(EvaluationFailure) -> RenderedRequest {
    let key = try evaluator.key(of: step, command.id, command.scope)
    let scope = try evaluator.scope(command.scope, ofRequestOf: step)
    var request = try evaluator.render(template, scope, at: step.location, idempotency: key)
    request.signing?.fence = evaluator.fence(command.id, command.scope)
    if template.keepsCookies {
      let item = command.id.item.map { "\($0.loop).\($0.ordinal)" } ?? "run"
      request.cookies = "\(command.id.run.rawValue) \(item)"
    }
    return request
  }

  private func settings(_ step: Step, _ command: Command) -> TransferSettings? {
    guard let policy = step.transfer else { return nil }
    let frame = command.scope.frame(of: step)
    var earliest: Instant?
    if frame.indices.contains(step.position), let moment = frame[step.position].earliest,
      moment > command.scope.now
    {
      earliest = moment
    }
    if comparesTimes, case .file(let file)? = command.scope.subject {
      // An edit right after the upload could have the time that the server has, in whole seconds.
      let settled = Instant(milliseconds: file.modified / 1_000_000) + .seconds(2)
      if settled > command.scope.now, settled <= command.scope.now + .seconds(2) {
        earliest = max(earliest ?? settled, settled)
      }
    }
    return TransferSettings(
      id: command.id, session: evaluator.pipeline.backgroundSession, policy: policy,
      earliest: earliest)
  }

  /// How the transfer with this fence continues; unchanged if its request cannot be evaluated.
  public func renderedRenewal(for id: EffectID, _ decision: RenewalDecision) -> RenderedRenewal {
    guard let step = evaluator.pipeline.step(of: id) else { return .unchanged }
    do throws(EvaluationFailure) {
      switch decision {
      case .unchanged: return .unchanged
      case .authorization(let scope):
        let scope = try evaluator.scope(scope, ofRequestOf: step)
        if let value = try evaluator.authorization(of: step, scope) { return .authorization(value) }
        guard step.action.request?.authorization != nil else { return .unchanged }
        return try request(ofTransfer: step, id, scope)
      case .request(let scope): return try request(ofTransfer: step, id, scope)
      }
    } catch { return .unchanged }
  }

  private func request(
    ofTransfer step: Step, _ id: EffectID, _ scope: Scope
  ) throws(EvaluationFailure) -> RenderedRenewal {
    let command = Command(id: id, action: .attempt(reservedBytes: 0), scope: scope)
    return try attempt(step, command, 0).transfer.map { .request($0.request) } ?? .unchanged
  }

  /// The paths of all files that an item or (`nil`) the run can have in the run's folder.
  public func paths(of key: ItemKey?) -> [String] {
    paths(of: key) { $0.makesFile && !$0.savesFile }
  }

  /// The paths under which files of an item or (`nil`) the run are received that stay elsewhere.
  public func partialPaths(of key: ItemKey?) -> [String] { paths(of: key, where: \.savesFile) }

  private func paths(of key: ItemKey?, where isMeant: (Step) -> Bool) -> [String] {
    let pipeline = evaluator.pipeline
    return pipeline.steps(of: key).map { pipeline.steps[$0] }.filter(isMeant).map {
      Evaluator.path(of: $0, for: key)
    }
  }

  /// The elements of a loop's list, for ``/PipelineCore/Effect/enumerate(loop:)``.
  public func subjects(
    of loop: Int, _ scope: Scope, in shard: Shard?
  ) throws(EvaluationFailure) -> [Item.Subject] {
    // A lead may have no list: files are not part of the stored inputs.
    guard shard?.isLead != true, try evaluator.hasItems(loop, scope) else { return [] }
    let expression = evaluator.pipeline.loops[loop].items
    guard let values = try evaluator.value(expression, scope).listValue else {
      throw EvaluationFailure("expected a list", at: expression.location)
    }
    let subjects = evaluator.subjects(of: values, scope)
    return shard.map { shard in subjects.filter(shard.owns) } ?? subjects
  }
}

/// The operation for a command, as data: one call of a port, or none.
public enum PortOperation: Hashable, Sendable {
  /// Send a short request.
  case send(RenderedRequest)
  /// Hand a request to the transfer service, with the body that is sent as a file.
  case upload(RenderedRequest, FileValue, Body)
  /// Download a file through the transfer service; it appears at the path in the run's folder.
  case download(RenderedRequest, DownloadPlan, path: String)
  /// Adopt a transfer that an earlier process handed over.
  case adopt(TransferSettings, AdoptedFile)
  /// Write a file to the path in the run's folder.
  case materialize(MaterializationPlan, path: String)
  /// Nothing: the command ended before it reached a port.
  case none(Verdict)

  /// The request that is handed to the transfer service, with the number of bytes if known.
  public var transfer: (request: RenderedRequest, bytes: Int64)? {
    switch self {
    case .upload(let request, _, let body): (request, body.size)
    case .download(let request, let plan, _): (request, plan.size ?? 0)
    case .send, .materialize, .adopt, .none: nil
    }
  }
}

/// The file of a transfer that is adopted.
public enum AdoptedFile: Hashable, Sendable {
  /// The file of an upload, and how many bytes of it are sent.
  case sent(FileValue, bytes: Int64)
  /// The file of a download, which appears at the path in the run's folder.
  case received(DownloadPlan, path: String)
}
