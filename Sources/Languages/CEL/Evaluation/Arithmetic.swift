enum Arithmetic: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"

  func apply(_ lhs: Value, _ rhs: Value, _ meter: inout Meter) throws(EvaluationError) -> Value {
    switch (lhs, rhs) {
    case (.int(let a), .int(let b)): return .int(try integer(a, b))
    case (.uint(let a), .uint(let b)): return .uint(try integer(a, b))
    case (.double(let a), .double(let b)):
      switch self {
      case .add: return .double(a + b)
      case .subtract: return .double(a - b)
      case .multiply: return .double(a * b)
      case .divide: return .double(a / b)
      case .remainder: throw .noOverload("operator '%'", lhs, rhs)
      }
    default: break
    }
    switch self {
    case .add: return try concatenate(lhs, rhs, &meter)
    case .subtract: return try difference(lhs, rhs)
    default: throw .noOverload("operator '\(rawValue)'", lhs, rhs)
    }
  }

  private func integer<Integer: FixedWidthInteger>(
    _ lhs: Integer, _ rhs: Integer
  ) throws(EvaluationError) -> Integer {
    let result: (partialValue: Integer, overflow: Bool)
    switch self {
    case .add: result = lhs.addingReportingOverflow(rhs)
    case .subtract: result = lhs.subtractingReportingOverflow(rhs)
    case .multiply: result = lhs.multipliedReportingOverflow(by: rhs)
    case .divide:
      if rhs == 0 { throw EvaluationError(.divisionByZero, "division by zero") }
      result = lhs.dividedReportingOverflow(by: rhs)
    case .remainder:
      if rhs == 0 { throw EvaluationError(.divisionByZero, "remainder of a division by zero") }
      result = lhs.remainderReportingOverflow(dividingBy: rhs)
    }
    guard !result.overflow else {
      let kind = Integer.isSigned ? "int" : "uint"
      throw EvaluationError(.overflow, "\(kind) overflows")
    }
    return result.partialValue
  }

  private func concatenate(
    _ lhs: Value, _ rhs: Value, _ meter: inout Meter
  ) throws(EvaluationError) -> Value {
    switch (lhs, rhs) {
    case (.string(let a), .string(let b)):
      try meter.charge(octets: a.utf8.count + b.utf8.count)
      return .string(a + b)
    case (.bytes(let a), .bytes(let b)):
      try meter.charge(octets: a.count + b.count)
      return .bytes(a + b)
    case (.list(let a), .list(let b)):
      try meter.charge(a.count + b.count)
      return .list(a + b)
    case (.timestamp(let time), .duration(let span)), (.duration(let span), .timestamp(let time)):
      guard let sum = time.adding(span) else { throw outOfRange("timestamp") }
      return .timestamp(sum)
    case (.duration(let a), .duration(let b)):
      guard let first = Nanoseconds(a), let second = Nanoseconds(b),
        let sum = first.adding(second)?.duration
      else { throw outOfRange("duration") }
      return .duration(sum)
    default: throw .noOverload("operator '+'", lhs, rhs)
    }
  }

  private func difference(_ lhs: Value, _ rhs: Value) throws(EvaluationError) -> Value {
    switch (lhs, rhs) {
    case (.timestamp(let time), .duration(let span)):
      guard let result = time.subtracting(span) else { throw outOfRange("timestamp") }
      return .timestamp(result)
    case (.timestamp(let a), .timestamp(let b)):
      // Durations are limited to 64 bits of nanoseconds, as in other implementations of the specification.
      let span = Nanoseconds(since1970: a).subtracting(Nanoseconds(since1970: b))
      guard let span, Int64(exactly: span.count) != nil else { throw outOfRange("duration") }
      return .duration(a.duration(since: b))
    case (.duration(let a), .duration(let b)):
      guard let first = Nanoseconds(a), let second = Nanoseconds(b),
        let result = first.subtracting(second)?.duration
      else { throw outOfRange("duration") }
      return .duration(result)
    default: throw .noOverload("operator '-'", lhs, rhs)
    }
  }
}

func outOfRange(_ kind: String) -> EvaluationError {
  EvaluationError(.overflow, "\(kind) is out of range")
}
