import CEL
import MachineSupport
import PipelineCore

/// A server that a virtual run talks to.
protocol VirtualServer {
  /// What comes back, and how long that takes; `body` is what is sent, in pieces.
  mutating func answer(
    _ request: RenderedRequest, body: [Body.Piece], at now: Instant
  ) -> VirtualResponse
}

/// What a server sends back.
struct VirtualResponse {
  var status = 200
  var json = "{}"
  var headers: [Response.Header] = []
  var error: TransportFailure.Kind?
  var takes: Duration = .milliseconds(200)
}

/// A whole run in virtual time: the machine and the evaluator as they are, the ports in memory.
///
/// All is decided by the pipeline, the server and the events' order; nothing waits.
struct VirtualRun<Server: VirtualServer> {
  private struct Pending {
    let at: Instant
    let order: Int
    let event: Event
  }

  let pipeline: Pipeline
  private(set) var machine: Machine
  private(set) var rows: ModelRows
  var server: Server
  private(set) var now = Instant(milliseconds: 1_800_000_000_000)
  /// The most bytes of the disk budget that were taken at once.
  private(set) var peakDiskBytes: Int64 = 0
  /// Expressions that failed, as they failed.
  private(set) var failures: [EvaluationFailure] = []
  /// Whether nothing was left to do in the end.
  private(set) var hasEnded = false
  /// The process ends without a word after every so many events.
  var crashInterval: Int?
  /// Is shown each answer before its step's verdict is taken.
  var observe: (@Sendable (Step, Response, Scope, Evaluator) -> [EvaluationFailure])?

  private var queue: [Pending] = []
  private var order = 0
  private var inFlight: [EffectID: Verdict] = [:]
  private var contents: [String: [Body.Piece]] = [:]

  init(
    _ pipeline: Pipeline, inputs: [String: Value], secrets: [String: Value], files: [FileValue],
    server: Server, seed: UInt64 = 1
  ) {
    self.pipeline = pipeline
    self.server = server
    var state = RunState(
      id: RunID("run"), pipeline: pipeline, inputs: inputs, secrets: secrets, seed: seed,
      began: now)
    rows = ModelRows(pipeline.loops.map { $0.filesInput == nil ? [] : files.map { .file($0) } })
    for (index, loop) in pipeline.loops.enumerated() where loop.filesInput != nil {
      state.loops[index].isEnumerated = true
      state.loops[index].counts[.pending] = files.count
    }
    machine = Machine(state, evaluator: Evaluator(pipeline))
  }

  /// Runs until nothing is left to do, or for `limit` events.
  mutating func run(limit: Int = 4000) {
    post(.runBegan)
    var count = 0
    while count < limit, let next = takeNext() {
      count += 1
      now = max(now, next.at)
      if case .concluded(let id, _) = next.event {
        guard let verdict = inFlight.removeValue(forKey: id) else { continue }
        take(.concluded(id, verdict))
      } else {
        take(next.event)
      }
      if machine.hasStopped { break }
      if let crashInterval, count.isMultiple(of: crashInterval) { crash() }
    }
    hasEnded = machine.hasStopped
  }

  private mutating func takeNext() -> Pending? {
    guard
      let index = queue.indices.min(by: {
        (queue[$0].at, queue[$0].order) < (queue[$1].at, queue[$1].order)
      })
    else { return nil }
    return queue.remove(at: index)
  }

  private mutating func post(_ event: Event, after delay: Duration = .zero) {
    order += 1
    queue.append(Pending(at: now + delay, order: order, event: event))
  }

  /// Loses all that lived in the process; another takes the run over, knowing the secret inputs.
  private mutating func crash() {
    queue = []
    inFlight = [:]
    rows = rows.stored
    machine = Machine(machine.state.stored, evaluator: machine.evaluator)
    post(.runResumed)
  }

