/// The batch that an item was sent in, until the item's result is known.
///
/// The batch can be reassembled from only the rows of its members. The fence of its command, and with it its
/// idempotency key, is that of its first member, even if that one has left.
public struct BatchMembership: Hashable, Sendable {
  /// Ordinal of the first member.
  public let first: Int
  /// The first member's generation of the step when the batch was created.
  public let generation: Int
  /// Number of members that must be present to send it again.
  public var items: Int
  /// Failed attempts of the whole batch that count toward the policy's limit.
  public var failures: Int
  /// When the batch's first attempt was issued.
  public var begun: Instant?
  /// Whether the server may have accepted the batch: it must be sent again unchanged, or probed.
  public var isOpen: Bool
  /// Whether the user continued it under its key without members that the server may have recorded under that key.
  public var isPartial: Bool

  /// Records a batch.
  public init(
    first: Int, generation: Int, items: Int, failures: Int = 0, begun: Instant? = nil,
    isOpen: Bool = false, isPartial: Bool = false
  ) {
    (self.first, self.generation, self.items, self.failures) = (first, generation, items, failures)
    (self.begun, self.isOpen, self.isPartial) = (begun, isOpen, isPartial)
  }
}
