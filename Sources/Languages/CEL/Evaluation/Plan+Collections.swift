extension Plan {
  static func list(_ elements: [(plan: Plan, isOptional: Bool)], _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1 + elements.count)
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for element in elements {
        let value = try element.plan.evaluate(&state)
        if !element.isOptional {
          values.append(value)
        } else if let present = try unwrapped(value, range) {
          values.append(present)
        }
      }
      return .list(values)
    }
  }

  static func map(
    _ entries: [(key: Plan, value: Plan, isOptional: Bool)], _ range: CompactRange
  ) -> Plan {
    Plan { (state) throws(EvaluationError) in
      try state.meter.charge(1 + 2 * entries.count)
      var map = MapValue()
      for entry in entries {
        let key = try entry.key.evaluate(&state)
        var value = try entry.value.evaluate(&state)
        if entry.isOptional {
          guard let present = try unwrapped(value, range) else { continue }
          value = present
        }
        try map.add(value, for: key, at: range)
      }
      return .map(map)
    }
  }

  private static func unwrapped(
    _ value: Value, _ range: CompactRange
  ) throws(EvaluationError) -> Value? {
    guard case .optional(let wrapped) = value
    else { throw .mismatch("value after '?' must be optional", value, at: range) }
    return wrapped
  }

  static func index(_ operand: Plan, _ key: Plan, isOptional: Bool, _ range: CompactRange) -> Plan {
    Plan { (state) throws(EvaluationError) in
      let value = try operand.evaluate(&state)
      let key = try key.evaluate(&state)
      try state.meter.charge(1)
      do throws(EvaluationError) {
        if isOptional, value.isNullOrOfNull { return .optional(nil) }
        if case .optional(let wrapped) = value {
          guard let wrapped else { return .optional(nil) }
          return .optional(try find(key, in: wrapped))
        }
        if isOptional { return .optional(try find(key, in: value)) }
        if let found = try find(key, in: value) { return found }
        throw missing(key, in: value)
      } catch { throw error.at(range) }
    }
  }

  private static func find(_ key: Value, in value: Value) throws(EvaluationError) -> Value? {
    switch value {
    case .list(let elements):
      guard let index = try index(key), elements.indices.contains(index) else { return nil }
      return elements[index]
    case .map(let map):
      switch key {
      case .bool, .int, .uint, .double, .string: return map[key]
      default: throw EvaluationError(.noSuchKey, "map key cannot be \(key.typeName)")
      }
    default: throw .noOverload("index '[]'", value, key)
    }
  }

  /// Doubles and unsigned integers are accepted as indexes if they are integers.
  private static func index(_ key: Value) throws(EvaluationError) -> Int? {
    switch key {
    case .int(let index): return Int(exactly: index)
    case .uint(let index): return Int(exactly: index)
    case .double(let index):
      if let index = Int(exactly: index) { return index }
      throw .argument("index of a list must be an integer")
    default: throw .argument("index of a list must be int, found \(key.typeName)")
    }
  }

  private static func missing(_ key: Value, in value: Value) -> EvaluationError {
    if case .list(let elements) = value {
      return EvaluationError(
        .indexOutOfRange, "index \(key) is out of range of a list of \(elements.count)")
    }
    if case .string = key { return EvaluationError(.noSuchKey, "no such key") }
    return EvaluationError(.noSuchKey, "no such key \(key)")
  }
}

extension MapValue {
  fileprivate mutating func add(
    _ value: Value, for key: Value, at range: CompactRange
  ) throws(EvaluationError) {
    if insert(value, for: key) { return }
    if key.isMapKey { throw EvaluationError(.invalidKey, "map has the same key twice", at: range) }
    throw .mismatch("map key must be bool, int, uint or string", key, at: range, .invalidKey)
  }
}

/// A macro that iterates over a list or over the keys of a map.
struct Iteration: Sendable {
  let kind: Syntax.Comprehension.Kind
  let source: Plan
  /// The slot of the first name; a second name has the next one.
  let slot: Int
  let hasTwoNames: Bool
  let condition, transform: Plan?
  let range: CompactRange

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
    default: throw .mismatch("expected a list or a map to iterate over", source, at: range)
    }
    return try result(fold)
  }

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
      guard case .map(let entries) = entry
      else { throw .mismatch("entry must be a map", entry, at: range) }
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
    guard case .bool(let truth) = value
    else { throw .mismatch("condition must be bool", value, at: range) }
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

extension Value {
  /// Whether optional selection finds nothing here: `{"data": null}` is how many services report an absent value.
  var isNullOrOfNull: Bool {
    switch self {
    case .null, .optional(.null?): true
    default: false
    }
  }
}
