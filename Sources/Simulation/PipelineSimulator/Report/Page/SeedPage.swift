extension SeedReport {
  /// The report as a self-contained HTML page.
  public func html() -> String {
    Page.document(
      title: "\(heading.pipeline): \(heading.scenario), \(heading.device), \(seedWords)",
      body: SeedPage(report: self).body)
  }
}

struct SeedPage {
  let report: SeedReport
  private var statistics: SeedStatistics { report.statistics }

  var body: String {
    var text = Page.header(report.heading, report.seedWords) + "\n"
    text += "<div class=\"tiles\">" + tiles + "</div>\n" + properties
    text += Page.advice(report.advice)
    text += "<h2>Spread over the seeds</h2>\n" + table
    text += "<h2>Distributions</h2><div class=\"plots\">\n" + plots + "</div>\n"
    text += "<div class=\"columns\">\n" + causes + "</div>\n"
    return text + Page.command(report.heading)
  }

  private var tiles: String {
    func time(_ part: Double) -> String {
      statistics.itemCompletion.quantile(part).map(Words.seconds) ?? "never"
    }
    let never = statistics.runCompletion.never
    return [
      Page.tile("items complete", Words.percent(statistics.completedPart)),
      Page.tile(
        "seeds with all complete",
        Words.count(statistics.seeds.count - never) + " of " + Words.count(statistics.seeds.count)),
      Page.tile("half done after", time(0.5)), Page.tile("90 % after", time(0.9)),
      Page.tile("99 % after", time(0.99)),
      Page.tile(
        "added wait, p90",
        statistics.spread(\.addedWait.seconds).quantile(0.9).map(Words.seconds) ?? "-",
        "resume delay, RL1"),
      Page.tile("wasted, mean", Words.bytes(statistics.spread(\.bytesWasted).mean)),
    ].joined()
  }

  private var properties: String {
    guard !statistics.properties.isEmpty else { return "" }
    let rows = statistics.properties.map { property in
      [
        Page.escaped(property.name),
        "<span class=\"\(property.violations == 0 ? "good" : "bad")\">"
          + Page.escaped(property.words(of: statistics.seeds.count)) + "</span>",
      ]
    }
    return "<section><h2>Properties</h2>" + Page.table(["", ""], rows) + "</section>\n"
  }

  private var table: String {
    Page.table(
      ["", "p50", "p90", "p99", "most", "never"],
      report.rows.map { row in [Page.escaped(row.name)] + SeedReport.cells(row).map(Page.escaped) },
      numbers: [1, 2, 3, 4, 5])
  }

  private var plots: String {
    var text = Self.completion([("items", statistics.itemCompletion)]).render()
    for (index, row) in report.rows.enumerated().dropFirst() {
      // A number that is zero with every seed needs no diagram.
      guard row.spread.values.contains(where: { $0 > 0 }) else { continue }
      text += Self.histogram(row, Page.color(index)).render()
    }
    return text
  }

  private var causes: String {
    let count = Double(max(statistics.seeds.count, 1))
    var text = Page.stalls(
      statistics.sums { $0.stalls }.filter { $0.number > .zero }.map {
        ($0.word, $0.number.seconds / count)
      }, title: "Time spent waiting, overlaps counted once, mean of the seeds")
    let reissues = statistics.sums { $0.reissuesByStep }
    guard !reissues.isEmpty else { return text }
    func rows(_ sums: [(word: String, number: Int)], _ kind: String) -> [[String]] {
      sums.map { word, number in
        ["\(kind) <b>\(Page.escaped(word))</b>", Words.decimal(Double(number) / count)]
      }
    }
    text += "<section><h2>Reissued, mean of the seeds</h2>"
    text += Page.table(
      ["", "times"],
      rows(reissues, "step") + rows(statistics.sums { $0.reissueCauses }, "because:"), numbers: [1])
    return text + "</section>\n"
  }

  private static let points = 240
  private static let bars = 24

  /// The part of items that are complete over time, one curve each.
  static func completion(_ spreads: [(name: String, spread: SeedStatistics.Spread)]) -> Plot {
    let end = spreads.compactMap(\.spread.values.last).max() ?? 1
    let curves = spreads.enumerated().map { index, entry in
      let spread = entry.spread
      let count = Double(spread.values.count + spread.never)
      let step = max(spread.values.count / Self.points, 1)
      var points: [(x: Double, y: Double)] = [(0, 0)]
      for place in stride(from: 0, to: spread.values.count, by: step) {
        points.append((spread.values[place], Double(place + 1) / count * 100))
      }
      if let last = spread.values.last {
        points.append((last, Double(spread.values.count) / count * 100))
      }
      points.append((end, points.last?.y ?? 0))
      return Plot.Curve(name: entry.name, points: points, color: Page.color(index), form: .steps)
    }
    return Plot(
      title: "Items complete", note: "part of all items over time", curves: curves,
      writeX: Words.seconds, writeY: { "\(Words.decimal($0)) %" }, top: 100)
  }

  static func histogram(_ row: SeedReport.Row, _ color: String) -> Plot {
    let values = row.spread.values
    let most = max(values.last ?? 1, 1e-9)
    var counts = [Double](repeating: 0, count: bars)
    for value in values { counts[min(Int(value / most * Double(bars)), bars - 1)] += 1 }
    let width = most / Double(bars)
    let points = counts.enumerated().map { index, count in
      (x: (Double(index) + 0.5) * width, y: count)
    }
    return Plot(
      title: row.name, note: "seeds",
      curves: [.init(name: row.name, points: points, color: color, form: .bars)],
      writeX: row.write, writeY: { Words.decimal($0) }, legend: false, end: most)
  }
}
