/// Derives a server's responses from how a pipeline uses them.
struct Inference {
  let evaluator: Evaluator
  let examples: ServerExamples
  private let interpreter: Interpreter
  var pipeline: Pipeline { evaluator.pipeline }

  init(_ evaluator: Evaluator, _ examples: ServerExamples) {
    (self.evaluator, self.examples) = (evaluator, examples)
    interpreter = Interpreter(evaluator)
  }

  struct Derived {
    /// The responses to each step, in order; `nil` for those that contact no server.
    let responses: [StepResponses?]
    /// The length of the first piece of a large file, if it is sent in pieces.
    let piece: Int64?
    /// The device's values after the first responses.
    let world: InferenceWorld
  }

  /// The server's responses, unless one is neither specified nor can be derived.
  func derived() throws(ExampleMissing) -> Derived {
    do throws(ExampleMissing) { return try derived(InferenceWorld(evaluator)) } catch {
      guard let derived = try? derived(InferenceWorld(evaluator, InferenceWorld.large))
      else { throw error }
      return derived
    }
  }

  private func derived(_ world: InferenceWorld) throws(ExampleMissing) -> Derived {
    var world = world
    var responses: [StepResponses?] = []
    for (index, step) in pipeline.steps.enumerated() {
      let scope = world.scope(of: index)
      if case .repeat(let template) = step.action {
        world.conclude(index, first(template, step, world.scope(of: index)))
        responses.append(try resync(index, &world))
        continue
      }
      if step.kind == .forEach {
        responses.append(nil)
        reconsider(index, &world, &responses)
        world.conclude(
          index, StepResult(outputs: step.outputs.map { _ in OutputValue(value: nil) }))
        continue
      }
      guard step.action.request != nil else {
        responses.append(nil)
        world.conclude(index, local(step, scope))
        continue
      }
      reconsider(index, &world, &responses)
      if let example = examples.example(of: .step(step.id)) {
        var known = StepResponses(response: source(of: example))
        if let settled = settled(index, example, scope) {
          world.conclude(index, result(of: index, settled, world.scope(of: index)))
        } else if isPoll(index, example, scope), let ready = plans(for: index, scope).first {
          known.ready = source(of: ready)
          world.conclude(index, result(of: index, ready, world.scope(of: index)))
        } else {
          world.conclude(index, result(of: index, example, world.scope(of: index)))
        }
        responses.append(known)
      } else {
        let first = try plan(for: index, scope)
        var known = StepResponses(response: source(of: first))
        if step.kind == .poll, let wait = waiting(index, scope) {
          known.ready = known.response
          known.response = source(of: wait)
        }
        responses.append(known)
        world.conclude(index, result(of: index, first, world.scope(of: index)))
      }
    }
    for (index, step) in pipeline.steps.enumerated() {
      guard let probe = step.probe else { continue }
      responses[index]?.tookEffect = try probeSource(
        index, probe, .tookEffect, world.scope(of: index))
      responses[index]?.noEffect = try probeSource(index, probe, .noEffect, world.scope(of: index))
    }
    return Derived(responses: responses, piece: world.piece(), world: world)
  }

  private func local(_ step: Step, _ scope: Scope) -> StepResult {
    var scope = scope
    if step.kind == .digest {
      scope.locals["digest"] = Evaluator.value(of: InferenceWorld.file.digests)
    }
    let outputs = step.outputs.map { output in
      OutputValue(value: try? evaluator.value(output.value, scope), isSecret: output.isSecret)
    }
    return StepResult(outputs: outputs, file: InferenceWorld.file)
  }

  func values(for step: Step, _ scope: Scope) -> ResponseShape.Values {
    let scope = step.batch == nil ? scope : scope.batchOfOne
    return ResponseShape.Values(
      number: 1, now: InferenceWorld.now, life: ResponseShape.usualLife,
      request: .init(evaluator, scope, of: step))
  }

  private func first(_ template: RepeatTemplate, _ step: Step, _ scope: Scope) -> StepResult {
    let values = zip(template.from, step.outputs).map { from, output in
      OutputValue(value: try? evaluator.value(from.value, scope), isSecret: output.isSecret)
    }
    return StepResult(outputs: values)
  }

