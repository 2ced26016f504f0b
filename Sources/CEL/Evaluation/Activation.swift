/// Where an evaluation takes the values of variables from.
public protocol Activation: Sendable {
  /// The value of the variable of a declared, possibly qualified, name; `nil` where it has none,
  /// which is an error of the expression that asks.
  func value(of name: String) -> Value?
}

extension [String: Value]: Activation {
  /// The entry of the name.
  public func value(of name: String) -> Value? { self[name] }
}
