import CEL

extension Evaluator {
  /// The key that an attempt at the step sends; `nil` without a key.
  public func key(
    of step: Step, _ id: EffectID, _ scope: Scope
  ) throws(EvaluationFailure) -> IdempotencyKey? {
    guard let place = step.keyPlace,
      let key = try authorsKey(of: step, scope) ?? idempotencyKey(id, scope)
    else { return nil }
    return IdempotencyKey(key, in: place, isSecret: hasSecretKey(step))
  }

  /// The scope with ``IdempotencyKey/name``, if the step's expressions read it.
  func keyed(_ scope: Scope, of step: Step) throws(EvaluationFailure) -> Scope {
    guard step.readsKey, scope.locals[IdempotencyKey.name] == nil,
      let index = pipeline.stepIndex[step.id]
    else { return scope }
    let frame = scope.frame(of: step)
    let generation = frame.indices.contains(step.position) ? frame[step.position].generation : 1
    let id = EffectID(
      run: scope.run, item: step.owner(readFrom: scope.item), step: index, generation: generation,
      attempt: 1)
    var keyed = scope
    keyed.locals[IdempotencyKey.name] = try key(of: step, id, scope).map { .string($0.value) }
    return keyed
  }
}
