/// Steps that run for each part of an item, several parts at once: a loop inside a loop.
///
/// The values of the parts are collected: the outputs of the step are lists,
/// with one element for each part, in order.
public struct Parts<S: Stage>: Sendable {
  /// The name of the part in the steps, from `for_each`.
  public let variable: S.Name
  /// The list of parts, from `in`.
  public let items: S.Expression
  /// Maximum number of parts being worked on, at least 1.
  public let concurrency: Int
  /// The values that are collected from each part, in the order of the step's outputs.
  public let collect: [NamedTemplate<S>]

  /// Makes a description.
  public init(
    variable: S.Name, items: S.Expression, concurrency: Int, collect: [NamedTemplate<S>]
  ) {
    precondition(concurrency >= 1, "concurrency is at least 1")
    (self.variable, self.items, self.concurrency) = (variable, items, concurrency)
    self.collect = collect
  }
}

/// Parts as the author described them.
public typealias PartsTemplate = Parts<Compiled>

extension Parts: Equatable, Hashable where S == Compiled {
  var expressions: [Expression] { [items] + collect.flatMap(\.value.expressions) }
}
