/// How far the server is with the turns of a `repeat` step.
struct ServerTurn: Sendable {
  /// The values that the turns were derived from: with others, the server starts over.
  let basis: [Value?]
  /// The values of the `repeat` step, as the server has them.
  var values: [OutputValue]

  /// The position of the value that measures progress: the first whole number.
  var distance: Int? { values.firstIndex { if case .int? = $0.value { true } else { false } } }
}

/// The turns of `repeat` steps: the server tracks its received bytes, and reports them on request.
extension ModelServer {
  /// How far the server is, or before its first turn, where that starts; `nil` if that cannot be evaluated.
  func turn(of repeated: Int, _ command: Command) -> ServerTurn? {
    let pipeline = evaluator.pipeline
    guard case .repeat(let template) = pipeline.steps[repeated].action else { return nil }
    // The results of the turns differ from their sources.
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

  /// The response to the request that asks for the server's progress.
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
    // Nothing was sent yet, and then a response that reports completion is wrong.
    if turn.distance.map({ turn.values[$0].value }) == .some(.int(0)),
      evaluator.pipeline.steps.contains(where: { $0.turnOf == index && $0.transfer != nil })
    {
      received.note([], of: server)
    }
    return (
      fitted(
        response, source, index, server, readIn: device, number: 0, to: turn,
        isLast: isLast(turn.values, of: index, server),
        where: says(turn, of: index, server)), .probed(isDone: true)
    )
  }

  /// The required values of the result of the query: all values of the turn,
  /// or at least the distance and whether it is the last.
  private func says(
    _ turn: ServerTurn, of repeated: Int, _ scope: Scope
  ) -> [(StepResult) -> Bool] {
    let isLast = isLast(turn.values, of: repeated, scope)
    return [
      { result in result.outputs.map(\.value) == turn.values.map(\.value) },
      { result in
        turn.distance.map { result.outputs[$0].value == turn.values[$0].value } ?? false
          && self.isLast(result.outputs, of: repeated, scope) == isLast
      },
    ]
  }

  /// Whether no turn follows one that leaves these values.
  private func isLast(_ values: [OutputValue], of repeated: Int, _ scope: Scope) -> Bool? {
    guard case .repeat(let template) = evaluator.pipeline.steps[repeated].action else { return nil }
    var scope = scope
    scope.conclude(repeated, values, evaluator.pipeline)
    return try? evaluator.isTrue(template.until, scope)
  }

  // MARK: The steps of a turn

  /// The response to a step of a turn that starts at a position other than the server's;
  /// `nil` if nothing in the pipeline reads it.
  mutating func displaced(_ index: Int, _ command: Command) -> SimulatedResponse? {
    let step = evaluator.pipeline.steps[index]
    guard let repeated = step.turnOf, let range = piece(of: step, command.scope)?.range,
      let turn = turn(of: repeated, command), let place = turn.distance,
      turn.values[place].value != .int(range.lowerBound),
      step.matchers.contains(where: { $0.outcome == .expired(repeated) })
    else { return nil }
    return refusal(of: index, because: repeated, command)
  }

