/// Settings or files, compared over the same seeds.
public struct SimulationComparison: Sendable {
  /// One of the cases.
  public struct Case: Sendable {
    /// What distinguishes it from the others, by key: a setting's value, or `file`.
    public let settings: [Setting]
    /// The simulated case.
    public let heading: SimulationReport.Heading
    /// Its results.
    public let statistics: SeedStatistics

    /// Creates a case.
    public init(
      _ settings: [Setting], _ heading: SimulationReport.Heading, _ statistics: SeedStatistics
    ) { (self.settings, self.heading, self.statistics) = (settings, heading, statistics) }

    /// `concurrency=10, budgets.disk=1 GiB`, or a file's name.
    public var label: String {
      settings.map { $0.key == "file" ? $0.value : "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    /// The ranking criteria, in order; less is better.
    var rank: [Double] {
      [
        -statistics.completedPart, statistics.itemCompletion.quantile(0.9) ?? .infinity,
        statistics.spread(\.bytesWasted).mean,
      ]
    }
  }

  /// A key and its value in one case.
  public struct Setting: Hashable, Sendable {
    /// The key, or `file` if files are compared, and the value as written.
    public let key, value: String

    /// Pairs a key with a value.
    public init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
  }

  /// The cases in their original order.
  public let cases: [Case]

  /// Compares at least one case.
  public init(_ cases: [Case]) { self.cases = cases }

  /// Indices of the cases, best first; the first one wins ties.
  public var ranking: [Int] {
    cases.indices.sorted { first, second in
      let (left, right) = (cases[first].rank, cases[second].rank)
      return left == right ? first < second : left.lexicographicallyPrecedes(right)
    }
  }

  /// Whether every property holds in every case, and no case gets stuck.
  public var isPassed: Bool { cases.allSatisfy { SeedReport($0.heading, $0.statistics).isPassed } }

  /// The simulated case, with the names of all pipelines.
  var heading: SimulationReport.Heading? {
    guard var heading = cases.first?.heading else { return nil }
    var names: [String] = []
    for entry in cases where !names.contains(entry.heading.pipeline) {
      names.append(entry.heading.pipeline)
    }
    heading.pipeline = names.joined(separator: ", ")
    return heading
  }

  /// The best case and the reason, in a sentence or two.
  public var verdict: String {
    guard let best = ranking.first else { return "nothing was compared" }
    let statistics = cases[best].statistics
    let part = Words.percent(statistics.completedPart)
    var text = "best: \(cases[best].label). \(part) of the items are complete"
    if let time = statistics.itemCompletion.quantile(0.9) {
      text += ", 90 % of them after \(Words.seconds(time))"
    }
    text += ", with \(Words.bytes(statistics.spread(\.bytesWasted).mean)) wasted."
    guard let second = ranking.dropFirst().first else { return text }
    return text + " " + loss(of: second, against: best)
  }

  /// The disadvantage of the second best case, by the first criterion in which the two differ.
  private func loss(of second: Int, against best: Int) -> String {
    let name = "Next is \(cases[second].label)"
    let lost = zip(cases[second].rank, cases[best].rank).map { $0 - $1 }
    if lost[0] != 0 {
      return "\(name), which leaves \(Words.percent(lost[0])) more of the items incomplete."
    }
    if cases[second].rank[1] != cases[best].rank[1] {
      guard lost[1].isFinite else { return "\(name), which never completes 90 % of them." }
      return "\(name), which needs \(Words.seconds(lost[1])) longer to complete 90 % of them."
    }
    if lost[2] != 0 { return "\(name), equally fast, but it wastes \(Words.bytes(lost[2])) more." }
    return "\(name), which is equally good; the first one listed wins."
  }

  /// The column heads of ``cells(_:)``.
  static let columns = [
    "complete", "p50", "p90", "p99", "wakes", "added wait", "sent", "wasted", "reissued",
    "peak disk",
  ]

  /// The numbers of a case, as shown in the table: means, except for times.
  static func cells(_ statistics: SeedStatistics) -> [String] {
    func quantile(_ part: Double) -> String {
      statistics.itemCompletion.quantile(part).map(Words.seconds) ?? "never"
    }
    func bytes(_ number: (SimulationSummary) -> Int64) -> String {
      Words.bytes(statistics.spread(number).mean)
    }
    return [
      Words.percent(statistics.completedPart), quantile(0.5), quantile(0.9), quantile(0.99),
      Words.decimal(statistics.spread(\.wakes).mean),
      Words.seconds(statistics.spread(\.addedWait.seconds).mean), bytes(\.bytesSent),
      bytes(\.bytesWasted), Words.decimal(statistics.spread(\.reissueCount).mean),
      bytes(\.peakDiskBytes),
    ]
  }

  /// The comparison as text: a row per case, the best one marked, with the reason.
  public func text() -> String {
    guard let first = cases.first, let heading else { return "" }
    let keys = first.settings.map(\.key)
    var text = "\(heading.line), \(SeedReport(heading, first.statistics).seedWords) each\n\n"
    var table = TextTable(alignsRight: Set(keys.count + 1...keys.count + Self.columns.count))
    table.add([""] + keys + Self.columns)
    let best = ranking.first
    for (index, entry) in cases.enumerated() {
      table.add(
        [index == best ? "*" : ""] + entry.settings.map(\.value) + Self.cells(entry.statistics))
    }
    text += table.render(indent: "") + "\n\(verdict.visibleLine)\n"
    let violated = cases.flatMap { entry in
      entry.statistics.properties.filter { $0.violations > 0 }.map {
        "  \(entry.label): \($0.name) \($0.words(of: entry.statistics.seeds.count))".visibleLine
          + "\n"
      }
    }
    if !violated.isEmpty { text += "\nPROPERTIES\n" + violated.joined() }
    return text
  }
}
