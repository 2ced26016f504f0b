final class EqualNode: PlanNode {
  private let left: any PlanNode
  private let right: any PlanNode
  private let isNegated: Bool

  init(_ left: any PlanNode, _ right: any PlanNode, isNegated: Bool) {
    self.left = left
    self.right = right
    self.isNegated = isNegated
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let left = try self.left.evaluate(&state)
    let right = try self.right.evaluate(&state)
    return .bool(try equals(left, right, &state.meter) != isNegated)
  }
}

final class CompareNode: PlanNode {
  enum Relation: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  private let left: any PlanNode
  private let right: any PlanNode
  private let relation: Relation
  private let range: CompactRange

  init(_ left: any PlanNode, _ right: any PlanNode, _ relation: Relation, range: CompactRange) {
    self.left = left
    self.right = right
    self.relation = relation
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let left = try self.left.evaluate(&state)
    let right = try self.right.evaluate(&state)
    guard let order = try compare(left, right, &state.meter) else {
      var error = EvaluationError.noOverload("operator '\(relation.rawValue)'", left, right)
      error.range = range.range
      throw error
    }
    switch relation {
    case .less: return .bool(order == .before)
    case .lessOrEqual: return .bool(order == .before || order == .same)
    case .greater: return .bool(order == .after)
    case .greaterOrEqual: return .bool(order == .after || order == .same)
    }
  }
}

final class ArithmeticNode: PlanNode {
  private let left: any PlanNode
  private let right: any PlanNode
  private let operation: Arithmetic
  private let range: CompactRange

  init(_ left: any PlanNode, _ right: any PlanNode, _ operation: Arithmetic, range: CompactRange) {
    self.left = left
    self.right = right
    self.operation = operation
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let left = try self.left.evaluate(&state)
    let right = try self.right.evaluate(&state)
    do throws(EvaluationError) {
      return try operation.apply(left, right, &state.meter)
    } catch {
      var error = error
      error.range = range.range
      throw error
    }
  }
}

final class NegateNode: PlanNode {
  private let operand: any PlanNode
  private let range: CompactRange

  init(_ operand: any PlanNode, range: CompactRange) {
    self.operand = operand
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let value = try operand.evaluate(&state)
    switch value {
    case .int(let number):
      if number == .min { throw EvaluationError(.overflow, "int overflows", at: range) }
      return .int(-number)
    case .double(let number): return .double(-number)
    default:
      throw EvaluationError(
        .noSuchOverload, "operator '-' does not take \(value.typeName)", at: range)
    }
  }
}
