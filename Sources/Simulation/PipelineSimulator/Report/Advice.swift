/// A change of a pipeline that did better when simulated, and by how much.
public struct Advice: Hashable, Sendable {
  /// The results of some simulations.
  public struct Figure: Hashable, Sendable {
    /// Completed items, and all items, over all seeds.
    public let completed, items: Int
    /// Time after which 90 % of the items were complete; `nil` means never.
    public let most: Duration?
    /// Bytes wasted, and bytes sent, over all seeds.
    public let wasted, sent: Int64
    /// Properties violated, over all seeds.
    public let violations: Int
    /// Items that had failed or were waiting for the user at the end, over all seeds.
    public let stopped: Int

    /// Adds up the results of simulations.
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

    /// The ranking criteria, in this order; less is better.
    var rank: [Double] { [-Double(completed), most?.seconds ?? .infinity, Double(wasted)] }

    /// Whether it is better than another one by more than chance and rounding explain.
    public func isBetter(than other: Self) -> Bool {
      guard violations <= other.violations else { return false }
      if completed != other.completed { return completed > other.completed }
      // A run that stops wastes fewer bytes, but that is not a gain.
      guard stopped <= other.stopped else { return false }
      let (time, before) = (most?.seconds ?? .infinity, other.most?.seconds ?? .infinity)
      if time < 0.8 * before, time + 60 < before { return true }
      return time <= before && wasted < other.wasted
        && Double(other.wasted - wasted) > 0.1 * Double(other.sent)
    }
  }

  /// The key and its value, as `--set` expects them.
  public let setting: SimulationComparison.Setting
  /// The results of the pipeline as it is, and with the change.
  public let before, after: Figure
  /// The seeds simulated.
  public let seeds: [UInt64]

  /// The advice section of a text report; empty if there is no advice.
  static func part(_ advice: [Advice]) -> String {
    guard !advice.isEmpty else { return "" }
    return "\nADVICE: CHANGES THAT DID BETTER (--set KEY=VALUE)\n"
      + advice.map { "  \($0.text)\n" }.joined()
  }

  /// The change and its effect, without a final full stop.
  public var text: String {
    let lives = seeds.count == 1 ? "" : " over \(seeds.count) seeds"
    let gain: String
    if after.completed != before.completed {
      let done = "\(Words.count(after.completed)) of \(Words.count(after.items, "item"))"
      gain = "\(done) complete\(lives) instead of \(Words.count(before.completed))"
    } else if let time = after.most, time.seconds < 0.8 * (before.most?.seconds ?? .infinity) {
      let usual = before.most.map(Words.duration) ?? "never"
      gain =
        "90 % of the items are complete\(lives) after \(Words.duration(time)) instead of \(usual)"
    } else {
      gain = "\(Words.bytes(after.wasted)) wasted\(lives) instead of \(Words.bytes(before.wasted))"
    }
    return "\(setting.key)=\(setting.value): \(gain)"
  }
}

/// Looks for advice by simulating changes, limited by steps, so that the same simulation always gets the same advice.
public struct AdviceSearch: Sendable {
  private let simulation: Simulation
  private let seed: UInt64
  private let limit: Int
  private static let lives = 5
  private static let most = 3

  /// A search that starts with `seed`, and uses at most about `steps` simulation steps.
  public init(_ simulation: Simulation, seed: UInt64, steps: Int = 200_000) {
    (self.simulation, self.seed) = (simulation, seed)
    limit = steps
  }

  /// Changes that do better, best first; for each key, only its best value.
  public func advice() -> [Advice] {
    let changes = PipelineChange.all(of: simulation.pipeline, simulation.scenario)
    guard !changes.isEmpty else { return [] }
    let first = outcome(simulation, seed, steps: limit)
    var used = first.steps
    guard first.isWhole, used <= limit, Self.isWorthwhile(Advice.Figure([first.outcome]))
    else { return [] }
    // A change that makes a simulation longer must not use up the steps of others.
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
