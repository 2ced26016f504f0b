import PipelineDocument
import CEL

/// The keys of a scenario's timeline.
extension Grammar {
  /// Keys of conditions, which are valid in timeline entries too.
  static let conditionKeys = [
    Key(
      "network", .choice(ScenarioConditions.Network.allCases.map(\.rawValue)), examples: ["wifi"]),
    Key("bandwidth", .rate, examples: ["5 MB/s"]),
    Key("latency", .duration, examples: ["80ms"]),
    Key("loss", .fraction, examples: [0.01]),
    Key("expensive", .flag),
    Key("constrained", .flag),
    Key("power", .flag),
    Key("battery", .fraction, examples: [0.8]),
    Key("low_power_mode", .flag),
    Key("locked", .flag),
  ]
  private static let freeKey = Key("free", .size, examples: ["500 MB"])
  private static let actionKey = Key(
    "do", .choice(ScenarioAction.allCases.map(\.rawValue)), examples: ["force_quit"])
  private static let clockKeys = [
    Key("clock_forward", .duration, examples: ["2h"]),
    Key("clock_back", .duration, examples: ["2h"]),
  ]
  private static let openKey = Key("open", .duration, examples: ["2m"])
  static let conditions = Construct(name: .conditions, phrase: "'conditions'", keys: conditionKeys)

  static let timelineEntry = Construct(
    name: .timelineEntry, phrase: "an entry of the timeline",
    keys: [
      Key("at", .pattern(clockPattern), examples: ["08:10"]),
      Key("from", .pattern(clockPattern), examples: ["23:00"]),
      Key("to", .pattern(clockPattern), examples: ["07:00"]),
      Key("after", .duration, examples: ["2h30m"]),
      Key("for", .duration, examples: ["30m"]),
      Key(
        "days", .filledList(.choice(TimelineEntry.Weekday.allCases.map(\.rawValue))),
        examples: [["mon", "tue"]]),
      Key("day", .integer(minimum: 1), examples: [3]),
      openKey, actionKey,
    ] + clockKeys + conditionKeys + [
      freeKey,
      Key("jitter", .duration, default: "0s"),
      Key("chance", .fraction, default: 1),
    ], alternatives: [.exactlyOne("at", "from", "after"), .atMostOne("day", "days", "after")],
    reserved: ["every", "until"])

  static let randomEntry = Construct(
    name: .randomEntry, phrase: "an entry of 'random'",
    keys: [
      Key("every", .duration, isRequired: true, examples: ["6h"]),
      Key("for", .either([.duration, .construct(.durationSpread)]), examples: ["5m"]),
      openKey, actionKey,
    ] + clockKeys + conditionKeys + [freeKey],
    reserved: ["at", "from", "to", "days", "day", "jitter"])
}
