/// The reservations of the budgets.
struct Ledger: Hashable, Sendable {
  /// Bytes of materialized files, including those being written or deleted.
  var diskBytes: Int64 = 0
  /// Files that are being deleted, with their sizes in bytes.
  var discards: [ItemKey?: Int64] = [:]
  /// Uploads that were handed over and have no response yet.
  var transfers = 0
  /// Requests and transfers in flight.
  var exchanges = 0

  /// Bytes of `diskBytes` whose files are being deleted.
  var discardingBytes: Int64 { discards.values.reduce(0, +) }
}
