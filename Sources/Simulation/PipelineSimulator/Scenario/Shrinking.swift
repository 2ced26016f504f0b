extension Simulation {
  /// Looks for the shortest violation of a property that `seed` violates, by removing faults, events, items and bytes that it
  /// does not need (delta debugging).
  ///
  /// It uses at most `runs` simulations and about `steps` simulation steps, so the machine's speed does not matter.
  ///
  /// - Returns: `nil` if the property holds with this seed, or if every violation that was found takes more than `steps` steps:
  ///   one that long explains no more than the report.
  public func counterexample(
    to property: String, seed: UInt64, runs: Int = 400, steps: Int = 20_000
  ) -> Counterexample? {
    var search = Search(self, property, seed, runs, steps)
    return search.run()
  }
}

private struct Search {
  struct Candidate {
    var scenario: Scenario
    var plan: ScenarioPlan
  }

  private let simulation: Simulation
  private let property: String
  private let seed: UInt64
  private let limit: Int
  private var runs = 0
  /// The number of steps that the search may use, and how many of them are left.
  private let effort: Int
  private var steps: Int
  private var best: Candidate
  /// When the best candidate violates the property; `nil` until there is a shorter one than the scenario itself.
  private var violatedAt: Duration?

  init(_ simulation: Simulation, _ property: String, _ seed: UInt64, _ limit: Int, _ steps: Int) {
    (effort, self.steps) = (steps, steps)
    (self.simulation, self.property, self.seed, self.limit) = (simulation, property, seed, limit)
    var scenario = simulation.scenario
    scenario.properties = scenario.properties.filter { $0.name == property }
    scenario.random = []
    let length = scenario.length
    scenario.properties = scenario.properties.map { $0.bounded(by: length) }
    best = Candidate(scenario: scenario, plan: ScenarioPlan(simulation.scenario, seed: seed))
  }

  mutating func run() -> Counterexample? {
    let all = best.plan.moments.count
    // With fewer items, all that follows is faster.
    shrinkItems()
    let whole = simulation.with(best.scenario)
    guard let first = violatedAt ?? whole.violation(best.plan, seed: seed, steps: effort).at
    else { return nil }
    // What happens after the violation does not matter.
    attempt { $0.plan.moments.removeAll { $0.after > first } }
    shrinkFaults()
    shrinkItems()
    shrinkMoments()
    shrinkConditions()
    shrinkItems()
    shrinkMoments()
    shrinkSizes()
    shrinkFaults()
    return outcome(all)
  }

  private func outcome(_ all: Int) -> Counterexample? {
    var scenario = best.scenario
    scenario.name = property
    scenario.items.count = best.plan.sizes.count
    scenario.timeline = best.plan.entries(scenario)
    guard let small = try? Simulation(simulation.simulated, scenario) else { return nil }
    let result = small.run(seed: seed, isTraced: true)
    guard let violated = result.properties.first, !violated.holds else { return nil }
    let timeline = Counterexample.timeline(
      best.plan, result, violated, simulation.pipeline, scenario, limit: 15)
    return Counterexample(
      property: property, seed: seed, scenario: scenario, result: result,
      moments: (best.plan.moments.count, all), runs: runs, timeline: timeline)
  }

  // MARK: Trying

  /// When the property is violated; `nil` if it holds.
  private mutating func violation(of candidate: Candidate) -> Duration? {
    runs += 1
    let found = simulation.with(candidate.scenario).violation(
      candidate.plan, seed: seed, steps: steps)
    steps -= found.steps
    return found.at
  }

  private mutating func take(_ candidate: Candidate) -> Bool {
    guard runs < limit, steps > 0, let at = violation(of: candidate) else { return false }
    (best, violatedAt) = (candidate, at)
    return true
  }

  @discardableResult private mutating func attempt(_ change: (inout Candidate) -> Void) -> Bool {
    var candidate = best
    change(&candidate)
    return take(candidate)
  }

  // MARK: Parts

