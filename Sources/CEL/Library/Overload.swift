/// One signature of a function, with what it does.
public struct Overload: Sendable {
  /// What the function does with its arguments, the target of a method first.
  ///
  /// The kinds of the arguments have been checked; the members of lists and maps have not. A body
  /// whose work or result is larger than its arguments charges the meter for it, first.
  public typealias Body =
    @Sendable (_ arguments: [Value], _ meter: inout Meter) throws(EvaluationError) -> Value

  /// What a call is charged before its body runs.
  public enum Cost: Sendable {
    /// The same for any argument.
    case constant
    /// In proportion to the size of the arguments, members of members included.
    case proportional
  }

  /// The types of the arguments, the target of a method first.
  public let parameters: [ValueType]
  /// The type of the result.
  public let result: ValueType
  /// Whether it is called on a target, `x.f(y)`, rather than `f(x, y)`.
  public let isMethod: Bool
  let cost: Cost
  let body: Body?
  /// Whether a type stands for any one type.
  let isGeneric: Bool

  init(
    _ parameters: [ValueType], _ result: ValueType, isMethod: Bool, cost: Cost, body: Body?
  ) {
    self.parameters = parameters
    self.result = result
    self.isMethod = isMethod
    self.cost = cost
    self.body = body
    isGeneric = result.hasParameter || parameters.contains(where: \.hasParameter)
  }

  /// A function that is called `f(x, y)`.
  public static func function(
    _ parameters: ValueType..., returns result: ValueType, cost: Cost = .proportional,
    body: @escaping Body
  ) -> Overload {
    Overload(parameters, result, isMethod: false, cost: cost, body: body)
  }

  /// A function that is called `x.f(y)`; `x` is the first parameter.
  public static func method(
    _ parameters: ValueType..., returns result: ValueType, cost: Cost = .proportional,
    body: @escaping Body
  ) -> Overload {
    Overload(parameters, result, isMethod: true, cost: cost, body: body)
  }

  /// A signature of an operator, which the evaluator knows itself.
  static func `operator`(_ parameters: ValueType..., returns result: ValueType) -> Overload {
    Overload(parameters, result, isMethod: false, cost: .constant, body: nil)
  }

  /// The signature as messages show it: `string.(int)` or `(int, int)`.
  var signature: String { Self.signature(parameters, isMethod: isMethod) }

  static func signature(_ types: [ValueType], isMethod: Bool) -> String {
    let names = types.map(\.description)
    guard isMethod, let target = names.first else {
      return "(\(names.joined(separator: ", ")))"
    }
    return "\(target).(\(names.dropFirst().joined(separator: ", ")))"
  }
}
