/// How a step acts once for many items: the keys `batch` and `results`.
///
/// Items that reach the step are queued. One request is sent for all queued items when there are
/// ``items`` of them, when the first has waited for ``within``, or when no further one can come.
public struct BatchPolicy: Hashable, Sendable {
  /// Maximum number of items per request, at least 2.
  public let items: Int
  /// Maximum time that an item waits while others may still come.
  public let within: Duration
  /// What each item contributes to `batch.entries`, evaluated for the item.
  public let entry: JSONTemplate
  /// The response's result for one item, `batch.result` for the matchers and outputs.
  public let result: Expression
  /// `results.on`, in order; the first condition that is true for the item's result decides.
  public let matchers: [Matcher]

  /// Makes a policy.
  public init(
    items: Int, within: Duration, entry: JSONTemplate, result: Expression, matchers: [Matcher]
  ) {
    precondition(items >= 2, "a batch has at least 2 items")
    self.items = items
    self.within = within
    self.entry = entry
    self.result = result
    self.matchers = matchers
  }
}
