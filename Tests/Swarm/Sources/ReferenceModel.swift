import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator

/// The server's final state: how often each step took effect for each item, and how items ended.
struct FinalState: Hashable {
  var effects: [String: Int] = [:]
  var items: [String: String] = [:]

  /// The state that a simulated run has left.
  init(_ run: SimulatedRun) {
    let ledger = (run.faultHooks as? InvariantWatch)?.ledger
    for commit in (run.server as? SwarmServer)?.journal.commits ?? [] {
      let step = run.pipeline.steps[commit.step]
      for made in ledger?.members(of: commit.id) ?? [] { note(step, made.key) }
    }
    for loop in run.pipeline.loops.indices {
      for item in run.items(loop: loop) { items["\(item.key)"] = "\(item.status)" }
    }
  }

  init() {}

  /// The differences in both directions.
  func difference(from other: FinalState) -> [String] {
    func lines(_ state: FinalState) -> Set<String> {
      Set(
        state.effects.map { "\($0) takes effect \($1) times" }
          + state.items.map { "\($0) is \($1)" })
    }
    return lines(self).symmetricDifference(lines(other)).sorted()
  }

  /// A result that can expire is created as often as necessary, and so are the turns of a file:
  /// the durations of runs are not compared.
  mutating func note(_ step: Step, _ item: ItemKey?) {
    let name = "\(step.id) \(item.map { "\($0)" } ?? "run")"
    let canDie = step.outputs.contains { $0.lifetime != nil || $0.isSecret }
    effects[name] = canDie || step.turnOf != nil ? 1 : (effects[name] ?? 0) + 1
  }
}

/// A deliberately simple executor: one thing after the other, no store, no crashes, no concurrency, no budgets.
///
/// It shares the evaluation of expressions with the engine, but not its decisions.
struct ReferenceModel {
  private let pipeline: Pipeline
  private let interpreter: Interpreter
  private let items: [FileValue]
  private var state: RunState
  private var server: ModelServer
  private var disk = VirtualDisk()
  private var now = Instant(milliseconds: 1_767_600_000_000)
  private(set) var final = FinalState()

  init(_ plan: SwarmPlan, _ server: ModelServer) {
    pipeline = plan.pipeline
    items = plan.items
    interpreter = Interpreter(Evaluator(plan.pipeline))
    self.server = server.restarted(model: .ideal, seed: plan.seed)
    var values: [String: Value] = [:]
    var secrets: [String: Value] = [:]
    for input in plan.pipeline.inputs {
      switch input.kind {
      case .secret: secrets[input.name] = "secret"
      case .files: values[input.name] = .list(plan.items.map(\.value))
      default: values[input.name] = SwarmRun.value(of: input)
      }
    }
    state = RunState(
      id: RunID("\(plan.pipeline.name)-simulated"), pipeline: plan.pipeline, inputs: values,
      secrets: secrets, seed: 1, began: now)
    for file in plan.items { disk.add(file) }
  }

  /// Does everything.
  mutating func execute() -> FinalState {
    for node in pipeline.nodes {
      switch node {
      case .step(let index):
        guard case .done(let step) = attempt(index, nil) else { return final }
        state.frame[pipeline.steps[index].position] = step
      case .loop(let loop): execute(loop: loop)
      }
    }
    return final
  }

  private mutating func execute(loop: Int) {
    let scope = Scope(state, item: nil, now: now)
    var subjects = items.map { Item.Subject.file($0) }
    if pipeline.loops[loop].filesInput == nil {
      subjects = (try? interpreter.subjects(of: loop, scope, in: state.shard)) ?? []
    }
    for (ordinal, subject) in subjects.enumerated() {
      var item = Item(
        key: ItemKey(loop: loop, ordinal: ordinal), subject: subject, status: .active,
        frame: Frame(repeating: StepState(), count: pipeline.loops[loop].steps.count))
      final.items["\(item.key)"] = execute(&item)
    }
  }

  /// Does the steps of an item; returns how it ended.
  private mutating func execute(_ item: inout Item) -> String {
    for index in pipeline.loops[item.key.loop].steps where pipeline.steps[index].turnOf == nil {
      switch pipeline.steps[index].action {
      case .forEach(let template):
        guard case .done(let step) = parts(template, index, item) else { return "failed" }
        item.frame[pipeline.steps[index].position] = step
        continue
      case .repeat(let template):
        if let status = turns(template, index, &item) { return status }
        continue
      default: break
      }
      switch attempt(index, item) {
      case .done(let step): item.frame[pipeline.steps[index].position] = step
      case .itemEnds(let status): return status
      }
    }
    for step in item.frame { if let file = step.file { disk.discard(file.path) } }
    return "done"
  }

  /// The steps of each part, one part after the other.
  private mutating func parts(_ template: PartsTemplate, _ index: Int, _ item: Item) -> Outcome {
    let whole = Scope(state, item: item, now: now)
    guard let list = (try? interpreter.evaluator.value(template.items, whole))?.listValue else {
      return .itemEnds("failed")
    }
    let steps = Array(pipeline.partSteps(of: index))
    var collected: [[Value]] = []
    for (number, value) in list.enumerated() {
      let key = item.key.part(number, of: index, generation: 1)
      var frame = Frame(repeating: StepState(), count: steps.count)
      for step in steps {
        let outcome = attempt(step, item) { $0.of(key, part: value, frame) }
        guard case .done(let state) = outcome else { return outcome }
        frame[pipeline.steps[step].position] = state
      }
      let scope = Scope(state, item: item, now: now).of(key, part: value, frame)
      collected.append(
        template.collect.compactMap { try? interpreter.evaluator.value($0.value, scope) })
      for step in frame { if let file = step.file { disk.discard(file.path) } }
    }
    var result = StepState()
    result.status = .succeeded
    result.generation = 1
    result.outputs = template.collect.indices.map { position in
      OutputValue(value: .list(collected.map { $0[position] }))
    }
    return .done(result)
  }

