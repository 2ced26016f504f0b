/// The facts that a display shows of a run: measured once for every kind of display, so that they agree,
/// and read by other processes as JSON.
@dynamicMemberLookup
struct ProgressFacts: Codable {
  struct Waiting: Codable {
    let words: String
    var count: Int
    /// Why the last attempt failed, of the first that waits.
    let failure: String?
    var text: String { "\(count) × \(words)" + (failure.map { ", after: \($0)" } ?? "") }
  }

  /// The engine's progress; of the waits, other processes read only the first.
  var run: RunProgress
  /// Items that are done or were skipped, of all.
  let ended: Int
  let total: Int
  /// The share of the work that is done, by bytes where the sizes of all items are known, otherwise by items; rounded down.
  let percent: Int
  /// Bytes of all items; `nil` if not all are files.
  let totalBytes: Int64?
  /// Bytes in a second, over the last ten; `nil` at first and at the end.
  let rate: Double?
  /// Time until nothing is pending; `nil` if it is unknown.
  let secondsLeft: Double?
  /// Most first.
  let waiting: [Waiting]
  /// Items that ended otherwise than done, by cause, in the order in which the causes arose.
  let causes: [FailureTally.Cause]

  subscript<Value>(dynamicMember member: KeyPath<RunProgress, Value>) -> Value {
    run[keyPath: member]
  }

  var items: [String: Int] { ReportFormatting.items(run.counts, isAtRest: run.isAtRest) }

  var waitingByWords: [String: Int] {
    Dictionary(waiting.map { ($0.words, $0.count) }, uniquingKeysWith: +)
  }

  var words: [String] {
    let size = ReportFormatting.bytes(run.bytesMoved)
    var words = [
      ReportFormatting.counts(run.counts, isAtRest: run.isAtRest),
      // An item that is fetched and sent moves more than its size.
      totalBytes.flatMap { $0 < run.bytesMoved ? nil : "\(size) of \(ReportFormatting.bytes($0))" }
        ?? size,
    ]
    if run.parts.count > 0 { words.append("\(run.parts.done) of \(run.parts.count) parts") }
    if let rate { words.append("\(ReportFormatting.bytes(Int64(rate)))/s") }
    if let secondsLeft { words.append("\(ReportFormatting.duration(.seconds(secondsLeft))) left") }
    return words
  }

  /// `IMG_1.jpg 34 %`, in the order in which they started, at most `limit`, and how many more there are.
  func names(atMost limit: Int) -> [String] {
    var names = run.transfers.prefix(limit).map { transfer in
      let name = ReportFormatting.shortened(transfer.name)
      return "\(name) \(transfer.share ?? ReportFormatting.bytes(transfer.bytes))"
    }
    if run.transfers.count > limit { names.append("and \(run.transfers.count - limit) more") }
    return names
  }
}

extension RunProgress.Transfer {
  /// `34 %`; `nil` if the size is unknown.
  var share: String? {
    size.map { "\($0 == 0 ? 100 : Int(Double(min(bytes, $0)) * 100 / Double($0))) %" }
  }
}
