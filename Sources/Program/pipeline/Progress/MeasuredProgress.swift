/// Measures a run once, and reports the same to its display and other processes.
final class MeasuredProgress: RunObserver {
  private struct Content {
    var meter: ProgressMeter
    var tally = FailureTally()
    var shownNotices: Set<String> = []
    /// Bytes of files that had arrived or were on the way when the process started, and now.
    var first: Int64?
    var latest: Int64 = 0
  }

  private let content: Mutex<Content>
  private let display: any ProgressDisplay
  private let shared: SharedProgress

  /// - Parameter sizes: Those of the items when the process started; `nil` if they are unknown.
  init(
    _ pipeline: Pipeline, sizes: ItemSizes?, display: any ProgressDisplay, shared: SharedProgress
  ) {
    content = Mutex(Content(meter: ProgressMeter(pipeline: pipeline, sizes: sizes)))
    (self.display, self.shared) = (display, shared)
  }

  /// Bytes of files that this process has moved.
  var moved: Int64 { content.withLock { $0.latest - ($0.first ?? $0.latest) } }
  var interval: Duration? { shared.isBehind ? SharedProgress.interval : display.interval }

  func itemsLeft(_ items: [Item]) {
    let lines = content.withLock { content in
      content.meter.itemsLeft(items)
      return items.compactMap { content.tally.line(for: $0) }
    }
    display.itemsLeft(items, lines)
  }

  func progressed(_ progress: RunProgress) {
    let (facts, news) = content.withLock { content in
      content.latest = progress.bytesMoved
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

/// The progress of a run for other processes: a file in its folder.
///
/// It is not durable, because only the current state matters; the run's lock shows whether a process still works on it. The
/// last of it stays, so that watchers miss nothing.
final class SharedProgress: Sendable {
  /// Work changes ten times a second; a user who watches needs less.
  static let interval: Duration = .milliseconds(250)
  private static let mostWaits = 1000
  private let folder: RunFolder
  private let last = Mutex<(at: ContinuousClock.Instant?, isBehind: Bool)>((nil, false))
  /// Whether the last measurement has not been reported to others yet.
  var isBehind: Bool { last.withLock { $0.isBehind } }

  init(_ folder: RunFolder) {
    self.folder = folder
    // The values of an earlier process are outdated.
    unlink(Self.path(in: folder))
  }

  private static func path(in folder: RunFolder) -> String { folder.path + "/progress.json" }

  /// Replaces the values that other processes read, unless that was done just now.
  func write(_ facts: ProgressFacts) {
    let isDue = last.withLock { last in
      let now = ContinuousClock.now
      last.isBehind = !facts.isAtRest && last.at.map { now - $0 < Self.interval } ?? false
      if !last.isBehind { last.at = now }
      return !last.isBehind
    }
    guard isDue else { return }
    var facts = facts
    facts.run.waits = Array(facts.waits.prefix(Self.mostWaits))
    let (path, next) = (Self.path(in: folder), Self.path(in: folder) + ".next")
    // A process that cannot write still shows its progress.
    guard let file = fopen(next, "we") else { return }
    let isWhole = EncodedJSON.of(facts).withCString { fputs($0, file) } >= 0
    guard fclose(file) == 0, isWhole else { return }
    rename(next, path)
  }

  /// The last values of the process that works on a run; `nil` if it has written nothing yet.
  static func read(_ folder: RunFolder) -> ProgressFacts? { RunFolder.decoded(path(in: folder)) }
}
