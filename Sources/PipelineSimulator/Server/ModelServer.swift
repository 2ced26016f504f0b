import CEL
public import PipelineCore
import PipelineEngine

/// A server derived from a pipeline: it answers each step so that the pipeline goes on, keeps what it
/// committed, gives results a life, and misbehaves as its model says.
///
/// Where a request has an `example`, that is its answer. Where it has none, an answer is made up that the
/// step's matchers and outputs take. The same pipeline, model and seed give the same answers to the same
/// requests.
public struct ModelServer: SimulatedServer {
  /// What was sent and what took effect.
  public internal(set) var journal = ServerJournal()
  /// How the server behaves; may change while it runs, as when faults stop.
  public var model: ServerModel {
    didSet { keepsResults = Self.keptResults(of: evaluator.pipeline, model) }
  }

  let evaluator: Evaluator
  let answers: [StepAnswers?]
  var random: SplitMix64
  /// The first answer to each idempotency key.
  var keyed: [String: (commit: Int, reply: Reply)] = [:]
  /// What steps left, by step and item, oldest first.
  var results: [Maker: [ServerResult]] = [:]
  /// When effects that probes ask for took place, and the number of the commit.
  var effects: [EffectKey: (at: Instant, commit: Int)] = [:]
  /// The answers that say that the result of a step is dead.
  var refusals: [Refusal: AnswerPlan] = [:]
  private var asked: [Asker: Int] = [:]
  private var start: Instant?
  /// Requests so far.
  private var arrivals = 0
  /// How much later than a request its effect can be seen.
  private var lateness = Duration.zero
  /// How often each step was asked that an example keeps waiting.
  private var polls: [Maker: Int] = [:]
  private var keepsResults: [Bool]

  struct Maker: Hashable {
    let step: Int
    let item: ItemKey?
  }

  struct Refusal: Hashable {
    let step: Int
    let maker: Int
  }

  private struct Asker: Hashable {
    let step: Int
    let purpose: Exchange.Purpose
    let item: ItemKey?
  }

  /// The server of `pipeline`.
  ///
  /// - Throws: ``ExampleMissing`` where an answer is neither given nor can be made up.
  public init(
    _ pipeline: Pipeline, model: ServerModel = .ideal, seed: UInt64 = 1
  ) throws(ExampleMissing) {
    evaluator = Evaluator(pipeline)
    self.model = model
    random = SplitMix64(seed: seed)
    answers = try Inference(evaluator).answers()
    keepsResults = Self.keptResults(of: pipeline, model)
  }

  /// The server as it was before the first request, for another seed; cheaper than making up its answers anew.
  public func restarted(model: ServerModel, seed: UInt64) -> Self {
    var fresh = self
    fresh.model = model
    fresh.journal = ServerJournal()
    fresh.random = SplitMix64(seed: seed)
    fresh.keyed = [:]
    fresh.results = [:]
    fresh.effects = [:]
    fresh.asked = [:]
    fresh.arrivals = 0
    fresh.polls = [:]
    fresh.start = nil
    return fresh
  }

  /// Whether results of the step can die, so that it has to be known which one a request uses.
  private static func keptResults(of pipeline: Pipeline, _ model: ServerModel) -> [Bool] {
    let read = Set(
      (pipeline.steps.flatMap { $0.uses + ($0.probe?.uses ?? []) }
        + pipeline.loops.flatMap { $0.onAbandon.flatMap(\.uses) }).map(\.step))
    return pipeline.steps.indices.map { read.contains($0) && !pipeline.steps[$0].outputs.isEmpty }
  }

  /// See ``SimulatedServer/reply(to:for:)``.
  public mutating func reply(to exchange: Exchange, for command: Command) -> Reply {
    if start == nil { start = exchange.at }
    let latency = model.latency.duration(using: &random)
    var reply = delivered(exchange, command)
    reply.latency += latency
    if model.isDated || model.clockSkew != .zero, reply.failure == nil {
      reply.headers.append(
        .init(name: "Date", value: HTTPDateText.of(exchange.at + model.clockSkew)))
    }
    return reply
  }

