extension SimulationComparison {
  /// The comparison as a self-contained HTML page.
  public func html() -> String {
    Page.document(
      title: "\(heading?.pipeline ?? ""): \(cases.count) settings compared",
      body: ComparisonPage(comparison: self).body)
  }
}

struct ComparisonPage {
  let comparison: SimulationComparison
  private var cases: [SimulationComparison.Case] { comparison.cases }

  var body: String {
    guard let first = cases.first, let heading = comparison.heading else { return "" }
    let seeds = SeedReport(first.heading, first.statistics).seedWords
    var text = Page.header(heading, "\(cases.count) settings, \(seeds) each") + "\n"
    text += "<p class=\"verdict\">\(Page.escaped(comparison.verdict))</p>\n"
    text += "<div class=\"plots\">\n" + plots + "</div>\n"
    return text + "<h2>All settings</h2>\n" + table + properties + Page.command(first.heading)
  }

  private var table: String {
    let keys = cases.first?.settings.map(\.key) ?? []
    let columns = SimulationComparison.columns
    return Page.table(
      keys + columns,
      cases.map { entry in
        entry.settings.map { Page.escaped($0.value) }
          + SimulationComparison.cells(entry.statistics).map(Page.escaped)
      }, numbers: Set(keys.count..<keys.count + columns.count), marked: comparison.ranking.first)
  }

  private var properties: String {
    let rows = cases.flatMap { entry in
      entry.statistics.properties.filter { $0.violations > 0 }.map { property in
        [
          Page.escaped(entry.label),
          "<span class=\"bad\">\(Page.escaped(property.name)): "
            + "\(Page.escaped(property.words(of: entry.statistics.seeds.count)))</span>",
        ]
      }
    }
    guard !rows.isEmpty else { return "" }
    return "<h2>Properties</h2>" + Page.table(["setting", "violated"], rows)
  }

  private static let curves = 6

  private var plots: String {
    let shown = Array(comparison.ranking.prefix(Self.curves)).sorted()
    var completion = SeedPage.completion(
      shown.map { (cases[$0].label, cases[$0].statistics.itemCompletion) })
    if cases.count > Self.curves { completion.note = "the best \(Self.curves) settings" }
    let (time, bytes, number) = (Words.seconds, { Words.bytes($0 as Double) }, Words.decimal)
    return completion.render()
      + plot("Items complete", "at the end", { "\(Words.decimal($0)) %" }, top: 100) {
        $0.completedPart * 100
      }
      + plot("90 % complete after", "gap: never", time) { $0.itemCompletion.quantile(0.9) }
      + plot("Half complete after", "gap: never", time) { $0.itemCompletion.quantile(0.5) }
      + plot("Added wait", "mean, RL1", time) { $0.spread(\.addedWait.seconds).mean }
      + plot("Wakes", "mean", number) { $0.spread(\.wakes).mean }
      + plot("Wasted", "mean", bytes) { $0.spread(\.bytesWasted).mean }
      + plot("Reissued", "steps, mean", number) { $0.spread(\.reissueCount).mean }
      + plot("Peak disk", "mean", bytes) { $0.spread(\.peakDiskBytes).mean }
  }

  /// A number over the values of the last key, with a curve for each combination of the others.
  private func plot(
    _ title: String, _ note: String, _ write: @escaping (Double) -> String, top: Double = 0,
    _ number: (SeedStatistics) -> Double?
  ) -> String {
    guard let axis = axis else { return "" }
    var names: [String] = []
    var curves: [(name: String, points: [(x: Double, y: Double)])] = []
    for entry in cases {
      let value = entry.settings[axis].value
      let place = names.firstIndex(of: value) ?? names.count
      if place == names.count { names.append(value) }
      let others = entry.settings.enumerated().filter { $0.offset != axis }
        .map { "\($0.element.key)=\($0.element.value)" }.joined(separator: ", ")
      let index = curves.firstIndex { $0.name == others } ?? curves.count
      if index == curves.count { curves.append((others, [])) }
      if let y = number(entry.statistics) { curves[index].points.append((Double(place), y)) }
    }
    // A number that is zero everywhere needs no diagram.
    guard curves.contains(where: { $0.points.contains { $0.y > 0 } }) else { return "" }
    let key = cases.first?.settings[axis].key ?? ""
    let isOfFiles = key == "file"
    let plot = Plot(
      title: title, note: "\(note); by \(key)",
      curves: curves.enumerated().map { index, curve in
        Plot.Curve(
          name: curve.name, points: curve.points, color: Page.color(index),
          form: isOfFiles && curves.count == 1 ? .bars : .line)
      }, writeX: Words.decimal, writeY: write, names: names, top: top)
    return plot.render()
  }

  private var axis: Int? {
    guard let first = cases.first, !first.settings.isEmpty else { return nil }
    let counts = first.settings.indices.map { index in
      Set(cases.map { $0.settings[index].value }).count
    }
    return counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) }
  }
}
