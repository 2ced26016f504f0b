/// What a display shows of a run: measured once for every kind of display, so that they agree, and read by other processes as JSON.
struct ProgressFacts: Codable {
  struct Transfer: Codable {
    let item: String?
    let name, step, direction: String
    let bytes: Int64
    let size: Int64?
    var isDownload: Bool { direction == Self.down }
    /// `34 %`; `nil` if the size is unknown.
    var share: String? {
      guard let size else { return nil }
      return "\(size == 0 ? 100 : Int(Double(min(bytes, size)) * 100 / Double(size))) %"
    }

    fileprivate static let down = "down"
  }

  struct Waiting: Codable {
    let words: String
    let count: Int
  }

  struct Parts: Codable {
    let done, count: Int
  }

  let status: String
  let reason: String?
  /// Whether the process has stopped working on the run.
  let isAtRest: Bool
  /// Numbers of items by ``/PipelineCore/Item/Status``.
  let counts: [Int: Int]
  /// Items that are done or were skipped, of all.
  let ended: Int
  let total: Int
  /// The share of the work that is done, by bytes where the sizes of all items are known, otherwise by items; rounded down.
  let percent: Int
  /// Bytes that the items which are done have moved.
  let bytesDone: Int64
  /// Bytes that the items in progress have moved.
  let bytesInFlight: Int64
  /// Bytes of all items; `nil` if not all are files.
  let totalBytes: Int64?
  /// Bytes in a second, over the last ten; `nil` at first and at the end.
  let rate: Double?
  /// Time until nothing is pending; `nil` if it cannot be told.
  let secondsLeft: Double?
  let transfers: [Transfer]
  let diskBytes: Int64
  let parts: Parts
  /// Most first.
  let waiting: [Waiting]
  let notices: [String]
  /// Items that ended otherwise than done, by cause, in the order in which the causes arose.
  let causes: [FailureTally.Cause]
  /// When this was measured, as RFC 3339 text.
  let at: String

  /// Bytes that have been moved, with those of transfers in flight.
  var bytes: Int64 { bytesDone + bytesInFlight }

  private var statuses: [Item.Status: Int] {
    var statuses: [Item.Status: Int] = [:]
    for (number, count) in counts {
      if let status = Item.Status(rawValue: number) { statuses[status] = count }
    }
    return statuses
  }

  var items: [String: Int] { ReportFormatting.items(statuses, isAtRest: isAtRest) }

  var words: [String] {
    let size = ReportFormatting.bytes(bytes)
    var words = [
      ReportFormatting.counts(statuses, isAtRest: isAtRest),
      // An item that is fetched and sent moves more than its size.
      totalBytes.flatMap { $0 < bytes ? nil : "\(size) of \(ReportFormatting.bytes($0))" } ?? size,
    ]
    if parts.count > 0 { words.append("\(parts.done) of \(parts.count) parts") }
    if let rate { words.append("\(ReportFormatting.bytes(Int64(rate)))/s") }
    if let secondsLeft { words.append("\(ReportFormatting.duration(.seconds(secondsLeft))) left") }
    return words
  }

  /// `IMG_1.jpg 34 %`, in the order in which they began, at most `limit`, and how many more there are.
  func names(atMost limit: Int) -> [String] {
    var names = transfers.prefix(limit).map { transfer in
      let name = ReportFormatting.shortened(transfer.name)
      return "\(name) \(transfer.share ?? ReportFormatting.bytes(transfer.bytes))"
    }
    if transfers.count > limit { names.append("and \(transfers.count - limit) more") }
    return names
  }
}

extension ProgressFacts.Transfer {
  init(_ transfer: RunProgress.Transfer) {
    item = transfer.item?.description
    name = transfer.name
    step = transfer.step.rawValue
    direction = transfer.isDownload ? Self.down : "up"
    bytes = transfer.bytes
    size = transfer.size
  }
}
