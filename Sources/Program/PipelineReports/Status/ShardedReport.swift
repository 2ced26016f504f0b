/// The state of a run in shards.
package struct ShardedReport {
  package let reports: [RunReport]
  /// How many shards the run has, and the numbers of those that were not found.
  package let count: Int
  package let missing: [Int]

  package init(_ reports: [RunReport], of count: Int, missing: [Int]) {
    (self.reports, self.count, self.missing) = (reports, count, missing)
  }

  package var counts: [Item.Status: Int] {
    reports.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
  }

  package var leftAtServer: Int { reports.reduce(0) { $0 + $1.leftAtServer } }

  package var leftInWords: String {
    "\(ReportFormatting.count(leftAtServer, "item")) left something at the server"
  }

  package var bytesMoved: Int64 {
    reports.reduce(0) { $0 + ($1.progress?.bytesMoved ?? $1.bytesMoved) }
  }

  /// `3 finished, 1 running`; the lead is named if it is not like all others.
  package var states: String {
    let order =
      RunState.Status.allCases.map(\.rawValue) + [
        "waiting", "interrupted", ReportFormatting.failedToRun,
      ]
    let others = reports.filter { $0.shard?.isLead != true }
    let shards = others.isEmpty ? reports : others
    var states = order.compactMap { word in
      let count = shards.count { $0.statusWord == word }
      return count > 0 ? "\(count) \(word)" : nil
    }
    if !others.isEmpty, let lead = reports.first(where: { $0.shard?.isLead == true }),
      shards.contains(where: { $0.statusWord != lead.statusWord })
    {
      states.append("the lead \(lead.statusWord)")
    }
    return states.joined(separator: ", ")
  }

  package var title: String { reports.first?.name.map { "'\($0)'" } ?? reports[0].pipeline }
  package var isWorkedOn: Bool { reports.contains { $0.isWorkedOn == true } }
  package var isComplete: Bool { missing.isEmpty && reports.allSatisfy(\.isComplete) }

  /// Whether each shard has ended, and nothing is left at the server.
  package var isGivenUp: Bool {
    reports.allSatisfy { [.finished, .cancelled].contains($0.status) && $0.leftAtServer == 0 }
  }

  /// What some command could still try again or undo, such as `6 failed`; `nil` if there is nothing.
  package var rest: String? {
    let open = counts.filter { [.failed, .paused].contains($0.key) && $0.value > 0 }
    if !open.isEmpty { return ReportFormatting.counts(open, isAtRest: true) }
    return leftAtServer > 0 ? leftInWords : nil
  }

  package func json(event: String? = nil) -> String {
    // Of each shard by itself, since active items of one that no process works on are interrupted.
    let items = reports.reduce(into: [String: Int]()) { sum, report in
      sum.merge(
        ReportFormatting.items(report.counts, isAtRest: report.isWorkedOn != true),
        uniquingKeysWith: +)
    }
    return EncodedJSON.of(
      ShardedRunForm {
        $0.event = event
        $0.name = reports[0].name
        $0.pipeline = reports[0].pipeline
        $0.shards = count
        $0.missing = missing
        $0.items = items
        $0.bytes_moved = bytesMoved
        $0.left_at_server = leftAtServer
        $0.each = reports.map { $0.form() }
      })
  }
}
