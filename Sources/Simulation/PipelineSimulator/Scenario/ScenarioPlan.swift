/// A scenario with one seed applied: events with their times, and sizes of files; shrinking removes parts of it.
struct ScenarioPlan: Hashable, Sendable {
  struct Moment: Hashable, Sendable {
    /// Time after the start; negative if it started earlier.
    var after: Duration
    var happening: Happening

    enum Happening: Hashable, Sendable {
      case open(Duration)
      case action(ScenarioAction)
      case clockChange(by: Duration)
      /// Among conditions that overlap, those of greater weight win.
      case conditions(ScenarioConditions, for: Duration, weight: Int)
    }
  }

  /// How long the app stays in the foreground at the start.
  var opening: Duration?
  var moments: [Moment] = []
  var sizes: [Int64]

  init(_ scenario: Scenario, seed: UInt64) {
    opening = scenario.opening
    var random = SplitMix64(seed: seed ^ 0x6974_656d_7300_0001)
    sizes = (0..<scenario.items.count).map { _ in
      Int64(min(max(scenario.items.size.sample(using: &random).rounded(), 0), 1e15))
    }
    for (index, entry) in scenario.timeline.enumerated() {
      // Each entry has its own random generator, so adding one does not change the others.
      var random = SplitMix64(seed: seed ^ 0x7469_6d65_0000_0000 &+ UInt64(index) << 8)
      expand(entry, scenario, using: &random)
    }
    for (index, entry) in scenario.random.enumerated() {
      var random = SplitMix64(seed: seed ^ 0x7261_6e64_0000_0000 &+ UInt64(index) << 8)
      expand(entry, scenario, using: &random)
    }
  }

  private mutating func expand(
    _ entry: TimelineEntry, _ scenario: Scenario, using random: inout SplitMix64
  ) {
    let day = Duration.seconds(86400)
    let midnight = scenario.start.midnight - scenario.start
    var times: [Duration] = []
    var weight = 2
    switch entry.time {
    case .after(let after): times = [after]
    case .day(let number, let at): times = [midnight + day * (number - 1) + at]
    case .daily(let at, let days):
      weight = days.isEmpty ? 0 : 1
      var number = -1
      while midnight + day * number < scenario.length, times.count < Scenario.happeningLimit {
        let weekday = (scenario.start + day * number).weekday
        if days.isEmpty || days.contains(weekday) { times.append(midnight + day * number + at) }
        number += 1
      }
    }
    for time in times {
      // Both are always drawn, so that leaving out one day does not shift the others.
      let happens = Double.random(in: 0..<1, using: &random) < entry.chance
      let shift = Double.random(in: -1...1, using: &random)
      let moved = time + .clamped(milliseconds: shift * Double(entry.jitter.milliseconds))
      let what = Happening.make(entry.happening, weight, using: &random)
      if happens { add(what, at: moved, scenario) }
    }
  }

  private mutating func expand(
    _ entry: RandomEntry, _ scenario: Scenario, using random: inout SplitMix64
  ) {
    let every = Distribution.exponential(mean: Double(entry.every.milliseconds))
    var time = Duration.zero
    while moments.count < Scenario.happeningLimit {
      time += .clamped(milliseconds: max(every.sample(using: &random), 1))
      guard time < scenario.length else { return }
      add(Happening.make(entry.happening, 3, using: &random), at: time, scenario)
    }
  }

  private mutating func add(_ what: Happening, at time: Duration, _ scenario: Scenario) {
    guard time <= scenario.length else { return }
    switch what {
    case .conditions(_, let length, _), .open(let length):
      guard time + length > .zero else { return }
    case .action, .clockChange: guard time >= .zero else { return }
    }
    moments.append(Moment(after: time, happening: what))
  }

  private typealias Happening = Moment.Happening
}

extension ScenarioPlan.Moment.Happening {
  var isClockChange: Bool { if case .clockChange = self { true } else { false } }

  static func make(
    _ happening: ScenarioHappening, _ weight: Int, using random: inout SplitMix64
  ) -> Self {
    switch happening {
    case .open(let length): .open(length)
    case .action(let action): .action(action)
    case .clockChange(let step): .clockChange(by: step)
    case .conditions(let conditions, let length):
      .conditions(
        conditions, for: .clamped(milliseconds: max(length.sample(using: &random), 0)),
        weight: weight)
    }
  }
}

extension Instant {
  private static var day: Int64 { 86_400_000 }

  var midnight: Instant {
    let rest = milliseconds % Self.day
    return Instant(milliseconds: milliseconds - (rest < 0 ? rest + Self.day : rest))
  }

  var weekday: TimelineEntry.Weekday {
    // 1970 started on a Thursday.
    let days = midnight.milliseconds / Self.day + 3
    return TimelineEntry.Weekday.allCases[Int(((days % 7) + 7) % 7)]
  }
}
