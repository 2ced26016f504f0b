/// How a step acts once for many items: the keys `batch` and `results`.
///
/// Items that reach the step line up. One request is sent for all that stand when there are
/// ``items`` of them, when the first has stood for ``within``, or when no further one can come.
public struct BatchPolicy: Hashable, Sendable {
  /// Items that one request is sent for at most, at least 2.
  public let items: Int
  /// Time that an item stands at most while others may still come.
  public let within: Duration
  /// What each item puts into `batch.entries`, evaluated on the item.
  public let entry: JSONTemplate
  /// What the answer tells of one item, `batch.result` for the matchers and outputs.
  public let result: Expression
  /// `results.on`: ordered; the first that is true for the item's result decides about the item.
  public let matchers: [Matcher]

  /// Makes a policy.
  public init(
    items: Int, within: Duration, entry: JSONTemplate, result: Expression, matchers: [Matcher]
  ) {
    precondition(items >= 2, "a batch is of 2 items at least")
    self.items = items
    self.within = within
    self.entry = entry
    self.result = result
    self.matchers = matchers
  }
}
