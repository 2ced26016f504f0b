/// Builds `repeat` steps: their start values are checked before the steps of a turn, their final values after them.
extension StepChecker {
  struct OpenRepeat {
    let draft: DraftStep
    let template: Repeat<Draft>
    let loop: Int?
    let position: Int
    let condition: Expression?
    fileprivate let from: [NamedTemplate<Compiled>?]
    let outputs: [(name: String, type: ValueType)]
    fileprivate var uses: UseCollector
  }

  func check(
    _ drafts: ArraySlice<DraftStep>, loop: Int?, position: inout Int,
    _ visibility: inout Visibility, outside: Visibility? = nil
  ) -> [(index: Int, step: Step)] {
    var steps: [(index: Int, step: Step)] = []
    var drafts = drafts
    while let draft = drafts.popFirst() {
      if let open = openInnerLoop(draft, loop: loop, position: position, visibility) {
        let parts = drafts.prefix { $0.partOf == draft.index }
        drafts = drafts.dropFirst(parts.count)
        position += 1
        steps += check(open, parts, &visibility)
        continue
      }
      guard let open = open(draft, loop: loop, position: position, visibility) else {
        let (step, names) = checkNamed(
          draft, loop: loop, position: position, visibility, outside: outside)
        if let step { steps.append((draft.index, step)) }
        for (name, type) in names { visibility.declare(name, as: type) }
        position += 1
        continue
      }
      position += 1
      if let id = draft.id?.value {
        for (name, type) in open.outputs { visibility.declare("steps.\(id).\(name)", as: type) }
      }
      let turn = drafts.prefix { $0.turnOf == draft.index }
      drafts = drafts.dropFirst(turn.count)
      let inner = check(turn, loop: loop, position: &position, &visibility, outside: outside)
      steps += inner
      if let step = close(open, at: draft.index, turn: inner.map(\.step), visibility) {
        steps.append((draft.index, step))
      }
    }
    return steps
  }

  private func check(
    _ open: OpenInnerLoop, _ parts: ArraySlice<DraftStep>, _ visibility: inout Visibility
  ) -> [(index: Int, step: Step)] {
    var open = open
    var position = 0
    let inner = check(parts, loop: open.loop, position: &position, &open.inside)
    let (step, names) = close(open, at: open.draft.index, parts: inner.map(\.step))
    for (name, type) in names { visibility.declare(name, as: type) }
    return inner + (step.map { [(open.draft.index, $0)] } ?? [])
  }

  func open(
    _ draft: DraftStep, loop: Int?, position: Int, _ visibility: Visibility
  ) -> OpenRepeat? {
    guard case .repeat(let template)? = draft.action else { return nil }
    let place = ExpressionPlace(step: draft.index, loop: loop)
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    let condition = expressions.compile(draft.condition, .bool, &context)
    let from = template.from.map { field in
      expressions.template(field.value, as: .value, &context)
        .map { NamedTemplate<Compiled>(name: field.name.value, value: $0) }
    }
    addNeeds(of: draft, from: place, &context)
    return OpenRepeat(
      draft: draft, template: template, loop: loop, position: position, condition: condition,
      from: from,
      outputs: zip(template.from, from).map { ($0.name.value, Self.type(of: $1?.value)) },
      uses: context.uses)
  }

  /// The whole step, once the steps of its turn are known; `own` is its index in the pipeline.
  func close(_ open: OpenRepeat, at own: Int, turn: [Step], _ visibility: Visibility) -> Step? {
    let (draft, template) = (open.draft, open.template)
    let place = ExpressionPlace(step: draft.index, loop: open.loop)
    var asking = ExpressionChecker.Context(
      environment: visibility.asking, place: place, uses: open.uses)
    let until = expressions.compile(template.until, .bool, &asking)
    let next = values(template.next, open, &asking)
    let resync = expressions.request(template.resync, &asking)
    let id = id(of: draft)
    if let id { expressions.noteResponse(to: template.resync, of: .resync(id), asking) }
    var answering = asking.seeing(
      visibility.answering(with: template.resync?.response?.open), at: place.withResponse)
    let matchers = draft.matchers.compactMap { matcher($0, place, &answering) }
    if let type = template.resync?.response?.closed {
      answering = answering.seeing(visibility.answering(with: type))
    }
    let found = values(template.found, open, &answering)
    let retry = retry(draft.retry)
    guard let id, let until, let next, let found,
      (resync == nil) == (template.resync == nil), !collector.hasErrors
    else { return nil }
    let from = open.from.compactMap { $0 }
    let action = RepeatTemplate(
      from: from, until: until, next: next, resync: resync, found: resync == nil ? [] : found)
    return Step(
      id: id, loop: open.loop,
      position: open.position, action: .repeat(action), condition: open.condition,
      matchers: matchers,
      outputs: (resync == nil ? from : found).map {
        OutputDeclaration(name: $0.name, value: $0.value)
      }, retry: retry, uses: Self.uses(answering.uses, at: own, inner: turn),
      reissueLimit: draft.reissueLimit ?? 10, location: collector.location(draft.range))
  }

