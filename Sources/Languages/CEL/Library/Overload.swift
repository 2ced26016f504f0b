/// One signature of a function, with its implementation.
public struct Overload: Sendable {
  /// The implementation; the target of a method is the first argument.
  ///
  /// The kinds of the arguments have been checked, those of members have not. A body that does more than its arguments
  /// suggest charges the meter for it, first.
  public typealias Body =
    @Sendable (_ arguments: [Value], _ meter: inout Meter) throws(EvaluationError) -> Value

  /// The cost of a call before its body runs.
  public enum Cost: Sendable {
    /// The same for any argument.
    case constant
    /// In proportion to the size of the arguments, members of members included.
    case proportional
  }

  /// The types of the arguments, the target of a method first.
  public let parameters: [ValueType]
  public let result: ValueType
  /// Whether it is called on a target, `x.f(y)`, rather than `f(x, y)`.
  public let isMethod: Bool
  let cost: Cost
  let body: Body?
  let isGeneric: Bool

  init(_ parameters: [ValueType], _ result: ValueType, isMethod: Bool, cost: Cost, body: Body?) {
    (self.parameters, self.result, self.isMethod, self.cost) = (parameters, result, isMethod, cost)
    self.body = body
    isGeneric = result.hasParameter || parameters.contains(where: \.hasParameter)
  }

  /// A function called as `f(x, y)`.
  public static func function(
    _ parameters: ValueType..., returns result: ValueType, cost: Cost = .proportional,
    body: @escaping Body
  ) -> Overload { Overload(parameters, result, isMethod: false, cost: cost, body: body) }

  /// A function called as `x.f(y)`; `x` is the first parameter.
  public static func method(
    _ parameters: ValueType..., returns result: ValueType, cost: Cost = .proportional,
    body: @escaping Body
  ) -> Overload { Overload(parameters, result, isMethod: true, cost: cost, body: body) }

  /// A signature of an operator, which the evaluator implements itself.
  static func `operator`(_ parameters: ValueType..., returns result: ValueType) -> Overload {
    Overload(parameters, result, isMethod: false, cost: .constant, body: nil)
  }

  enum Fit {
    case fits(ValueType)
    case doesNot
    case unknown
  }

  /// Whether a call with arguments of the types matches; nearly all calls are of operators on plain types.
  func fit(_ types: [ValueType]) -> Fit {
    var known: [(name: String, type: ValueType)] = []
    var isEqual = true
    for (parameter, type) in zip(parameters, types) {
      if parameter.excludes(type) { return .doesNot }
      isEqual = isEqual && !type.hasParameter && Self.isEqual(parameter, type, &known)
    }
    guard isEqual else { return .unknown }
    guard case .parameter(let name) = result
    else { return result.hasParameter ? .unknown : .fits(result) }
    return known.first { $0.name == name }.map { .fits($0.type) } ?? .unknown
  }

  /// Whether the argument has the parameter's type, or the type already bound to the parameter.
  private static func isEqual(
    _ parameter: ValueType, _ type: ValueType, _ known: inout [(name: String, type: ValueType)]
  ) -> Bool {
    switch (parameter, type) {
    case (.parameter(let name), _):
      guard let index = known.firstIndex(where: { $0.name == name }) else {
        known.append((name, type))
        return true
      }
      if known[index].type == type { return true }
      guard known[index].type == .dyn || type == .dyn else { return false }
      known[index].type = .dyn
      return true
    case (.list(let inner), .list(let other)), (.optional(let inner), .optional(let other)):
      return isEqual(inner, other, &known)
    case (.map(let key, let value), .map(let otherKey, let otherValue)):
      return isEqual(key, otherKey, &known) && isEqual(value, otherValue, &known)
    default: return parameter == type
    }
  }

  /// The signature in messages, such as `string.(int)` or `(int, int)`.
  var signature: String { Self.signature(parameters, isMethod: isMethod) }

  static func signature(_ types: [ValueType], isMethod: Bool) -> String {
    let names = types.map(\.description)
    guard isMethod, let target = names.first else { return "(\(names.joined(separator: ", ")))" }
    return "\(target).(\(names.dropFirst().joined(separator: ", ")))"
  }
}

extension [Value] {
  /// The text of an argument whose parameter is a string.
  package func text(_ index: Int) -> String { self[index].stringValue ?? "" }
}

extension Library {
  package static func function(
    _ name: String, _ parameters: ValueType..., returns result: ValueType,
    body: @escaping Overload.Body
  ) -> Function {
    Function(name, Overload(parameters, result, isMethod: false, cost: .proportional, body: body))
  }

  /// A function of one argument of any of the types, whose result has that type unless another is specified.
  package static func unary(
    _ name: String, _ types: [ValueType], returns result: ValueType? = nil,
    cost: (ValueType) -> Overload.Cost = { _ in .proportional },
    _ body: @escaping @Sendable (Value) throws(EvaluationError) -> Value
  ) -> Function {
    Function(
      name,
      overloads: types.map { type in
        .function(type, returns: result ?? type, cost: cost(type)) {
          (arguments, _) throws(EvaluationError) in try body(arguments[0])
        }
      })
  }
}
