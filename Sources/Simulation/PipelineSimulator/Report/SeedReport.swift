import CEL
import PipelineCore

/// The results of a pipeline over many seeds, for people and for programs.
public struct SeedReport: Sendable {
  /// What was simulated.
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

  /// A number of each seed, with its name and format.
  struct Row: Sendable {
    let name: String
    let spread: SeedStatistics.Spread
    let write: @Sendable (Double) -> String
    /// The member of the JSON report, where it differs from the name.
    var member: String?
  }

  /// The numbers whose distribution is shown.
  var rows: [Row] {
    let time: @Sendable (Double) -> String = {
      SimulationFormatting.duration(.milliseconds(Int64($0 * 1000)))
    }
    let bytes: @Sendable (Double) -> String = { SimulationFormatting.bytes(Int64($0)) }
    let number: @Sendable (Double) -> String = { SimulationFormatting.decimal($0) }
    let s = statistics
    return [
      Row(name: "an item is complete after", spread: s.itemCompletion, write: time),
      Row(name: "all items are complete after", spread: s.runCompletion, write: time),
      Row(name: "wakes", spread: s.spread { Double($0.wakes) }, write: number),
      Row(name: "added wait", spread: s.spread(\.addedWait.seconds), write: time),
      Row(name: "bytes sent", spread: s.spread { Double($0.bytesSent) }, write: bytes),
      Row(name: "bytes wasted", spread: s.spread { Double($0.bytesWasted) }, write: bytes),
      Row(
        name: "steps reissued", spread: s.spread { Double($0.reissueCount) }, write: number,
        member: "steps_done_anew"),
      Row(name: "peak disk", spread: s.spread { Double($0.peakDiskBytes) }, write: bytes),
    ]
  }

  /// A description of the seeds, such as `1,000 seeds (1 to 1000)`.
  var seedWords: String {
    let count = SimulationFormatting.count(statistics.seeds.count, "seed")
    guard let first = statistics.seeds.first, let last = statistics.seeds.last else { return count }
    return first == last ? "\(count) (\(first))" : "\(count) (\(first) to \(last))"
  }

  /// The cells of a row: median, 90 %, 99 %, maximum, never.
  static func cells(_ row: Row) -> [String] {
    let parts = [0.5, 0.9, 0.99].map { part in row.spread.quantile(part).map(row.write) ?? "never" }
    let most = row.spread.values.last.map(row.write) ?? "-"
    let never = row.spread.never == 0 ? "" : SimulationFormatting.percent(row.spread.neverPart)
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
    let stalls = statistics.sums { $0.stalls }.filter { $0.number > .zero }
    if !stalls.isEmpty {
      let rows = stalls.prefix(12).map { word, time in
        let mean = Duration.milliseconds(Int64(time.seconds * 1000 / count))
        return [word, SimulationFormatting.duration(mean), StallCause(word).meaning]
      }
      text += "\nWAITING, EACH MOMENT ONCE, MEAN OF THE SEEDS\n"
      text += TextTable(alignsRight: [1], rows).render()
    }
    let reissues = statistics.sums { $0.reissuesByStep }
    guard !reissues.isEmpty else { return text }
    var table = TextTable(alignsRight: [1])
    for (word, number) in reissues {
      table.add(["step '\(word)'", SimulationFormatting.decimal(Double(number) / count)])
    }
    for (word, number) in statistics.sums({ $0.reissueCauses }) {
      table.add(["because: \(word)", SimulationFormatting.decimal(Double(number) / count)])
    }
    return text + "\nREISSUED, MEAN OF THE SEEDS\n" + table.render()
  }
}

extension SeedStatistics.PropertyCount {
  func words(of seeds: Int) -> String {
    guard let firstSeed else { return "holds with every seed" }
    return "violated with \(SimulationFormatting.count(violations)) of "
      + "\(SimulationFormatting.count(seeds, "seed")), first with --seed \(firstSeed)"
  }
}

extension SimulationSummary {
  /// The total number of reissues.
  var reissueCount: Int { reissues.values.reduce(0, +) }
  var reissuesByStep: [String: Int] {
    Dictionary(reissues.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
  }
}

/// The meaning of a cause of waiting.
///
/// Causes are the keys of ''SimulationSummary/stalls'': ids of the device rules if the transfer
/// service holds something, and the words of ''Tally/Stall'' otherwise.
public struct StallCause: Hashable, Sendable {
  /// The word.
  public let word: String
  /// Its meaning, in one line.
  public let meaning: String

  /// Explains the cause called 'word'.
  public init(_ word: String) {
    self.word = word
    meaning = Self.known[word]?.mapValue?["meaning"]?.stringValue ?? "a rule of the device"
  }

  /// Its colour in charts.
  var color: String { Self.known[word]?.mapValue?["color"]?.stringValue ?? "#999999" }

  /// Its meaning, in two or three words.
  var name: String { String(meaning.split(whereSeparator: { ":,(".contains($0) }).first ?? "") }

  /// Meanings and colours by cause.
  private static let known =
    (try? Value(json: PackageResources.causes_json))?.mapValue ?? MapValue()
}
