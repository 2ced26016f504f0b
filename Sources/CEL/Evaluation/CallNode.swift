/// A call of a library's function.
final class CallNode: PlanNode {
  private let name: String
  private let overloads: [Overload]
  private let arguments: [any PlanNode]
  private let range: CompactRange

  init(_ name: String, _ overloads: [Overload], _ arguments: [any PlanNode], range: CompactRange) {
    self.name = name
    self.overloads = overloads
    self.arguments = arguments
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.evaluate(&state)) }
    do throws(EvaluationError) {
      return try call(values, &state.meter)
    } catch {
      var error = error
      error.range = range.range
      throw error
    }
  }

  private func call(_ values: [Value], _ meter: inout Meter) throws(EvaluationError) -> Value {
    overloads: for overload in overloads {
      guard let body = overload.body else { continue }
      for (parameter, value) in zip(overload.parameters, values) where !parameter.admits(value) {
        continue overloads
      }
      if case .proportional = overload.cost { for value in values { try meter.charge(for: value) } }
      return try body(values, &meter)
    }
    let kinds = values.map(\.typeName.name).joined(separator: ", ")
    throw EvaluationError(.noSuchOverload, "'\(name)' does not take (\(kinds))")
  }
}

/// `text.matches(pattern)` with a constant pattern, compiled in advance.
final class MatchNode: PlanNode {
  private let text: any PlanNode
  private let pattern: RegularExpression
  private let range: CompactRange

  init(_ text: any PlanNode, _ pattern: RegularExpression, range: CompactRange) {
    self.text = text
    self.pattern = pattern
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let value = try text.evaluate(&state)
    guard case .string(let text) = value else {
      throw EvaluationError(
        .noSuchOverload, "'matches' does not take \(value.typeName)", at: range)
    }
    do throws(EvaluationError) {
      return .bool(try pattern.matches(in: text, &state.meter))
    } catch {
      var error = error
      error.range = range.range
      throw error
    }
  }
}
