import Foundation
import PipelineCore

/// How a run stands, as text and as JSON.
struct RunReport {
  let id: RunID
  let pipeline: String
  let status: RunState.Status
  let reason: Failure?
  let counts: [Item.Status: Int]
  let bytesDone: Int64
  /// Items that were given up or failed and left something at their server.
  let leftAtServer: Int
  let began: Instant
  let ended: Instant?
  /// Whether a process works on it now; `nil` where the report is that process's own.
  var isWorkedOn: Bool?

  init(state: RunState, pipeline: Pipeline) {
    id = state.id
    self.pipeline = pipeline.name
    status = state.status
    reason = state.reason
    var counts: [Item.Status: Int] = [:]
    for loop in state.loops {
      for status in Item.Status.allCases where loop.counts[status] > 0 {
        counts[status, default: 0] += loop.counts[status]
      }
    }
    self.counts = counts
    bytesDone = state.loops.reduce(0) { $0 + $1.bytesDone }
    leftAtServer = state.leftAtServer
    began = state.began
    ended = state.ended
  }

  /// Whether everything came to a good end.
  var isComplete: Bool {
    status == .finished
      && counts.allSatisfy { [.done, .skipped].contains($0.key) || $0.value == 0 }
  }

  /// The run's state in one word; a run that no process works on and that is not at its end is
  /// interrupted.
  var statusWord: String {
    status == .running && isWorkedOn == false ? "interrupted" : status.rawValue
  }

  var text: [String] {
    let duration = ended.map { " in \(ReportFormatting.duration($0 - began))" } ?? ""
    var lines = [
      "run \(id): \(statusWord)\(duration): \(ReportFormatting.counts(counts)), \(ReportFormatting.bytes(bytesDone))"
    ]
    if let reason { lines.append("  because: \(reason.message)") }
    if leftAtServer > 0 {
      lines.append(
        "  \(ReportFormatting.count(leftAtServer, "item")) left something at the server: `pipeline explain \(id)` says why, "
          + "`pipeline cancel \(id)` tries to undo it again")
    }
    switch (status, counts[.paused] ?? 0, counts[.failed] ?? 0) {
    case (.finished, let paused, let failed) where paused + failed > 0:
      lines.append("  `pipeline explain \(id)` says why; `pipeline retry \(id)` tries them again")
    case (.paused, _, _): lines.append("  `pipeline resume \(id)` goes on")
    case (.running, _, _) where isWorkedOn == false:
      lines.append("  `pipeline resume \(id)` goes on")
    case (.cancelling, _, _) where isWorkedOn != true:
      lines.append("  `pipeline cancel \(id)` goes on with giving it up")
    default: break
    }
    return lines
  }

  private struct JSONReport: Encodable {
    let run: String
    let pipeline: String
    let status: String
    let reason: String?
    let items: [String: Int]
    let bytes_done: Int64
    let left_at_server: Int
    let began: String
    let ended: String?
    let worked_on: Bool?
  }

  var json: String {
    let items = Dictionary(
      uniqueKeysWithValues: Item.Status.allCases.map {
        (ReportFormatting.status($0), counts[$0] ?? 0)
      })
    return EncodedJSON.of(
      JSONReport(
        run: id.rawValue, pipeline: pipeline, status: statusWord, reason: reason?.message,
        items: items, bytes_done: bytesDone, left_at_server: leftAtServer, began: began.description,
        ended: ended?.description, worked_on: isWorkedOn))
  }
}

/// JSON of reports: one line, keys in order.
enum EncodedJSON {
  static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }
}
