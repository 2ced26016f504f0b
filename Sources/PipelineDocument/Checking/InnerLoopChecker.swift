import CEL
import PipelineCore

/// Builds inner loops: their list is checked before the steps of a part, what they collect after them.
extension StepChecker {
  struct OpenInnerLoop {
    let draft: DraftStep
    let template: Parts<Draft>
    let loop: Int?
    let position: Int
    fileprivate let condition: Expression?
    fileprivate let items: Expression?
    fileprivate var uses: UseCollector
    var inside: Visibility
  }

  /// The start of an inner loop; `nil` for any other step.
  func openInnerLoop(
    _ draft: DraftStep, loop: Int?, position: Int, _ visibility: Visibility
  ) -> OpenInnerLoop? {
    guard case .forEach(let template)? = draft.action else { return nil }
    let place = ExpressionPlace(step: draft.index, loop: loop)
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    let condition = expressions.compile(draft.condition, .bool, &context)
    let items = expressions.compile(template.items, .list, &context)
    addNeeds(of: draft, from: place, &context)
    checkConstancy(items, template.items)
    var element = ValueType.dyn
    if case .list(let type)? = items?.compiled.type { element = type }
    var inside = visibility
    inside.declare(template.variable.value, as: element)
    return OpenInnerLoop(
      draft: draft, template: template, loop: loop, position: position, condition: condition,
      items: items, uses: context.uses, inside: inside)
  }

  /// A process that takes the run over evaluates the list again, and must get the same parts.
  private func checkConstancy(_ items: Expression?, _ draft: DraftExpression?) {
    guard let items, let draft, items.compiled.references.contains(where: { $0.variable == "now" })
    else { return }
    collector.report(
      .expressionNotAllowed,
      "'in' of an inner loop cannot read 'now': its parts must be the same each time it is evaluated",
      at: draft.range)
  }

  /// The whole inner loop once the steps of its parts are known, and the names that it offers to later steps; `own` is
  /// its index in the pipeline.
  func close(
    _ open: OpenInnerLoop, at own: Int, parts: [Step]
  ) -> (step: Step?, names: [(name: String, type: ValueType)]) {
    let (draft, template) = (open.draft, open.template)
    let after = ExpressionPlace(
      step: draft.index + 1 + parts.count, loop: open.loop, part: draft.index)
    var context = ExpressionChecker.Context(
      environment: open.inside.asking, place: after, uses: open.uses)
    var collect: [NamedTemplate<Compiled>?] = []
    var names: [(name: String, type: ValueType)] = []
    for field in template.collect {
      let value = expressions.template(field.value, as: .value, &context)
      collect.append(value.map { NamedTemplate<Compiled>(name: field.name.value, value: $0) })
      if let id = draft.id?.value {
        names.append((name: "steps.\(id).\(field.name.value)", type: .list(Self.type(of: value))))
      }
    }
    guard let id = id(of: draft), let items = open.items, let collect = collect.complete(),
      !collector.hasErrors
    else { return (nil, names) }
    let action = PartsTemplate(
      variable: template.variable.value, items: items, concurrency: template.concurrency,
      collect: collect)
    let step = Step(
      id: id, loop: open.loop, position: open.position, action: .forEach(action),
      condition: open.condition,
      outputs: collect.map { OutputDeclaration(name: $0.name, value: $0.value) },
      retry: retry(nil), uses: Self.uses(context.uses, at: own, inner: parts),
      reissueLimit: draft.reissueLimit ?? 10, location: collector.location(draft.range))
    return (step, names)
  }
}
