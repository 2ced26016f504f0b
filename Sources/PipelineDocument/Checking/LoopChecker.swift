import CEL
import PipelineCore

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
    let steps = stepChecker.check(
      draft.steps[...], loop: index, position: &position, &inside, outside: visibility)

    let after = ExpressionPlace(step: draft.firstStep + draft.steps.count, loop: index)
    let onAbandon = draft.compensations.enumerated().compactMap { number, entry -> Abandonment? in
      var context = ExpressionChecker.Context(environment: inside.asking, place: after)
      expressions.noteResponse(to: entry.request, of: .abandon(loop: index, number), context)
      let undoes = stepChecker.undone(by: entry, from: after, in: draft)
      return expressions.request(entry.request, &context)
        .map {
          Abandonment(
            request: $0, uses: context.uses.uses, retry: stepChecker.retry(nil), undoes: undoes)
        }
    }
    guard let variable = draft.variable, let items, !collector.hasErrors else {
      return (nil, steps)
    }
    let loop = Loop(
      id: draft.id?.value, variable: variable.value, condition: condition, items: items,
      filesInput: condition?.readsOnlyInputs == false ? nil : filesInput(items),
      concurrency: draft.concurrency, steps: draft.steps.filter { $0.partOf == nil }.map(\.index),
      failures: draft.failures, onAbandon: onAbandon, location: collector.location(draft.range))
    return (loop, steps)
  }

  /// The `files` input that `items` names, if it is nothing more than that name.
  private func filesInput(_ items: Expression) -> String? {
    inputs.first {
      $0.kind == .files && items.compiled.variable == "inputs.\($0.name.value)"
    }?.name.value
  }
}
