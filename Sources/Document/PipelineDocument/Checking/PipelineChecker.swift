/// Builds a pipeline from a draft, step by step; each step sees the results of those before it.
struct PipelineChecker {
  private let draft: DraftPipeline
  private let expressions: ExpressionChecker
  private let stepChecker: StepChecker
  private var visibility: Visibility
  private var nodes: [Pipeline.Node] = []
  private var steps: [(index: Int, step: Step)] = []
  private var loops: [Loop] = []
  /// The values that the pipeline offers to files that use it.
  private(set) var outputs: [UsedPipeline.Output] = []
  private var collector: DiagnosticCollector { expressions.collector }

  init(_ draft: DraftPipeline, reader: DocumentReader) {
    self.draft = draft
    expressions = ExpressionChecker(draft, reader: reader)
    stepChecker = StepChecker(expressions: expressions, policies: draft.policies)
    visibility = Visibility(Variables.base)
    for input in draft.inputs {
      visibility.declare("inputs.\(input.name.value)", as: Variables.type(of: input.kind))
    }
  }

  var analysis: ExpressionAnalysis { expressions.analysis }
  var examples: ServerExamples { expressions.examples }

  /// Compiles the whole draft.
  package mutating func check() {
    var (runPosition, loopCount) = (0, 0)
    let loopChecker = LoopChecker(inputs: draft.inputs, stepChecker: stepChecker)
    for (index, node) in draft.nodes.enumerated() {
      switch node {
      case .step(let step):
        nodes.append(.step(step.index))
        // It was checked with the step that repeats it.
        guard step.turnOf == nil else { continue }
        let turn = draft.nodes[(index + 1)...].prefix { $0.turnOf == step.index }
        let drafts =
          [step] + turn.compactMap { if case .step(let inner) = $0 { inner } else { nil } }
        steps += stepChecker.check(drafts[...], loop: nil, position: &runPosition, &visibility)
      case .loop(let draft):
        nodes.append(.loop(loopCount))
        let (loop, inner) = loopChecker.check(draft, index: loopCount, visibility)
        loopCount += 1
        steps += inner
        if let loop { loops.append(loop) }
      }
    }
    // Steps that are repeated or done for parts are checked before the step that has them.
    steps.sort { $0.index < $1.index }
    outputs = draft.outputs.map(output)
    analysis.isComplete = !collector.hasErrors
  }

  /// The pipeline, of a draft without errors; `nil` if it uses files, which have to be linked.
  func pipeline() -> Pipeline? {
    guard let name = draft.name, !draft.usesFiles else { return nil }
    return Pipeline(
      name: name.value, description: draft.description,
      inputs: draft.inputs.compactMap { $0.declaration(collector) }, budgets: draft.budgets,
      nodes: nodes, steps: steps.map(\.step), loops: loops,
      backgroundSession: draft.backgroundSession)
  }

  private func output(_ output: DraftField) -> UsedPipeline.Output {
    let after = ExpressionPlace(step: .max, loop: nil)
    var context = ExpressionChecker.Context(environment: visibility.asking, place: after)
    let value = expressions.joined(output.value, &context)
    let isSecret = value?.references.contains { self.isSecret($0.variable) } ?? false
    return UsedPipeline.Output(
      name: output.name.value, type: value?.type ?? .dyn, isSecret: isSecret)
  }

  private func isSecret(_ variable: String) -> Bool {
    let names = variable.split(separator: ".").map(String.init)
    switch names.first {
    case "inputs":
      return draft.inputs.contains { $0.kind == .secret && "inputs.\($0.name.value)" == variable }
    case "steps" where names.count == 3:
      return expressions.directory.byID[names[1]]?.draft.outputs
        .contains { $0.name.value == names[2] && $0.isSecret } ?? false
    default: return false
    }
  }
}

extension StepChecker {
  /// The list and the condition of a loop, and the names that its steps see.
  func opening(
    of draft: DraftLoop, _ visibility: Visibility
  ) -> (items: Expression?, condition: Expression?, inside: Visibility) {
    let place = ExpressionPlace(step: draft.firstStep, loop: nil)
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    let items = expressions.compile(draft.items, .list, &context)
    let condition = expressions.compile(draft.condition, .bool, &context)
    var inside = visibility
    if let variable = draft.variable { inside.declare(variable.value, as: items.elementType) }
    inside.declare(Variables.item)
    return (items, condition, inside)
  }

  /// The compensations of a loop; `nil` for those that could not be compiled.
  ///
  /// - Parameters:
  ///   - own: The loop's number in its own file.
  ///   - index: Its number in the pipeline.
  func abandonments(
    of draft: DraftLoop, own: Int?, _ index: Int, _ inside: Visibility
  ) -> [Abandonment?] {
    let after = ExpressionPlace(step: draft.firstStep + draft.steps.count, loop: own)
    return draft.compensations.enumerated().map { number, entry in
      var context = ExpressionChecker.Context(environment: inside.asking, place: after)
      expressions.noteResponse(to: entry.request, of: .abandon(loop: index, number), context)
      let undoes = undone(by: entry, from: after, in: draft)
      return expressions.request(entry.request, &context).map {
        Abandonment(request: $0, uses: context.uses.uses, retry: retry(nil), undoes: undoes)
      }
    }
  }
}

extension Expression? {
  /// The type of the elements of a list; `dyn` if it is not known.
  var elementType: ValueType {
    if case .list(let element)? = self?.compiled.type { element } else { .dyn }
  }
}

struct LoopChecker {
  let inputs: [DraftInput]
  let stepChecker: StepChecker
  private var expressions: ExpressionChecker { stepChecker.expressions }
  private var collector: DiagnosticCollector { stepChecker.collector }

  /// The loop, `nil` if something was reported, and those of its steps that are right.
  ///
  /// - Parameter visibility: The names visible around it.
  func check(
    _ draft: DraftLoop, index: Int, _ visibility: Visibility
  ) -> (loop: Loop?, steps: [(index: Int, step: Step)]) {
    var (items, condition, inside) = stepChecker.opening(of: draft, visibility)
    var position = 0
    let steps = stepChecker.check(
      draft.steps[...], loop: index, position: &position, &inside, outside: visibility)

    let onAbandon = stepChecker.abandonments(of: draft, own: index, index, inside)
      .compactMap(\.self)
    guard let variable = draft.variable, let items, !collector.hasErrors
    else { return (nil, steps) }
    let loop = Loop(
      id: draft.id?.value, variable: variable.value, condition: condition, items: items,
      filesInput: condition?.readsOnlyInputs == false ? nil : filesInput(items),
      concurrency: draft.concurrency, waiting: draft.waiting,
      steps: draft.steps.filter { $0.partOf == nil }.map(\.index),
      failures: draft.failures, onAbandon: onAbandon, location: collector.location(draft.range))
    return (loop, steps)
  }

  private func filesInput(_ items: Expression) -> String? {
    inputs.first {
      $0.kind == .files && items.compiled.variable == "inputs.\($0.name.value)"
    }?.name.value
  }
}
