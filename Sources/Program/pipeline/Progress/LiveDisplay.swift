/// A terminal view that redraws itself: counts, bytes, rate, time left, transfers, and the reasons for waits.
final class LiveDisplay: ProgressDisplay {
  /// From this width on, each transfer has a bar of its own.
  private static let wideColumns = 100
  private static let mostBars = 8

  private struct View {
    var run: RunFolder?
    var widths: [Int] = []
    var facts: ProgressFacts?
  }

  private let view = Mutex(View())
  /// The remaining time counts down.
  let interval: Duration? = .seconds(1)

  func begin(_ run: RunFolder) {
    Terminal.error("run \(run.id)")
    view.withLock { $0.run = run }
  }

  func itemsLeft(_ items: [Item], _ lines: [FailureTally.Line]) {
    if !lines.isEmpty { redraw { _ in lines.forEach { $0.show() } } }
  }

  func note(_ lines: [String]) { redraw { _ in lines.forEach(Terminal.error) } }

  func progressed(_ facts: ProgressFacts, news: [String]) {
    redraw { view in
      view.facts = facts
      news.forEach(Terminal.error)
    }
  }

  /// Does something while nothing is drawn.
  private func redraw(_ body: (inout View) -> Void) {
    view.withLock { view in
      erase(&view)
      body(&view)
      draw(&view)
    }
  }

  func end() {
    view.withLock { view in
      erase(&view)
      FailureTally.showSummaries(view.facts?.causes ?? [], of: view.run)
    }
  }

  /// Removes the display; if the window has become narrower since, its lines have been wrapped.
  private func erase(_ view: inout View) {
    guard !view.widths.isEmpty else { return }
    let columns = max(Terminal.columns, 1)
    let rows = view.widths.reduce(0) { $0 + max(($1 + columns - 1) / columns, 1) }
    // Row by row: terminals keep a screen that is cleared as a whole in their history.
    let up = String(repeating: "\u{1B}[1A\u{1B}[2K", count: min(rows, Terminal.rows - 1))
    Terminal.send("\r\u{1B}[2K" + up, to: 2)
    view.widths = []
  }

  private func draw(_ view: inout View) {
    guard let facts = view.facts else { return }
    let lines = render(facts).prefix(max(Terminal.rows - 1, 1))
    view.widths = lines.map { TextWidth.columns($0.plain) }
    Terminal.send(lines.map { $0.painted + "\n" }.joined(), to: 2)
  }

  /// A line without and with its colors.
  private struct Line {
    let plain, painted: String

    init(_ text: String, _ columns: Int) {
      plain = TextWidth.cut(text.visibleLine, to: columns - 1)
      painted = plain
    }

    init(before: String = "", share: Double, width: Int, after: String, _ columns: Int) {
      let filled = min(max(Int(share * Double(width)), 0), width)
      let done = String(repeating: "━", count: filled)
      let rest = String(repeating: "─", count: width - filled)
      let room = columns - 1 - width - TextWidth.columns(before)
      let after = TextWidth.cut(after.visibleLine, to: max(room, 0))
      plain = before + done + rest + after
      painted =
        before + Terminal.painted(done, .green, on: 2) + Terminal.painted(rest, .dim, on: 2) + after
    }
  }

  private func render(_ facts: ProgressFacts) -> [Line] {
    let columns = Terminal.columns
    var lines = [
      Line(
        share: Double(facts.percent) / 100, width: max(min(columns - 24, 50), 10),
        after: " \(facts.ended)/\(facts.total) \(facts.percent) %", columns),
      Line("  " + facts.words.joined(separator: " · "), columns),
    ]
    lines += transfers(facts, columns)
    let hasTransfers = !facts.transfers.isEmpty
    let waiting = facts.waiting.filter { !hasTransfers || !$0.words.hasPrefix("transfer of") }
    lines += waiting.prefix(4).map { Line("  \($0.text)", columns) }
    lines += facts.causes.compactMap(\.summary).prefix(4).map { Line("  \($0.text)", columns) }
    return lines
  }

  private func transfers(_ facts: ProgressFacts, _ columns: Int) -> [Line] {
    let transfers = facts.transfers
    guard !transfers.isEmpty else { return [] }
    guard columns >= Self.wideColumns else {
      return [Line("  " + facts.names(atMost: 4).joined(separator: ", "), columns)]
    }
    let nameWidth = min(columns / 3, 60)
    var lines = transfers.prefix(Self.mostBars).map { transfer in
      let name = TextWidth.fitted(
        ReportFormatting.shortened(transfer.name).visibleLine, to: nameWidth)
      let direction = transfer.isDownload ? "↓" : "↑"
      let before = "  \(direction) \(name) "
      let moved = ReportFormatting.bytes(transfer.bytes)
      guard let size = transfer.size, let share = transfer.share else {
        return Line("\(before)\(moved)", columns)
      }
      return Line(
        before: before, share: size == 0 ? 1 : Double(transfer.bytes) / Double(size), width: 30,
        after: " \(share), \(moved) of \(ReportFormatting.bytes(size))", columns)
    }
    if transfers.count > Self.mostBars {
      lines.append(Line("  and \(transfers.count - Self.mostBars) more", columns))
    }
    return lines
  }
}
