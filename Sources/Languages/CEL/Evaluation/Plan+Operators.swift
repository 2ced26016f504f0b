extension Plan {
  /// `a && b && …` or `a || b || …`: the operand that decides (`false` for `&&`) absorbs errors of others.
  static func logical(_ operands: [Plan], decisive: Bool, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      var failure: EvaluationError?
      for operand in operands {
        do throws(EvaluationError) {
          try state.meter.charge(1)
          let value = try operand.evaluate(&state)
          if case .bool(let truth) = value {
            if truth == decisive { return .bool(decisive) }
          } else if failure == nil {
            failure = unsuited("operator '\(decisive ? "||" : "&&")'", value, range)
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

  static func conditional(
    _ condition: Plan, _ first: Plan, _ second: Plan, _ range: CompactRange
  ) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let value = try condition.evaluate(&state)
      guard case .bool(let truth) = value
      else { throw EvaluationError.mismatch("condition before '?' must be bool", value, at: range) }
      return try truth ? first.evaluate(&state) : second.evaluate(&state)
    }
  }

  static func not(_ operand: Plan, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let value = try operand.evaluate(&state)
      guard case .bool(let truth) = value else { throw unsuited("operator '!'", value, range) }
      return .bool(!truth)
    }
  }

  static func negation(of operand: Plan, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let value = try operand.evaluate(&state)
      switch value {
      case .int(let number):
        if number == .min { throw EvaluationError(.overflow, "int overflows", at: range) }
        return .int(-number)
      case .double(let number): return .double(-number)
      default: throw unsuited("operator '-'", value, range)
      }
    }
  }

  static func equality(_ left: Plan, _ right: Plan, isNegated: Bool) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let left = try left.evaluate(&state)
      let right = try right.evaluate(&state)
      return .bool(try equals(left, right, &state.meter) != isNegated)
    }
  }

  enum Relation: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  static func comparison(
    _ left: Plan, _ right: Plan, _ relation: Relation, _ range: CompactRange
  ) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let left = try left.evaluate(&state)
      let right = try right.evaluate(&state)
      guard let order = try compare(left, right, &state.meter) else {
        throw EvaluationError.noOverload("operator '\(relation.rawValue)'", left, right).at(range)
      }
      switch relation {
      case .less: return .bool(order == .before)
      case .lessOrEqual: return .bool(order == .before || order == .same)
      case .greater: return .bool(order == .after)
      case .greaterOrEqual: return .bool(order == .after || order == .same)
      }
    }
  }

  static func arithmetic(
    _ left: Plan, _ right: Plan, _ operation: Arithmetic, _ range: CompactRange
  ) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let left = try left.evaluate(&state)
      let right = try right.evaluate(&state)
      do throws(EvaluationError) {
        return try operation.apply(left, right, &state.meter)
      } catch { throw error.at(range) }
    }
  }

  static func membership(of element: Plan, in collection: Plan, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let element = try element.evaluate(&state)
      let collection = try collection.evaluate(&state)
      switch collection {
      case .list(let members):
        for member in members {
          try state.meter.charge(1)
          if try equals(element, member, &state.meter) { return true }
        }
        return false
      case .map(let map): return .bool(map[element] != nil)
      default: throw EvaluationError.noOverload("operator 'in'", element, collection).at(range)
      }
    }
  }

  /// `cel.bind`: the value is evaluated once, when the name is bound.
  static func binding(_ slot: Int, to value: Plan, in body: Plan) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      state.slots[slot] = try value.evaluate(&state)
      return try body.evaluate(&state)
    }
  }

  static func optionalMap(
    _ target: Plan, slot: Int, body: Plan, isFlat: Bool, _ range: CompactRange
  ) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let name = isFlat ? "optFlatMap" : "optMap"
      let value = try target.evaluate(&state)
      guard case .optional(let wrapped) = value else { throw unsuited("'\(name)'", value, range) }
      guard let wrapped else { return .optional(nil) }
      state.slots[slot] = wrapped
      let result = try body.evaluate(&state)
      guard isFlat else { return .optional(result) }
      if case .optional = result { return result }
      throw EvaluationError.mismatch("'\(name)' must return an optional value", result, at: range)
    }
  }

  private static func unsuited(
    _ function: String, _ value: Value, _ range: CompactRange
  ) -> EvaluationError {
    EvaluationError(.noSuchOverload, "\(function) does not accept \(value.typeName)", at: range)
  }

  static func call(
    _ name: String, _ overloads: [Overload], _ arguments: [Plan], _ range: CompactRange
  ) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      var values: [Value] = []
      values.reserveCapacity(arguments.count)
      for argument in arguments { values.append(try argument.evaluate(&state)) }
      do throws(EvaluationError) {
        return try call(name, overloads, values, &state.meter)
      } catch { throw error.at(range) }
    }
  }

  private static func call(
    _ name: String, _ overloads: [Overload], _ values: [Value], _ meter: inout Meter
  ) throws(EvaluationError) -> Value {
    overloads: for overload in overloads {
      guard let body = overload.body else { continue }
      for (parameter, value) in zip(overload.parameters, values) where !parameter.admits(value) {
        continue overloads
      }
      if case .proportional = overload.cost { for value in values { try meter.charge(for: value) } }
      let result = try body(values, &meter)
      switch result {
      case .string(let text): try meter.check(octets: text.utf8.count)
      case .bytes(let bytes): try meter.check(octets: bytes.count)
      default: break
      }
      return result
    }
    let kinds = values.map(\.typeName.name).joined(separator: ", ")
    throw EvaluationError(.noSuchOverload, "'\(name)' does not accept (\(kinds))")
  }

  /// `text.matches(pattern)` with a constant pattern, compiled in advance.
  static func match(_ text: Plan, _ pattern: RegularExpression, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1)
      let value = try text.evaluate(&state)
      guard case .string(let text) = value else { throw unsuited("'matches'", value, range) }
      do throws(EvaluationError) {
        return .bool(try pattern.matches(in: text, &state.meter))
      } catch { throw error.at(range) }
    }
  }
}
