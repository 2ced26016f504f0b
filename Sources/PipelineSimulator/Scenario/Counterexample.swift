import PipelineCore
import PipelineDocument

/// The shortest way that was found to violate a property, and how to see it again.
public struct Counterexample: Sendable {
  /// Name of the property.
  public let property: String
  /// The seed, which the scenario below needs to show it.
  public let seed: UInt64
  /// What is left of the scenario: as few items, events and faults as still violate the property.
  public let scenario: Scenario
  /// How the run violates it.
  public let result: SimulationResult
  /// Events of the scenario that are left, and how many there were.
  public let moments: (kept: Int, all: Int)
  /// Simulations that it took.
  public let runs: Int

  /// What happens, one line each, at most `limit` of them; the last one says what is violated.
  public let timeline: [String]

  /// The scenario as a document, which `pipeline simulate --scenario` takes together with the seed.
  public var document: String { ScenarioText(scenario, note: note).text }

  private var note: String {
    let violated = violation
    return
      "The shortest way to '\(property)' that was found: \(violated). It needs the seed \(seed)."
  }

  private var violation: String {
    let found = result.properties.first { $0.name == property }
    let at = found?.violatedAt.map { " after \(TraceText.time($0))" } ?? ""
    return "violated\(at)"
  }
}

extension Counterexample {
  /// The lines of a timeline: what is left of the scenario, and what the run did last.
  static func timeline(
    _ plan: ScenarioPlan, _ result: SimulationResult, _ property: PropertyResult,
    _ pipeline: Pipeline, _ scenario: Scenario, limit: Int
  ) -> [String] {
    let end = property.violatedAt ?? scenario.length
    var lines = life(plan, scenario).filter { $0.at <= end }
    let text = TraceText(pipeline, from: scenario.start, labels: labels(pipeline, plan))
    let events = result.trace.events.filter {
      $0.at - scenario.start <= end && weight($0.fact) != nil
    }
    for event in telling(events, most: max(limit - 1 - lines.count, 3)) {
      var trace = Trace()
      trace.note(event.fact, at: event.at)
      let line = text.render(trace).drop { $0 == " " }.drop { $0 != " " }
      let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if !words.isEmpty { lines.append((event.at - scenario.start, words.shortened)) }
    }
    lines = lines.enumerated().sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.map(\.1)
    if lines.count >= limit { lines.removeFirst(lines.count - limit + 1) }
    let why = "'\(property.name)' is violated: \(property.explanation ?? "")"
    lines.append((end, why))
    return lines.map { "\(padded(TraceText.time($0.at)))  \($0.text)" }
  }

  /// The last events, and of those before them the ones that say most.
  private static func telling(_ events: [TraceEvent], most: Int) -> [TraceEvent] {
    guard events.count > most else { return events }
    var chosen = Set(events.indices.suffix((most + 1) / 2))
    for wanted in 0...2 {
      for index in events.indices.reversed() where chosen.count < most {
        if weight(events[index].fact) == wanted { chosen.insert(index) }
      }
    }
    return chosen.sorted().map { events[$0] }
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, 10 - text.count))
  }

  private static func labels(_ pipeline: Pipeline, _ plan: ScenarioPlan) -> [ItemKey: String] {
    var labels: [ItemKey: String] = [:]
    for (loop, definition) in pipeline.loops.enumerated() {
      guard definition.filesInput != nil else { continue }
      for ordinal in plan.sizes.indices {
        labels[ItemKey(loop: loop, ordinal: ordinal)] = "item \(ordinal + 1)"
      }
    }
    return labels
  }

  /// What a person, the system and the world do.
  private static func life(
    _ plan: ScenarioPlan, _ scenario: Scenario
  ) -> [(at: Duration, text: String)] {
    var lines: [(at: Duration, text: String)] = []
    for (from, to) in LifeSchedule.openings(plan, length: scenario.length) {
      lines.append((from, from == .zero ? "the app is in front" : "a person opens the app"))
      if let to { lines.append((to, "a person leaves the app")) }
    }
    for moment in plan.moments {
      switch moment.what {
      case .action(let action):
        lines.append((moment.after, action.rawValue.replacing("_", with: " ")))
      case .clockChange(let step):
        lines.append((moment.after, TraceText.text(clockChange: step)))
      case .open, .conditions: continue
      }
    }
    let schedule = LifeSchedule(plan, base: scenario.conditions, length: scenario.length)
    for (index, (after, conditions)) in schedule.conditions.enumerated() where index > 0 {
      let before = schedule.conditions[index - 1].1
      let old = Dictionary(uniqueKeysWithValues: before.fields.map { ($0.key, $0.value) })
      let changed = conditions.fields.filter { old[$0.key] != $0.value }
      lines.append(
        (after, changed.map { "\($0.key) is \($0.value)" }.joined(separator: ", ")))
    }
    return lines.sorted { $0.at < $1.at }
  }

  /// How much an event says, 0 the most; `nil` is nothing.
  private static func weight(_ fact: TraceEvent.Fact) -> Int? {
    switch fact {
    case .itemLeft(_, .done, _): 2
    case .itemLeft, .writeFailed, .processEnded, .processBegan(resumed: true): 0
    case .concluded(_, .success): nil
    case .concluded, .reissued: 1
    case .answered(_, let answer): answer.error != nil || answer.status >= 300 ? 1 : nil
    case .sent, .suspended: 2
    default: nil
    }
  }
}

extension String {
  fileprivate var shortened: String { count > 110 ? prefix(109) + "…" : self }
}
