final class ConstantNode: PlanNode {
  let value: Value

  init(_ value: Value) { self.value = value }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value { value }
}

/// A part known to have no value; only unchecked expressions have such parts.
final class FailureNode: PlanNode {
  private let error: EvaluationError

  init(_ error: EvaluationError) { self.error = error }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value { throw error }
}

final class VariableNode: PlanNode {
  let name: String
  private let range: CompactRange

  init(_ name: String, range: CompactRange) {
    self.name = name
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    guard let value = state.activation.value(of: name) else {
      throw EvaluationError(.unboundVariable, "'\(name)' has no value", at: range)
    }
    return value
  }
}

/// A whole expression bound to a name, with its own local variables.
final class DefinitionNode: PlanNode {
  private let expression: CompiledExpression
  private let range: CompactRange

  init(_ expression: CompiledExpression, range: CompactRange) {
    self.expression = expression
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    do throws(EvaluationError) {
      return try expression.evaluate(inside: &state)
    } catch {
      // The ranges inside refer to another text.
      var error = error
      error.range = range.range
      throw error
    }
  }
}

/// Whether a variable has a value: `has(a.b)` if `a.b` is declared.
final class HasVariableNode: PlanNode {
  private let name: String

  init(_ name: String) { self.name = name }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    return .bool(state.activation.value(of: name) != nil)
  }
}

final class LocalNode: PlanNode {
  private let slot: Int

  init(slot: Int) { self.slot = slot }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    return state.slots[slot]
  }
}

/// A path in an unchecked expression: the longest prefix known to the activation is the variable,
/// and the rest is selected from it.
final class PathNode: PlanNode {
  /// Names by decreasing length, each with the remaining fields, and its meaning if it is not a
  /// variable.
  struct Candidate: Sendable {
    let name: String
    let fields: [String]
    let constant: Value?
  }

  private let candidates: [Candidate]
  private let path: String
  private let range: CompactRange

  init(_ candidates: [Candidate], path: String, range: CompactRange) {
    self.candidates = candidates
    self.path = path
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(candidates.count)
    for candidate in candidates {
      guard var value = candidate.constant ?? state.activation.value(of: candidate.name) else {
        continue
      }
      for field in candidate.fields {
        do throws(EvaluationError) {
          value = try select(field, from: value)
        } catch {
          var error = error
          error.range = range.range
          throw error
        }
      }
      return value
    }
    throw EvaluationError(.undeclaredReference, "undeclared reference '\(path)'", at: range)
  }
}

/// The value of a field; for an optional value, an optional.
func select(_ field: String, from value: Value) throws(EvaluationError) -> Value {
  switch value {
  case .map(let map):
    guard let member = map[field] else {
      throw EvaluationError(.noSuchKey, "no such key '\(field)'")
    }
    return member
  case .optional(let wrapped):
    guard let wrapped else { return .optional(nil) }
    return .optional(try selectOptional(field, from: wrapped))
  default:
    throw EvaluationError(
      .noSuchKey, "\(value.typeName) has no fields; expected a map to select '\(field)' from")
  }
}

/// The value of a field, or `nil` if a map does not have it.
func selectOptional(_ field: String, from value: Value) throws(EvaluationError) -> Value? {
  switch value {
  case .map(let map): return map[field]
  case .optional(nil): return nil
  case .optional(let wrapped?): return try selectOptional(field, from: wrapped)
  default: return try select(field, from: value)
  }
}

final class SelectNode: PlanNode {
  private let operand: any PlanNode
  private let field: String
  private let isOptional: Bool
  private let range: CompactRange

  init(_ operand: any PlanNode, field: String, isOptional: Bool, range: CompactRange) {
    self.operand = operand
    self.field = field
    self.isOptional = isOptional
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(&state)
    try state.meter.charge(1)
    do throws(EvaluationError) {
      if isOptional { return .optional(try selectOptional(field, from: value)) }
      return try select(field, from: value)
    } catch {
      var error = error
      error.range = range.range
      throw error
    }
  }
}

final class HasNode: PlanNode {
  private let operand: any PlanNode
  private let field: String
  private let range: CompactRange

  init(_ operand: any PlanNode, field: String, range: CompactRange) {
    self.operand = operand
    self.field = field
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(&state)
    try state.meter.charge(1)
    do throws(EvaluationError) {
      return .bool(try selectOptional(field, from: value) != nil)
    } catch {
      var error = error
      error.range = range.range
      throw error
    }
  }
}
