extension Construct {
  package static let ofScenarios: [Construct] = [
    .scenario, .device, .allowance, .resumeDelay, .transferRules, .dayBudget, .discretion,
    .scenarioItems, .sizeSpread, .durationSpread, .scenarioDisk, .conditions, .timelineEntry,
    .randomEntry, .scenarioServer, .faults, .property,
  ]

  static let clockPattern = "^([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"
  private static let sizes = ValueShape.either([.size, .construct(.sizeSpread)])
  private static let durations = ValueShape.either([.duration, .construct(.durationSpread)])

  package static let scenario = Construct(
    "scenario", phrase: "a scenario", Key("scenario", .pattern(namePattern), isRequired: true),
    versionKey, Key("description", .text),
    Key(
      "device", .either([.choice(ScenarioDevice.profiles), .construct(.device)]), default: "ios17"),
    Key("days", .integer(minimum: 1), default: 14),
    Key("start", .text, default: "2026-01-05T00:00:00Z"),
    Key("opening", .either([.choice(["always"]), .duration]), default: "1m"),
    Key("items", .construct(.scenarioItems)),
    Key("inputs", .map(.scalar, names: identifierPattern)), Key("disk", .construct(.scenarioDisk)),
    Key("conditions", .construct(.conditions)), Key("timeline", .list(.construct(.timelineEntry))),
    Key("random", .list(.construct(.randomEntry))), Key("server", .construct(.scenarioServer)),
    Key("properties", .list(.construct(.property))),
    reserved: ["pipeline", "seed", "extends", "use", "servers", "devices"])

  package static let device = Construct(
    "device", phrase: "a device",
    Key("profile", .choice(ScenarioDevice.profiles), isRequired: true),
    Key("allowance", .construct(.allowance)), Key("resume_delay", .construct(.resumeDelay)),
    Key("transfers", .construct(.transferRules)), Key("budget", .construct(.dayBudget)),
    Key("discretion", .construct(.discretion)), reserved: ["name"])

  static let allowance = Construct(
    "allowance", Key("after_foreground", .duration), Key("per_resume", .duration),
    Key("expiry_lead", .duration), Key("certain_part", .fraction), Key("refusals", .fraction))

  static let resumeDelay = Construct(
    "resume_delay", Key("delays", .choice(["resumes", "starts"])), Key("first", .duration),
    Key("factor", .number(minimum: 1)), Key("quiet_reset", .number(minimum: 0)))

  static let transferRules = Construct(
    "transfer_rules", phrase: "'transfers'", Key("connections", .integer(minimum: 1)),
    Key("resumes_uploads", .flag), Key("start_delay", .duration), Key("creation_cost", .duration),
    Key("soft_cap", .integer(minimum: 1)), Key("overload", .duration))

  static let dayBudget = Construct(
    "day_budget", phrase: "'budget'", Key("bytes", .size), Key("period", .duration))

  static let discretion = Construct(
    "discretion", Key("lifted_in_front", .flag), Key("critical_battery", .fraction))

  static let scenarioItems = Construct(
    "scenario_items", phrase: "'items'", Key("count", .integer(minimum: 1), default: 100),
    Key("size", sizes, default: "2 MB"), reserved: ["input", "content_type", "name"])

  static let sizeSpread = Construct(
    "size_spread", phrase: "sizes", Key("from", .size), Key("to", .size), Key("median", .size),
    Key("p90", .size))

  static let durationSpread = Construct(
    "duration_spread", phrase: "durations", Key("from", .duration), Key("to", .duration),
    Key("median", .duration), Key("p90", .duration), Key("mean", .duration))

  static let scenarioDisk = Construct(
    "scenario_disk", phrase: "'disk'", Key("free", .size), Key("write", .rate))

  static let scenarioServer = Construct(
    "scenario_server", phrase: "'server'", Key("latency", durations, default: "0s"),
    Key("lifetimes", .map(.duration, names: stepPattern)), Key("faults", .construct(.faults)),
    Key("clock_skew", .duration, default: "0s"), Key("resumes_uploads", .flag, default: false))

  static let faults: Construct = .init(
    name: "faults", phrase: "'faults'",
    keys: ScenarioServer.Fault.allCases.map { Key($0.rawValue, .fraction, default: 0) } + [
      Key("stale_reads", .duration, default: "0s")
    ])

  package static let property = Construct(
    "property", phrase: "a property", Key("name", .pattern(namePattern), isRequired: true),
    Key("always", .expression), Key("never", .expression), Key("eventually", .expression),
    Key("within", .duration), Key("at_most_once", .expression),
    Key("per", .words(ScenarioProperty.Scope.self), default: "item"),
    alternatives: [.exactlyOne("always", "never", "eventually", "at_most_once")])

  /// Keys of conditions, which are valid in timeline entries too.
  static let conditionKeys = [
    Key("network", .words(ScenarioConditions.Network.self)),
    Key("bandwidth", .rate), Key("latency", .duration), Key("loss", .fraction),
    Key("expensive", .flag), Key("constrained", .flag), Key("power", .flag),
    Key("battery", .fraction), Key("low_power_mode", .flag), Key("locked", .flag),
  ]
  private static let freeKey = Key("free", .size)
  private static let actionKey = Key("do", .words(ScenarioAction.self))
  private static let clockKeys = [Key("clock_forward", .duration), Key("clock_back", .duration)]
  private static let openKey = Key("open", .duration)
  static let conditions: Construct = .init(
    name: "conditions", phrase: "'conditions'", keys: conditionKeys)

  static let timelineEntry: Construct = .init(
    name: "timeline_entry", phrase: "an entry of the timeline",
    keys: [
      Key("at", .pattern(clockPattern)), Key("from", .pattern(clockPattern)),
      Key("to", .pattern(clockPattern)), Key("after", .duration), Key("for", .duration),
      Key("days", .filledList(.words(TimelineEntry.Weekday.self))),
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