  /// The response when the server is asked for the values of a turn; `nil` for a step without `resync`.
  private func resync(
    _ index: Int, _ world: inout InferenceWorld
  ) throws(ExampleMissing) -> StepResponses? {
    let step = pipeline.steps[index]
    guard step.action.request != nil else { return nil }
    if let example = examples.example(of: .resync(step.id)) {
      return StepResponses(response: source(of: example))
    }
    return StepResponses(response: source(of: try plan(for: index, world.scope(of: index))))
  }

  /// A search for responses that report the progress of a turn;
  /// `reads` are the values read of them, if known.
  func search(forTurnOf index: Int, _ reads: ResponseReads?, _ numbers: [Int64]) -> ResponseSearch {
    ResponseSearch(reads ?? self.reads(of: index), statuses: Self.successes, numbers: numbers) {
      _ in true
    }
  }

  /// If a step would be skipped or could not be rendered, tries other responses of the steps that it reads.
  private func reconsider(
    _ index: Int, _ world: inout InferenceWorld, _ responses: inout [StepResponses?]
  ) {
    guard !canBegin(index, world.scope(of: index)) else { return }
    // A loop's list may be empty, depending on the steps before it.
    let isFirst =
      pipeline.steps[index].loop.map { pipeline.loops[$0].steps.first == index } ?? false
    let makers = isFirst ? Array(0..<index) : Set(pipeline.steps[index].uses.map(\.step)).sorted()
    for maker in makers.reversed() {
      let step = pipeline.steps[maker]
      guard step.action.request != nil, examples.example(of: .step(step.id)) == nil,
        !pipeline.steps[maker].outputs.isEmpty
      else { continue }
      let scope = world.scope(of: maker)
      // A turn that could start is not abandoned for it.
      let begun = ((maker + 1)..<index).filter {
        pipeline.steps[$0].loop == step.loop && canBegin($0, world.scope(of: $0))
      }
      func concluded(_ plan: ResponsePlan) -> InferenceWorld {
        var other = world
        other.conclude(maker, result(of: maker, plan, scope))
        return other
      }
      let found = plans(for: maker, scope) { plan in
        var other = concluded(plan)
        return ([index] + begun).allSatisfy { canBegin($0, other.scope(of: $0)) }
      }
      guard let plan = found.first else { continue }
      world = concluded(plan)
      // The first response of a `poll` step keeps it waiting.
      if responses[maker]?.ready == nil {
        responses[maker]?.response = source(of: plan)
      } else {
        responses[maker]?.ready = source(of: plan)
      }
      return
    }
  }

  private func canBegin(_ index: Int, _ scope: Scope) -> Bool {
    let step = pipeline.steps[index]
    if step.loop != nil, scope.subject == nil { return false }
    if step.partOf != nil, scope.part == nil { return false }
    if case .forEach(let template) = step.action {
      let list = (try? evaluator.value(template.items, scope))?.listValue
      return list?.isEmpty == false
    }
    if let condition = step.condition, (try? evaluator.isTrue(condition, scope)) != true {
      return false
    }
    let id = EffectID(run: scope.run, item: scope.item, step: index, generation: 1, attempt: 1)
    let command = Command(id: id, action: .attempt(reservedBytes: .max), scope: scope)
    if case .none = interpreter.operation(for: command) { return false }
    return true
  }

  // MARK: Responses to steps

  private static let successes = [200, 201, 204, 202]

  private func plan(for index: Int, _ scope: Scope) throws(ExampleMissing) -> ResponsePlan {
    guard let plan = plans(for: index, scope).first
    else { throw missing(index, .answer, verdictText(of: index, scope)) }
    return plan
  }

  /// The first response with which the step succeeds; empty if there is none.
  private func plans(
    for index: Int, _ scope: Scope, where isGood: (ResponsePlan) -> Bool = { _ in true }
  ) -> [ResponsePlan] {
    let step = pipeline.steps[index]
    let search = ResponseSearch(reads(of: index), statuses: Self.successes) {
      (200..<300).contains($0)
    }
    let values = values(for: step, scope)
    return search.found(1) { plan in
      let response = InferenceWorld.response(plan, values)
      guard case .success(let result) = verdict(of: step, response, scope) else { return false }
      // A result that is expired from the start would be requested again and again.
      return result.outputs.allSatisfy { $0.isValid(at: InferenceWorld.now) } && isGood(plan)
    }
  }

  // MARK: Expiry responses

