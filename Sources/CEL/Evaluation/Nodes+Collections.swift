final class ListNode: PlanNode {
  private let elements: [(node: any PlanNode, isOptional: Bool)]
  private let range: CompactRange

  init(_ elements: [(node: any PlanNode, isOptional: Bool)], range: CompactRange) {
    self.elements = elements
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1 + elements.count)
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      let value = try element.node.evaluate(&state)
      if !element.isOptional {
        values.append(value)
      } else if case .optional(let wrapped) = value {
        if let wrapped { values.append(wrapped) }
      } else {
        throw EvaluationError(
          .noSuchOverload, "value after '?' must be optional, found \(value.typeName)", at: range)
      }
    }
    return .list(values)
  }
}

final class MapNode: PlanNode {
  struct Entry: Sendable {
    let key: any PlanNode
    let value: any PlanNode
    let isOptional: Bool
  }

  private let entries: [Entry]
  private let range: CompactRange

  init(_ entries: [Entry], range: CompactRange) {
    self.entries = entries
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1 + 2 * entries.count)
    var map = MapValue()
    for entry in entries {
      let key = try entry.key.evaluate(&state)
      var value = try entry.value.evaluate(&state)
      if entry.isOptional {
        guard case .optional(let wrapped) = value else {
          throw EvaluationError(
            .noSuchOverload, "value after '?' must be optional, found \(value.typeName)", at: range)
        }
        guard let wrapped else { continue }
        value = wrapped
      }
      try map.add(value, for: key, at: range)
    }
    return .map(map)
  }
}

extension MapValue {
  /// Adds an entry to a map under construction; duplicate keys are errors.
  mutating func add(_ value: Value, for key: Value, at range: CompactRange) throws(EvaluationError)
  {
    if insert(value, for: key) { return }
    guard key.isMapKey else {
      throw EvaluationError(
        .invalidKey, "map key must be bool, int, uint or string, found \(key.typeName)", at: range)
    }
    throw EvaluationError(.invalidKey, "map has the same key twice", at: range)
  }
}

/// `a[b]` and `a[?b]`.
final class IndexNode: PlanNode {
  private let operand: any PlanNode
  private let key: any PlanNode
  private let isOptional: Bool
  private let range: CompactRange

  init(_ operand: any PlanNode, _ key: any PlanNode, isOptional: Bool, range: CompactRange) {
    self.operand = operand
    self.key = key
    self.isOptional = isOptional
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(&state)
    let key = try self.key.evaluate(&state)
    try state.meter.charge(1)
    do throws(EvaluationError) {
      if case .optional(let wrapped) = value {
        guard let wrapped else { return .optional(nil) }
        return .optional(try Self.find(key, in: wrapped))
      }
      if isOptional { return .optional(try Self.find(key, in: value)) }
      if let found = try Self.find(key, in: value) { return found }
      throw Self.missing(key, in: value)
    } catch {
      var error = error
      error.range = range.range
      throw error
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

/// `element in collection`.
final class InNode: PlanNode {
  private let element: any PlanNode
  private let collection: any PlanNode
  private let range: CompactRange

  init(_ element: any PlanNode, _ collection: any PlanNode, range: CompactRange) {
    self.element = element
    self.collection = collection
    self.range = range
  }

  func evaluate(_ state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let element = try self.element.evaluate(&state)
    let collection = try self.collection.evaluate(&state)
    switch collection {
    case .list(let members):
      for member in members {
        try state.meter.charge(1)
        if try equals(element, member, &state.meter) { return true }
      }
      return false
    case .map(let map): return .bool(map[element] != nil)
    default:
      var error = EvaluationError.noOverload("operator 'in'", element, collection)
      error.range = range.range
      throw error
    }
  }
}