  private mutating func shrinkFaults() {
    let model = best.scenario.server
    guard model != .ideal else { return }
    let isIdeal = attempt {
      $0.scenario.server = .ideal
      $0.scenario.lifetimes = []
    }
    if isIdeal { return }
    for (_, chance) in ServerModel.Faults.chances where model.faults[keyPath: chance] > 0 {
      attempt { $0.scenario.server.faults[keyPath: chance] = 0 }
    }
    if model.faults.staleReads > .zero { attempt { $0.scenario.server.faults.staleReads = .zero } }
    if model.resumesUploads { attempt { $0.scenario.server.resumesUploads = false } }
    if model.clockSkew != .zero { attempt { $0.scenario.server.clockSkew = .zero } }
    if model.latency != .constant(0) { attempt { $0.scenario.server.latency = .constant(0) } }
    for step in model.lifetimes.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      attempt {
        $0.scenario.server.lifetimes[step] = nil
        $0.scenario.lifetimes.removeAll { $0.step == step.rawValue }
      }
    }
  }

  /// Keeps as few items as possible: the first ones, with the seed's sizes.
  private mutating func shrinkItems() {
    var low = 0
    var count = 1
    while count < best.plan.sizes.count,
      !attempt({ $0.plan.sizes = Array($0.plan.sizes.prefix(count)) })
    {
      low = count
      count *= 2
    }
    while best.plan.sizes.count - low > 1, runs < limit {
      let middle = low + (best.plan.sizes.count - low) / 2
      if !attempt({ $0.plan.sizes = Array($0.plan.sizes.prefix(middle)) }) { low = middle }
    }
  }

  private mutating func shrinkMoments() {
    var parts = 2
    while !best.plan.moments.isEmpty, runs < limit {
      let count = best.plan.moments.count
      let size = max(1, (count + parts - 1) / parts)
      var isSmaller = false
      var start = 0
      while start < best.plan.moments.count, runs < limit {
        let part = start..<min(start + size, best.plan.moments.count)
        if attempt({ $0.plan.moments.removeSubrange(part) }) {
          isSmaller = true
        } else {
          start += size
        }
      }
      if size == 1, !isSmaller { return }
      parts = isSmaller ? 2 : min(parts * 2, max(count, 2))
    }
  }

  private mutating func shrinkConditions() {
    if best.scenario.conditions.loss != nil { attempt { $0.scenario.conditions.loss = nil } }
    if best.scenario.conditions.latency != nil { attempt { $0.scenario.conditions.latency = nil } }
    if best.scenario.writeSpeed != nil { attempt { $0.scenario.writeSpeed = nil } }
    if best.scenario.conditions.free != nil { attempt { $0.scenario.conditions.free = nil } }
  }

  /// A round size that all items have.
  private mutating func shrinkSizes() {
    if case .constant = best.scenario.items.size { return }
    let largest = Double(best.plan.sizes.max() ?? 0)
    for size in [1_000, 1_000_000, 2_000_000, largest] {
      var candidate = best
      candidate.scenario.items.size = .constant(size)
      candidate.plan.sizes = candidate.plan.sizes.map { _ in Int64(size) }
      if take(candidate) { return }
    }
  }
}

extension ScenarioPlan {
  /// The plan as timeline entries without randomness; conditions in them do not overlap.
  func entries(_ scenario: Scenario) -> [TimelineEntry] {
    var entries: [TimelineEntry] = []
    let base = scenario.conditions
    let changes = LifeSchedule.conditions(self, base: base, length: scenario.length)
    for (index, (after, conditions)) in changes.enumerated() where conditions != base {
      let end = index + 1 < changes.count ? changes[index + 1].after : scenario.length
      let different = conditions.without(base)
      let length = Double((end - after).milliseconds)
      entries.append(TimelineEntry(.after(after), .conditions(different, for: .constant(length))))
    }
    for moment in moments {
      switch moment.happening {
      case .conditions: continue
      case .action(let action): entries.append(TimelineEntry(.after(moment.after), .action(action)))
      case .clockChange(let step):
        entries.append(TimelineEntry(.after(moment.after), .clockChange(by: step)))
      case .open(let length):
        let from = max(moment.after, .zero)
        entries.append(TimelineEntry(.after(from), .open(moment.after + length - from)))
      }
    }
    return entries
  }
}

extension ScenarioConditions {
  func without(_ base: Self) -> Self {
    var result = self
    func drop<Value: Equatable>(_ paths: WritableKeyPath<Self, Value?>...) {
      for path in paths where base[keyPath: path] == self[keyPath: path] {
        result[keyPath: path] = nil
      }
    }
    drop(\.network)
    drop(\.bandwidth, \.free)
    drop(\.latency)
    drop(\.loss, \.battery)
    drop(\.isExpensive, \.isConstrained, \.hasPower, \.isLowPowerMode, \.isLocked)
    return result
  }
}

extension ScenarioProperty {
  /// The property with an explicit deadline, if it used the scenario's.
  fileprivate func bounded(by length: Duration) -> Self {
    guard case .eventually(nil) = kind else { return self }
    return Self(name: name, kind: .eventually(within: length), expression: expression, range: range)
  }
}
