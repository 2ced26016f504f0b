import PipelineCommands
import PipelineCore
import PipelineEngine
import Synchronization

/// Plain lines on standard error: failures and pauses as they happen, and the progress at each tenth, and whenever nothing
/// was said for a while.
final class PlainDisplay: ProgressDisplay {
  /// Build servers end jobs that say nothing for long.
  static let longestSilence: Duration = .seconds(8)

  private struct View {
    var meter: ProgressMeter
    var tally = FailureTally()
    var tenths = 0
    var spoke = ContinuousClock.now
    var run: RunID?
    var last: Int?
  }

  private let view: Mutex<View>

  init(pipeline: Pipeline, sizes: ItemSizes?) {
    view = Mutex(View(meter: ProgressMeter(pipeline: pipeline, sizes: sizes)))
  }

  func begin(_ id: RunID) {
    Terminal.error("run \(id)")
    view.withLock { $0.run = id }
  }

  func itemsLeft(_ items: [Item]) {
    view.withLock { view in
      view.meter.itemsLeft(items)
      for item in items {
        guard let line = view.tally.line(for: item) else { continue }
        Terminal.error(line)
        view.spoke = .now
      }
    }
  }

  func note(_ lines: [String]) {
    for line in lines { Terminal.error(line) }
    view.withLock { $0.spoke = .now }
  }

  func progressed(_ progress: RunProgress) {
    view.withLock { view in
      let facts = view.meter.facts(progress)
      for line in view.meter.news(in: progress) {
        Terminal.error(line)
        view.spoke = .now
      }
      // The end is said only if it was reached, and once.
      let tenths = facts.percent / 10
      let isNews = facts.total > 0 && tenths > view.tenths
      let isSilent = !progress.isAtRest && ContinuousClock.now - view.spoke >= Self.longestSilence
      guard isNews || isSilent else { return }
      view.tenths = max(tenths, view.tenths)
      view.spoke = .now
      Terminal.error(Self.line(facts))
    }
  }

  private static func line(_ facts: ProgressFacts) -> String {
    var words = facts.words + facts.names(atMost: 3)
    if facts.progress.transfers.isEmpty, !facts.progress.isAtRest {
      words += facts.waiting.prefix(2).map { "\($0.count) × \($0.words)" }
    }
    return "\(facts.percent) %: \(words.joined(separator: ", "))"
  }

  func end() {
    view.withLock { view in
      for (_, line) in view.tally.lines { Terminal.error(line) }
      if let remedy = view.tally.remedy(view.run) { Terminal.error(remedy) }
    }
  }
}
