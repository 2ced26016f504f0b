/// The sizes of a run's items that are files, added up by the state of the items.
public struct ItemSizes: Hashable, Sendable {
  /// Number of items that are files.
  public private(set) var count = 0
  private var bytes: [Item.Status: Int64] = [:]

  /// Without items.
  public init() {}

  /// Adds items of one state.
  public mutating func add(_ status: Item.Status, count: Int, bytes: Int64) {
    self.count += count
    self.bytes[status, default: 0] += bytes
  }

  /// Bytes of all items.
  public var total: Int64 { bytes.values.reduce(0, +) }

  /// Bytes of the items in the requested state.
  public func bytes(where isWanted: (Item.Status) -> Bool) -> Int64 {
    bytes.reduce(0) { isWanted($1.key) ? $0 + $1.value : $0 }
  }
}
