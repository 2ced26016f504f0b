import CEL
import PipelineCore

/// How far the server is with the turns of a `repeat` step.
struct ServerTurn: Sendable {
  /// The values that the turns were made from: with others the server begins again.
  let basis: [Value?]
  /// The values of the `repeat` step, as the server has them.
  var values: [OutputValue]

  /// The position of the value that measures progress: the first whole number.
  var distance: Int? { values.firstIndex { if case .int? = $0.value { true } else { false } } }
}

/// The turns of `repeat` steps: the server knows what it has, and says so when it is asked.
extension ModelServer {
  /// How far the server is.
  ///
  /// What it has not heard of is where the first turn begins; `nil` if that cannot be evaluated.
  func turn(of repeated: Int, _ command: Command) -> ServerTurn? {
    let pipeline = evaluator.pipeline
    guard case .repeat(let template) = pipeline.steps[repeated].action else { return nil }
    // What the turns leave is not what they were made from.
    let basis = pipeline.steps[repeated].uses.filter {
      !$0.isCredential && $0.output != nil && $0.step != repeated
        && pipeline.steps[$0.step].turnOf != repeated
    }.map { command.scope.output($0, pipeline) }
    let known = turns[StepOfItem(step: repeated, item: command.id.item)]
    if let known, known.basis == basis { return known }
    return values(template.from, of: repeated, command.scope).map {
      ServerTurn(basis: basis, values: $0)
    }
  }

  private func values(
    _ templates: [NamedTemplate<Compiled>], of repeated: Int, _ scope: Scope
  ) -> [OutputValue]? {
    zip(templates, evaluator.pipeline.steps[repeated].outputs).map { template, output in
      (try? evaluator.value(template.value, scope)).map {
        OutputValue(value: $0, isSecret: output.isSecret)
      }
    }.complete()
  }

  // MARK: Being asked

  /// The response to the request that asks how far the server is.
  mutating func resynced(
    _ index: Int, _ exchange: SimulatedRequest, _ command: Command
  ) -> (SimulatedResponse, ServerJournal.Delivery.Outcome) {
    let step = evaluator.pipeline.steps[index]
    if let dead = useResults(step.uses, exchange, command) {
      let response = refusal(of: index, because: dead, command)
      return (response, .refused(status: response.status, step: dead))
    }
    let source = responses[index]?.response ?? .plan(ResponsePlan())
    guard let turn = turn(of: index, command)
    else { return (SimulatedResponse(status: 500), .serverError) }
    let device = scope(of: exchange, command, for: source)
    var server = device
    server.conclude(index, turn.values, evaluator.pipeline)
    let response = response(of: source, server, number: 0, step: step)
    let (told, fit) = fitted(
      response, source, index, server, readIn: device, number: 0, to: turn,
      where: Self.says(turn, isWhole: fits[index]?.isWhole ?? true))
    if let fit { fits[index] = fit }
    return (told, .probed(isDone: true))
  }

  /// Whether the result of being asked has the values of the turn: all of them, or at least the distance.
  private static func says(_ turn: ServerTurn, isWhole: Bool) -> (StepResult) -> Bool {
    { result in
      guard let place = turn.distance, !isWhole
      else { return result.outputs.map(\.value) == turn.values.map(\.value) }
      return result.outputs[place].value == turn.values[place].value
    }
  }

  // MARK: The steps of a turn

  /// The response to a step of a turn that begins where the server is not; `nil` if nothing in the pipeline reads it.
  mutating func displaced(_ index: Int, _ command: Command) -> SimulatedResponse? {
    let step = evaluator.pipeline.steps[index]
    guard let repeated = step.turnOf, let range = range(of: step, command.scope),
      let turn = turn(of: repeated, command), let place = turn.distance,
      turn.values[place].value != .int(range.lowerBound),
      step.matchers.contains(where: { $0.outcome == .expired(repeated) })
    else { return nil }
    return refusal(of: index, because: repeated, command)
  }

  /// The response to a step of a turn, and what the server has then: the bytes of a range count, whatever the response
  /// would have been.
  mutating func advanced(
    _ response: SimulatedResponse, _ source: ResponseSource, _ index: Int, _ command: Command,
    _ scope: Scope, number: Int
  ) -> SimulatedResponse {
    let step = evaluator.pipeline.steps[index]
    guard let repeated = step.turnOf, var turn = turn(of: repeated, command),
      case .repeat(let template) = evaluator.pipeline.steps[repeated].action
    else { return response }
    var response = response
    if let range = range(of: step, command.scope), let place = turn.distance {
      turn.values[place] = OutputValue(value: .int(range.upperBound))
      let (told, fit) = fitted(response, source, index, scope, number: number, to: turn) {
        next($0, of: index, template, repeated, scope)?[place].value == .int(range.upperBound)
      }
      response = told
      if let fit { fits[index] = fit }
    }
    if case .success(let result) = verdict(response, step, scope),
      let values = next(result, of: index, template, repeated, scope)
    {
      turn.values = values
    }
    turns[StepOfItem(step: repeated, item: command.id.item)] = turn
    return response
  }

  /// The values of the next turn, if the result is the last that it needs.
  private func next(
    _ result: StepResult, of index: Int, _ template: RepeatTemplate, _ repeated: Int, _ scope: Scope
  ) -> [OutputValue]? {
    var scope = scope
    scope.conclude(index, result.outputs, evaluator.pipeline)
    return values(template.next, of: repeated, scope)
  }

