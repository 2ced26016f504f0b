/// Equality of the language: numbers by value, `NaN` equal to nothing, lists and maps by members.
func equals(_ lhs: Value, _ rhs: Value, _ meter: inout Meter) throws(EvaluationError) -> Bool {
  switch (lhs, rhs) {
  case (.int(let a), .int(let b)): return a == b
  case (.string(let a), .string(let b)):
    try meter.charge(octets: min(a.utf8.count, b.utf8.count))
    return a.isByteEqual(to: b)
  case (.bytes(let a), .bytes(let b)):
    try meter.charge(octets: min(a.count, b.count))
    return a == b
  case (.list(let a), .list(let b)):
    guard a.count == b.count else { return false }
    for (first, second) in zip(a, b) {
      try meter.charge(1)
      guard try equals(first, second, &meter) else { return false }
    }
    return true
  case (.map(let a), .map(let b)):
    guard a.count == b.count else { return false }
    for (key, value) in a.entries {
      try meter.charge(2)
      guard let other = b[key], try equals(value, other, &meter) else { return false }
    }
    return true
  case (.optional(let a), .optional(let b)):
    guard let a, let b else { return a == nil && b == nil }
    try meter.charge(1)
    return try equals(a, b, &meter)
  case (.double(let a), .double(let b)): return a == b
  case (.int, .uint), (.int, .double), (.uint, .int), (.uint, .double), (.double, .int),
    (.double, .uint):
    return compareNumbers(lhs, rhs) == .same
  default: return lhs == rhs
  }
}

enum Order {
  case before, same, after
  /// One of them is `NaN`.
  case none

  init<Operand: Comparable>(_ lhs: Operand, _ rhs: Operand) {
    self = lhs < rhs ? .before : lhs == rhs ? .same : lhs > rhs ? .after : .none
  }
}

func compare(_ lhs: Value, _ rhs: Value, _ meter: inout Meter) throws(EvaluationError) -> Order? {
  switch (lhs, rhs) {
  case (.int(let a), .int(let b)): return Order(a, b)
  case (.bool(let a), .bool(let b)): return a == b ? .same : (b ? .before : .after)
  case (.string(let a), .string(let b)):
    try meter.charge(octets: min(a.utf8.count, b.utf8.count))
    if a.isByteEqual(to: b) { return .same }
    return a.precedesByScalars(b) ? .before : .after
  case (.bytes(let a), .bytes(let b)):
    try meter.charge(octets: min(a.count, b.count))
    return a == b ? .same : (a.lexicographicallyPrecedes(b) ? .before : .after)
  case (.timestamp(let a), .timestamp(let b)): return Order(a, b)
  case (.duration(let a), .duration(let b)): return Order(a, b)
  default: return compareNumbers(lhs, rhs)
  }
}

/// The order of two numbers by value; integers become the nearest double, as the specification has it.
private func compareNumbers(_ lhs: Value, _ rhs: Value) -> Order? {
  switch (lhs, rhs) {
  case (.int(let a), .int(let b)): Order(a, b)
  case (.uint(let a), .uint(let b)): Order(a, b)
  case (.double(let a), .double(let b)): Order(a, b)
  case (.int(let a), .uint(let b)): a < 0 ? .before : Order(UInt64(a), b)
  case (.uint(let a), .int(let b)): b < 0 ? .after : Order(a, UInt64(b))
  case (.int(let a), .double(let b)): Order(Double(a), b)
  case (.uint(let a), .double(let b)): Order(Double(a), b)
  case (.double(let a), .int(let b)): Order(a, Double(b))
  case (.double(let a), .uint(let b)): Order(a, Double(b))
  default: nil
  }
}
