/// How a step acts once for many items: the keys `batch` and `results`.
///
/// Items that reach the step are queued. One request is sent for all queued items of a group when there are ``items`` of them, when
/// the next would exceed ``bytes``, when the first has waited for ``within``, or when no further one can come.
public struct BatchPolicy: Hashable, Sendable {
  /// The maximum sum of the sizes of a batch's items.
  public struct Bytes: Hashable, Sendable {
    /// The sum, at least 1; an item that exceeds it is sent by itself.
    public let limit: Int64
    /// The size of one item: a whole number of bytes.
    public let size: Expression

    /// Makes a limit.
    public init(limit: Int64, size: Expression) {
      precondition(limit >= 1, "some bytes are allowed")
      (self.limit, self.size) = (limit, size)
    }
  }

  /// Maximum number of items per request, at least 2.
  public let items: Int
  /// Maximum time that an item waits while others may still come.
  public let within: Duration
  /// What items have in common that share a batch; `nil` if any items may.
  public let by: Expression?
  /// Whether the batches of a group are sent one at a time.
  public let isSerial: Bool
  /// The size limit of the items of a batch together; `nil` means any amount.
  public let bytes: Bytes?
  /// The element that each item contributes to `batch.entries`, evaluated for the item.
  public let entry: JSONTemplate
  /// The response's result for one item, `batch.result` for the matchers and outputs.
  public let result: Expression
  /// `results.on`, in order; the first condition that is true for the item's result decides.
  public let matchers: [Matcher]

  /// Makes a policy.
  public init(
    items: Int, within: Duration, by: Expression? = nil, isSerial: Bool = false,
    bytes: Bytes? = nil, entry: JSONTemplate, result: Expression, matchers: [Matcher]
  ) {
    precondition(items >= 2, "a batch has at least 2 items")
    (self.items, self.within, self.by, self.isSerial) = (items, within, by, isSerial)
    (self.bytes, self.entry, self.result, self.matchers) = (bytes, entry, result, matchers)
  }

  var ofItems: [Expression] { [by, bytes?.size].compactMap { $0 } }
}
