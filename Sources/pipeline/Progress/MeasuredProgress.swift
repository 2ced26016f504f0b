import PipelineCore
import PipelineEngine
import Synchronization

/// Measures a run once, and tells its display and other processes the same.
final class MeasuredProgress: RunObserver {
  private struct Content {
    var meter: ProgressMeter
    var tally = FailureTally()
    var shownNotices: Set<String> = []
    /// Bytes of files that had arrived or were on the way when the process began, and now.
    var first: Int64?
    var latest: Int64 = 0
  }

  private let content: Mutex<Content>
  private let display: any ProgressDisplay
  private let shared: SharedProgress

  /// - Parameter sizes: Those of the items when the process began; `nil` if they are unknown.
  init(
    _ pipeline: Pipeline, sizes: ItemSizes?, display: any ProgressDisplay, shared: SharedProgress
  ) {
    content = Mutex(Content(meter: ProgressMeter(pipeline: pipeline, sizes: sizes)))
    (self.display, self.shared) = (display, shared)
  }

  /// Bytes of files that this process has moved.
  var moved: Int64 { content.withLock { $0.latest - ($0.first ?? $0.latest) } }

  var interval: Duration? { display.interval }

  func itemsLeft(_ items: [Item]) {
    let lines = content.withLock { content in
      content.meter.itemsLeft(items)
      return items.compactMap { content.tally.line(for: $0) }
    }
    display.itemsLeft(items, lines)
  }

  func progressed(_ progress: RunProgress) {
    let (facts, news) = content.withLock { content in
      content.latest = progress.bytesDone + progress.bytesInFlight
      content.first = content.first ?? content.latest
      return (
        content.meter.facts(progress, causes: content.tally.causes),
        progress.notices.filter { content.shownNotices.insert($0).inserted }
      )
    }
    display.progressed(facts, news: news)
    shared.write(facts)
  }
}
