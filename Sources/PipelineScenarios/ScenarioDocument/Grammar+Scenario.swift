package import PipelineDocument
import CEL

/// The keys of scenarios.
extension Grammar {
  /// The pattern of a time of day.
  static let clockPattern = "^([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"
  private static let sizes = ValueShape.either([.size, .construct(.sizeSpread)])
  private static let durations = ValueShape.either([.duration, .construct(.durationSpread)])

  package static let scenario = Construct(
    name: .scenario, phrase: "a scenario",
    keys: [
      Key("scenario", .pattern(namePattern), isRequired: true, examples: ["commuter"]),
      versionKey,
      Key("description", .text),
      Key(
        "device", .either([.choice(ScenarioDevice.profiles), .construct(.device)]),
        default: "ios17", examples: ["ios8"]),
      Key("days", .integer(minimum: 1), default: 14),
      Key("start", .text, default: "2026-01-05T00:00:00Z"),
      Key("opening", .either([.choice(["always"]), .duration]), default: "1m", examples: ["5m"]),
      Key(
        "items", .construct(.scenarioItems),
        examples: [["count": 300, "size": ["median": "2 MB", "p90": "6 MB"]]]),
      Key(
        "inputs", .map(.scalar, names: identifierPattern),
        examples: [["server": "https://api.test"]]),
      Key("disk", .construct(.scenarioDisk)),
      Key(
        "conditions", .construct(.conditions),
        examples: [["network": "cellular", "bandwidth": "1 MB/s"]]),
      Key(
        "timeline", .list(.construct(.timelineEntry)), examples: [[["at": "08:10", "open": "2m"]]]),
      Key(
        "random", .list(.construct(.randomEntry)),
        examples: [[["do": "system_kill", "every": "6h"]]]),
      Key("server", .construct(.scenarioServer)),
      Key(
        "properties", .list(.construct(.property)),
        examples: [[["name": "no-failure", "never": "${{ items.failed > 0 }}"]]]),
    ], reserved: ["pipeline", "seed", "extends", "use", "servers", "devices"])

  package static let device = Construct(
    name: .device, phrase: "a device",
    keys: [
      Key("profile", .choice(ScenarioDevice.profiles), isRequired: true, examples: ["ios17"]),
      Key("allowance", .construct(.allowance)),
      Key("resume_delay", .construct(.resumeDelay)),
      Key("transfers", .construct(.transferRules)),
      Key("budget", .construct(.dayBudget)),
      Key("discretion", .construct(.discretion)),
    ], reserved: ["name"])

  static let allowance = Construct(
    name: .allowance, phrase: "'allowance'",
    keys: [
      Key("after_foreground", .duration, examples: ["30s"]),
      Key("per_resume", .duration, examples: ["30s"]),
      Key("expiry_lead", .duration),
      Key("certain_part", .fraction),
      Key("refusals", .fraction),
    ])

  static let resumeDelay = Construct(
    name: .resumeDelay, phrase: "'resume_delay'",
    keys: [
      Key("delays", .choice(["resumes", "starts"])),
      Key("first", .duration, examples: ["60s"]),
      Key("factor", .number(minimum: 1)),
      Key("quiet_reset", .number(minimum: 0)),
    ])

  static let transferRules = Construct(
    name: .transferRules, phrase: "'transfers'",
    keys: [
      Key("connections", .integer(minimum: 1)),
      Key("resumes_uploads", .flag),
      Key("start_delay", .duration),
      Key("creation_cost", .duration),
      Key("soft_cap", .integer(minimum: 1)),
      Key("overload", .duration),
    ])

  static let dayBudget = Construct(
    name: .dayBudget, phrase: "'budget'",
    keys: [
      Key("bytes", .size, examples: ["5 GB"]),
      Key("period", .duration, examples: ["1d"]),
    ])

  static let discretion = Construct(
    name: .discretion, phrase: "'discretion'",
    keys: [
      Key("lifted_in_front", .flag),
      Key("critical_battery", .fraction),
    ])

  static let scenarioItems = Construct(
    name: .scenarioItems, phrase: "'items'",
    keys: [
      Key("count", .integer(minimum: 1), default: 100),
      Key("size", sizes, default: "2 MB", examples: ["2 MB"]),
    ], reserved: ["input", "content_type", "name"])

  static let sizeSpread = Construct(
    name: .sizeSpread, phrase: "sizes",
    keys: [
      Key("from", .size, examples: ["1 MB"]),
      Key("to", .size, examples: ["5 MB"]),
      Key("median", .size, examples: ["2 MB"]),
      Key("p90", .size, examples: ["6 MB"]),
    ])

  static let durationSpread = Construct(
    name: .durationSpread, phrase: "durations",
    keys: [
      Key("from", .duration, examples: ["50ms"]),
      Key("to", .duration, examples: ["2s"]),
      Key("median", .duration, examples: ["80ms"]),
      Key("p90", .duration, examples: ["400ms"]),
      Key("mean", .duration, examples: ["200ms"]),
    ])

  static let scenarioDisk = Construct(
    name: .scenarioDisk, phrase: "'disk'",
    keys: [
      Key("free", .size, examples: ["2 GB"]),
      Key("write", .rate, examples: ["100 MB/s"]),
    ])

  static let scenarioServer = Construct(
    name: .scenarioServer, phrase: "'server'",
    keys: [
      Key("latency", durations, default: "0s", examples: ["200ms"]),
      Key("lifetimes", .map(.duration, names: stepPattern), examples: [["allocate": "1h"]]),
      Key("faults", .construct(.faults)),
      Key("clock_skew", .duration, default: "0s"),
    ])

  static let faults = Construct(
    name: .faults, phrase: "'faults'",
    keys: [
      Key("server_error", .fraction, default: 0),
      Key("throttled", .fraction, default: 0),
      Key("lost_reply", .fraction, default: 0),
      Key("lost_request", .fraction, default: 0),
      Key("duplicate", .fraction, default: 0),
      Key("revoked", .fraction, default: 0),
      Key("stale_reads", .duration, default: "0s"),
    ])

  package static let property = Construct(
    name: .property, phrase: "a property",
    keys: [
      Key("name", .pattern(namePattern), isRequired: true, examples: ["no-failure"]),
      Key("always", .expression, examples: ["${{ disk.used <= 512 * 1024 * 1024 }}"]),
      Key("never", .expression, examples: ["${{ items.failed > 0 }}"]),
      Key("eventually", .expression, examples: ["${{ items.completed == items.count }}"]),
      Key("within", .duration, examples: ["7d"]),
      Key(
        "at_most_once", .expression,
        examples: [#"${{ request.step == "finalize" && response.status < 300 }}"#]),
      Key("per", .choice(ScenarioProperty.Scope.allCases.map(\.rawValue)), default: "item"),
    ], alternatives: [.exactlyOne("always", "never", "eventually", "at_most_once")])
}
