/// The effect of a step on the server.
struct ServerResult: Sendable {
  let commit: Int
  /// The values by which the device identifies it.
  let values: [Value?]
  /// The expiry time of each value, on the server's clock.
  var ends: [Instant?]
  /// The lifetime of each value that starts over with each use.
  let slides: [Duration?]
  /// When all of it expired early.
  var ended: Instant?

  func isDead(output: Int?, at now: Instant) -> Bool {
    if let ended, ended <= now { return true }
    guard let output, ends.indices.contains(output), let end = ends[output] else { return false }
    return end <= now
  }

  func isOver(at now: Instant) -> Bool {
    isDead(output: nil, at: now) || ends.indices.contains { isDead(output: $0, at: now) }
  }

  mutating func slide(output: Int?, at now: Instant) {
    guard let output, slides.indices.contains(output), let life = slides[output] else { return }
    ends[output] = now + life
  }
}

/// The subject of a probe: the effect of a step on the things that the probe names.
struct EffectKey: Hashable, Sendable {
  let step: Int
  let item: ItemKey?
  /// The values that the probe depends on, except credentials; the URL that a file was sent to does not matter.
  let named: [Value?]

  init(_ step: Int, _ command: Command, _ evaluator: Evaluator) {
    self.step = step
    item = command.id.item
    named = (evaluator.pipeline.steps[step].probe?.uses ?? [])
      .filter { !$0.isCredential && $0.output != nil }
      .map { command.scope.output($0, evaluator.pipeline) }
  }
}

extension Scope {
  /// The value of an output, as the steps in the scope had it.
  func output(_ use: OutputUse, _ pipeline: Pipeline) -> Value? {
    guard let output = use.output else { return nil }
    let maker = pipeline.steps[use.step]
    let frame = frame(of: maker)
    guard frame.indices.contains(maker.position),
      frame[maker.position].outputs.indices.contains(output)
    else { return nil }
    return frame[maker.position].outputs[output].value
  }
}

extension ModelServer {
  /// Records which results a request uses; returns the step of the first expired one.
  mutating func useResults(
    _ uses: [OutputUse], _ exchange: SimulatedRequest, _ command: Command
  ) -> Int? {
    let now = exchange.at + model.clockSkew
    var dead: Int?
    for use in uses {
      guard let (maker, index) = result(of: use, command) else { continue }
      guard let result = results[maker]?[index] else { continue }
      journal.noteUse(of: result.commit, at: exchange.at)
      if dead == nil, result.isDead(output: use.output, at: now) { dead = use.step }
    }
    guard dead == nil else { return dead }
    for use in uses {
      guard let (maker, index) = result(of: use, command) else { continue }
      results[maker]?[index].slide(output: use.output, at: now)
    }
    return dead
  }

  /// Records which results of its members a batch uses; the model does not check whether they are valid.
  mutating func useResultsOfMembers(
    _ uses: [OutputUse], _ exchange: SimulatedRequest, _ command: Command
  ) {
    for member in command.scope.members {
      for use in uses {
        let position = evaluator.pipeline.steps[use.step].position
        guard let output = use.output, member.frame.indices.contains(position),
          case let outputs = member.frame[position].outputs, outputs.indices.contains(output),
          let value = outputs[output].value,
          let result = results[StepOfItem(step: use.step, item: member.item)]?.last(where: {
            $0.values.indices.contains(output) && $0.values[output] == value
          })
        else { continue }
        journal.noteUse(of: result.commit, at: exchange.at)
      }
    }
  }

  /// The result that a use reads; `nil` if the server does not have it.
  func result(of use: OutputUse, _ command: Command) -> (StepOfItem, Int)? {
    guard let output = use.output, let value = command.scope.output(use, evaluator.pipeline)
    else { return nil }
    let step = evaluator.pipeline.steps[use.step]
    let maker = StepOfItem(step: use.step, item: step.owner(readFrom: command.id.item))
    return results[maker]?.lastIndex {
      $0.values.indices.contains(output) && $0.values[output] == value
    }.map { (maker, $0) }
  }

