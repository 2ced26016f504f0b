import PipelineDocument
import CEL

/// The keys of a scenario's timeline.
extension Construct {
  /// Keys of conditions, which are valid in timeline entries too.
  static let conditionKeys = [
    Key("network", .choice(ScenarioConditions.Network.allCases.map(\.rawValue))),
    Key("bandwidth", .rate), Key("latency", .duration), Key("loss", .fraction),
    Key("expensive", .flag), Key("constrained", .flag), Key("power", .flag),
    Key("battery", .fraction), Key("low_power_mode", .flag), Key("locked", .flag),
  ]
  private static let freeKey = Key("free", .size)
  private static let actionKey = Key("do", .choice(ScenarioAction.allCases.map(\.rawValue)))
  private static let clockKeys = [
    Key("clock_forward", .duration), Key("clock_back", .duration),
  ]
  private static let openKey = Key("open", .duration)
  static let conditions: Construct = .init(
    name: "conditions", phrase: "'conditions'", keys: conditionKeys)

  static let timelineEntry: Construct = .init(
    name: "timeline_entry", phrase: "an entry of the timeline",
    keys: [
      Key("at", .pattern(clockPattern)), Key("from", .pattern(clockPattern)),
      Key("to", .pattern(clockPattern)), Key("after", .duration), Key("for", .duration),
      Key("days", .filledList(.choice(TimelineEntry.Weekday.allCases.map(\.rawValue)))),
      Key("day", .integer(minimum: 1)), openKey, actionKey,
    ] + clockKeys + conditionKeys + [
      freeKey, Key("jitter", .duration, default: "0s"), Key("chance", .fraction, default: 1),
    ], alternatives: [.exactlyOne("at", "from", "after"), .atMostOne("day", "days", "after")],
    reserved: ["every", "until"])

  static let randomEntry: Construct = .init(
    name: "random_entry", phrase: "an entry of 'random'",
    keys: [
      Key("every", .duration, isRequired: true),
      Key("for", .either([.duration, .construct(.durationSpread)])), openKey, actionKey,
    ] + clockKeys + conditionKeys + [freeKey],
    reserved: ["at", "from", "to", "days", "day", "jitter"])
}