  /// The answer, with the faults before and after it.
  private mutating func delivered(_ exchange: Exchange, _ command: Command) -> Reply {
    let faults = model.faults
    arrivals += 1
    if let fault = model.planned[arrivals] { return planned(fault, exchange, command) }
    if random.chance(faults.lostRequest) {
      note(exchange, .lost)
      return Self.lost
    }
    if random.chance(faults.serverError) {
      note(exchange, .serverError)
      return Reply(status: 503)
    }
    if random.chance(faults.throttled) {
      note(exchange, .throttled)
      let seconds = 1 + random.next() % 30
      return Reply(status: 429, headers: [.init(name: "Retry-After", value: "\(seconds)")])
    }
    let isTwice = random.chance(faults.duplicate)
    let isReplyLost = random.chance(faults.lostReply)
    let reply = answer(exchange, command, isReplyLost: isReplyLost, isDuplicate: false)
    if isTwice {
      _ = answer(exchange, command, isReplyLost: true, isDuplicate: true)
    }
    return isReplyLost ? Self.lost : reply
  }

  private mutating func planned(
    _ fault: ServerModel.PlannedFault, _ exchange: Exchange, _ command: Command
  ) -> Reply {
    switch fault {
    case .lostRequest:
      note(exchange, .lost)
      return Self.lost
    case .lostReply:
      _ = answer(exchange, command, isReplyLost: true, isDuplicate: false)
      return Self.lost
    case .lostReplyAndDeath:
      _ = answer(exchange, command, isReplyLost: true, isDuplicate: false)
      endResults(usedBy: exchange, command)
      return Self.lost
    case .late, .unseen: return unnoticed(fault, exchange, command)
    case .brokenGateway, .refused503, .refused429, .refused400, .refused401, .refused408,
      .refused425, .unreadable:
      let step = evaluator.pipeline.steps[exchange.id.step]
      let refusal = Answer(
        status: fault.status ?? 0, url: exchange.request.url, sent: exchange.at,
        received: exchange.at)
      if exchange.purpose == .attempt,
        evaluator.isRefused(by: step, answer: refusal, command.scope)
      {
        // The author says that such an answer means nothing was done, and the server keeps to that.
        note(exchange, .serverError)
        return Reply(status: refusal.status)
      }
      _ = answer(exchange, command, isReplyLost: true, isDuplicate: false)
      let body = fault == .unreadable ? Array("<html>".utf8) : []
      return Reply(status: fault.status ?? 0, body: body)
    }
  }

  /// Carries a request out so that nobody can see it before the step's probe is nearly believed.
  private mutating func unnoticed(
    _ fault: ServerModel.PlannedFault, _ exchange: Exchange, _ command: Command
  ) -> Reply {
    let latency = Duration.milliseconds(Int64(model.latency.mean * 1000))
    let end = fault == .late ? exchange.request.timeout : latency
    let step = evaluator.pipeline.steps[exchange.id.step]
    let patience = step.probe?.patience ?? .zero
    // Who knows a key may be as late as it likes.
    lateness =
      end + patience + (step.idempotencyHeader == nil ? .milliseconds(-1) : .seconds(10))
    _ = answer(exchange, command, isReplyLost: true, isDuplicate: false)
    lateness = .zero
    guard fault == .late else { return Self.lost }
    let failure = TransportFailure(
      .timeout, message: "no answer within \(TraceText.time(end))", mayHaveBeenSent: true)
    return Reply(failure: failure, latency: end - latency)
  }

  private static let lost = Reply(
    failure: TransportFailure(
      .connectionLost, message: "the connection was lost", mayHaveBeenSent: true))

  private mutating func note(
    _ exchange: Exchange, _ outcome: ServerJournal.Delivery.Outcome, isReplyLost: Bool = false,
    isDuplicate: Bool = false, entry: Int? = nil, undone: [Int] = []
  ) {
    journal.note(
      .init(
        at: exchange.at, id: exchange.id, purpose: exchange.purpose, outcome: outcome,
        isReplyLost: isReplyLost, isDuplicate: isDuplicate, entry: entry, undone: undone))
  }

