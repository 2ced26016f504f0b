import CEL
import PipelineCore
import PipelineDocument
import PipelineScenarios

/// A counterexample, as shown in a report.
public struct ShownCounterexample: Sendable {
  /// What was found.
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
      .object([("kept", .int(Int64(kept))), ("all", .int(Int64(all)))])
    }
    let found = counterexample
    return (
      "counterexample",
      .object([
        ("property", .string(found.property)), ("seed", .seed(found.seed)),
        ("items", part(found.scenario.items.count, items)),
        ("events", part(found.moments.kept, found.moments.all)),
        ("timeline", .list(found.timeline.map { .string($0) })),
        ("scenario", .string(found.document)), ("command", .string(command)),
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
  /// The report as a JSON object on one line, of the same form as that of one seed; numbers are
  /// means over the seeds, and completion times cover all items of all seeds.
  public func json(_ counterexample: ShownCounterexample? = nil) -> String {
    let members =
      heading.members + statistics.members(rows) + [("advice", .list(advice.map(\.json)))]
    return Value.object(members + [counterexample].compactMap { $0?.member }).jsonText() + "\n"
  }
}

extension SimulationComparison {
  /// The comparison as a JSON object on one line: `cases`, each of the form of ``SeedReport``, and
  /// `best`.
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
      members.append(
        (
          "best",
          .object([
            ("case", .int(Int64(best))), ("label", .string(cases[best].label)),
            ("reason", .string(verdict)),
          ])
        ))
    }
    members.append(("ranking", .list(ranking.map { .int(Int64($0)) })))
    if let counterexample { members.append(counterexample.member) }
    return Value.object(members).jsonText() + "\n"
  }
}

extension Advice {
  fileprivate var json: Value {
    func figure(_ figure: Figure) -> Value {
      .object([
        ("completed", .int(Int64(figure.completed))), ("items", .int(Int64(figure.items))),
        ("p90", figure.most.map { .double($0.seconds) } ?? .null),
        ("bytes_sent", .int(figure.sent)), ("bytes_wasted", .int(figure.wasted)),
        ("violations", .int(Int64(figure.violations))), ("stopped", .int(Int64(figure.stopped))),
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
      ("device", .string(device)), ("overrides", .list(settings.map { .string($0) })),
    ]
  }
}

extension PropertyResult {
  fileprivate func json(seed: UInt64) -> Value {
    .object([
      ("name", .string(name)), ("holds", .bool(holds)), ("seed", .seed(seed)),
      ("violated_at", violatedAt.map { .double($0.seconds) } ?? .null),
      ("explanation", explanation.map { .string($0) } ?? .null),
    ])
  }
}

extension SeedStatistics {
  fileprivate func members(_ rows: [SeedReport.Row]) -> [(String, Value)] {
    func mean(_ name: String, _ number: (SimulationSummary) -> Double) -> (String, Value) {
      (name, .double(spread(number).mean))
    }
    func count(_ name: String, _ statuses: Item.Status...) -> (String, Value) {
      mean(name) { summary in Double(statuses.reduce(0) { $0 + (summary.counts[$1] ?? 0) }) }
    }
    let divisor = Double(max(seeds.count, 1))
    var members: [(String, Value)] = [
      ("seeds", .int(Int64(seeds.count))), ("first_seed", seeds.first.map { .seed($0) } ?? .null),
      mean("items") { Double($0.items) }, count("completed", .done), count("failed", .failed),
      count("paused", .paused), count("skipped", .skipped), count("cancelled", .cancelled),
      count("unfinished", .pending, .active), mean("device_seconds") { $0.deviceTime.seconds },
      ("completed_at", itemCompletion.json), ("all_completed_at", runCompletion.json),
      mean("wakes") { Double($0.wakes) }, mean("added_wait_seconds") { $0.addedWait.seconds },
      mean("bytes_sent") { Double($0.bytesSent) }, mean("bytes_wasted") { Double($0.bytesWasted) },
    ]
    func means(_ sums: [(word: String, number: Double)]) -> Value {
      .object(sums.sorted { $0.word < $1.word }.map { ($0.word, .double($0.number / divisor)) })
    }
    members += [
      ("reissues", means(sums { $0.reissuesByStep.mapValues(Double.init) })),
      ("reissue_causes", means(sums { $0.reissueCauses.mapValues(Double.init) })),
      ("stalls", means(sums { $0.stalls.mapValues(\.seconds) })),
      mean("peak_disk_bytes") { Double($0.peakDiskBytes) },
      (
        "spread",
        .object(rows.map { ($0.member ?? $0.name.replacing(" ", with: "_"), $0.spread.json) })
      ),
      (
        "properties",
        .list(
          properties.map { property in
            .object([
              ("name", .string(property.name)), ("holds", .bool(property.violations == 0)),
              ("seed", property.firstSeed.map { .seed($0) } ?? .null),
              ("violations", .int(Int64(property.violations))),
            ])
          })
      ),
    ]
    return members
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
  fileprivate static func object(_ members: [(String, Value)]) -> Value { .map(MapValue(members)) }
  /// A seed; many JSON readers keep whole numbers only up to 2^53, but ours keeps all.
  fileprivate static func seed(_ seed: UInt64) -> Value { .uint(seed) }
}
