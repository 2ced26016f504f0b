/// The results of a pipeline over many seeds.
public struct SeedStatistics: Sendable {
  /// Numbers in ascending order, and their distribution.
  public struct Spread: Hashable, Sendable {
    /// The numbers in order, without those that never occurred.
    public let values: [Double]
    /// How many never occurred, such as the ends of runs that did not end.
    public let never: Int

    /// Sorts `values`.
    public init(_ values: [Double], never: Int = 0) {
      self.values = values.sorted()
      self.never = never
    }

    /// The number that the given part of all is at or below; `nil` means never.
    public func quantile(_ part: Double) -> Double? {
      let count = values.count + never
      guard count > 0 else { return nil }
      let index = max(Int((Double(count) * part).rounded(.up)), 1) - 1
      return index < values.count ? values[index] : nil
    }

    /// The mean of the numbers that occurred.
    public var mean: Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }

    /// The part that never occurred, from 0 to 1.
    public var neverPart: Double {
      let count = values.count + never
      return count == 0 ? 0 : Double(never) / Double(count)
    }
  }

  /// A property over all seeds.
  public struct PropertyCount: Hashable, Sendable {
    public let name: String
    /// Seeds with which it did not hold.
    public internal(set) var violations = 0
    /// The first of them, in the order of the seeds.
    public internal(set) var firstSeed: UInt64?
  }

  /// The seeds in order.
  public let seeds: [UInt64]
  /// The result of each, in the order of the seeds.
  public let summaries: [SimulationSummary]
  /// Seconds until each item of each seed, and the last one of each seed, was complete.
  public let itemCompletion, runCompletion: Spread
  /// The scenario's properties.
  public let properties: [PropertyCount]

  /// Counts over the results of all seeds.
  public init(_ outcomes: [SeedOutcome]) {
    seeds = outcomes.map(\.seed)
    summaries = outcomes.map(\.summary)
    var times: [Double] = []
    var ends: [Double] = []
    var never = 0
    for summary in outcomes.map(\.summary) {
      times += summary.completions.map(\.seconds)
      never += summary.items - summary.completions.count
      if summary.completions.count == summary.items, let last = summary.completions.last {
        ends.append(last.seconds)
      }
    }
    itemCompletion = Spread(times, never: max(never, 0))
    runCompletion = Spread(ends, never: outcomes.count - ends.count)
    var counts: [PropertyCount] = []
    for outcome in outcomes {
      for property in outcome.properties {
        let place = counts.firstIndex { $0.name == property.name } ?? counts.count
        if place == counts.count { counts.append(PropertyCount(name: property.name)) }
        guard !property.holds else { continue }
        counts[place].violations += 1
        if counts[place].firstSeed == nil { counts[place].firstSeed = outcome.seed }
      }
    }
    properties = counts
  }

  /// A number of each seed.
  public func spread(_ number: (SimulationSummary) -> Double) -> Spread {
    Spread(summaries.map(number))
  }

  func spread(_ number: (SimulationSummary) -> some BinaryInteger) -> Spread {
    spread { Double(number($0)) }
  }

  /// The part of all items that were complete, from 0 to 1.
  public var completedPart: Double {
    itemCompletion.values.isEmpty ? 0 : 1 - itemCompletion.neverPart
  }

  func sums<Number: AdditiveArithmetic & Comparable>(
    _ counts: (SimulationSummary) -> [String: Number]
  ) -> [(word: String, number: Number)] {
    var sums: [String: Number] = [:]
    for summary in summaries {
      for (word, number) in counts(summary) { sums[word, default: .zero] += number }
    }
    return sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }
}

/// The result of one seed, without its trace.
public struct SeedOutcome: Sendable {
  public let seed: UInt64
  /// The numbers.
  public let summary: SimulationSummary
  /// The scenario's properties.
  public let properties: [PropertyResult]

  /// The result of `seed`.
  public init(seed: UInt64, summary: SimulationSummary, properties: [PropertyResult] = []) {
    (self.seed, self.summary, self.properties) = (seed, summary, properties)
  }
}

extension Duration {
  /// Seconds, including milliseconds.
  var seconds: Double { Double(milliseconds) / 1000 }
}
