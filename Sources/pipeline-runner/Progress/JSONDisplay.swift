import PipelineCommands
import PipelineCore
import PipelineEngine
import Synchronization

/// NDJSON on standard output: one object per line, distinguished by `event`.
final class JSONDisplay: ProgressDisplay {
  private let meter: Mutex<ProgressMeter>

  init(pipeline: Pipeline, sizes: ItemSizes?) {
    meter = Mutex(ProgressMeter(pipeline: pipeline, sizes: sizes))
  }

  private struct Transfer: Encodable {
    let item: String?
    let name: String
    let step: String
    let direction: String
    let bytes: Int64
    let size: Int64?

    init(_ transfer: RunProgress.Transfer) {
      item = transfer.item?.description
      name = ReportFormatting.shortened(transfer.name)
      step = transfer.step.rawValue
      direction = transfer.isDownload ? "down" : "up"
      bytes = transfer.bytes
      size = transfer.size
    }
  }

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
    var transfers: [Transfer]?
    var disk_bytes: Int64?
    var parts: [String: Int]?
    var waiting: [String: Int]?
    var notices: [String]?
    var at: String?
  }

  func begin(_ id: RunID) {
    Terminal.print(EncodedJSON.of(Line(event: "began", run: id.rawValue)))
  }

  func itemsLeft(_ items: [Item]) {
    meter.withLock { $0.itemsLeft(items) }
    for item in items {
      Terminal.print(
        EncodedJSON.of(
          Line(
            event: "item", item: item.key.description, name: ReportFormatting.label(item),
            status: ReportFormatting.status(item.status), reason: item.reason?.message,
            response: item.reason.flatMap(ResponseReport.init))))
    }
  }

  func progressed(_ progress: RunProgress) {
    let facts = meter.withLock { $0.facts(progress) }
    Terminal.print(
      EncodedJSON.of(
        Line(
          event: "progress", status: progress.status.rawValue, reason: progress.reason?.message,
          items: facts.items, percent: facts.percent, bytes_done: progress.bytesDone,
          bytes_in_flight: progress.bytesInFlight, bytes_total: facts.totalBytes,
          bytes_per_second: facts.rate.map { Int64($0) },
          seconds_left: facts.left.map { $0.milliseconds / 1000 },
          transfers: progress.transfers.map(Transfer.init), disk_bytes: progress.diskBytes,
          parts: progress.parts.count == 0
            ? nil : ["done": progress.parts.done, "count": progress.parts.count],
          waiting: Dictionary(facts.waiting.map { ($0.words, $0.count) }, uniquingKeysWith: +),
          notices: progress.notices,
          at: progress.at.description)))
  }

  func end() {}
}
