/// A checked expression that can be evaluated any number of times and from any thread.
public struct CompiledExpression: Sendable {
  final class Storage: Sendable {
    let source: String
    let type: ValueType
    let references: [Reference]
    let definitions: [String: CompiledExpression]
    let root: Plan
    let variable: String?
    let slotCount: Int
    let depth: Int

    init(_ source: String, _ checker: Checker, _ planner: Planner, root: Plan, variable: String?) {
      self.source = source
      type = checker.rootType
      references = checker.references
      definitions = checker.definitions
      (self.root, self.variable) = (root, variable)
      slotCount = planner.slotCount
      depth = 1 + (definitions.values.lazy.map(\.depth).max() ?? 0)
    }
  }

  let storage: Storage

  /// Its source text.
  public var source: String { storage.source }
  /// The type of its value; `dyn` if it depends on the variables.
  public var type: ValueType { storage.type }
  /// Every use of a variable, by position; empty for an unchecked expression.
  public var references: [Reference] { storage.references }
  /// The definitions of the environment that it refers to, by name; empty for an unchecked expression.
  package var definitions: [String: CompiledExpression] { storage.definitions }

  /// How deep definitions contain each other: 1 without any.
  var depth: Int { storage.depth }

  /// The variable, if the expression is exactly one.
  public var variable: String? { storage.variable }

  /// The value as part of another evaluation, adding to its cost; evaluated once, however often it is read.
  func evaluate(inside state: inout EvaluationState) throws(EvaluationError) -> Value {
    try state.meter.charge(1)
    let id = ObjectIdentifier(storage)
    if let known = state.definitions[id] { return try known.get() }
    let slots = state.slots
    state.slots = Array(repeating: .null, count: storage.slotCount)
    defer { state.slots = slots }
    do throws(EvaluationError) {
      let value = try storage.root.evaluate(&state)
      state.definitions[id] = .success(value)
      return value
    } catch {
      state.definitions[id] = .failure(error)
      throw error
    }
  }

  /// The value with the variables of `activation`; an error that is absorbed, as in `1/0 == 1 || true`, costs too.
  public func evaluate(
    _ activation: some Activation, limits: EvaluationLimits = .default
  ) throws(EvaluationError) -> Value {
    var meter = Meter(cost: limits.cost, size: limits.size)
    return try evaluate(activation, meter: &meter)
  }

  /// The value with the variables of `activation`; charges `meter` even if the evaluation fails.
  package func evaluate(
    _ activation: some Activation, meter: inout Meter
  ) throws(EvaluationError) -> Value {
    var state = EvaluationState(
      activation: activation, meter: meter, slotCount: storage.slotCount)
    defer { meter = state.meter }
    do throws(EvaluationError) {
      let value = try storage.root.evaluate(&state)
      switch value {
      case .list, .map, .optional:
        // Lists may share members many times over, but code that walks the result visits each copy.
        try state.meter.charge(for: value)
      default: break
      }
      return value
    } catch {
      var error = error
      if error.range.isEmpty { error.range = 0..<source.unicodeScalars.count }
      throw error
    }
  }

  /// The value of an expression without variables.
  public func evaluate(limits: EvaluationLimits = .default) throws(EvaluationError) -> Value {
    try evaluate([:], limits: limits)
  }
}

extension CompiledExpression: Hashable {
  /// Whether both have the same text and the same type.
  public static func == (lhs: CompiledExpression, rhs: CompiledExpression) -> Bool {
    lhs.storage === rhs.storage || (lhs.source == rhs.source && lhs.type == rhs.type)
  }

  /// Feeds the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The source of variable values for an evaluation.
public protocol Activation: Sendable {
  /// The value of the variable with a declared, possibly qualified, name, if it has one.
  func value(of name: String) -> Value?
}

extension [String: Value]: Activation {
  /// The entry of the name.
  public func value(of name: String) -> Value? { self[name] }
}

struct EvaluationState {
  let activation: any Activation
  var meter: Meter
  var slots: [Value]
  /// The types of the definitions that were read so far.
  var definitions: [ObjectIdentifier: Result<Value, EvaluationError>] = [:]

  init(activation: any Activation, meter: Meter, slotCount: Int) {
    (self.activation, self.meter) = (activation, meter)
    slots = slotCount == 0 ? [] : Array(repeating: .null, count: slotCount)
  }
}
