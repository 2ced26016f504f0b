/// A server derived from a pipeline: it responds so that the pipeline continues,
/// and misbehaves according to its model.
///
/// A request's `example` is its response. Without one, the server derives a response that the step's matchers and outputs
/// accept. The same pipeline, model and seed produce the same responses to the same requests.
public struct ModelServer: SimulatedServer {
  /// The received requests and their effects.
  public internal(set) var journal = ServerJournal()
  /// How the server behaves; may change during a run, for example when faults stop.
  public var model: ServerModel {
    didSet { keepsResults = Self.keptResults(of: evaluator.pipeline, model) }
  }

  let evaluator: Evaluator
  let examples: ServerExamples
  let responses: [StepResponses?]
  /// The length of the first piece of a large file, if it is sent in pieces.
  let piece: Int64?
  var draws: Draws
  /// The first response to each idempotency key.
  var keyed: [String: (commit: Int, response: SimulatedResponse)] = [:]
  /// What steps left, by step and item, oldest first.
  var results: [StepOfItem: [ServerResult]] = [:]
  /// When the effects that probes ask for took place, and the number of the commit.
  var effects: [EffectKey: (at: Instant, commit: Int)] = [:]
  /// The responses that report the result of a step as expired.
  var refusals: [Refusal: ResponsePlan] = [:]
  /// How far the server is with the turns of `repeat` steps.
  var turns: [StepOfItem: ServerTurn] = [:]
  /// How the responses to steps report it.
  var fits: [ResponseFit.Place: ResponseFit] = [:]
  /// The received parts of the items' files.
  var received = ReceivedPieces()
  private var requestCounts: [SimulatedRequest.Asker: Int] = [:]
  private var start: Instant?
  private var arrivals = 0
  /// How long after a request its effect becomes visible.
  var lateness = Duration.zero
  /// Number of requests of each step that an example keeps waiting.
  private var polls: [StepOfItem: Int] = [:]
  private var keepsResults: [Bool]

  struct Refusal: Hashable { let step, maker: Int }

  /// The server of `pipeline`, which responds with its examples where it has any.
  ///
  /// - Throws: ``ExampleMissing`` if a response is neither specified nor can be derived.
  public init(
    _ pipeline: SimulatedPipeline, model: ServerModel = .ideal, seed: UInt64 = 1
  ) throws(ExampleMissing) {
    evaluator = Evaluator(pipeline.pipeline)
    self.model = model
    draws = Draws(seed: seed)
    examples = pipeline.examples
    let derived = try Inference(evaluator, examples).derived()
    responses = derived.responses
    piece = derived.piece
    keepsResults = Self.keptResults(of: evaluator.pipeline, model)
    rehearseTurns(derived.world)
  }

  /// The server in its initial state with another seed; cheaper than deriving its responses again.
  public func restarted(model: ServerModel, seed: UInt64) -> Self {
    restarted(model: model, draws: Draws(seed: seed))
  }

  package func restarted(model: ServerModel, draws: Draws) -> Self {
    var fresh = self
    fresh.model = model
    fresh.journal = ServerJournal()
    fresh.draws = draws
    fresh.keyed = [:]
    fresh.results = [:]
    fresh.effects = [:]
    fresh.turns = [:]
    fresh.received = ReceivedPieces()
    fresh.requestCounts = [:]
    fresh.arrivals = 0
    fresh.polls = [:]
    fresh.start = nil
    return fresh
  }

  /// Whether results of the step can expire, so that it must be tracked which one a request uses.
  private static func keptResults(of pipeline: Pipeline, _ model: ServerModel) -> [Bool] {
    let read = Set(
      (pipeline.steps.flatMap { $0.uses + ($0.probe?.uses ?? []) }
        + pipeline.loops.flatMap { $0.onAbandon.flatMap(\.uses) }).map(\.step))
    return pipeline.steps.indices.map { read.contains($0) && !pipeline.steps[$0].outputs.isEmpty }
  }

  /// See ``SimulatedServer/respond(to:for:)``.
  public mutating func respond(
    to exchange: SimulatedRequest, for command: Command
  ) -> SimulatedResponse {
    if start == nil { start = exchange.at }
    let latency = latency()
    var response = delivered(exchange, command)
    response.latency += latency
    if model.isDated || model.clockSkew != .zero, response.failure == nil {
      response.headers.append(
        .init(
          name: "Date",
          value: HTTPDate.text(secondsSince1970: (exchange.at + model.clockSkew).seconds)))
    }
    return response
  }

  private mutating func latency() -> Duration {
    let distribution = model.latency
    if case .constant = distribution { return .clamped(milliseconds: distribution.mean * 1000) }
    let milliseconds = draws.draw("latency") { distribution.sample(using: &$0) * 1000 }
    return .clamped(milliseconds: milliseconds)
  }

