/// The facts that a display shows of a run: measured once for every kind of display, so that they agree,
/// and read by other processes as JSON.
@dynamicMemberLookup package struct ProgressFacts: Codable {
  package struct Waiting: Codable {
    package let words: String
    package var count: Int
    /// Why the last attempt failed, of the first that waits.
    package let failure: String?
  }

  /// The engine's progress; of the waits, other processes read only the first.
  package var run: RunProgress
  /// Items that are done or were skipped, of all.
  package let ended: Int
  package let total: Int
  /// The share of the work that is done, by bytes where the sizes of all items are known, otherwise by items; rounded down.
  package let percent: Int
  /// Bytes of all items; `nil` if not all are files.
  package let totalBytes: Int64?
  /// Bytes in a second, over the last ten; `nil` at first and at the end.
  package let rate: Double?
  /// Time until nothing is pending; `nil` if it is unknown.
  package let secondsLeft: Double?
  /// Most first.
  package let waiting: [Waiting]
  /// Items that ended otherwise than done, by cause, in the order in which the causes arose.
  package let causes: [FailureTally.Cause]

  package subscript<Value>(dynamicMember member: KeyPath<RunProgress, Value>) -> Value {
    run[keyPath: member]
  }

  package var items: [String: Int] { ReportFormatting.items(run.counts, isAtRest: run.isAtRest) }

  package var waitingByWords: [String: Int] {
    Dictionary(waiting.map { ($0.words, $0.count) }, uniquingKeysWith: +)
  }
}

extension RunProgress.Transfer {
  /// `34 %`; `nil` if the size is unknown.
  package var share: String? {
    size.map { "\($0 == 0 ? 100 : Int(Double(min(bytes, $0)) * 100 / Double($0))) %" }
  }
}

extension ProgressForm {
  package init(_ facts: ProgressFacts) {
    self.init()
    status = facts.status.rawValue
    reason = facts.reason?.message
    items = facts.items
    percent = facts.percent
    bytes_moved = facts.bytesMoved
    bytes_total = facts.totalBytes
    bytes_per_second = facts.rate.map { Int64($0) }
    seconds_left = facts.secondsLeft.map { Int64($0) }
    transfers = facts.transfers.map(\.form)
    disk_bytes = facts.diskBytes
    parts = facts.parts.form
    waiting = facts.waitingByWords
    notices = facts.notices
    at = facts.at.description
  }
}

extension EndedItemForm {
  package init(_ ended: Item) {
    self.init()
    item = ended.key.description
    name = ReportFormatting.label(ended)
    status = ended.status.word
    reason = ended.reason?.message
    response = ended.reason.flatMap(ResponseForm.init)
  }
}

extension RunProgress.Transfer {
  /// The same for programs, with a name relative to the current folder where possible.
  fileprivate var form: TransferForm {
    TransferForm {
      $0.item = item?.description
      $0.name = ReportFormatting.shortened(name)
      $0.step = step.rawValue
      $0.direction = isDownload ? "down" : "up"
      $0.bytes = bytes
      $0.size = size
    }
  }
}

extension RunProgress.Parts {
  fileprivate var form: PartsForm? {
    guard count > 0 else { return nil }
    return PartsForm { ($0.done, $0.count) = (done, count) }
  }
}