  /// The steps of each turn, one turn after the other, until none is left; returns how the item ended if it did.
  private mutating func turns(
    _ template: RepeatTemplate, _ index: Int, _ item: inout Item
  ) -> String? {
    let (step, evaluator) = (pipeline.steps[index], interpreter.evaluator)
    var result = StepState()
    result.generation = 1
    if let condition = step.condition,
      (try? evaluator.isTrue(condition, Scope(state, item: item, now: now))) != true
    {
      result.status = .skipped
      item.frame[step.position] = result
      return nil
    }
    result.status = .succeeded
    for turn in 1...1000 {
      let scope = Scope(state, item: item, now: now)
      let values = turn == 1 ? template.from : template.next
      result.outputs = values.compactMap { value in
        (try? evaluator.value(value.value, scope)).map { OutputValue(value: $0) }
      }
      guard result.outputs.count == values.count else { return "failed" }
      item.frame[step.position] = result
      if (try? evaluator.isTrue(template.until, Scope(state, item: item, now: now))) == true {
        return nil
      }
      for inner in pipeline.turn(of: index) {
        switch attempt(inner, item) {
        case .done(let state): item.frame[pipeline.steps[inner].position] = state
        case .itemEnds(let status): return status
        }
      }
    }
    return "paused"
  }

  private enum Outcome {
    case done(StepState)
    case itemEnds(String)
  }

  /// One step, repeated as long as its responses require it.
  private mutating func attempt(
    _ index: Int, _ item: Item?, in part: (Scope) -> Scope = { $0 }
  ) -> Outcome {
    let step = pipeline.steps[index]
    var result = StepState()
    result.generation = 1
    for number in 1...50 {
      let scope =
        if step.batch != nil, let item { Scope(state, batch: [item], now: now) } else {
          part(Scope(state, item: item, now: now))
        }
      if let condition = step.condition,
        (try? interpreter.evaluator.isTrue(condition, scope)) != true
      {
        result.status = .skipped
        return .done(result)
      }
      let id = EffectID(
        run: state.id, item: scope.item, step: index, generation: 1, attempt: number)
      let command = Command(id: id, action: .attempt(reservedBytes: .max), scope: scope)
      var verdict = perform(command)
      // A batch of one.
      if case .results(_, let verdicts) = verdict, let own = verdicts.first { verdict = own }
      // There is no other client: the response is true.
      if case .uncertain(let answered) = verdict { verdict = answered }
      switch verdict {
      case .success(let found):
        result.status = .succeeded
        result.outputs = found.outputs
        result.file = found.file
        return .done(result)
      case .poll(let moment, _, _, _), .retry(_, let moment, _):
        now = max(moment ?? now, now + .seconds(1))
      case .expired(let maker, _, _) where pipeline.steps[maker].loop == nil:
        guard case .done(let renewed) = attempt(maker, nil) else { return .itemEnds("failed") }
        state.frame[pipeline.steps[maker].position] = renewed
      case .itemDone: return .itemEnds("done")
      case .itemSkipped: return .itemEnds("skipped")
      default: return .itemEnds("failed")
      }
    }
    return .itemEnds("paused")
  }

  private mutating func perform(_ command: Command) -> Verdict {
    let operation = interpreter.operation(for: command)
    switch operation {
    case .none(let verdict): return verdict
    case .send(let request):
      return interpreter.verdict(
        on: send(request, nil, command), to: operation, of: command)
    case .upload(let request, let file, _):
      return interpreter.verdict(on: send(request, file, command), to: operation, of: command)
    case .download(let request, let plan, let path):
      let response = send(request, nil, command)
      let verdict = interpreter.verdict(on: response, to: operation, of: command)
      guard case .success = verdict else { return verdict }
      let file = try? disk.receiveDownload(
        plan, response.body, contentType: nil, at: path, now: now)
      return interpreter.verdict(on: verdict, file: file)
    case .materialize(let plan, let path):
      do throws(FileFailure) {
        let file = try disk.materialize(plan, at: path, now: now)
        return interpreter.verdict(on: .success(file), duration: .zero, of: command)
      } catch {
        return Interpreter.verdict(on: error)
      }
    case .adopt: return .interrupted
    }
  }

  private mutating func send(
    _ request: RenderedRequest, _ file: FileValue?, _ command: Command
  ) -> Response {
    let commits = server.journal.commits.count
    let response = server.respond(
      to: SimulatedRequest(
        id: command.id, purpose: .attempt, request: request, file: file, body: request.body,
        at: now), for: command)
    if server.journal.commits.count > commits, let step = pipeline.step(of: command.id) {
      final.note(step, command.id.item)
    }
    return Response(
      status: response.status, headers: response.headers, body: response.body, url: request.url,
      error: response.failure, sent: now, received: now)
  }
}
