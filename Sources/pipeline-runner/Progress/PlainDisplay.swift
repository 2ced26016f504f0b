import PipelineCommands
import PipelineCore
import PipelineEngine
import Synchronization

/// Plain lines on standard error: failures and pauses as they happen, and the progress at
/// each tenth.
final class PlainDisplay: ProgressDisplay {
  private struct Shown {
    var tenths = 0
    var waiting: String?
  }

  private let text: BlockerText
  private let shown = Mutex(Shown())

  init(pipeline: Pipeline) { text = BlockerText(pipeline: pipeline) }

  func begin(_ id: RunID) { Terminal.error("run \(id)") }

  func itemsLeft(_ items: [Item]) {
    for item in items where item.status != .done {
      let reason = item.reason.map { ": \($0.message)" } ?? ""
      Terminal.error(
        "\(ReportFormatting.status(item.status)) \(ReportFormatting.label(item))\(reason)")
    }
  }

  func progressed(_ progress: RunProgress) {
    let total = progress.counts.values.reduce(0, +)
    let open = (progress.counts[.pending] ?? 0) + (progress.counts[.active] ?? 0)
    guard total > 0 else { return }
    // A large file in parts is one item: its parts count, so that it is not silent until its end.
    let tenths = Int((Double(total - open) + progress.parts.items) * 10 / Double(total))
    let isNews = shown.withLock { shown in
      guard tenths > shown.tenths else { return false }
      shown.tenths = tenths
      return true
    }
    if isNews {
      let facts =
        [ReportFormatting.counts(progress.counts), ReportFormatting.bytes(progress.bytesDone)]
        + ReportFormatting.parts(progress.parts)
      Terminal.error("\(tenths * 10) %: \(facts.joined(separator: ", "))")
    }
  }

  func end() {}
}