  private mutating func answer(
    _ exchange: Exchange, _ command: Command, isReplyLost: Bool, isDuplicate: Bool
  ) -> Reply {
    let undone = undone(by: command)
    let (reply, outcome) =
      switch exchange.purpose {
      case .attempt: attempted(exchange, command, isDuplicate: isDuplicate)
      case .probe: probed(exchange, command)
      case .abandon: abandoned(exchange, command, undone)
      }
    var entry: Int?
    if case .abandon(let index) = command.action { entry = index }
    note(
      exchange, outcome, isReplyLost: isReplyLost, isDuplicate: isDuplicate, entry: entry,
      undone: undone)
    return reply
  }

  // MARK: Attempts

  private mutating func attempted(
    _ exchange: Exchange, _ command: Command, isDuplicate: Bool
  ) -> (Reply, ServerJournal.Delivery.Outcome) {
    let step = evaluator.pipeline.steps[exchange.id.step]
    if let status = model.refusals[exchange.id.step] {
      return (Reply(status: status), .refused(status: status, step: exchange.id.step))
    }
    // Of a batch only what authorizes it is looked at: the model tells nothing of single members.
    let uses = step.uses.filter {
      step.batch == nil || evaluator.pipeline.steps[$0.step].loop == nil
    }
    if let dead = useResults(uses, exchange, command) {
      let reply = refusal(of: exchange.id.step, because: dead, command)
      return (reply, .refused(status: reply.status, step: dead))
    }
    useResultsOfMembers(step.uses, exchange, command)
    let key = step.idempotencyHeader.flatMap(exchange.header)
    if let key, let first = keyed[key] { return (first.reply, .repeated(first.commit)) }
    let number = journal.commit(
      exchange.id, key: key, at: exchange.at, isDuplicate: isDuplicate)
    let source = source(of: exchange.id)
    let scope = scope(of: exchange, command, for: source)
    let reply = reply(of: source, scope, number: number, step: step)
    if let key { keyed[key] = (number, reply) }
    if step.probe != nil {
      let key = EffectKey(step, command, evaluator)
      if effects[key] == nil { effects[key] = (exchange.at + lateness, number) }
    }
    if keepsResults[exchange.id.step] {
      keep(reply, of: step, number: number, exchange, scope)
    }
    return (reply, .committed(number))
  }

  /// Requests that are kept waiting where the example of a poll is an answer that does so.
  private static let waits = 2

  /// The answer to an attempt: an example that only ever says "not ready" is followed by one that ends the wait.
  private mutating func source(of id: EffectID) -> AnswerSource {
    guard let known = answers[id.step] else { return .plan(AnswerPlan()) }
    guard let ready = known.ready else { return known.answer }
    let maker = Maker(step: id.step, item: id.item)
    polls[maker, default: 0] += 1
    return polls[maker, default: 0] > Self.waits ? ready : known.answer
  }

  /// What the expressions of an answer see: the request too, where it is an example.
  mutating func scope(
    of exchange: Exchange, _ command: Command, for source: AnswerSource
  ) -> Scope {
    var scope = command.scope
    if case .example = source {
      let asker = Asker(
        step: exchange.id.step, purpose: exchange.purpose, item: exchange.id.item)
      asked[asker, default: 0] += 1
      let step = evaluator.pipeline.steps[exchange.id.step]
      scope = (try? evaluator.scope(scope, ofRequestOf: step)) ?? scope
      scope.locals.merge(
        exchange.locals(number: asked[asker] ?? 1, start: start ?? exchange.at)
      ) { $1 }
    }
    scope.locals["now"] = .timestamp((exchange.at + model.clockSkew).timestamp)
    return scope
  }

  /// The answer of a source for the commit with the given number.
  func reply(of source: AnswerSource, _ scope: Scope, number: Int, step: Step) -> Reply {
    switch source {
    case .example(let template):
      return (try? Reply(template, evaluator, scope)) ?? Reply(status: 500)
    case .constant(let reply): return reply
    case .plan(let plan):
      let now = scope.locals["now"]?.timestampValue.map(Instant.init) ?? scope.now
      let life = model.lifetimes[step.id] ?? AnswerForm.usualLife
      return plan.reply(AnswerForm.Values(number: number, now: now, life: life))
    }
  }
}
