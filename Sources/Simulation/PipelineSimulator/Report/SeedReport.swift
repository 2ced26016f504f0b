/// The results of a pipeline over many seeds, for the user and for programs.
public struct SeedReport: Sendable {
  /// The simulated case.
  public let heading: SimulationReport.Heading
  /// The numbers.
  public let statistics: SeedStatistics
  /// Changes that do better when simulated, if they were looked for.
  public var advice: [Advice] = []

  /// A report of simulations that differ only in their seeds.
  public init(_ heading: SimulationReport.Heading, _ statistics: SeedStatistics) {
    (self.heading, self.statistics) = (heading, statistics)
  }

  /// Whether every property holds with every seed, and no seed ends paused or stuck.
  public var isPassed: Bool {
    statistics.properties.allSatisfy { $0.violations == 0 }
      && statistics.summaries.allSatisfy(\.isPassed)
  }

  struct Row: Sendable {
    let name: String
    let spread: SeedStatistics.Spread
    let write: @Sendable (Double) -> String
    /// The member of the JSON report, where it differs from the name.
    var member: String?
  }

  var rows: [Row] {
    let time: @Sendable (Double) -> String = { Words.seconds($0) }
    let bytes: @Sendable (Double) -> String = { Words.bytes($0) }
    let number: @Sendable (Double) -> String = { Words.decimal($0) }
    let s = statistics
    return [
      Row(name: "an item is complete after", spread: s.itemCompletion, write: time),
      Row(name: "all items are complete after", spread: s.runCompletion, write: time),
      Row(name: "wakes", spread: s.spread(\.wakes), write: number),
      Row(name: "added wait", spread: s.spread(\.addedWait.seconds), write: time),
      Row(name: "bytes sent", spread: s.spread(\.bytesSent), write: bytes),
      Row(name: "bytes wasted", spread: s.spread(\.bytesWasted), write: bytes),
      Row(
        name: "steps reissued", spread: s.spread(\.reissueCount), write: number,
        member: "steps_done_anew"),
      Row(name: "peak disk", spread: s.spread(\.peakDiskBytes), write: bytes),
    ]
  }

  /// A description of the seeds, such as `1,000 seeds (1 to 1000)`.
  var seedWords: String {
    let count = Words.count(statistics.seeds.count, "seed")
    guard let first = statistics.seeds.first, let last = statistics.seeds.last else { return count }
    return first == last ? "\(count) (\(first))" : "\(count) (\(first) to \(last))"
  }

  /// The cells of a row: median, 90 %, 99 %, maximum, never.
  static func cells(_ row: Row) -> [String] {
    let parts = [0.5, 0.9, 0.99].map { part in row.spread.quantile(part).map(row.write) ?? "never" }
    let most = row.spread.values.last.map(row.write) ?? "-"
    let never = row.spread.never == 0 ? "" : Words.percent(row.spread.neverPart)
    return parts + [most, never]
  }

  /// The report as text.
  public func text() -> String {
    var text = "\(heading.line), \(seedWords)\n\n"
    let head = [["", "p50", "p90", "p99", "most", "never"]]
    let cells = rows.map { [$0.name] + Self.cells($0) }
    text += TextTable(alignsRight: [1, 2, 3, 4, 5], head + cells).render()
    text += causes() + Advice.part(advice)
    guard !statistics.properties.isEmpty else { return text }
    let properties = statistics.properties.map { [$0.name, $0.words(of: statistics.seeds.count)] }
    return text + "\nPROPERTIES\n" + TextTable(properties).render()
  }

  private func causes() -> String {
    var text = ""
    let count = Double(max(statistics.seeds.count, 1))
    let stalls = statistics.sums(\.stalls).filter { $0.number > .zero }
    if !stalls.isEmpty {
      let rows = stalls.prefix(12).map { word, time in
        let mean = Duration.milliseconds(Int64(time.seconds * 1000 / count))
        return [word, Words.duration(mean), StallCause(word).meaning]
      }
      text += "\nWAITING, EACH MOMENT ONCE, MEAN OF THE SEEDS\n"
      text += TextTable(alignsRight: [1], rows).render()
    }
    let reissues = statistics.sums(\.reissuesByStep).map { ("step '\($0.word)'", $0.number) }
    guard !reissues.isEmpty else { return text }
    let causes = statistics.sums(\.reissueCauses).map { ("because: \($0.word)", $0.number) }
    let rows = (reissues + causes).map { [$0, Words.decimal(Double($1) / count)] }
    return text + "\nREISSUED, MEAN OF THE SEEDS\n" + TextTable(alignsRight: [1], rows).render()
  }
}

extension SeedStatistics.PropertyCount {
  func words(of seeds: Int) -> String {
    guard let firstSeed else { return "holds with every seed" }
    let all = Words.count(seeds, "seed")
    return "violated with \(Words.count(violations)) of \(all), first with --seed \(firstSeed)"
  }
}

extension SimulationSummary {
  var reissueCount: Int { reissues.values.reduce(0, +) }
  var reissuesByStep: [String: Int] {
    Dictionary(reissues.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
  }
}

/// The meaning of a cause of waiting: a rule of the device, or a word of ``Tally/Stall``.
public struct StallCause: Hashable, Sendable {
  /// The word, and its meaning in one line.
  public let word, meaning: String

  /// Explains the cause called 'word'.
  public init(_ word: String) {
    self.word = word
    meaning = Self.known[word]?.mapValue?["meaning"]?.stringValue ?? "a rule of the device"
  }

  var color: String { Self.known[word]?.mapValue?["color"]?.stringValue ?? "#999999" }

  /// Its meaning, in two or three words.
  var name: String { String(meaning.split(whereSeparator: { ":,(".contains($0) }).first ?? "") }

  private static let known =
    (try? Value(json: PackageResources.causes_json))?.mapValue ?? MapValue()
}
