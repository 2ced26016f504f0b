import CEL
import PipelineCore

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

extension StepChecker {
  /// The type of a JSON value given as templates, so that field names can be checked.
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

  /// How much the items of a batch may take, by the sizes of their files unless the author says of what.
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
    var asking = ExpressionChecker.Context(
      environment: visibility.asking.asking, place: shared, uses: own.uses)
    if let key = draft.idempotencyKey { ChangingKeyRule.report(batch: key, collector) }
    let action = expressions.action(draft.action, &asking)
    let id = id(of: draft)
    if let id { expressions.noteResponse(to: draft.action?.request, of: .step(id), asking) }
    let probe = probe(draft.probe, of: id, shared, visibility.asking)
    let response = draft.action?.request?.response
    var answering = ExpressionChecker.Context(
      environment: visibility.asking.answering(with: response?.open),
      place: ExpressionPlace(step: draft.index, loop: loop, hasResponse: true, isOfBatch: true),
      uses: asking.uses)
    let matchers = draft.matchers.compactMap { matcher($0, place, &answering) }
    let successIf = expressions.compile(draft.successIf, .bool, &answering)
    var telling = ExpressionChecker.Context(
      environment: visibility.results.answering(with: response?.closed),
      place: ExpressionPlace(step: draft.index, loop: loop, hasResponse: true, hasResult: true),
      uses: answering.uses)
    let each = expressions.compile(draft.results?.each, .value, &telling)
    telling = ExpressionChecker.Context(
      environment: telling.environment.declaring(
        Variables.batchResult, as: each?.compiled.type ?? .dyn),
      place: telling.place, uses: telling.uses)
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
