/// A prepared part of an expression; a bare closure in an array would be wrapped in another one.
struct Plan: Sendable {
  let evaluate: @Sendable (inout EvaluationState) throws(EvaluationError) -> Value

  static func constant(_ value: Value) -> Plan { Plan { _ in value } }

  /// A part known to have no value; only unchecked expressions have such parts.
  static func failure(
    _ code: EvaluationError.Code, _ message: String, _ range: CompactRange
  ) -> Plan {
    Plan { (_) throws(EvaluationError) in throw EvaluationError(code, message, at: range) }
  }

  static func variable(_ name: String, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      guard let value = state.activation.value(of: name)
      else { throw EvaluationError(.unboundVariable, "'\(name)' has no value", at: range) }
      return value
    }
  }

  /// A whole expression bound to a name, with its own local variables.
  static func definition(_ expression: CompiledExpression, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      do throws(EvaluationError) {
        return try expression.evaluate(inside: &state)
        // The ranges inside refer to another text.
      } catch { throw error.at(range) }
    }
  }

  /// Whether a variable has a value: `has(a.b)` if `a.b` is declared.
  static func presence(ofVariable name: String) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      return .bool(state.activation.value(of: name) != nil)
    }
  }

  static func local(_ slot: Int) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      return state.slots[slot]
    }
  }

  /// A name of a path, the fields after it, and its meaning if it is not a variable.
  typealias Candidate = (name: String, fields: [String], constant: Value?)

  /// A path in an unchecked expression: its longest known prefix is the variable.
  static func path(_ candidates: [Candidate], _ path: String, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(candidates.count)
      for candidate in candidates {
        guard var value = candidate.constant ?? state.activation.value(of: candidate.name)
        else { continue }
        for field in candidate.fields {
          do throws(EvaluationError) {
            value = try select(field, from: value)
          } catch { throw error.at(range) }
        }
        return value
      }
      throw EvaluationError(.undeclaredReference, "undeclared reference '\(path)'", at: range)
    }
  }

  static func selection(
    of field: String, from operand: Plan, isOptional: Bool, _ range: CompactRange
  ) -> Plan {
    Plan { (state) throws(EvaluationError) in
      let value = try operand.evaluate(&state)
      try state.meter.charge(1)
      do throws(EvaluationError) {
        if isOptional {
          return value.isNullOrOfNull
            ? .optional(nil) : .optional(try selectOptional(field, from: value))
        }
        return try select(field, from: value)
      } catch { throw error.at(range) }
    }
  }

  static func presence(of field: String, in operand: Plan, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      let value = try operand.evaluate(&state)
      try state.meter.charge(1)
      do throws(EvaluationError) {
        return .bool(try selectOptional(field, from: value) != nil)
      } catch { throw error.at(range) }
    }
  }
}

/// The value of a field; for an optional value, an optional.
private func select(_ field: String, from value: Value) throws(EvaluationError) -> Value {
  switch value {
  case .map(let map):
    guard let member = map[field]
    else { throw EvaluationError(.noSuchKey, "no such key '\(field)'") }
    return member
  case .optional(let wrapped):
    guard let wrapped else { return .optional(nil) }
    return .optional(try selectOptional(field, from: wrapped))
  default:
    throw EvaluationError(
      .noSuchKey, "\(value.typeName) has no fields; expected a map to select '\(field)' from")
  }
}

private func selectOptional(_ field: String, from value: Value) throws(EvaluationError) -> Value? {
  switch value {
  case .map(let map): return map[field]
  case .optional(nil): return nil
  case .optional(let wrapped?): return try selectOptional(field, from: wrapped)
  default: return try select(field, from: value)
  }
}
