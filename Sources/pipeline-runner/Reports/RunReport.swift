import Foundation
import PipelineCore

/// The state of a run, as text and as JSON.
struct RunReport {
  let id: RunID
  let pipeline: String
  let status: RunState.Status
  let reason: Failure?
  let counts: [Item.Status: Int]
  let bytesDone: Int64
  /// Items that were abandoned or failed, and left something at the server.
  let leftAtServer: Int
  let began: Instant
  let ended: Instant?
  /// Whether a process is working on it now; `nil` if the report is that process's own.
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

  /// Whether everything succeeded.
  var isComplete: Bool {
    status == .finished
      && counts.allSatisfy { [.done, .skipped].contains($0.key) || $0.value == 0 }
  }

  /// The run's state in one word; an unfinished run that no process works on is
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
        "  \(ReportFormatting.count(leftAtServer, "item")) left something at the server: `pipeline explain \(id)` shows why, "
          + "`pipeline cancel \(id)` tries to undo it again")
    }
    switch (status, counts[.paused] ?? 0, counts[.failed] ?? 0) {
    case (.finished, let paused, let failed) where paused + failed > 0:
      lines.append("  `pipeline explain \(id)` shows why; `pipeline retry \(id)` tries them again")
    case (.paused, _, _): lines.append("  continue with `pipeline resume \(id)`")
    case (.running, _, _) where isWorkedOn == false:
      lines.append("  continue with `pipeline resume \(id)`")
    case (.cancelling, _, _) where isWorkedOn != true:
      lines.append("  continue cancelling with `pipeline cancel \(id)`")
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

/// JSON of reports: one line, with keys in order.
enum EncodedJSON {
  static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }
}
