/// The bindings of type parameters, and the rules of assignability ("gradual type checking").
struct Substitution {
  private var types: [String: ValueType] = [:]
  /// The previous bindings, for rollback: copying all for each attempt would be quadratic.
  private var trail: [(name: String, before: ValueType?)] = []
  private var freshCount = 0
  private static let freshNames = (1...32).map { "_\($0)" }

  mutating func freshParameter() -> ValueType {
    freshCount += 1
    return .parameter(freshCount <= 32 ? Self.freshNames[freshCount - 1] : "_\(freshCount)")
  }

  /// `type` with its parameters replaced by their bindings; `isFinal` makes unbound ones `dyn`.
  func resolve(_ type: ValueType, isFinal: Bool = false) -> ValueType {
    if case .parameter(let name) = type {
      if let known = types[name] { return resolve(known, isFinal: isFinal) }
      return isFinal ? .dyn : type
    }
    return type.mapComponents { resolve($0, isFinal: isFinal) }
  }

  mutating func areAssignable(_ from: [ValueType], to targets: [ValueType]) -> Bool {
    guard from.count == targets.count else { return false }
    let isAssignable = zip(from, targets).allSatisfy { type, target in unify(target, type) }
    if !isAssignable { takeBack(to: 0) }
    trail.removeAll(keepingCapacity: true)
    return isAssignable
  }

  private mutating func takeBack(to length: Int) {
    while trail.count > length, let last = trail.popLast() { types[last.name] = last.before }
  }

  private mutating func set(_ name: String, to type: ValueType) {
    trail.append((name, types[name]))
    types[name] = type
  }

  mutating func isAssignable(_ type: ValueType, to target: ValueType) -> Bool {
    areAssignable([type], to: [target])
  }

  /// The more general of two types if one is assignable to the other, otherwise `dyn`.
  mutating func join(_ first: ValueType, _ second: ValueType) -> ValueType {
    guard isAssignable(second, to: first) else { return .dyn }
    if first == .null { return second }
    if second == .null { return first }
    return moreGeneral(first, second)
  }

  private mutating func unify(_ target: ValueType, _ type: ValueType) -> Bool {
    if case .parameter(let name) = type {
      let (isValid, isBound) = bind(name, to: target)
      if isValid { return true }
      if isBound { return false }
    }
    if case .parameter(let name) = target { return bind(name, to: type).isValid }
    switch (target, type) {
    case (.dyn, _), (_, .dyn): return true
    case (.null, .null): return true
    case (.null, _): return type.acceptsNull
    case (_, .null): return target.acceptsNull
    case (.nullable(let first), .nullable(let second)): return unify(first, second)
    case (.nullable(let wrapped), _): return unify(wrapped, type)
    case (_, .nullable(let wrapped)): return unify(target, wrapped)
    case (.list(let first), .list(let second)): return unify(first, second)
    case (.optional(let first), .optional(let second)): return unify(first, second)
    case (.map(let firstKey, let firstValue), .map(let secondKey, let secondValue)):
      return unify(firstKey, secondKey) && unify(firstValue, secondValue)
    case (.map(let key, let value), .object(let object)):
      return unifyObject(object, key: key, value: value)
    case (.object(let object), .map(let key, let value)):
      return unifyObject(object, key: key, value: value)
    case (.object(let first), .object(let second)): return first.name == second.name
    case (.type, .type): return true
    case (.opaque(let name, let first), .opaque(let other, let second)):
      return name == other && first.count == second.count
        && zip(first, second).allSatisfy { unify($0, $1) }
    default: return target == type
    }
  }

  /// An object is also a map with string keys, because its values are such maps.
  private mutating func unifyObject(
    _ object: ObjectType, key: ValueType, value: ValueType
  ) -> Bool {
    guard unify(key, .string) else { return false }
    // Fields of several types match any one parameter, which then is bound to none of them.
    return object.fields.allSatisfy { field in
      let length = trail.count
      defer { takeBack(to: length) }
      return unify(value, field.type)
    }
  }

  private mutating func bind(_ name: String, to type: ValueType) -> (isValid: Bool, isBound: Bool) {
    if type == .parameter(name) { return (true, true) }
    if let known = types[name] {
      if known == type { return (true, true) }
      guard unify(type, known) else { return (false, true) }
      let general = moreGeneral(type, known)
      if !occurs(name, in: general) { set(name, to: general) }
      return (true, true)
    }
    guard !occurs(name, in: type) else { return (false, false) }
    set(name, to: type)
    return (true, false)
  }

  private func occurs(_ name: String, in type: ValueType) -> Bool {
    if case .parameter(let other) = type {
      if other == name { return true }
      return types[other].map { occurs(name, in: $0) } ?? false
    }
    return type.components.contains { occurs(name, in: $0) }
  }

  private func moreGeneral(_ first: ValueType, _ second: ValueType) -> ValueType {
    isEqualOrMoreGeneral(first, second) ? first : second
  }

  private func isEqualOrMoreGeneral(_ first: ValueType, _ second: ValueType) -> Bool {
    switch (first, second) {
    case (.dyn, _), (.parameter, _): return true
    case (_, .dyn), (_, .parameter): return false
    case (.nullable(let wrapped), _):
      if case .nullable(let other) = second { return isEqualOrMoreGeneral(wrapped, other) }
      return isEqualOrMoreGeneral(wrapped, second)
    case (.type, .type): return true
    case (.list, .list), (.map, .map), (.optional, .optional), (.opaque, .opaque):
      let (left, right) = (first.components, second.components)
      return left.count == right.count
        && zip(left, right).allSatisfy { isEqualOrMoreGeneral($0, $1) }
    default: return first == second
    }
  }
}

extension ValueType {
  fileprivate var acceptsNull: Bool {
    switch self {
    case .nullable, .optional, .opaque, .object, .timestamp, .duration: true
    default: false
    }
  }
}