  /// The response that makes the step report as expired the result of `maker`, or of a step that it depends on.
  func refusal(of index: Int, because maker: Int, _ scope: Scope) -> ResponsePlan {
    let step = pipeline.steps[index]
    var reads = ResponseReads()
    for matcher in step.matchers {
      if let condition = matcher.condition { reads.read(condition.compiled, for: .bool) }
    }
    let values = values(for: step, scope)
    let search = ResponseSearch(reads, statuses: [401, 403, 404, 410, 409, 400]) { $0 >= 200 }
    func found(where isGood: (Int) -> Bool) -> ResponsePlan? {
      search.found(1) { plan in
        let response = InferenceWorld.response(plan, values)
        return switch evaluator.verdict(of: step, response: response, scope) {
        // For a creating step, it must also be certain that nothing was done.
        case .expired(let named, _, _), .uncertain(.expired(let named, _, _)): isGood(named)
        default: false
        }
      }.first
    }
    let sources = sources(of: maker)
    let plan = found { $0 == maker } ?? found { sources.contains($0) }
    let isCredential = step.uses.contains { $0.step == maker && $0.isCredential }
    return plan ?? ResponsePlan(status: isCredential ? 401 : 404)
  }

  /// The steps that a step depends on, directly or through others, without those that only authorize it.
  private func sources(of index: Int) -> Set<Int> {
    var found: Set<Int> = []
    var open = [index]
    while let step = open.popLast() {
      for use in pipeline.steps[step].uses
      where !use.isCredential && found.insert(use.step).inserted { open.append(use.step) }
    }
    return found
  }

  /// Everything that is read of a step's responses, by itself and by later steps.
  func reads(of index: Int) -> ResponseReads {
    let step = pipeline.steps[index]
    var reads = ResponseReads()
    let request: ServerExamples.Request = step.kind == .repeat ? .resync(step.id) : .step(step.id)
    if let schema = examples.schema(of: request) { reads.declare(schema, at: [.member("json")]) }
    for matcher in step.matchers { reads.read(matcher) }
    if let condition = step.successIf { reads.read(condition.compiled) }
    if let batch = step.batch { reads.read(batch) }
    for output in step.outputs {
      for part in output.value.expressions {
        reads.read(part.compiled, for: output.value.parts.count > 1 ? .text : nil)
      }
      switch output.lifetime?.end {
      case .after(let expression)?, .at(let expression)?: reads.read(expression.compiled)
      case .url(let expression)?: reads.read(expression.compiled, for: .signedLink)
      case nil: break
      }
      if let only = output.value.expressions.first, output.value.parts.count == 1 {
        reads.name("steps.\(step.id).\(output.name)", only.compiled)
      }
    }
    // Other batches have results of their own.
    reads.aliases["batch.result"] = nil
    readDownstream(of: index, &reads)
    return reads
  }

  /// What steps after `index` do with its outputs, and with the elements of lists in them.
  private func readDownstream(of index: Int, _ reads: inout ResponseReads) {
    guard !reads.aliases.isEmpty else { return }
    for loop in pipeline.loops {
      if let condition = loop.condition { reads.read(condition.compiled, for: .bool) }
      reads.read(loop.items.compiled, for: .list)
      reads.name(loop.variable, elementsOf: loop.items.compiled)
    }
    for step in pipeline.steps {
      guard case .forEach(let template) = step.action else { continue }
      reads.read(template.items.compiled, for: .list)
      reads.name(template.variable, elementsOf: template.items.compiled)
    }
    // Collected expressions read the steps of the part.
    if let outer = pipeline.steps[index].partOf {
      for expression in pipeline.steps[outer].expressions { reads.read(expression.compiled) }
    }
    // The `repeat` step reads the results of its turns.
    if let turns = pipeline.steps[index].turnOf {
      for expression in pipeline.steps[turns].expressions { reads.read(expression.compiled) }
    }
    for later in pipeline.steps.dropFirst(index + 1) {
      if let url = later.action.request?.url { readURL(url, &reads) }
      if let url = later.probe?.request.url { readURL(url, &reads) }
      if let condition = later.condition { reads.read(condition.compiled, for: .bool) }
      for expression in later.expressions { reads.read(expression.compiled) }
    }
  }

  private func readURL(_ url: Template, _ reads: inout ResponseReads) {
    guard case .expression(let first)? = url.parts.first else { return }
    reads.read(first.compiled, for: .link)
  }
}