  /// Stores the values that the device will read from the response, with its lifetime.
  mutating func keep(
    _ response: SimulatedResponse, of index: Int, number: Int, _ exchange: SimulatedRequest,
    _ scope: Scope
  ) {
    let step = evaluator.pipeline.steps[index]
    let now = exchange.at + model.clockSkew
    let received = response.response(from: exchange.request.url, at: now)
    guard case .success(let result) = evaluator.verdict(of: step, response: received, scope)
    else { return }
    let life = model.lifetimes[step.id]
    let ends = result.outputs.map { life.map { now + $0 } ?? $0.expires }
    var kept = ServerResult(
      commit: number, values: result.outputs.map(\.value), ends: ends,
      slides: result.outputs.map { output in output.slide.map { life ?? $0 } })
    if draws.chance(model.faults.revoked, "result revoked") {
      let whole = ends.compactMap { $0 }.min().map { $0 - now } ?? ResponseShape.usualLife
      let part =
        Double(max(whole.milliseconds, 0))
        * draws.draw("life of a revoked result") { $0.nextFraction() }
      kept.ended = now + .clamped(milliseconds: part)
    }
    results[StepOfItem(step: index, item: exchange.id.item), default: []].append(kept)
  }

  /// Expires the results that a request used: values with a lifetime,
  /// and those of steps that its matchers may report as expired.
  mutating func endResults(usedBy exchange: SimulatedRequest, _ command: Command) {
    guard let step = evaluator.pipeline.step(of: exchange.id) else { return }
    let blamed = Set(
      step.matchers.compactMap { matcher in
        if case .expired(let maker) = matcher.outcome { maker } else { nil }
      })
    for use in step.uses where !use.isCredential {
      guard let output = use.output,
        blamed.contains(use.step)
          || evaluator.pipeline.steps[use.step].outputs[output].lifetime != nil,
        let (maker, place) = result(of: use, command), let found = results[maker]?[place]
      else { continue }
      results[maker]?[place].ended = exchange.at + model.clockSkew
      journal.noteDeath(of: found.commit, at: exchange.at)
    }
  }

  /// The response that makes the pipeline report `expired: MAKER`; if none does, a typical one.
  mutating func refusal(of step: Int, because maker: Int, _ command: Command) -> SimulatedResponse {
    let key = Refusal(step: step, maker: maker)
    let now = command.scope.now
    let values = ResponseShape.Values(
      number: 0, now: now, life: ResponseShape.usualLife,
      request: .init(evaluator, command.scope, of: evaluator.pipeline.steps[step]))
    let plan =
      refusals[key]
      ?? Inference(evaluator, examples).refusal(of: step, because: maker, command.scope)
    refusals[key] = plan
    let response = plan.response(values)
    let isCredential = evaluator.pipeline.steps[step].uses.contains {
      $0.step == maker && $0.isCredential
    }
    return isCredential ? Self.challenging(response) : response
  }

  /// A 401 states how to authorize (RFC 9110 §15.5.2).
  private static func challenging(_ response: SimulatedResponse) -> SimulatedResponse {
    var response = response
    if response.status == 401,
      !response.headers.contains(where: { $0.name.lowercased() == "www-authenticate" })
    {
      response.headers.append(
        .init(name: "WWW-Authenticate", value: "Bearer error=\"invalid_token\""))
    }
    return response
  }

  // MARK: Probes and compensations

  /// Records the effect that a probe finds from now on: the first one, or the next once its result has expired.
  mutating func note(
    effectOf index: Int, _ number: Int, _ exchange: SimulatedRequest, _ command: Command
  ) {
    let key = EffectKey(index, command, evaluator)
    let known = results[StepOfItem(step: index, item: exchange.id.item)]?
      .last { $0.commit == effects[key]?.commit }
    let isOver = known?.isOver(at: exchange.at + model.clockSkew) ?? false
    if effects[key] == nil || isOver { effects[key] = (exchange.at + lateness, number) }
  }

