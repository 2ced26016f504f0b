import CEL
import PipelineCore

/// Makes a pipeline of a draft, step by step, each seeing what those before it have made.
struct PipelineChecker {
  private let draft: DraftPipeline
  private let expressions: ExpressionChecker
  private let stepChecker: StepChecker
  private var visibility: Visibility
  private var nodes: [Pipeline.Node] = []
  private var steps: [Step] = []
  private var loops: [Loop] = []

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

  /// The pipeline and what files that use it can read of it; `nil` where an error was reported.
  mutating func check() -> (pipeline: Pipeline, outputs: [UsedPipeline.Output])? {
    var runPosition = 0
    var loopCount = 0
    for node in draft.nodes {
      switch node {
      case .step(let draft):
        nodes.append(.step(draft.index))
        for (name, type) in check(draft, loop: nil, position: runPosition, visibility) {
          visibility.declare(name, as: type)
        }
        runPosition += 1
      case .loop(let draft):
        nodes.append(.loop(loopCount))
        check(draft, index: loopCount)
        loopCount += 1
      }
    }
    let outputs = outputs()
    let broken = collector.hasErrors
    for rule in Rules.ofExpressions { rule.check(expressions.analysis, collector) }
    // Expressions that were not compiled hide what they read.
    if !broken {
      UnusedRule(usedInputs: expressions.usedInputs, usedOutputs: expressions.usedOutputs)
        .check(draft, collector)
    }
    guard !collector.hasErrors, let name = draft.name else { return nil }
    let pipeline = Pipeline(
      name: name.value, description: draft.description,
      inputs: draft.inputs.compactMap { $0.declaration(collector) }, budgets: draft.budgets,
      nodes: nodes, steps: steps, loops: loops, session: draft.session)
    return (pipeline, outputs)
  }

  /// What the file gives to those that use it.
  private func outputs() -> [UsedPipeline.Output] {
    let after = Place(step: .max, loop: nil)
    return draft.outputs.map { output in
      var context = ExpressionChecker.Context(environment: visibility.asking, place: after)
      let value = expressions.joined(output.value, &context)
      let isSecret = value?.references.contains { self.isSecret($0.variable) } ?? false
      return UsedPipeline.Output(
        name: output.name.value, type: value?.type ?? .dyn, isSecret: isSecret)
    }
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

  /// Takes a step, and gives the names that the steps after it see of it.
  private mutating func check(
    _ draft: DraftStep, loop: Int?, position: Int, _ visibility: Visibility,
    outside: Visibility? = nil
  ) -> [(name: String, type: ValueType)] {
    let (step, outputs) = stepChecker.check(
      draft, loop: loop, position: position, visibility, outside: outside)
    if let step { steps.append(step) }
    guard let id = draft.id else { return [] }
    var names = outputs.map { (name: "steps.\(id.value).\($0.name)", type: $0.type) }
    if draft.makesFile {
      names.append((name: "steps.\(id.value).file", type: .object(Variables.file)))
    }
    return names
  }

  private mutating func check(_ draft: DraftLoop, index: Int) {
    let place = Place(step: draft.firstStep, loop: nil)
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    let items = expressions.compile(draft.items, .list, &context)
    var element = ValueType.dyn
    if case .list(let type)? = items?.compiled.type { element = type }

    var inside = visibility
    if let variable = draft.variable { inside.declare(variable.value, as: element) }
    for (name, type) in Variables.item { inside.declare(name, as: type) }
    for (position, step) in draft.steps.enumerated() {
      for (name, type) in check(
        step, loop: index, position: position, inside, outside: visibility)
      {
        inside.declare(name, as: type)
      }
    }

    let after = Place(step: draft.firstStep + draft.steps.count, loop: index)
    let onAbandon = draft.onAbandon.compactMap { draft -> Abandonment? in
      var context = ExpressionChecker.Context(environment: inside.asking, place: after)
      return expressions.request(draft, &context)
        .map { Abandonment(request: $0, uses: context.uses.uses) }
    }
    guard let variable = draft.variable, let items, !collector.hasErrors else { return }
    loops.append(
      Loop(
        variable: variable.value, items: items, filesInput: filesInput(items),
        concurrency: draft.concurrency, steps: draft.steps.map(\.index), onAbandon: onAbandon,
        location: collector.location(draft.range)))
  }

  /// The `files` input that `items` names, where it names nothing else.
  private func filesInput(_ items: Expression) -> String? {
    draft.inputs.first {
      $0.kind == .files && items.compiled.variable == "inputs.\($0.name.value)"
    }?.name.value
  }
}
