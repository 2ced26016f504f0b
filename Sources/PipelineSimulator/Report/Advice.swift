import PipelineCore

/// A change of a pipeline with which the simulator, trying it, did better, and by how much.
public struct Advice: Hashable, Sendable {
  /// What some lives came to.
  public struct Figure: Hashable, Sendable {
    /// Items that were complete, of all lives.
    public let completed: Int
    /// All items of all lives.
    public let items: Int
    /// Time after which 90 % of the items were complete; `nil` is never.
    public let most: Duration?
    /// Bytes that were sent for nothing, of all lives.
    public let wasted: Int64
    /// Bytes that were sent, of all lives.
    public let sent: Int64
    /// Properties that were violated, of all lives.
    public let violations: Int
    /// Items that had failed or waited for a person in the end, of all lives.
    public let stopped: Int

    /// Adds up what lives came to.
    public init(_ outcomes: [SeedOutcome]) {
      let statistics = SeedStatistics(outcomes)
      completed = statistics.itemCompletion.values.count
      items = outcomes.reduce(0) { $0 + $1.summary.items }
      most = statistics.itemCompletion.quantile(0.9).map { .clamped(milliseconds: $0 * 1000) }
      wasted = outcomes.reduce(0) { $0 + $1.summary.bytesWasted }
      sent = outcomes.reduce(0) { $0 + $1.summary.bytesSent }
      violations = outcomes.reduce(0) { $0 + $1.properties.count { !$0.holds } }
      stopped = outcomes.reduce(0) {
        $0 + ($1.summary.counts[.failed] ?? 0) + ($1.summary.counts[.paused] ?? 0)
      }
    }

    /// What decides which is better, in this order; less is better.
    var rank: [Double] {
      [-Double(completed), most?.seconds ?? .infinity, Double(wasted)]
    }

    /// Whether it is better than another one by more than chance and rounding make.
    public func isBetter(than other: Self) -> Bool {
      guard violations <= other.violations else { return false }
      if completed != other.completed { return completed > other.completed }
      // Who stops sends less for nothing, and has gained nothing by that.
      guard stopped <= other.stopped else { return false }
      let (time, before) = (most?.seconds ?? .infinity, other.most?.seconds ?? .infinity)
      if time < 0.8 * before, time + 60 < before { return true }
      return time <= before && wasted < other.wasted
        && Double(other.wasted - wasted) > 0.1 * Double(other.sent)
    }
  }

  /// The key and its value, as `--set` takes them.
  public let setting: SimulationComparison.Setting
  /// What the lives come to as the pipeline is.
  public let before: Figure
  /// What the same lives come to with the change.
  public let after: Figure
  /// The seeds of the lives.
  public let seeds: [UInt64]

  /// Pieces of advice as a part of a text report; empty where there is none.
  static func part(_ advice: [Advice]) -> String {
    guard !advice.isEmpty else { return "" }
    return "\nADVICE: EACH WAS TRIED (--set KEY=VALUE)\n"
      + advice.map { "  \($0.text)\n" }.joined()
  }

  /// The change and what it brings, without a final stop.
  public var text: String {
    let lives = seeds.count == 1 ? "" : " in \(seeds.count) lives"
    let gain: String
    if after.completed != before.completed {
      gain =
        "\(SimulationFormatting.count(after.completed)) of \(SimulationFormatting.count(after.items, "item")) "
        + "complete\(lives) instead of \(SimulationFormatting.count(before.completed))"
    } else if let time = after.most, time.seconds < 0.8 * (before.most?.seconds ?? .infinity) {
      gain =
        "90 % of the items are complete\(lives) after \(SimulationFormatting.duration(time)) instead of "
        + (before.most.map(SimulationFormatting.duration) ?? "never")
    } else {
      gain =
        "\(SimulationFormatting.bytes(after.wasted)) sent for nothing\(lives) instead of "
        + SimulationFormatting.bytes(before.wasted)
    }
    return "\(setting.key)=\(setting.value): \(gain)"
  }
}

/// Looks for advice by trying changes on the lives of a simulation.
///
/// It counts steps of the simulation and no time, so that the same simulation always gets the same advice.
public struct AdviceSearch: Sendable {
  private let simulation: Simulation
  private let seed: UInt64
  private let limit: Int

  /// Lives at most that a change is tried on.
  private static let lives = 5
  /// Pieces of advice at most.
  private static let most = 3

  /// A search that begins with the life of `seed`, and takes about `steps` steps of the simulation at most.
  public init(_ simulation: Simulation, seed: UInt64, steps: Int = 200_000) {
    self.simulation = simulation
    self.seed = seed
    limit = steps
  }

  /// What does better, the best first; of each key its best value.
  public func advice() -> [Advice] {
    let changes = PipelineChange.all(of: simulation.pipeline, simulation.scenario)
    guard !changes.isEmpty else { return [] }
    let first = outcome(simulation, seed, steps: limit)
    var used = first.steps
    guard first.isWhole, used <= limit, Self.isWorthwhile(Advice.Figure([first.outcome])) else {
      return []
    }
    // A change that makes a life longer must not use up what others need.
    let perLife = 2 * first.steps + 10_000
    let count = min(max((limit - used) / (perLife * changes.count), 1), Self.lives)
    let seeds = (0..<UInt64(count)).map { seed &+ $0 }
    var base = [first.outcome]
    for seed in seeds.dropFirst() {
      let life = outcome(simulation, seed, steps: perLife)
      used += life.steps
      guard life.isWhole else { return [] }
      base.append(life.outcome)
    }
    let before = Advice.Figure(base)
    var best: [String: Advice] = [:]
    for change in changes {
      guard used < limit else { break }
      let changed = simulation.with(change.pipeline)
      var outcomes: [SeedOutcome] = []
      for seed in seeds {
        let life = outcome(changed, seed, steps: perLife)
        used += life.steps
        guard life.isWhole else { break }
        outcomes.append(life.outcome)
      }
      guard outcomes.count == seeds.count else { continue }
      let advice = Advice(
        setting: change.setting, before: before, after: Advice.Figure(outcomes), seeds: seeds)
      guard advice.after.isBetter(than: before) else { continue }
      if let known = best[change.setting.key], !Self.precedes(advice, known) { continue }
      best[change.setting.key] = advice
    }
    return Array(
      best.sorted { $0.key < $1.key }.map(\.value).sorted(by: Self.precedes).prefix(Self.most))
  }

  /// Whether anything is left to be gained.
  private static func isWorthwhile(_ figure: Advice.Figure) -> Bool {
    figure.completed < figure.items || figure.violations > 0
      || 10 * figure.wasted > figure.sent || figure.most ?? .zero > .seconds(600)
  }

  private static func precedes(_ one: Advice, _ other: Advice) -> Bool {
    one.after.rank.lexicographicallyPrecedes(other.after.rank)
  }

  private func outcome(
    _ simulation: Simulation, _ seed: UInt64, steps: Int
  ) -> (outcome: SeedOutcome, steps: Int, isWhole: Bool) {
    let result = simulation.run(seed: seed, steps: steps)
    let isWhole = if case .tooManySteps = result.summary.outcome { false } else { true }
    return (
      SeedOutcome(seed: seed, summary: result.summary, properties: result.properties), result.steps,
      isWhole
    )
  }
}
