/// A macro that iterates over a list or over the keys of a map.
final class ComprehensionNode: PlanNode {
  private let kind: Syntax.Comprehension.Kind
  private let source: any PlanNode
  /// The slot of the first name; a second name has the next one.
  private let slot: Int
  private let hasTwoNames: Bool
  private let condition: (any PlanNode)?
  private let transform: (any PlanNode)?
  private let range: CompactRange

  init(
    _ kind: Syntax.Comprehension.Kind, source: any PlanNode, slot: Int, hasTwoNames: Bool,
    condition: (any PlanNode)?, transform: (any PlanNode)?, range: CompactRange
  ) {
    self.kind = kind
    self.source = source
    self.slot = slot
    self.hasTwoNames = hasTwoNames
    self.condition = condition
    self.transform = transform
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let source = try self.source.evaluate(&state)
    var fold = Fold()
    switch source {
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        if hasTwoNames {
          state.slots[slot] = .int(Int64(index))
          state.slots[slot + 1] = element
        } else {
          state.slots[slot] = element
        }
        if try step(&fold, &state) { break }
      }
    case .map(let map):
      for (key, value) in map.entries {
        state.slots[slot] = key
        if hasTwoNames { state.slots[slot + 1] = value }
        if try step(&fold, &state) { break }
      }
    default:
      throw EvaluationError(
        .noSuchOverload, "expected a list or a map to iterate over, found \(source.typeName)",
        at: range)
    }
    return try result(fold)
  }

  /// The accumulated result so far.
  private struct Fold {
    var isDecided = false
    var failure: EvaluationError?
    var matches = 0
    var list: [Value] = []
    var map = MapValue()
  }

  /// Processes one member; returns whether the rest can be skipped.
  private func step(
    _ fold: inout Fold, _ state: inout EvaluationState
  ) throws(EvaluationError) -> Bool {
    try state.meter.charge(1)
    switch kind {
    case .all, .exists:
      do throws(EvaluationError) {
        if try holds(&state) == (kind == .exists) {
          fold.isDecided = true
          return true
        }
      } catch {
        if error.code == .costExceeded { throw error }
        fold.failure = fold.failure ?? error
      }
    case .existsOne: if try holds(&state) { fold.matches += 1 }
    case .list:
      guard try holds(&state) else { return false }
      fold.list.append(try transform?.evaluate(&state) ?? state.slots[slot])
    case .map:
      guard try holds(&state), let transform else { return false }
      let key = state.slots[slot]
      try fold.map.add(try transform.evaluate(&state), for: key, at: range)
    case .mapEntries:
      guard try holds(&state), let transform else { return false }
      let entry = try transform.evaluate(&state)
      guard case .map(let entries) = entry else {
        throw EvaluationError(
          .noSuchOverload, "entry must be a map, found \(entry.typeName)", at: range)
      }
      for (key, value) in entries.entries {
        try state.meter.charge(1)
        try fold.map.add(value, for: key, at: range)
      }
    }
    return false
  }

  private func holds(_ state: inout EvaluationState) throws(EvaluationError) -> Bool {
    guard let condition else { return true }
    let value = try condition.evaluate(&state)
    guard case .bool(let truth) = value else {
      throw EvaluationError(
        .noSuchOverload, "condition must be bool, found \(value.typeName)", at: range)
    }
    return truth
  }

  private func result(_ fold: Fold) throws(EvaluationError) -> Value {
    switch kind {
    case .all, .exists:
      if fold.isDecided { return .bool(kind == .exists) }
      if let failure = fold.failure { throw failure }
      return .bool(kind == .all)
    case .existsOne: return .bool(fold.matches == 1)
    case .list: return .list(fold.list)
    case .map, .mapEntries: return .map(fold.map)
    }
  }
}