  /// The values in the order of `from`; one that is not named stays as it is.
  private func values(
    _ drafts: [DraftField], _ open: OpenRepeat, _ context: inout ExpressionChecker.Context
  ) -> [NamedTemplate<Compiled>]? {
    guard let id = open.draft.id?.value else { return nil }
    var values: [NamedTemplate<Compiled>?] = []
    for (name, type) in open.outputs {
      let given = drafts.first { $0.name.value == name }
      let kept = DraftTemplate(source: "steps.\(id).\(name)", at: open.draft.range)
      let value = expressions.template(given?.value ?? kept, as: .value, &context)
      if let given, let value { check(value, of: given, is: type) }
      values.append(value.map { NamedTemplate<Compiled>(name: name, value: $0) })
    }
    return values.complete()
  }

  private func check(_ value: Template, of field: DraftField, is expected: ValueType) {
    let found = Self.type(of: value)
    guard found != .dyn, expected != .dyn, found != expected else { return }
    collector.report(
      .expressionType, "expected \(expected) as in 'from', found \(found)",
      at: field.value?.range ?? field.name.range)
  }

  static func type(of template: Template?) -> ValueType {
    guard let template else { return .dyn }
    guard template.parts.count == 1, case .expression(let only) = template.parts[0]
    else { return .string }
    return only.compiled.type
  }

  /// The sources of the step and of those inside it: when these are reissued, they start over.
  static func uses(_ own: UseCollector, at index: Int, inner steps: [Step]) -> [OutputUse] {
    let inner = index + 1..<index + 1 + steps.count
    var uses = UseCollector()
    for use in own.uses + steps.flatMap(\.uses).filter({ !$0.isCredential })
    where use.step != index && !inner.contains(use.step) {
      uses.add(step: use.step, output: use.output, isCredential: use.isCredential)
    }
    return uses.uses
  }

  package static func type(of template: JSONTemplate?) -> ValueType {
    switch template {
    case nil, .literal?: return .dyn
    case .template(let template)?: return type(of: template)
    case .array?: return .list(.dyn)
    case .object(let members)?:
      return .object(
        ObjectType(name: "Entry", fields: members.map { .init($0.key, type(of: $0.value)) }))
    }
  }

  /// The size limit of the items of a batch, by the sizes of their files unless the author specifies another measure.
  private func bytes(
    _ draft: DraftBatch.Bytes?, loop: Int?, _ context: inout ExpressionChecker.Context
  ) -> BatchPolicy.Bytes? {
    guard let draft else { return nil }
    if let given = draft.size {
      return expressions.compile(given, .int, &context).map {
        BatchPolicy.Bytes(limit: draft.limit, size: $0)
      }
    }
    let loops = expressions.analysis.draft.loops
    guard let loop, loops.indices.contains(loop), let variable = loops[loop].variable?.value
    else { return nil }
    let source = "\(variable).size"
    guard context.environment.compile(source).expression?.type == .int else {
      return collector.refuse(
        .missingKey, "'bytes' needs 'of', because '\(variable)' is not a file", at: draft.range,
        help: "for example: bytes: { limit: 100 MB, of: \"${{ steps.body.file.size }}\" }")
    }
    let size = DraftExpression(source: source, origin: .constant, range: draft.range)
    return expressions.compile(size, .int, &context).map {
      BatchPolicy.Bytes(limit: draft.limit, size: $0)
    }
  }