  /// The bytes of its file that an upload sends; `nil` for a whole file.
  private func range(of step: Step, _ scope: Scope) -> Range<Int64>? {
    guard let index = evaluator.pipeline.stepIndex[step.id],
      let range = evaluator.pipeline.rangeSent(by: index),
      case .int(let offset)? = try? evaluator.value(range.offset, scope),
      case .int(let length)? = try? evaluator.value(range.length, scope), length >= 0,
      offset &+ length >= offset
    else { return nil }
    return offset..<(offset &+ length)
  }

  // MARK: Rehearsal

  /// Finds out how the responses to turns can say what the server has, before a run needs it: a search during a run is
  /// shorter.
  mutating func rehearseTurns(_ world: InferenceWorld) {
    var world = world
    for (index, step) in evaluator.pipeline.steps.enumerated() {
      guard let repeated = step.kind == .repeat ? index : step.turnOf,
        case .repeat(let template) = evaluator.pipeline.steps[repeated].action,
        let source = responses[index]?.response
      else { continue }
      // A file of which the first turn is a small part.
      var scope = world.scope(of: index).of(InferenceWorld.huge)
      guard let values = values(template.from, of: repeated, scope) else { continue }
      scope.conclude(repeated, values, evaluator.pipeline)
      var turn = ServerTurn(basis: [], values: values)
      let range = index == repeated ? nil : range(of: step, scope)
      guard let place = turn.distance, index == repeated || range != nil else { continue }
      let distance = range?.upperBound ?? 2 * (piece ?? InferenceWorld.file.size)
      turn.values[place] = OutputValue(value: .int(distance))
      var server = scope
      if index == repeated { server.conclude(index, turn.values, evaluator.pipeline) }
      // Not the number of the commit that the values come from.
      let number = 2
      let usual = response(of: source, server, number: number, step: step)
      // A server that cannot repeat a value, such as a URL of its own, says at least how far it is.
      for isWhole in index == repeated ? [true, false] : [false] {
        let says = Self.says(turn, isWhole: isWhole)
        fits[index] = nil
        let (_, known) = fitted(
          usual, source, index, server, readIn: scope, number: number, to: turn, isRehearsal: true
        ) { result in
          index == repeated
            ? says(result)
            : next(result, of: index, template, repeated, scope)?[place].value == .int(distance)
        }
        var fit = known ?? ResponseFit(reads: Inference(evaluator, examples).reads(of: index))
        fit.isWhole = isWhole
        fits[index] = fit
        if fit.failures == 0 { break }
      }
    }
  }

  // MARK: Finding the words

  /// A response that leaves the values, as near as possible to the usual one.
  ///
  /// An author's example is the response, whatever it leaves.
  ///
  /// - Parameter device: What the device knows when it reads the response, if that is not what the server knows.
  private func fitted(
    _ usual: SimulatedResponse, _ source: ResponseSource, _ index: Int, _ scope: Scope,
    readIn device: Scope? = nil, number: Int, to turn: ServerTurn, isRehearsal: Bool = false,
    where isGood: (StepResult) -> Bool
  ) -> (SimulatedResponse, ResponseFit?) {
    let step = evaluator.pipeline.steps[index]
    func isFit(_ response: SimulatedResponse) -> Bool {
      guard case .success(let result) = verdict(response, step, device ?? scope)
      else { return false }
      return isGood(result)
    }
    if case .example = source { return (usual, nil) }
    if isFit(usual) { return (usual, nil) }
    let numbers = turn.values.compactMap {
      if case .int(let number)? = $0.value { number } else { nil }
    }
    let inference = Inference(evaluator, examples)
    let known = fits[index]
    if let known, known.failures >= ResponseFit.patience { return (usual, known) }
    let search = inference.search(forTurnOf: index, known?.reads, numbers)
    let now = scope.locals["now"]?.timestampValue.map(Instant.init) ?? scope.now
    let values = ResponseShape.Values(
      number: number, now: now, life: ResponseShape.usualLife,
      request: .init(evaluator, scope, of: step))
    let found = search.first(trying: known?.choice, isThorough: isRehearsal) {
      isFit($0.response(values))
    }
    // What is not found in a rehearsal would not be found in a run.
    let failures = isRehearsal ? ResponseFit.patience : (known?.failures ?? 0) + 1
    let fit = ResponseFit(
      reads: search.reads, choice: found?.choice ?? known?.choice,
      failures: found == nil ? failures : 0, isWhole: known?.isWhole ?? true)
    return (found?.plan.response(values) ?? usual, fit)
  }

  private func verdict(_ response: SimulatedResponse, _ step: Step, _ scope: Scope) -> Verdict {
    let received = Response(
      status: response.status, headers: response.headers, body: response.body,
      url: "https://server.example/", sent: scope.now, received: scope.now)
    return evaluator.verdict(of: step, response: received, scope)
  }
}

/// How a step's response was made to say a number, so that the next search begins there.
struct ResponseFit: Sendable {
  let reads: ResponseReads
  /// `nil` where the usual response says it, or none that was tried.
  var choice: ResponseSearch.Choice?
  /// Number of searches in a row that found nothing.
  var failures = 0
  /// Whether the response has all values of a turn, and not only how far it is.
  var isWhole = true
  /// After so many the words are taken to have no such number: a search that finds nothing tries thousands of responses.
  static let patience = 3
}
