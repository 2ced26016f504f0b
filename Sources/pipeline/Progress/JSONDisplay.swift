import PipelineCommands
import PipelineCore

/// NDJSON on standard output: one object per line, distinguished by `event`.
struct JSONDisplay: ProgressDisplay {
  private struct Line: Encodable {
    var event: String
    var run: String?
    var item: String?
    var name: String?
    var status: String?
    var reason: String?
    var response: ResponseReport?
    var items: [String: Int]?
    var percent: Int?
    var bytes_done: Int64?
    var bytes_in_flight: Int64?
    var bytes_total: Int64?
    var bytes_per_second: Int64?
    var seconds_left: Int64?
    var transfers: [ProgressFacts.Transfer]?
    var disk_bytes: Int64?
    var parts: [String: Int]?
    var waiting: [String: Int]?
    var notices: [String]?
    var at: String?
  }

  func begin(_ run: RunFolder) {
    Terminal.print(EncodedJSON.of(Line(event: "began", run: run.id.rawValue)))
  }

  func itemsLeft(_ items: [Item], _ lines: [FailureTally.Line]) {
    for item in items {
      Terminal.print(
        EncodedJSON.of(
          Line(
            event: "item", item: item.key.description, name: ReportFormatting.label(item),
            status: ReportFormatting.status(item.status), reason: item.reason?.message,
            response: item.reason.flatMap(ResponseReport.init))))
    }
  }

  func progressed(_ facts: ProgressFacts, news: [String]) {
    Terminal.print(
      EncodedJSON.of(
        Line(
          event: "progress", status: facts.status, reason: facts.reason, items: facts.items,
          percent: facts.percent, bytes_done: facts.bytesDone,
          bytes_in_flight: facts.bytesInFlight, bytes_total: facts.totalBytes,
          bytes_per_second: facts.rate.map { Int64($0) },
          seconds_left: facts.secondsLeft.map { Int64($0) },
          transfers: facts.transfers.map(\.shortened),
          disk_bytes: facts.diskBytes,
          parts: facts.parts.count == 0
            ? nil : ["done": facts.parts.done, "count": facts.parts.count],
          waiting: Dictionary(facts.waiting.map { ($0.words, $0.count) }, uniquingKeysWith: +),
          notices: facts.notices, at: facts.at)))
  }

  func end() {}
}