  /// The response, with the faults before and after it.
  private mutating func delivered(
    _ exchange: SimulatedRequest, _ command: Command
  ) -> SimulatedResponse {
    let faults = model.faults
    arrivals += 1
    if let fault = model.planned[arrivals] { return planned(fault, exchange, command) }
    if exchange.isRedirected, exchange.request.url.hasSuffix(ServerModel.PlannedFault.signInPath) {
      note(exchange, .lost)
      return ServerModel.PlannedFault.page
    }
    if draws.chance(faults.lostRequest, "request lost") {
      note(exchange, .lost)
      return Self.lost
    }
    if draws.chance(faults.serverError, "503") {
      note(exchange, .serverError)
      return SimulatedResponse(status: 503)
    }
    if draws.chance(faults.throttled, "429") {
      note(exchange, .throttled)
      let seconds = 1 + draws.index(below: 30, "seconds of 429")
      return SimulatedResponse(
        status: 429, headers: [.init(name: "Retry-After", value: "\(seconds)")])
    }
    let isTwice = draws.chance(faults.duplicate, "request duplicated")
    let isReplyLost = draws.chance(faults.lostReply, "response lost")
    var response = respond(exchange, command, isReplyLost: isReplyLost, isDuplicate: false)
    let oddities = response.oddities
    if isTwice { _ = respond(exchange, command, isReplyLost: true, isDuplicate: true) }
    if isReplyLost { response = Self.lost }
    response.oddities =
      oddities + (isTwice ? [.deliveredTwice] : []) + (isReplyLost ? [.responseLost] : [])
    return response
  }

  private mutating func planned(
    _ fault: ServerModel.PlannedFault, _ exchange: SimulatedRequest, _ command: Command
  ) -> SimulatedResponse {
    switch fault {
    case .lostRequest:
      note(exchange, .lost)
      return Self.lost
    case .lostReply, .lostReplyAndDeath:
      _ = respond(exchange, command, isReplyLost: true, isDuplicate: false)
      if fault == .lostReplyAndDeath { endResults(usedBy: exchange, command) }
      return Self.lost
    case .late, .unseen: return unnoticed(fault, exchange, command)
    case .signInPage, .foreignPage, .emptySuccess:
      note(exchange, .lost)
      return fault.response
    case .brokenGateway, .refused503, .refused429, .refused400, .refused401, .refused408,
      .refused425, .unreadable, .seeOther:
      let refusal = fault.response.response(to: exchange.request, sent: exchange.at)
      if exchange.purpose == .attempt, let step = evaluator.pipeline.step(of: exchange.id),
        evaluator.isRefused(by: step, response: refusal, command.scope)
      {
        // The author declares that such a response means nothing was done, and the server complies.
        note(exchange, .serverError)
        return SimulatedResponse(status: refusal.status)
      }
      _ = respond(exchange, command, isReplyLost: true, isDuplicate: false)
      return fault.response
    }
  }

  /// Carries out a request in a way that is not visible until just before the step's probe is trusted.
  private mutating func unnoticed(
    _ fault: ServerModel.PlannedFault, _ exchange: SimulatedRequest, _ command: Command
  ) -> SimulatedResponse {
    let latency = Duration.milliseconds(Int64(model.latency.mean * 1000))
    let end = fault == .late ? exchange.request.timeout : latency
    let step = evaluator.pipeline.step(of: exchange.id)
    let patience = step?.probe?.patience ?? .zero
    // A server that recognizes a key may be arbitrarily late.
    lateness = end + patience + (step?.keyPlace == nil ? .milliseconds(-1) : .seconds(10))
    _ = respond(exchange, command, isReplyLost: true, isDuplicate: false)
    lateness = .zero
    guard fault == .late else { return Self.lost }
    let failure = TransportFailure(
      .timeout, message: "no response within \(TraceText.time(end))", mayHaveBeenSent: true)
    return SimulatedResponse(failure: failure, latency: end - latency)
  }

  private static let lost = SimulatedResponse(
    failure: TransportFailure(
      .connectionLost, message: "the connection was lost", mayHaveBeenSent: true))

  private mutating func note(
    _ exchange: SimulatedRequest, _ outcome: ServerJournal.Delivery.Outcome,
    isReplyLost: Bool = false, isDuplicate: Bool = false, entry: Int? = nil, undone: [Int] = []
  ) {
    journal.note(
      .init(
        at: exchange.at, id: exchange.id, purpose: exchange.purpose, outcome: outcome,
        isReplyLost: isReplyLost, isDuplicate: isDuplicate, entry: entry, undone: undone))
  }