  private func refuseValues(of draft: DraftStep) {
    guard let value = draft.values.first else { return }
    collector.report(
      .unsupportedKey, "'let' in a step with 'batch' is not supported yet", at: value.name.range)
  }

  func checkBatch(
    _ draft: DraftStep, _ batch: DraftBatch, loop: Int?, position: Int,
    outside: Visibility, inside: Visibility
  ) -> (step: Step?, outputs: [(name: String, type: ValueType)]) {
    let place = ExpressionPlace(step: draft.index, loop: loop)
    refuseValues(of: draft)
    let outside = withKey(of: draft, outside)
    var own = ExpressionChecker.Context(environment: inside.asking, place: place)
    let condition = expressions.compile(draft.condition, .bool, &own)
    let entry = expressions.json(batch.entry, &own)
    let by = expressions.compile(batch.by, .value, &own)
    let bytes = bytes(batch.bytes, loop: loop, &own)
    let visibility = BatchVisibility(entry: Self.type(of: entry), outside: outside, inside: inside)
    let shared = ExpressionPlace(step: draft.index, loop: loop, isOfBatch: true)
    var asking = own.seeing(visibility.asking.asking, at: shared)
    let action = expressions.action(draft.action, &asking)
    let id = id(of: draft)
    if let id { expressions.noteResponse(to: draft.action?.request, of: .step(id), asking) }
    let probe = probe(draft.probe, of: id, shared, visibility.asking)
    let response = draft.action?.request?.response
    var answering = asking.seeing(
      visibility.asking.answering(with: response?.open), at: shared.withResponse)
    let matchers = draft.matchers.compactMap { matcher($0, place, &answering) }
    let successIf = expressions.compile(draft.successIf, .bool, &answering)
    var telling = answering.seeing(
      visibility.results.answering(with: response?.closed),
      at: ExpressionPlace(step: draft.index, loop: loop, hasResponse: true, hasResult: true))
    let each = expressions.compile(draft.results?.each, .value, &telling)
    telling = telling.seeing(
      telling.environment.declaring(Variables.batchResult, as: each?.compiled.type ?? .dyn))
    let decisions = (draft.results?.matchers ?? []).compactMap { matcher($0, place, &telling) }
    let outputs = draft.outputs.map { output($0, &telling) }
    addNeeds(of: draft, from: place, &telling)

    let types = zip(draft.outputs, outputs).map { (name: $0.name.value, type: $1.type) }
    let retry = retry(draft.retry)
    guard let id, let action, let items = batch.items, let within = batch.within,
      let entry, let each, !collector.hasErrors
    else { return (nil, types) }
    let policy = BatchPolicy(
      items: items, within: within, by: by, isSerial: batch.isSerial, bytes: bytes, entry: entry,
      result: each, matchers: decisions)
    let step = Step(
      id: id, loop: loop, position: position, action: action, condition: condition,
      matchers: matchers, successIf: successIf, outputs: outputs.compactMap(\.declaration),
      retry: retry, effect: draft.effect, keyPlace: keyPlace(of: draft, action, probe),
      probe: probe, uses: telling.uses.uses, reissueLimit: draft.reissueLimit ?? 10, batch: policy,
      location: collector.location(draft.range))
    return (step, types)
  }
}

/// Builds inner loops: their list is checked before the steps of a part, the collected values after them.
extension StepChecker {
  struct OpenInnerLoop {
    let draft: DraftStep
    let template: Parts<Draft>
    let loop: Int?
    let position: Int
    fileprivate let condition, items: Expression?
    fileprivate var uses: UseCollector
    var inside: Visibility
  }

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
    var inside = visibility
    inside.declare(template.variable.value, as: items.elementType)
    return OpenInnerLoop(
      draft: draft, template: template, loop: loop, position: position, condition: condition,
      items: items, uses: context.uses, inside: inside)
  }

  /// A process that acquires the run evaluates the list again, and must get the same parts.
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

struct BatchVisibility {
  let asking: Visibility
  package let results: Visibility

  init(entry: ValueType, outside: Visibility, inside: Visibility) {
    var asking = outside
    asking.declare(Variables.batchEntries, as: .list(entry))
    self.asking = asking
    var results = inside
    results.declare(Variables.batchEntries, as: .list(entry))
    results.declare(Variables.batchEntry, as: entry)
    results.declare(Variables.batchIndex, as: .int)
    self.results = results
  }
}
