import CEL
import PipelineCore

/// Checks the drafts of loops, step by step.
struct LoopChecker {
  /// A loop to check.
  struct Subject {
    package let draft: DraftLoop
    package let index: Int
    /// The names visible around it.
    package let visibility: Visibility
  }

  package let expressions: ExpressionChecker
  private(set) var steps: [(index: Int, step: Step)] = []
  private(set) var loops: [Loop] = []
  private let draft: DraftPipeline
  private let stepChecker: StepChecker

  private var collector: DiagnosticCollector { expressions.collector }

  init(_ draft: DraftPipeline, _ expressions: ExpressionChecker) {
    self.draft = draft
    self.expressions = expressions
    stepChecker = StepChecker(expressions: expressions, policies: draft.policies)
  }

  package mutating func check(_ subject: Subject) {
    let (draft, index, visibility) = (subject.draft, subject.index, subject.visibility)
    let place = ExpressionPlace(step: draft.firstStep, loop: nil)
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    let items = expressions.compile(draft.items, .list, &context)
    let condition = expressions.compile(draft.condition, .bool, &context)
    var element = ValueType.dyn
    if case .list(let type)? = items?.compiled.type { element = type }

    var inside = visibility
    if let variable = draft.variable { inside.declare(variable.value, as: element) }
    for (name, type) in Variables.item { inside.declare(name, as: type) }
    var position = 0
    steps += stepChecker.check(
      draft.steps[...], loop: index, position: &position, &inside, outside: visibility)

    let after = ExpressionPlace(step: draft.firstStep + draft.steps.count, loop: index)
    let onAbandon = draft.onAbandon.enumerated().compactMap { number, draft -> Abandonment? in
      var context = ExpressionChecker.Context(environment: inside.asking, place: after)
      expressions.noteResponse(to: draft, of: .abandon(loop: index, number), context)
      return expressions.request(draft, &context)
        .map {
          Abandonment(request: $0, uses: context.uses.uses, retry: stepChecker.retry(nil))
        }
    }
    guard let variable = draft.variable, let items, !collector.hasErrors else { return }
    loops.append(
      Loop(
        id: draft.id?.value, variable: variable.value, condition: condition, items: items,
        filesInput: condition?.readsOnlyInputs == false ? nil : filesInput(items),
        concurrency: draft.concurrency, steps: draft.steps.filter { $0.partOf == nil }.map(\.index),
        failures: draft.failures, onAbandon: onAbandon,
        location: collector.location(draft.range)))
  }

  /// The `files` input that `items` names, if it is nothing more than that name.
  private func filesInput(_ items: Expression) -> String? {
    draft.inputs.first {
      $0.kind == .files && items.compiled.variable == "inputs.\($0.name.value)"
    }?.name.value
  }
}
