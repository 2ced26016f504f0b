extension ProgressFacts {
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

extension ProgressFacts.Waiting {
  var text: String { "\(count) × \(words)" + (failure.map { ", after: \($0)" } ?? "") }
}

extension FailureTally.Line {
  func show() { Terminal.error(text, painting: status, ReportFormatting.paint(status)) }
}

extension FailureTally {
  /// Prints a line for each cause of which more items ended than were shown, and how to list them.
  static func showSummaries(_ causes: [Cause], of run: RunFolder?) {
    let summaries = causes.compactMap(\.summary)
    for line in summaries { line.show() }
    guard !summaries.isEmpty, let run else { return }
    Terminal.error("`\(ReportFormatting.listing(run, Set(causes.map(\.status))))` lists them")
  }
}