  private mutating func respond(
    _ exchange: SimulatedRequest, _ command: Command, isReplyLost: Bool, isDuplicate: Bool
  ) -> SimulatedResponse {
    let undone = undone(by: command)
    let (response, outcome) =
      if let step = exchange.id.step {
        exchange.purpose == .probe
          ? probed(step, exchange, command)
          : attempted(step, exchange, command, isDuplicate: isDuplicate)
      } else { abandoned(exchange, command, undone) }
    var entry: Int?
    if case .abandon(let index) = command.action { entry = index }
    note(
      exchange, outcome, isReplyLost: isReplyLost, isDuplicate: isDuplicate, entry: entry,
      undone: undone)
    return response
  }

  // MARK: Attempts

  private mutating func attempted(
    _ index: Int, _ exchange: SimulatedRequest, _ command: Command, isDuplicate: Bool
  ) -> (SimulatedResponse, ServerJournal.Delivery.Outcome) {
    let step = evaluator.pipeline.steps[index]
    if let status = model.refusals[index] {
      return (SimulatedResponse(status: status), .refused(status: status, step: index))
    }
    if case .repeat = step.action { return resynced(index, exchange, command) }
    // Of a batch, only the credentials are checked: the model does not cover single members.
    let uses = step.uses.filter {
      step.batch == nil || evaluator.pipeline.steps[$0.step].loop == nil
    }
    let key = step.keyPlace == nil ? nil : exchange.request.key
    // A server that has the key replays its response, even if the object of the request has changed.
    let first = key.flatMap { keyed[$0] }
    if let dead = useResults(first == nil ? uses : uses.filter(\.isCredential), exchange, command) {
      var response = refusal(of: index, because: dead, command)
      let used = uses.filter { $0.step == dead }.compactMap { result(of: $0, command) }
      if used.contains(where: { results[$0.0]?[$0.1].ended != nil }) {
        response.oddities = [.expiredEarly]
      }
      return (response, .refused(status: response.status, step: dead))
    }
    if let first { return (first.response, .repeated(first.commit)) }
    useResultsOfMembers(step.uses, exchange, command)
    if let response = displaced(index, command), let repeated = step.turnOf {
      return (response, .refused(status: response.status, step: repeated))
    }
    received.note(exchange.pieces, of: command.scope)
    let number = journal.commit(
      index, exchange.id, key: key, at: exchange.at, isDuplicate: isDuplicate)
    let source = source(of: index, exchange.id.item)
    let scope = scope(of: exchange, command, for: source)
    let usual = response(of: source, scope, number: number, step: step)
    let response = advanced(usual, source, index, command, scope, number: number)
    if let key { keyed[key] = (number, response) }
    if step.probe != nil { note(effectOf: index, number, exchange, command) }
    if keepsResults[index] { keep(response, of: index, number: number, exchange, scope) }
    return (response, .committed(number))
  }

  /// Number of requests kept waiting if the example of a poll is a response that does so.
  private static let waits = 2

  /// The response to an attempt: an example that only ever means "not ready" is followed by one that ends the wait.
  private mutating func source(of step: Int, _ item: ItemKey?) -> ResponseSource {
    guard let known = responses[step] else { return .plan(ResponsePlan()) }
    guard let ready = known.ready else { return known.response }
    let maker = StepOfItem(step: step, item: item)
    polls[maker, default: 0] += 1
    return polls[maker, default: 0] > Self.waits ? ready : known.response
  }

  /// The variables that the expressions of a response can read; for an example, this includes the request.
  mutating func scope(
    of exchange: SimulatedRequest, _ command: Command, for source: ResponseSource
  ) -> Scope {
    var scope = command.scope
    if case .example = source {
      let asker = exchange.asker
      requestCounts[asker, default: 0] += 1
      if let step = evaluator.pipeline.step(of: exchange.id) {
        scope = (try? evaluator.scope(scope, ofRequestOf: step)) ?? scope
      }
      scope.locals.merge(
        exchange.locals(number: requestCounts[asker] ?? 1, start: start ?? exchange.at)
      ) { $1 }
    }
    scope.locals["now"] = .timestamp((exchange.at + model.clockSkew).timestamp)
    return scope
  }

  func response(
    of source: ResponseSource, _ scope: Scope, number: Int, step: Step?
  ) -> SimulatedResponse {
    switch source {
    case .example(let template):
      return (try? SimulatedResponse(template, evaluator, scope)) ?? SimulatedResponse(status: 500)
    case .constant(let response): return response
    case .plan(let plan):
      let now = scope.locals["now"]?.timestampValue.map(Instant.init) ?? scope.now
      let life = step.flatMap { model.lifetimes[$0.id] } ?? ResponseShape.usualLife
      return plan.response(
        .init(number: number, now: now, life: life, request: .init(evaluator, scope, of: step)))
    }
  }
}
