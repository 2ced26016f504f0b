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
    text += "<h2>All settings</h2>\n" + table + properties
    if !first.heading.command.isEmpty {
      text += "<p>Again: <code>\(Page.escaped(first.heading.command))</code></p>\n"
    }
    return text
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

  // MARK: Curves

  /// Maximum number of cases with a completion curve.
  private static let curves = 6

  private var plots: String {
    let shown = Array(comparison.ranking.prefix(Self.curves)).sorted()
    var completion = SeedPage.completion(
      shown.map { (cases[$0].label, cases[$0].statistics.itemCompletion) })
    if cases.count > Self.curves { completion.note = "the best \(Self.curves) settings" }
    var text = completion.render()
    let time: (Double) -> String = SeedPage.duration
    let bytes: (Double) -> String = { SimulationFormatting.bytes(Int64($0)) }
    text += plot(
      "Items complete", "at the end", { "\(SimulationFormatting.decimal($0)) %" }, top: 100
    ) { $0.completedPart * 100 }
    text += plot("90 % complete after", "gap: never", time) { $0.itemCompletion.quantile(0.9) }
    text += plot("Half complete after", "gap: never", time) { $0.itemCompletion.quantile(0.5) }
    text += plot("Added wait", "mean, RL1", time) { $0.spread(\.addedWait.seconds).mean }
    text += plot("Wakes", "mean", { SimulationFormatting.decimal($0) }) {
      $0.spread { Double($0.wakes) }.mean
    }
    text += plot("Wasted", "mean", bytes) { $0.spread { Double($0.bytesWasted) }.mean }
    text += plot("Reissued", "steps, mean", { SimulationFormatting.decimal($0) }) {
      $0.spread { Double($0.reissueCount) }.mean
    }
    return text + plot("Peak disk", "mean", bytes) { $0.spread { Double($0.peakDiskBytes) }.mean }
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
          name: curve.name, points: curve.points, color: PageColors.series(index),
          form: isOfFiles && curves.count == 1 ? .bars : .line)
      }, writeX: { SimulationFormatting.decimal($0) }, writeY: write, names: names, top: top)
    return plot.render()
  }

  /// The key with the most values.
  private var axis: Int? {
    guard let first = cases.first, !first.settings.isEmpty else { return nil }
    let counts = first.settings.indices.map { index in
      Set(cases.map { $0.settings[index].value }).count
    }
    return counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) }
  }
}
