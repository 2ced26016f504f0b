/// The source of variable values for an evaluation.
public protocol Activation: Sendable {
  /// The value of the variable with a declared, possibly qualified, name; `nil` if it has none, which
  /// is an error of the expression that reads it.
  func value(of name: String) -> Value?
}

extension [String: Value]: Activation {
  /// The entry of the name.
  public func value(of name: String) -> Value? { self[name] }
}