  mutating func probed(
    _ index: Int, _ exchange: SimulatedRequest, _ command: Command
  ) -> (SimulatedResponse, ServerJournal.Delivery.Outcome) {
    let step = evaluator.pipeline.steps[index]
    let credentials = (step.probe?.uses ?? []).filter(\.isCredential)
    if let dead = useResults(credentials, exchange, command) {
      return (Self.challenging(SimulatedResponse(status: 401)), .refused(status: 401, step: dead))
    }
    let effect = effects[EffectKey(index, command, evaluator)]
    let isDone = effect.map { $0.at + model.faults.staleReads <= exchange.at } ?? false
    let known = responses[index]
    let source = (isDone ? known?.tookEffect : known?.noEffect) ?? .plan(ResponsePlan())
    let scope = scope(of: exchange, command, for: source)
    var response = response(of: source, scope, number: effect?.commit ?? 0, step: step)
    if effect != nil, !isDone { response.oddities = [.notSeenYet] }
    return (response, .probed(isDone: isDone))
  }

  mutating func abandoned(
    _ exchange: SimulatedRequest, _ command: Command, _ undone: [Int]
  ) -> (SimulatedResponse, ServerJournal.Delivery.Outcome) {
    guard case .abandon(let index) = command.action, let item = command.id.item
    else { return (SimulatedResponse(status: 404), .abandoned) }
    if let key = key(ofCompensation: exchange) {
      if keyed[key] != nil { return (SimulatedResponse(status: 204), .repeated(0)) }
      keyed[key] = (0, SimulatedResponse(status: 204))
    }
    for commit in undone { takeBack(commit, exchange) }
    if let example = examples.example(of: .abandon(loop: item.loop, index)) {
      let source = ResponseSource.example(example)
      let scope = scope(of: exchange, command, for: source)
      return (response(of: source, scope, number: 0, step: nil), .abandoned)
    }
    return (SimulatedResponse(status: undone.isEmpty ? 404 : 204), .abandoned)
  }
}

/// What compensations undo.
extension ModelServer {
  /// Numbers of the commits that a compensation undoes; results of the run that it reads are not undone.
  func undone(by command: Command) -> [Int] {
    guard case .abandon(let index) = command.action, let item = command.id.item else { return [] }
    let entry = evaluator.pipeline.loops[item.loop].onAbandon[index]
    let named = entry.uses.filter {
      !$0.isCredential && evaluator.pipeline.steps[$0.step].loop != nil
    }.compactMap { use in result(of: use, command).flatMap { results[$0.0]?[$0.1].commit } }
    return Set(named + declared(by: entry, item, named)).sorted()
  }

  /// The headers in which compensations can send a key: the common ones, and those of the steps.
  static func keyHeaders(of pipeline: Pipeline) -> [String] {
    ["Idempotency-Key", "X-Idempotency-Key"] + pipeline.steps.compactMap(\.keyPlace?.header)
  }

  private func key(ofCompensation exchange: SimulatedRequest) -> String? {
    Self.keyHeaders(of: evaluator.pipeline).lazy.compactMap(exchange.header).first
  }

  /// An effect was undone: no probe finds it, and its key still gets the original response.
  private mutating func takeBack(_ commit: Int, _ exchange: SimulatedRequest) {
    journal.noteAbandonment(of: commit, at: exchange.at)
    effects = effects.filter { $0.value.commit != commit }
    let known = journal.commits[commit - 1]
    let maker = StepOfItem(step: known.step, item: known.id.item)
    guard let place = results[maker]?.firstIndex(where: { $0.commit == commit }) else { return }
    results[maker]?[place].ended = exchange.at + model.clockSkew
  }

  /// The effects that a compensation undoes without naming them, which were derived from the results that it names.
  private func declared(by entry: Abandonment, _ item: ItemKey, _ named: [Int]) -> [Int] {
    let pipeline = evaluator.pipeline
    let own = Set(entry.named(in: pipeline))
    // An effect after the named result was replaced was not derived from it.
    let first = named.min() ?? 0
    let end = own.flatMap { journal.commits(of: $0, item: item) }.map(\.number)
      .filter { $0 > (named.max() ?? .max) }.min()
    return pipeline.undone(by: entry, of: item.loop).subtracting(own).sorted()
      .flatMap { journal.commits(of: $0, item: item) }
      .filter { $0.abandoned == nil && $0.number > first }
      .map(\.number).filter { number in end.map { number < $0 } ?? true }
  }
}
