import CEL
import PipelineCore

extension StepChecker {
  /// What the step's expressions see: its own values by name, and its idempotency key.
  func visibility(of draft: DraftStep, at place: ExpressionPlace, _ outer: Visibility) -> Visibility
  {
    var visibility = withKey(of: draft, outer)
    for value in draft.values {
      guard visibility.asking.type(of: value.name.value) == nil else {
        collector.report(
          .reservedName,
          "'\(value.name.value)' cannot name a value: it already has a meaning in expressions",
          at: value.name.range)
        continue
      }
      define(value, of: draft, at: place, &visibility)
    }
    return visibility
  }

  func withKey(of draft: DraftStep, _ outer: Visibility) -> Visibility {
    var visibility = outer
    if draft.keyPlace != nil { visibility.declare(IdempotencyKey.name, as: .string) }
    return visibility
  }

  private func define(
    _ value: DraftField, of draft: DraftStep, at place: ExpressionPlace,
    _ visibility: inout Visibility
  ) {
    let hasResponse = draft.action?.request != nil
    var context = ExpressionChecker.Context(
      environment: hasResponse
        ? visibility.answering(with: draft.action?.request?.response?.open) : visibility.asking,
      place: ExpressionPlace(step: place.step, loop: place.loop, hasResponse: hasResponse))
    guard let compiled = expressions.joined(value.value, &context) else { return }
    let readsResponse = compiled.references.contains { reference in
      reference.variable.hasPrefix("response.") || reference.variable.hasPrefix("history.")
    }
    if readsResponse {
      visibility.defineAnswering(value.name.value, as: compiled)
    } else {
      visibility.define(value.name.value, as: compiled)
    }
  }

  /// Where a step sends its key: where the author says, or nowhere by itself if its expressions read it.
  func keyPlace(
    of draft: DraftStep, _ action: Step.Action, _ probe: Probe?
  ) -> IdempotencyKeyPlace<String>? {
    guard let place = draft.keyPlace else { return nil }
    let reads = (action.request?.expressions ?? []).contains { expression in
      expression.compiled.references.contains { $0.variable == IdempotencyKey.name }
    }
    if reads, !draft.namesKeyPlace { return .request }
    switch place {
    case .header(let name): return .header(name.value)
    case .query(let name): return .query(name.value)
    case .field(let name): return .field(name.value)
    case .request: return .request
    }
  }
}
