import PipelineCommands
import PipelineCore
import PipelineEngine
import Synchronization

/// A terminal view that redraws itself: counts, bytes, rate, time left, and what the run is
/// waiting for.
final class LiveDisplay: ProgressDisplay {
  private struct View {
    var lines = 0
    var first: RunProgress?
    var recent: [(at: Instant, bytes: Int64, settled: Int)] = []
  }

  private let text: BlockerText
  private let view = Mutex(View())

  init(pipeline: Pipeline) { text = BlockerText(pipeline: pipeline) }

  func begin(_ id: RunID) { Terminal.error("run \(id)") }

  func itemsLeft(_ items: [Item]) {
    let notable = items.filter { $0.status != .done }
    guard !notable.isEmpty else { return }
    view.withLock { view in
      erase(&view)
      for item in notable {
        let reason = item.reason.map { ": \($0.message)" } ?? ""
        Terminal.error(
          "\(ReportFormatting.status(item.status)) \(ReportFormatting.label(item))\(reason)")
      }
    }
  }

  func progressed(_ progress: RunProgress) {
    view.withLock { view in
      let lines = render(progress, &view)
      erase(&view)
      Terminal.send(lines.joined(separator: "\n") + "\n", to: 2)
      view.lines = lines.count
    }
  }

  func end() { view.withLock { erase(&$0) } }

  private func erase(_ view: inout View) {
    guard view.lines > 0 else { return }
    Terminal.send("\u{1B}[\(view.lines)A\u{1B}[J", to: 2)
    view.lines = 0
  }

  private static let window: Duration = .seconds(10)

  private func render(_ progress: RunProgress, _ view: inout View) -> [String] {
    let total = progress.counts.values.reduce(0, +)
    let open = (progress.counts[.pending] ?? 0) + (progress.counts[.active] ?? 0)
    let bytes = progress.bytesDone + progress.bytesInFlight
    view.recent.append((progress.at, bytes, total - open))
    view.recent.removeAll { progress.at - $0.at > Self.window }
    let columns = Terminal.columns
    var lines = [bar(total - open, of: total, columns: columns)]
    var facts = [ReportFormatting.counts(progress.counts), ReportFormatting.bytes(bytes)]
    facts += ReportFormatting.parts(progress.parts)
    if let oldest = view.recent.first, progress.at > oldest.at {
      let seconds = Double((progress.at - oldest.at).milliseconds) / 1000
      facts.append(
        "\(ReportFormatting.bytes(Int64(Double(max(bytes - oldest.bytes, 0)) / seconds)))/s")
      let rate = Double(total - open - oldest.settled) / seconds
      if rate > 0, open > 0 {
        facts.append("\(ReportFormatting.duration(.seconds(Double(open) / rate))) left")
      }
    }
    lines.append(Self.cut("  " + facts.joined(separator: " · "), columns))
    let waiting = progress.blockers.filter { Self.isNews($0.key) }.sorted { $0.value > $1.value }
      .reduce(into: [(String, Int)]()) { merged, entry in
        let words = text.short(entry.key)
        if let index = merged.firstIndex(where: { $0.0 == words }) {
          merged[index].1 += entry.value
        } else {
          merged.append((words, entry.value))
        }
      }
    for (words, count) in waiting.prefix(4) {
      lines.append(Self.cut("  \(count) × \(words)", columns))
    }
    return lines
  }

  /// While the items are shown, "waits for its items" would add nothing.
  private static func isNews(_ blocker: Blocker) -> Bool {
    switch blocker {
    case .parts, .loop, .stopped: false
    case .attempt, .probe, .compensation, .delay, .earliest, .concurrency, .disk, .transfers,
      .connections, .rate, .shortage, .batch, .batchUnderWay, .dependency, .renewal, .allowance,
      .enumeration:
      true
    }
  }

  private func bar(_ settled: Int, of total: Int, columns: Int) -> String {
    let width = max(min(columns - 24, 50), 10)
    let filled = total == 0 ? 0 : settled * width / total
    let percent = total == 0 ? 0 : settled * 100 / total
    let bar = String(repeating: "━", count: filled)
    let rest = String(repeating: "─", count: width - filled)
    let colored =
      Terminal.hasColor ? "\u{1B}[32m\(bar)\u{1B}[0m\u{1B}[2m\(rest)\u{1B}[0m" : bar + rest
    return "\(colored) \(settled)/\(total) \(percent) %"
  }

  private static func cut(_ line: String, _ columns: Int) -> String {
    let line = line.visibleLine
    return line.count < columns ? line : String(line.prefix(max(columns - 2, 1))) + "…"
  }
}
