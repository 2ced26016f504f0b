import CEL
import PipelineCore

/// The requirements of a server's responses for the whole run, as observed by the watch.
struct RunConditions {
  /// Pauses that hosts asked for: until when, and since when this is known.
  var pauses: [String: (until: Instant, since: Instant, isDurable: Bool)] = [:]
  /// The step and the status of the last refusals, with the items that received them.
  var refusals: (step: Int, status: Int, items: Set<ItemKey>)?
  var mustPause = false

  mutating func committed(at now: Instant) {
    for (name, pause) in pauses where !pause.isDurable { pauses[name] = (pause.until, now, true) }
  }

  mutating func processEnded() {
    pauses = pauses.filter { $0.value.isDurable }
    (refusals, mustPause) = (nil, false)
  }
}

/// Watching that a pause applies to all requests to its host, and that refusals of several items pause the run.
extension InvariantWatch {
  /// The names of the rates and the hosts of these pipelines: there is one host, except where a response names another.
  private func scope(_ request: RequestTemplate?) -> String {
    if let rate = request?.rate { return rate }
    guard case .expression(let first)? = request?.url.parts.first,
      let name = first.compiled.references.first?.variable, name.hasPrefix("steps.")
    else { return "the host" }
    return "the host of \(name)"
  }

  mutating func noteConditions(_ event: Event, _ machine: Machine) {
    switch event {
    case .unpaused, .itemsRequeued, .runResumed, .cancelRequested:
      // Who continues a run does not wait for the server.
      conditions = RunConditions()
    case .concluded(let id, let verdict) where machine.inFlight.contains(id):
      guard let index = id.step else { return }
      if isHostKnown(pipeline.steps[index], id.item, machine) {
        notePause(pipeline.steps[index], verdict, isProbe: isProbed(id, machine))
      }
      noteRefusal(index, id.item, verdict)
    default: break
    }
  }

  /// Whether the machine still has the value that names the host: a secret is lost with its process,
  /// although its transfer continues.
  private func isHostKnown(_ step: Step, _ item: ItemKey?, _ machine: Machine) -> Bool {
    guard case .expression(let first)? = step.action.request?.url.parts.first,
      let name = first.compiled.references.first?.variable.split(separator: ".").dropFirst().first,
      let maker = machine.steps(of: item).first(where: {
        pipeline.steps[$0.step].id.rawValue == name
      })
    else { return true }
    return maker.state.outputs.allSatisfy { $0.value != nil }
  }

  private func isProbed(_ id: EffectID, _ machine: Machine) -> Bool {
    machine.steps(of: id.item).first { $0.step == id.step }?.state.status == .probing
  }

  private mutating func notePause(_ step: Step, _ verdict: Verdict, isProbe: Bool) {
    switch verdict {
    case .uncertain(let answered): notePause(step, answered, isProbe: isProbe)
    case .retry(let failure, let until?, _):
      guard let status = failure.status, [403, 413, 429, 503].contains(status),
        step.retry.retryAfter == .honor
      else { return }
      let name = scope(isProbe ? step.probe?.request : step.action.request)
      // Known once it is durable: requests of the same turn may have been demanded before.
      conditions.pauses[name] = (until, until, false)
    default: break
    }
  }

  private mutating func noteRefusal(_ step: Int, _ item: ItemKey?, _ verdict: Verdict) {
    switch verdict {
    case .uncertain(let answered): noteRefusal(step, item, answered)
    case .success, .results, .itemDone:
      if conditions.refusals?.step == step { conditions.refusals = nil }
    case .retry(let failure, _, _), .fail(let failure), .pause(let failure), .unknown(let failure):
      guard let item = item?.whole, let status = failure.status, status == 402 || status == 507
      else { return }
      if conditions.refusals?.step != step || conditions.refusals?.status != status {
        conditions.refusals = (step, status, [])
      }
      conditions.refusals?.items.insert(item)
      if (conditions.refusals?.items.count ?? 0) >= pipeline.budgets.refusals {
        conditions.mustPause = true
      }
    default: break
    }
  }

  /// The problems of a request that is sent now.
  func disregardOfPause(_ command: Command) -> String? {
    guard let step = pipeline.step(of: command.id) else { return nil }
    let request: RequestTemplate?
    switch command.action {
    case .attempt: request = step.action.request
    case .probe: request = step.probe?.request
    case .adopt, .abandon: return nil
    }
    guard step.kind.hasResponse, let pause = conditions.pauses[scope(request)],
      pause.since < command.scope.now, command.scope.now < pause.until
    else { return nil }
    return "\(command.id) is sent although its host asked for a pause until \(pause.until)"
  }

  /// The problems at the end of a turn.
  mutating func disregardOfConditions(_ machine: Machine) -> [String] {
    defer { conditions.mustPause = false }
    var found: [String] = []
    if conditions.mustPause, machine.state.status == .running {
      found.append(
        "the run continues after \(pipeline.budgets.refusals) items in a row were refused alike")
    }
    for (loop, declaration) in pipeline.loops.enumerated() where !waitsAsIntended(declaration) {
      let limit = declaration.concurrency + (declaration.waiting ?? declaration.concurrency)
      let count = machine.state.loops[loop].active.count
      if count > limit { found.append("\(count) items are started, more than \(limit)") }
    }
    return found
  }

  /// Whether items of the loop may wait without a place for another reason than a failure.
  private func waitsAsIntended(_ loop: Loop) -> Bool {
    loop.steps.contains { index in
      let step = pipeline.steps[index]
      return step.kind == .poll || step.batch != nil || step.transfer?.earliest != nil
        || step.matchers.contains { $0.outcome == .poll }
    }
  }
}

extension Blocker {
  /// The coverage marks of a frame with the blocker.
  var coverageMark: CoverageMark? {
    switch self {
    case .disk: .waitedForDisk
    case .transfers: .waitedForTransfers
    case .allowance: .waitedForAllowance
    case .dependency: .waitedForRunStep
    case .renewal: .waitedForRenewal
    case .connections: .waitedForConnection
    case .rate: .waitedForRate
    case .shortage(.network, _, _, _): .waitedForNetwork
    case .shortage(.openFiles, _, _, _): .waitedForDescriptors
    case .loop: .heldBack
    case .host: .waitedForHost
    case .parts: .waitedForParts
    default: nil
    }
  }
}
