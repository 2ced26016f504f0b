/// `a && b && …` or `a || b || …`: the operand that decides absorbs the errors of the others, in
/// any order.
final class LogicalNode: PlanNode {
  private let operands: [any PlanNode]
  /// The operand that decides: `false` for `&&`.
  private let decisive: Bool
  private let range: CompactRange

  init(_ operands: [any PlanNode], decisive: Bool, range: CompactRange) {
    self.operands = operands
    self.decisive = decisive
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    var failure: EvaluationError?
    for operand in operands {
      do throws(EvaluationError) {
        try state.meter.charge(1)
        let value = try operand.evaluate(&state)
        if case .bool(let truth) = value {
          if truth == decisive { return .bool(decisive) }
        } else if failure == nil {
          let name = decisive ? "||" : "&&"
          failure = EvaluationError(
            .noSuchOverload, "operator '\(name)' does not take \(value.typeName)", at: range)
        }
      } catch {
        // Exceeding a limit is not an error that another operand can absorb.
        if error.code == .costExceeded { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return .bool(!decisive)
  }
}

final class ConditionalNode: PlanNode {
  private let condition: any PlanNode
  private let first: any PlanNode
  private let second: any PlanNode
  private let range: CompactRange

  init(
    _ condition: any PlanNode, _ first: any PlanNode, _ second: any PlanNode, range: CompactRange
  ) {
    self.condition = condition
    self.first = first
    self.second = second
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let value = try condition.evaluate(&state)
    guard case .bool(let truth) = value else {
      throw EvaluationError(
        .noSuchOverload, "condition before '?' must be bool, found \(value.typeName)", at: range)
    }
    return try truth ? first.evaluate(&state) : second.evaluate(&state)
  }
}

final class NotNode: PlanNode {
  private let operand: any PlanNode
  private let range: CompactRange

  init(_ operand: any PlanNode, range: CompactRange) {
    self.operand = operand
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let value = try operand.evaluate(&state)
    guard case .bool(let truth) = value else {
      throw EvaluationError(
        .noSuchOverload, "operator '!' does not take \(value.typeName)", at: range)
    }
    return .bool(!truth)
  }
}

/// `cel.bind`: the value is evaluated once, when the name is bound.
final class BindNode: PlanNode {
  private let slot: Int
  private let value: any PlanNode
  private let body: any PlanNode

  init(slot: Int, value: any PlanNode, body: any PlanNode) {
    self.slot = slot
    self.value = value
    self.body = body
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    state.slots[slot] = try value.evaluate(&state)
    return try body.evaluate(&state)
  }
}

/// `optMap` and `optFlatMap`.
final class OptionalMapNode: PlanNode {
  private let target: any PlanNode
  private let slot: Int
  private let body: any PlanNode
  private let isFlat: Bool
  private let range: CompactRange

  init(_ target: any PlanNode, slot: Int, body: any PlanNode, isFlat: Bool, range: CompactRange) {
    self.target = target
    self.slot = slot
    self.body = body
    self.isFlat = isFlat
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let name = isFlat ? "optFlatMap" : "optMap"
    let value = try target.evaluate(&state)
    guard case .optional(let wrapped) = value else {
      throw EvaluationError(
        .noSuchOverload, "'\(name)' does not take \(value.typeName)", at: range)
    }
    guard let wrapped else { return .optional(nil) }
    state.slots[slot] = wrapped
    let result = try body.evaluate(&state)
    guard isFlat else { return .optional(result) }
    guard case .optional = result else {
      throw EvaluationError(
        .noSuchOverload, "'\(name)' must return an optional value, found \(result.typeName)",
        at: range)
    }
    return result
  }
}
