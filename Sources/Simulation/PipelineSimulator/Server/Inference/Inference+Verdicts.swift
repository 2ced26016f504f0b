/// What responses mean, and those of probes.
extension Inference {
  // MARK: Probes

  func probeSource(
    _ index: Int, _ probe: Probe, _ part: ExampleMissing.Part, _ scope: Scope
  ) throws(ExampleMissing) -> ResponseSource {
    let step = pipeline.steps[index]
    let request = ServerExamples.Request.probe(step.id, isDone: part == .tookEffect)
    if let example = examples.example(of: request) { return source(of: example) }
    var reads = reads(of: index)
    if let schema = examples.schema(of: request) { reads.declare(schema, at: [.member("json")]) }
    reads.read(probe.tookEffect.compiled, for: .bool)
    let search = ResponseSearch(reads, statuses: [200, 404, 410])
    let values = values(for: step, scope)
    let scope = step.batch == nil ? scope : scope.batchOfOne
    var last: Verdict?
    let found = search.found(1) { plan in
      let verdict = evaluator.probeVerdict(
        of: step, probe: probe, response: InferenceWorld.response(plan, values), scope
      ).ofOnlyMember
      if last == nil { last = verdict }
      if case .success = verdict { return part == .tookEffect }
      return verdict == .notDone && part == .noEffect
    }
    guard let plan = found.first
    else { throw missing(index, part, last.map(Self.text) ?? "no expression reads the response") }
    return source(of: plan)
  }

  func missing(_ index: Int, _ part: ExampleMissing.Part, _ reason: String) -> ExampleMissing {
    let step = pipeline.steps[index]
    return ExampleMissing(step: step.id, part: part, location: step.location, reason: reason)
  }

  // MARK: Results

  /// The source of a response: a constant if nothing in it varies.
  func source(of plan: ResponsePlan) -> ResponseSource {
    guard !plan.readsRequest else { return .plan(plan) }
    let first = plan.response(.init(number: 1, now: InferenceWorld.now, life: .seconds(60)))
    let second = plan.response(
      .init(number: 2, now: InferenceWorld.now + .seconds(60), life: .seconds(120)))
    return first == second ? .constant(first) : .plan(plan)
  }

  func source(of example: ResponseTemplate) -> ResponseSource {
    var world = InferenceWorld(evaluator)
    guard example.expressions.isEmpty,
      let response = try? SimulatedResponse(example, evaluator, world.scope(of: 0))
    else { return .example(example) }
    return .constant(response)
  }

  func result(of index: Int, _ plan: ResponsePlan, _ scope: Scope) -> StepResult {
    let values = values(for: pipeline.steps[index], scope)
    return result(of: index, InferenceWorld.response(plan, values), scope)
  }

  func result(of index: Int, _ example: ResponseTemplate, _ scope: Scope) -> StepResult {
    let scope = exampleScope(scope, of: pipeline.steps[index])
    guard let response = try? SimulatedResponse(example, evaluator, scope)
    else { return StepResult() }
    return result(of: index, response.response(at: InferenceWorld.now), scope)
  }

  /// The variables that an example of a response to the step can read.
  private func exampleScope(_ scope: Scope, of step: Step) -> Scope {
    var seen = (try? evaluator.scope(scope.batchOfOne, ofRequestOf: step)) ?? scope
    seen.locals.merge(InferenceWorld.locals) { $1 }
    return seen
  }

  /// Maximum number of requests for which an example that depends on their number may mean "not ready".
  private static let polls: Int64 = 1000

  /// The first response that ends the step's wait, if the example reaches one with the number or time of the request.
  func settled(_ index: Int, _ example: ResponseTemplate, _ scope: Scope) -> Response? {
    let changing = ["request.number", "request.elapsed"]
    guard
      example.expressions.contains(where: { expression in
        expression.compiled.references.contains { changing.contains($0.variable) }
      }), isPoll(index, example, scope)
    else { return nil }
    let step = pipeline.steps[index]
    var seen = exampleScope(scope, of: step)
    for number in 2...Self.polls {
      seen.locals["request.number"] = .int(number)
      seen.locals["request.elapsed"] = .duration(.seconds(60 * number))
      guard let response = try? SimulatedResponse(example, evaluator, seen) else { return nil }
      let received = response.response(at: now)
      if !isPoll(evaluator.verdict(of: step, response: received, scope)) { return received }
    }
    return nil
  }

  /// Whether an example is a response that keeps the step waiting.
  func isPoll(_ index: Int, _ example: ResponseTemplate, _ scope: Scope) -> Bool {
    let step = pipeline.steps[index]
    guard step.batch == nil,
      let response = try? SimulatedResponse(example, evaluator, exampleScope(scope, of: step))
    else { return false }
    return isPoll(evaluator.verdict(of: step, response: response.response(at: now), scope))
  }

  private func isPoll(_ verdict: Verdict) -> Bool {
    if case .poll = verdict { true } else { false }
  }
  private var now: Instant { InferenceWorld.now }

  func result(of index: Int, _ response: Response, _ scope: Scope) -> StepResult {
    let verdict = verdict(of: pipeline.steps[index], response, scope)
    guard case .success(var result) = verdict else { return StepResult() }
    if pipeline.steps[index].makesFile { result.file = InferenceWorld.file }
    return result
  }

  func verdictText(of index: Int, _ scope: Scope) -> String {
    let plan = ResponseSearch(reads(of: index), statuses: [200]).found(1) { _ in true }.first
    let step = pipeline.steps[index]
    let response = InferenceWorld.response(plan ?? ResponsePlan(), values(for: step, scope))
    return Self.text(verdict(of: step, response, scope))
  }

  /// The meaning of a response; for a batch, for a single item in it.
  func verdict(of step: Step, _ response: Response, _ scope: Scope) -> Verdict {
    let scope = step.batch == nil ? scope : scope.batchOfOne
    return evaluator.verdict(of: step, response: response, scope).ofOnlyMember
  }

  /// The first response that keeps a `poll` step waiting; `nil` if none of those that are tried does.
  func waiting(_ index: Int, _ scope: Scope) -> ResponsePlan? {
    let step = pipeline.steps[index]
    let search = ResponseSearch(reads(of: index), statuses: [200, 202]) { _ in true }
    let values = values(for: step, scope)
    return search.found(1) { plan in
      let response = InferenceWorld.response(plan, values)
      return isPoll(evaluator.verdict(of: step, response: response, scope))
    }.first
  }

  static func text(_ verdict: Verdict) -> String {
    switch verdict {
    case .fail(let failure), .pause(let failure), .retry(let failure, _, _),
      .expired(_, let failure, _), .unknown(let failure), .unavailable(_, let failure),
      .pauseRun(let failure), .stale(let failure), .itemSkipped(let failure):
      failure.message
    case .uncertain(let answered): text(answered)
    case .poll: "all responses tried mean 'not ready'"
    case .itemDone: "the responses tried mean that the item needs no further step"
    case .success, .results: "an output would already be expired when it is created"
    case .interrupted, .notDone: "all responses tried mean 'not done'"
    }
  }
}

extension Verdict {
  /// The verdict for the only member of a batch; the same for all else.
  fileprivate var ofOnlyMember: Verdict {
    guard case .results(_, let verdicts) = self else { return self }
    return verdicts.first ?? self
  }
}