  private mutating func take(_ event: Event) {
    let effects = machine.apply(event, at: now)
    rows.commit(machine.takeCheckpoint(), of: machine.state)
    peakDiskBytes = max(peakDiskBytes, machine.reservedDiskBytes)
    for effect in effects { perform(effect) }
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .enumerate(let loop): enumerate(loop)
    case .loadItems(let loop, let status, let after, let limit):
      post(rows.load(loop, status, after: after, limit: limit))
    case .perform(let command): begin(command)
    // The transfers of this world ask nothing.
    case .answerRenewal: break
    case .interrupt(let id):
      guard inFlight[id] != nil else { return }
      inFlight[id] = .interrupted
      post(.concluded(id, .interrupted))
    case .discardFiles(let key, let bytes): post(.filesDiscarded(key, bytes: bytes))
    case .setTimer(let instant):
      queue.removeAll { $0.event == .timerFired }
      post(.timerFired, after: max(.zero, instant - now))
    case .endAllowance, .stop: break
    }
  }

  private mutating func enumerate(_ loop: Int) {
    let scope = Scope(machine.state, item: nil, now: now)
    do throws(EvaluationFailure) {
      let expression = pipeline.loops[loop].items
      guard let list = try machine.evaluator.value(expression, scope).listValue else {
        throw EvaluationFailure(message: "expected a list", location: expression.location)
      }
      rows.enumerate(loop, list.map { FileValue($0).map { .file($0) } ?? .value($0) })
      post(.itemsEnumerated(loop: loop, count: list.count))
    } catch {
      failures.append(error)
      post(.enumerationFailed(loop: loop, error.failure))
    }
  }

  // MARK: Commands

  private mutating func begin(_ command: Command) {
    let step = pipeline.step(of: command.id) ?? pipeline.steps[0]
    var delay = Duration.milliseconds(1)
    let verdict: Verdict
    do throws(EvaluationFailure) {
      switch (command.action, step.action) {
      case (.attempt, .materialize(let template)):
        verdict = try materialize(template, step, command)
      case (.attempt, .request(let template)):
        let response = try send(template, nil, step, command, &delay)
        verdict = self.verdict(step, response, command)
      case (.attempt, .upload(let template)):
        let file = try machine.evaluator.file(template.file, command.scope)
        let response = try send(template.request, file, step, command, &delay)
        verdict = self.verdict(step, response, command)
      case (.attempt, .repeat(let template)):
        verdict =
          try template.resync.map { request throws(EvaluationFailure) in
            self.verdict(step, try send(request, nil, step, command, &delay), command)
          } ?? .notDone
      case (.attempt, .download(let template)):
        verdict = try download(template, step, command, &delay)
      case (.adopt, _): verdict = .interrupted
      case (.probe, _): verdict = try probe(step, command, &delay)
      case (.abandon(let index), _): verdict = try abandon(index, step, command, &delay)
      }
    } catch {
      failures.append(error)
      verdict = .fail(error.failure)
    }
    inFlight[command.id] = verdict
    post(.concluded(command.id, verdict), after: delay)
  }

  private func verdict(_ step: Step, _ response: Response, _ command: Command) -> Verdict {
    let frame = step.loop == nil ? command.scope.runFrame : command.scope.itemFrame
    return machine.evaluator.verdict(
      of: step, response: response, command.scope, earlierStatuses: frame[step.position].statuses)
  }

  private mutating func download(
    _ template: DownloadTemplate, _ step: Step, _ command: Command, _ delay: inout Duration
  ) throws(EvaluationFailure) -> Verdict {
    let plan = try machine.evaluator.plan(template, command.scope, at: step.location)
    let response = try send(template.request, nil, step, command, &delay)
    guard case .success(var result) = verdict(step, response, command) else {
      return verdict(step, response, command)
    }
    let path = "\(command.id.item.map { "\($0)" } ?? "run")-\(step.id)"
    contents[path] = [.bytes(response.body)]
    result.file = FileValue(
      path: path, name: plan.name, size: plan.size ?? Int64(response.body.count), modified: 0)
    return .success(result)
  }

  private mutating func materialize(
    _ template: MaterializeTemplate, _ step: Step, _ command: Command
  ) throws(EvaluationFailure) -> Verdict {
    let plan = try machine.evaluator.plan(template, command.scope, id: command.id)
    let path = "\(command.id.item.map { "\($0)" } ?? "run")-\(step.id)"
    contents[path] = plan.pieces
    var digests: [DigestAlgorithm: String] = [:]
    for algorithm in plan.digests { digests[algorithm] = Self.digest(plan.pieces) }
    let file = FileValue(
      path: path, name: plan.name, size: plan.size, modified: 0, contentType: plan.contentType,
      digests: digests)
    var outputs: [OutputValue] = []
    for output in step.outputs {
      outputs.append(
        OutputValue(
          value: try machine.evaluator.value(output.value, command.scope),
          isSecret: output.isSecret))
    }
    return .success(StepResult(outputs: outputs, file: file, bytes: file.size))
  }

  /// A substitute for a digest: the same for the same bytes.
  static func digest(_ pieces: [Body.Piece]) -> String {
    pieces.map { piece in
      switch piece {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .file(let file, let offset, let length): "<\(file.name) \(offset)+\(length)>"
      }
    }.joined()
  }

  private mutating func send(
    _ template: RequestTemplate, _ file: FileValue?, _ step: Step, _ command: Command,
    _ delay: inout Duration
  ) throws(EvaluationFailure) -> Response {
    let key = step.idempotencyHeader.flatMap { header in
      machine.evaluator.idempotencyKey(command.id, command.scope).map {
        (header: header, key: $0, isSecret: false)
      }
    }
    var request = try machine.evaluator.render(
      template, command.scope, at: step.location, idempotency: key)
    var body: [Body.Piece] = [.bytes(request.body)]
    if let file {
      body = contents[file.path] ?? [.file(file, offset: 0, length: file.size)]
      if let type = file.contentType {
        request.headers.append(.init(name: "Content-Type", value: type))
      }
    }
    let response = exchange(request, body, &delay)
    failures += observe?(step, response, command.scope, machine.evaluator) ?? []
    return response
  }

  private mutating func exchange(
    _ request: RenderedRequest, _ body: [Body.Piece], _ delay: inout Duration
  ) -> Response {
    let reply = server.answer(request, body: body, at: now)
    delay = reply.takes
    return Response(
      status: reply.error == nil ? reply.status : 0, headers: reply.headers,
      body: reply.error == nil ? Array(reply.json.utf8) : [], url: request.url,
      error: reply.error.map { TransportFailure($0, message: "lost", mayHaveBeenSent: true) },
      sent: now, received: now + reply.takes)
  }

  private mutating func probe(
    _ step: Step, _ command: Command, _ delay: inout Duration
  ) throws(EvaluationFailure) -> Verdict {
    guard let probe = step.probe else { return .notDone }
    let request = try machine.evaluator.render(
      probe.request, command.scope, at: step.location)
    let response = exchange(request, [.bytes(request.body)], &delay)
    return machine.evaluator.probeVerdict(of: step, probe: probe, response: response, command.scope)
  }

  private mutating func abandon(
    _ index: Int, _ step: Step, _ command: Command, _ delay: inout Duration
  ) throws(EvaluationFailure) -> Verdict {
    guard let key = command.id.item else { return .notDone }
    let request = try machine.evaluator.render(
      pipeline.loops[key.loop].onAbandon[index].request, command.scope, at: step.location)
    let response = exchange(request, [.bytes(request.body)], &delay)
    let isUndone = (200..<300).contains(response.status) || [404, 410].contains(response.status)
    return isUndone ? .success(StepResult(status: response.status)) : .fail(Failure("not undone"))
  }
}
