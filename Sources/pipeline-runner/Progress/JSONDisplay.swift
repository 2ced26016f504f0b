import PipelineCommands
import PipelineCore
import PipelineEngine

/// NDJSON on standard output: one object per line, distinguished by `event`.
struct JSONDisplay: ProgressDisplay {
  let pipeline: Pipeline

  private struct Line: Encodable {
    var event: String
    var run: String?
    var item: String?
    var name: String?
    var status: String?
    var reason: String?
    var items: [String: Int]?
    var bytes_done: Int64?
    var bytes_in_flight: Int64?
    var disk_bytes: Int64?
    var parts: [String: Int]?
    var waiting: [String: Int]?
    var at: String?
  }

  func begin(_ id: RunID) {
    Terminal.print(EncodedJSON.of(Line(event: "began", run: id.rawValue)))
  }

  func itemsLeft(_ items: [Item]) {
    for item in items {
      Terminal.print(
        EncodedJSON.of(
          Line(
            event: "item", item: item.key.description, name: ReportFormatting.label(item),
            status: ReportFormatting.status(item.status), reason: item.reason?.message)))
    }
  }

  func progressed(_ progress: RunProgress) {
    let text = BlockerText(pipeline: pipeline)
    var waiting: [String: Int] = [:]
    for (blocker, count) in progress.blockers where blocker != .stopped {
      waiting[text.short(blocker), default: 0] += count
    }
    var items: [String: Int] = [:]
    for (status, count) in progress.counts { items[ReportFormatting.status(status)] = count }
    Terminal.print(
      EncodedJSON.of(
        Line(
          event: "progress", status: progress.status.rawValue, reason: progress.reason?.message,
          items: items, bytes_done: progress.bytesDone, bytes_in_flight: progress.bytesInFlight,
          disk_bytes: progress.diskBytes,
          parts: progress.parts.count == 0
            ? nil : ["done": progress.parts.done, "count": progress.parts.count],
          waiting: waiting, at: progress.at.description)))
  }

  func end() {}
}
