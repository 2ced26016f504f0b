/// The shortest violation of a property that was found, and how to replay it.
public struct Counterexample: Sendable {
  /// Name of the property.
  public let property: String
  /// The seed, which is needed with the scenario below.
  public let seed: UInt64
  /// The reduced scenario: as few items, events and faults as still violate the property.
  public let scenario: Scenario
  /// How the run violates it.
  public let result: SimulationResult
  /// Events left in the scenario, and how many there were.
  public let moments: (kept: Int, all: Int)
  /// Number of simulations that the search needed.
  public let runs: Int
  /// What happens, one line each, at most `limit` lines; the last one names the violation.
  public let timeline: [String]

  /// The scenario as a document, for `pipeline simulate --scenario` with the same seed.
  public var document: String { scenario.document(note: note) }

  private var note: String {
    let found = result.properties.first { $0.name == property }
    let at = found?.violatedAt.map { " after \(TraceText.time($0))" } ?? ""
    return
      "The shortest violation of '\(property)' found: violated\(at). Replay it with seed \(seed)."
  }

  /// The lines of a timeline: the rest of the scenario, which is all part of the cause, and its
  /// effects on one item: the one whose request violates the property, or else the first that is not done.
  static func timeline(
    _ plan: ScenarioPlan, _ result: SimulationResult, _ property: PropertyResult,
    _ pipeline: Pipeline, _ scenario: Scenario, limit: Int
  ) -> [String] {
    let end = property.violatedAt ?? scenario.length
    let text = TraceText(pipeline, from: scenario.start, labels: labels(pipeline, plan))
    let focus = Focus(
      item: property.request?.item ?? property.item ?? result.unfinished, request: property.request,
      result.trace)
    var all = life(plan, scenario).filter { $0.at <= end }.map {
      (at: $0.at, line: $0.text, weight: 0)
    }
    for event in result.trace.events where event.at - scenario.start <= end {
      guard let weight = focus.weight(event.fact) else { continue }
      var trace = Trace()
      trace.note(event.fact, at: event.at)
      let line = text.render(trace).drop { $0 == " " }.drop { $0 != " " }
      let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if !words.isEmpty { all.append((event.at - scenario.start, words.shortened, weight)) }
    }
    all = all.enumerated().sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.map(\.1)
    let dated = all.map { ("\(padded(TraceText.time($0.at)))  \($0.line)", $0.weight) }
    let why = "'\(property.name)' is violated: \(property.explanation ?? "")"
    return ShortTimeline.lines(dated, limit: limit - 1, gap: padded("") + "  … ")
      + ["\(padded(TraceText.time(end)))  \(why)"]
  }

  private static func padded(_ text: String) -> String { TraceText.padded(text, 10) }

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

  private static func life(
    _ plan: ScenarioPlan, _ scenario: Scenario
  ) -> [(at: Duration, text: String)] {
    var lines: [(at: Duration, text: String)] = []
    for (from, to) in LifeSchedule.openings(plan, length: scenario.length) {
      lines.append(
        (from, from == .zero ? "the app is in the foreground" : "the user opens the app"))
      if let to { lines.append((to, "the user leaves the app")) }
    }
    for moment in plan.moments {
      switch moment.happening {
      case .action(let action):
        lines.append((moment.after, action.rawValue.replacing("_", with: " ")))
      case .clockChange(let step): lines.append((moment.after, TraceText.text(clockChange: step)))
      case .open, .conditions: continue
      }
    }
    let schedule = LifeSchedule(plan, base: scenario.conditions, length: scenario.length)
    for (index, (after, conditions)) in schedule.conditions.enumerated() where index > 0 {
      let before = schedule.conditions[index - 1].1
      let old = Dictionary(uniqueKeysWithValues: before.fields.map { ($0.key, $0.value) })
      let new = conditions.fields
      let changed = new.filter { old[$0.key] != $0.value }.map { "\($0.key) is \($0.value)" }
      // Free space, for example, has no number if it is unlimited.
      let ended = before.fields.filter { field in !new.contains { $0.key == field.key } }
        .map { "\($0.key) is no longer limited" }
      lines.append((after, (changed + ended).joined(separator: ", ")))
    }
    return lines.sorted { $0.at < $1.at }
  }
}

private struct Focus {
  let item: ItemKey?
  /// A request of the step to blame.
  let request: EffectID?
  /// Attempts that never left the device: they report each time that there is no network.
  private let unsent: Set<EffectID>

  init(item: ItemKey?, request: EffectID?, _ trace: Trace) {
    (self.item, self.request) = (item, request)
    unsent = Set(
      trace.events.compactMap { event in
        guard case .answered(let id, let response) = event.fact else { return nil }
        return response.error?.kind == .networkUnavailable ? id : nil
      })
  }

  /// The rank of an event, lower being more important; `nil` if it is irrelevant, or belongs to another item.
  func weight(_ fact: TraceEvent.Fact) -> Int? {
    switch fact {
    case .processEnded, .processBegan(resumed: true): 1
    case .itemLeft(let key, let status, _):
      item == nil || key == item ? (status == .done ? 3 : 1) : nil
    // What nothing else shows is the cause.
    case .odd(let id, _): weight(id, 0)
    case .writeFailed(let id, _), .reissued(let id, _): weight(id, 1)
    case .concluded(_, .success): nil
    case .concluded(let id, _): weight(id, 2)
    case .answered(let id, let response):
      weight(id, response.error != nil || response.status >= 300 ? 1 : 3)
    case .sent(let exchange): weight(exchange.id, 2)
    case .device(.transferHeld(let id, let hold)): hold == .connections ? nil : weight(id, 2)
    case .suspended: 3
    default: nil
    }
  }

  private func weight(_ id: EffectID, _ usual: Int) -> Int? {
    if let item, let other = id.item, other.whole != item.whole { return nil }
    if unsent.contains(id) { return 4 }
    return request.map { $0.step == id.step && $0.item == id.item } == true ? 0 : usual
  }
}

extension String { fileprivate var shortened: String { count > 110 ? prefix(109) + "…" : self } }
