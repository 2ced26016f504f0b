/// Plain lines on standard error: failures and pauses as they happen, and the progress at each tenth and after a silence.
final class PlainDisplay: ProgressDisplay {
  /// Build servers end jobs that print nothing for long.
  static let longestSilence: Duration = .seconds(5)
  /// With it, a silence ends before ten seconds have passed.
  let interval: Duration? = .milliseconds(4500)

  private struct View {
    var tenths = 0
    var spoke = ContinuousClock.now
    var run: RunFolder?
    var causes: [FailureTally.Cause] = []
  }

  private let view = Mutex(View())

  func begin(_ run: RunFolder) {
    Terminal.error("run \(run.id)")
    view.withLock { $0.run = run }
  }

  func itemsLeft(_ items: [Item], _ lines: [FailureTally.Line]) {
    if !lines.isEmpty { note(lines.map(\.text)) }
  }

  func note(_ lines: [String]) {
    lines.forEach(Terminal.error)
    view.withLock { $0.spoke = .now }
  }

  func progressed(_ facts: ProgressFacts, news: [String]) {
    view.withLock { view in
      view.causes = facts.causes
      news.forEach(Terminal.error)
      if !news.isEmpty { view.spoke = .now }
      // The end is printed only if it was reached, and once.
      let tenths = facts.percent / 10
      let isNews = facts.total > 0 && tenths > view.tenths
      let isSilent = !facts.isAtRest && ContinuousClock.now - view.spoke >= Self.longestSilence
      guard isNews || isSilent else { return }
      view.tenths = max(tenths, view.tenths)
      view.spoke = .now
      Terminal.error(Self.line(facts))
    }
  }

  private static func line(_ facts: ProgressFacts) -> String {
    var words = facts.words + facts.names(atMost: 3)
    if facts.transfers.isEmpty, !facts.isAtRest { words += facts.waiting.prefix(2).map(\.text) }
    return "\(facts.percent) %: \(words.joined(separator: ", "))"
  }

  func end() { view.withLock { FailureTally.showSummaries($0.causes, of: $0.run) } }
}