  /// The response to a step of a turn, and the server's state afterwards: the bytes of a range count in any case.
  mutating func advanced(
    _ response: SimulatedResponse, _ source: ResponseSource, _ index: Int, _ command: Command,
    _ scope: Scope, number: Int
  ) -> SimulatedResponse {
    let step = evaluator.pipeline.steps[index]
    guard let repeated = step.turnOf, var turn = turn(of: repeated, command),
      case .repeat(let template) = evaluator.pipeline.steps[repeated].action
    else { return response }
    var response = response
    if let piece = piece(of: step, command.scope), let place = turn.distance {
      turn.values[place] = OutputValue(value: .int(piece.range.upperBound))
      response = fitted(
        response, source, index, scope, number: number, to: turn, isLast: piece.isLast,
        where: follows(piece, of: index, template, repeated, place, scope))
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

  /// The required result of the response to a piece: the next turn starts at its end, if there is one;
  /// or at least the latter.
  private func follows(
    _ piece: (range: Range<Int64>, isLast: Bool?), of index: Int, _ template: RepeatTemplate,
    _ repeated: Int, _ place: Int, _ scope: Scope
  ) -> [(StepResult) -> Bool] {
    func isLast(_ values: [OutputValue]) -> Bool {
      self.isLast(values, of: repeated, scope) == piece.isLast
    }
    return [
      { result in
        let next = self.next(result, of: index, template, repeated, scope)
        return next?[place].value == .int(piece.range.upperBound)
          && (piece.isLast == nil || next.map(isLast) == true)
      },
      { self.next($0, of: index, template, repeated, scope).map(isLast) ?? false },
    ]
  }

  /// The bytes of its file that an upload sends, and whether the file ends with them; `nil` for a whole file.
  private func piece(of step: Step, _ scope: Scope) -> (range: Range<Int64>, isLast: Bool?)? {
    guard let index = evaluator.pipeline.stepIndex[step.id],
      let (file, range) = evaluator.pipeline.rangeSent(by: index),
      case .int(let offset)? = try? evaluator.value(range.offset, scope),
      case .int(let length)? = try? evaluator.value(range.length, scope), length >= 0,
      offset &+ length >= offset
    else { return nil }
    let size = (try? evaluator.value(file, scope)).flatMap(FileValue.init)?.size
    return (offset..<(offset &+ length), size.map { offset &+ length >= $0 })
  }

  // MARK: Rehearsal

  /// Determines how the responses to turns can report the server's state, so that searches during a run are shorter.
  mutating func rehearseTurns(_ world: InferenceWorld) {
    var world = world
    let steps = evaluator.pipeline.steps
    /// The values that the last turn leaves: what a server with all bytes has.
    var ends: [Int: [OutputValue]] = [:]
    // The question how far the server is comes last, since its response may be about the end of all turns.
    for index in steps.indices.filter({ steps[$0].turnOf != nil })
      + steps.indices.filter({ steps[$0].kind == .repeat })
    {
      let step = steps[index]
      let repeated = step.turnOf ?? index
      guard case .repeat(let template) = steps[repeated].action,
        let source = responses[index]?.response
      else { continue }
      // A file of which the first turn is a small part, and its last byte or the whole file.
      for progress in ResponseFit.Progress.allCases where index == repeated || progress != .nothing
      {
        let isLast = progress == .all
        var scope = world.scope(of: index).of(InferenceWorld.huge)
        guard var values = values(template.from, of: repeated, scope) else { continue }
        var turn = ServerTurn(basis: [], values: values)
        guard let place = turn.distance else { continue }
        if isLast { values[place] = OutputValue(value: .int(InferenceWorld.huge.size - 1)) }
        scope.conclude(repeated, values, evaluator.pipeline)
        let sent = index == repeated ? nil : piece(of: step, scope)
        guard index == repeated || sent != nil, sent?.isLast ?? isLast == isLast else { continue }
        if index == repeated, isLast {
          guard let end = ends[repeated] else { continue }
          turn.values = end
        } else if progress != .nothing {
          let distance = sent?.range.upperBound ?? 2 * (piece ?? InferenceWorld.file.size)
          turn.values[place] = OutputValue(value: .int(distance))
        }
        var server = scope
        if index == repeated { server.conclude(index, turn.values, evaluator.pipeline) }
        // Not the number of the commit that the values come from, not even for the question about the last turn.
        let number = index == repeated ? 3 : 2
        let usual = response(of: source, server, number: number, step: step)
        let response = fitted(
          usual, source, index, server, readIn: scope, number: number, to: turn, isLast: isLast,
          isRehearsal: true,
          where: sent.map { follows($0, of: index, template, repeated, place, scope) }
            ?? says(turn, of: index, server))
        if isLast, case .success(let result) = verdict(response, step, scope),
          let end = next(result, of: index, template, repeated, scope)
        {
          ends[repeated] = end
        }
      }
    }
  }

  // MARK: Finding the words

  /// A response that leaves the values, as near as possible to the usual one.
  ///
  /// An author's example is the response, regardless of its result.
  ///
  /// - Parameters:
  ///   - device: The device's state when it reads the response, if it differs from the server's.
  ///   - goals: The intended results of the response, best first: if a server cannot express one,
  ///   the next one is used.
  private mutating func fitted(
    _ usual: SimulatedResponse, _ source: ResponseSource, _ index: Int, _ scope: Scope,
    readIn device: Scope? = nil, number: Int, to turn: ServerTurn, isLast: Bool?,
    isRehearsal: Bool = false, where goals: [(StepResult) -> Bool]
  ) -> SimulatedResponse {
    let step = evaluator.pipeline.steps[index]
    func isFit(_ response: SimulatedResponse, _ isGood: (StepResult) -> Bool) -> Bool {
      guard case .success(let result) = verdict(response, step, device ?? scope)
      else { return false }
      return isGood(result)
    }
    if case .example = source { return usual }
    let isEmpty = turn.distance.map { turn.values[$0].value } == .some(.int(0))
    let place = ResponseFit.Place(step: index, isLast: isLast ?? false, isEmpty: isEmpty)
    var fit = fits[place] ?? ResponseFit(reads: Inference(evaluator, examples).reads(of: index))
    defer { fits[place] = fit }
    let now = scope.locals["now"]?.timestampValue.map(Instant.init) ?? scope.now
    let values = ResponseShape.Values(
      number: number, now: now, life: ResponseShape.usualLife,
      request: .init(evaluator, scope, of: step))
    for (rank, isGood) in goals.enumerated().dropFirst(fit.rank) {
      if isFit(usual, isGood) {
        fit.rank = max(fit.rank, rank)
        return usual
      }
      guard fit.failures < ResponseFit.patience else { continue }
      let numbers = turn.values.compactMap {
        if case .int(let number)? = $0.value { number } else { nil }
      }
      let search = Inference(evaluator, examples).search(forTurnOf: index, fit.reads, numbers)
      let found = search.first(trying: fit.choice, isThorough: isRehearsal) {
        isFit($0.response(values), isGood)
      }
      guard let found else { continue }
      (fit.choice, fit.failures, fit.rank) = (found.choice, 0, rank)
      return found.plan.response(values)
    }
    // A response that is not found in a rehearsal would not be found in a run.
    fit.failures = isRehearsal ? ResponseFit.patience : fit.failures + 1
    return usual
  }

  private func verdict(_ response: SimulatedResponse, _ step: Step, _ scope: Scope) -> Verdict {
    evaluator.verdict(of: step, response: response.response(at: scope.now), scope)
  }
}

/// How a step's response was derived to report a number, so that the next search starts there.
struct ResponseFit: Sendable {
  /// Servers report the completion of a file differently from partial progress.
  struct Place: Hashable, Sendable {
    let step: Int
    let isLast: Bool
    /// Whether the server has nothing yet, which most report by leaving something out.
    let isEmpty: Bool
  }

  /// How much of a file a server has when a response is rehearsed.
  enum Progress: CaseIterable { case nothing, part, all }

  let reads: ResponseReads
  /// `nil` where the usual response reports it, or none of those tried.
  var choice: ResponseSearch.Choice?
  var failures = 0
  /// The first goal that some response reaches.
  var rank = 0
  /// After this many, the words count as having no such number:
  /// a search that finds nothing tries thousands of responses.
  static let patience = 3
}
