/// A counterexample, as shown in a report.
public struct ShownCounterexample: Sendable {
  /// The result.
  public let counterexample: Counterexample
  /// Number of items of the original scenario.
  public let items: Int
  /// The command that replays it.
  public let command: String

  /// Shows a counterexample.
  public init(_ counterexample: Counterexample, ofItems items: Int, command: String) {
    (self.counterexample, self.items, self.command) = (counterexample, items, command)
  }

  fileprivate var member: (String, Value) {
    func part(_ kept: Int, _ all: Int) -> Value {
      .object([("kept", .number(kept)), ("all", .number(all))])
    }
    let found = counterexample
    return (
      "counterexample",
      .object([
        ("property", .string(found.property)), ("seed", .seed(found.seed)),
        ("items", part(found.scenario.items.count, items)),
        ("events", part(found.moments.kept, found.moments.all)),
        ("timeline", .texts(found.timeline)), ("scenario", .string(found.document)),
        ("command", .string(command)),
      ])
    )
  }
}

extension SimulationReport {
  /// The report as a JSON object on one line, described by `Schemas/simulation-report.schema.json`.
  public func json(_ counterexample: ShownCounterexample? = nil) -> String {
    var members = heading.members
    members += [("seed", .seed(seed))] + summary.members
    members.append(("properties", .list(properties.map { $0.json(seed: seed) })))
    members.append(("advice", .list(advice.map(\.json))))
    if let counterexample { members.append(counterexample.member) }
    return Value.object(members).jsonText() + "\n"
  }
}

extension SeedReport {
  /// The report as one line of JSON, as for one seed, with means over the seeds; completion times cover all items.
  public func json(_ counterexample: ShownCounterexample? = nil) -> String {
    let members =
      heading.members + statistics.members(rows) + [("advice", .list(advice.map(\.json)))]
    return Value.object(members + [counterexample].compactMap { $0?.member }).jsonText() + "\n"
  }
}

extension SimulationComparison {
  /// The comparison as one line of JSON: `cases`, each of the form of ``SeedReport``, and `best`.
  public func json(_ counterexample: ShownCounterexample? = nil) -> String {
    let entries = cases.map { entry in
      let report = SeedReport(entry.heading, entry.statistics)
      let settings = entry.settings.map { ($0.key, Value.string($0.value)) }
      return Value.object(
        [("settings", .object(settings))] + entry.heading.members
          + entry.statistics.members(report.rows))
    }
    var members: [(String, Value)] = [("cases", .list(entries))]
    if let best = ranking.first {
      let label = Value.string(cases[best].label)
      let value = Value.object([
        ("case", .number(best)), ("label", label), ("reason", .string(verdict)),
      ])
      members.append(("best", value))
    }
    members.append(("ranking", .list(ranking.map(Value.number))))
    if let counterexample { members.append(counterexample.member) }
    return Value.object(members).jsonText() + "\n"
  }
}

extension Advice {
  fileprivate var json: Value {
    func figure(_ figure: Figure) -> Value {
      .object([
        ("completed", .number(figure.completed)), ("items", .number(figure.items)),
        ("p90", .seconds(figure.most)), ("bytes_sent", .int(figure.sent)),
        ("bytes_wasted", .int(figure.wasted)), ("violations", .number(figure.violations)),
        ("stopped", .number(figure.stopped)),
      ])
    }
    return .object([
      ("key", .string(setting.key)), ("value", .string(setting.value)), ("text", .string(text)),
      ("seeds", .list(seeds.map { .seed($0) })), ("before", figure(before)),
      ("after", figure(after)),
    ])
  }
}

extension SimulationReport.Heading {
  fileprivate var members: [(String, Value)] {
    [
      ("pipeline", .string(pipeline)), ("scenario", .string(scenario)),
      ("device", .string(device)), ("overrides", .texts(settings)),
    ]
  }
}

extension PropertyResult {
  fileprivate func json(seed: UInt64) -> Value {
    .object([
      ("name", .string(name)), ("holds", .bool(holds)), ("seed", .seed(seed)),
      ("violated_at", .seconds(violatedAt)),
      ("explanation", explanation.map { .string($0) } ?? .null),
    ])
  }
}

extension SeedStatistics {
  fileprivate func members(_ rows: [SeedReport.Row]) -> [(String, Value)] {
    func mean(_ name: String, _ spread: Spread) -> (String, Value) { (name, .double(spread.mean)) }
    func count(_ name: String, _ statuses: Item.Status...) -> (String, Value) {
      mean(name, spread { summary in statuses.reduce(0) { $0 + (summary.counts[$1] ?? 0) } })
    }
    func means(_ sums: [(word: String, number: Double)]) -> Value {
      let divisor = Double(max(seeds.count, 1))
      return .object(
        sums.sorted { $0.word < $1.word }.map { ($0.word, .double($0.number / divisor)) })
    }
    let spreads = rows.map { ($0.member ?? $0.name.replacing(" ", with: "_"), $0.spread.json) }
    let members: [(String, Value)] = [
      ("seeds", .number(seeds.count)), ("first_seed", seeds.first.map { .seed($0) } ?? .null),
      mean("items", spread(\.items)), count("completed", .done), count("failed", .failed),
      count("paused", .paused), count("skipped", .skipped), count("cancelled", .cancelled),
      count("unfinished", .pending, .active), mean("device_seconds", spread(\.deviceTime.seconds)),
      ("completed_at", itemCompletion.json), ("all_completed_at", runCompletion.json),
      mean("wakes", spread(\.wakes)), mean("added_wait_seconds", spread(\.addedWait.seconds)),
      mean("bytes_sent", spread(\.bytesSent)), mean("bytes_wasted", spread(\.bytesWasted)),
      ("reissues", means(sums { $0.reissuesByStep.mapValues(Double.init) })),
      ("reissue_causes", means(sums { $0.reissueCauses.mapValues(Double.init) })),
      ("stalls", means(sums { $0.stalls.mapValues(\.seconds) })),
      mean("peak_disk_bytes", spread(\.peakDiskBytes)), ("spread", .object(spreads)),
    ]
    return members + [("properties", .list(properties.map(\.json)))]
  }
}

extension SeedStatistics.PropertyCount {
  fileprivate var json: Value {
    .object([
      ("name", .string(name)), ("holds", .bool(violations == 0)),
      ("seed", firstSeed.map { .seed($0) } ?? .null), ("violations", .number(violations)),
    ])
  }
}

extension SeedStatistics.Spread {
  /// The median, 90 %, 99 % and the part that never completed.
  fileprivate var json: Value {
    func value(_ part: Double) -> Value { quantile(part).map { .double($0) } ?? .null }
    return .object([
      ("p50", value(0.5)), ("p90", value(0.9)), ("p99", value(0.99)), ("never", .double(neverPart)),
    ])
  }
}

extension Value {
  static func object(_ members: [(String, Value)]) -> Value { .map(MapValue(members)) }
  static func number(_ number: Int) -> Value { .int(Int64(number)) }
  static func texts(_ texts: [String]) -> Value { .list(texts.map(Value.string)) }

  static func seconds(_ duration: Duration?) -> Value {
    duration.map { .double($0.seconds) } ?? .null
  }

  /// A seed; many JSON readers keep whole numbers only up to 2^53, but ours keeps all.
  fileprivate static func seed(_ seed: UInt64) -> Value { .uint(seed) }
}
