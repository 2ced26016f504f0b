package import PipelineDocument
import CEL

extension Grammar {
  static let clockPattern = "^([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"

  private static let sizes = ValueShape.either([.size, .construct(.sizeSpread)])
  private static let durations = ValueShape.either([.duration, .construct(.durationSpread)])

  package static let scenario = Construct(
    name: .scenario, phrase: "a scenario",
    summary:
      "A simulated period of a device's use, and the properties that pipelines must have in it.",
    keys: [
      Key(
        "scenario", .pattern(namePattern), "Name of the scenario.", isRequired: true,
        examples: ["commuter"]),
      versionKey,
      Key("description", .text, "What it shows, in a sentence."),
      Key(
        "device", .either([.choice(ScenarioDevice.profiles), .construct(.device)]),
        "The device's parameters: a profile by name, or a profile with changed values.",
        default: "ios17", examples: ["ios8"]),
      Key(
        "days", .integer(minimum: 1), "Days after which the simulation ends, even if work remains.",
        default: 14),
      Key(
        "start", .text, "Start of virtual time, in RFC 3339. Times of day are UTC.",
        default: "2026-01-05T00:00:00Z"),
      Key(
        "opening", .either([.choice(["always"]), .duration]),
        "How long the app stays in the foreground at the start, when the user starts the upload.",
        default: "1m", examples: ["5m"]),
      Key(
        "items", .construct(.scenarioItems), "The files to upload.",
        examples: [["count": 300, "size": ["median": "2 MB", "p90": "6 MB"]]]),
      Key(
        "inputs", .map(.scalar, names: identifierPattern),
        """
        Values of the pipeline's inputs, by name. URLs, texts, Booleans and secrets without a value get a placeholder; \
        file inputs get the items.
        """, examples: [["server": "https://api.test"]]),
      Key("disk", .construct(.scenarioDisk), "The disk for files written by the run."),
      Key(
        "conditions", .construct(.conditions), "The default conditions around the device.",
        examples: [["network": "cellular", "bandwidth": "1 MB/s"]]),
      Key(
        "timeline", .list(.construct(.timelineEntry)),
        "What the user and the environment do, and when.",
        examples: [[["at": "08:10", "open": "2m"]]]),
      Key(
        "random", .list(.construct(.randomEntry)), "What happens repeatedly, at random times.",
        examples: [[["do": "system_kill", "every": "6h"]]]),
      Key(
        "server", .construct(.scenarioServer),
        "How the server behaves. By default it has no faults."),
      Key(
        "properties", .list(.construct(.property)), "The properties that must hold.",
        examples: [[["name": "no-failure", "never": "${{ items.failed > 0 }}"]]]),
    ],
    reserved: ["pipeline", "seed", "extends", "use", "servers", "devices"])

  package static let device = Construct(
    name: .device, phrase: "a device", summary: "A profile, and the values that differ from it.",
    keys: [
      Key(
        "profile", .choice(ScenarioDevice.profiles), "The profile with the default values.",
        isRequired: true, examples: ["ios17"]),
      Key(
        "allowance", .construct(.allowance), "How long the app may run in the background (BT1–BT8)."
      ),
      Key("resume_delay", .construct(.resumeDelay), "The resume rate limiter (RL1–RL8)."),
      Key("transfers", .construct(.transferRules), "The transfer service (TX1–TX24)."),
      Key("budget", .construct(.dayBudget), "Bytes of discretionary transfers per day (DI4)."),
      Key("discretion", .construct(.discretion), "Transfers at the system's discretion (DI1–DI6)."),
    ],
    reserved: ["name"])

  static let allowance = Construct(
    name: .allowance, phrase: "'allowance'", summary: "How long the app may run in the background.",
    keys: [
      Key("after_foreground", .duration, "After leaving the foreground (BT1).", examples: ["30s"]),
      Key(
        "per_resume", .duration, "Each time the transfer service wakes it (BT2).",
        examples: ["30s"]),
      Key("expiry_lead", .duration, "The expiry handler runs this long before the end (BT4)."),
      Key("certain_part", .fraction, "The smallest fraction that is actually granted (BT3)."),
      Key("refusals", .fraction, "The chance that an assertion is refused (BT5)."),
    ])

  static let resumeDelay = Construct(
    name: .resumeDelay, phrase: "'resume_delay'",
    summary: "The delay that grows each time the app is woken for its transfers.",
    keys: [
      Key(
        "delays", .choice(["resumes", "starts"]),
        "What is delayed: resumes, as on iOS 7, or starts of transfers from the background (RL4)."),
      Key("first", .duration, "The first delay (RL2).", examples: ["60s"]),
      Key("factor", .number(minimum: 1), "Growth with each resume (RL1)."),
      Key(
        "quiet_reset", .number(minimum: 0),
        "The delay is reset after this many times its length without a resume (RL8)."),
    ])

  static let transferRules = Construct(
    name: .transferRules, phrase: "'transfers'", summary: "The parameters of the transfer service.",
    keys: [
      Key("connections", .integer(minimum: 1), "Maximum number of transfers in progress at once."),
      Key(
        "resumes_uploads", .flag,
        "Whether an interrupted upload continues where it stopped (TX9, TX10)."),
      Key("start_delay", .duration, "Time before the first byte (TX22)."),
      Key("creation_cost", .duration, "Time that the app takes to create a task (TX20)."),
      Key(
        "soft_cap", .integer(minimum: 1),
        "Number of queued tasks beyond which the service gets slow (TX21)."),
      Key("overload", .duration, "Delay of a task behind a thousand others (TX21)."),
    ])

  static let dayBudget = Construct(
    name: .dayBudget, phrase: "'budget'",
    summary: "Bytes that discretionary transfers may send on Wi-Fi.",
    keys: [
      Key("bytes", .size, "Bytes per period.", examples: ["5 GB"]),
      Key("period", .duration, "The period.", examples: ["1d"]),
    ])

  static let discretion = Construct(
    name: .discretion, phrase: "'discretion'", summary: "What is left to the system's discretion.",
    keys: [
      Key(
        "lifted_in_front", .flag,
        "Whether background transfers become ordinary ones while the app is in the foreground (DI2)."
      ),
      Key(
        "critical_battery", .fraction,
        "Battery level below which only essential transfers run (DI6)."),
    ])

  static let scenarioItems = Construct(
    name: .scenarioItems, phrase: "'items'", summary: "The files to upload.",
    keys: [
      Key("count", .integer(minimum: 1), "Number of files.", default: 100),
      Key("size", sizes, "Size of each file.", default: "2 MB", examples: ["2 MB"]),
    ],
    reserved: ["input", "content_type", "name"])

  static let sizeSpread = Construct(
    name: .sizeSpread, phrase: "sizes",
    summary:
      "A distribution of sizes: uniform between two bounds, or log-normal by median and 90th percentile.",
    keys: [
      Key("from", .size, "Smallest size.", examples: ["1 MB"]),
      Key("to", .size, "Largest size.", examples: ["5 MB"]),
      Key("median", .size, "Median: half of them are smaller.", examples: ["2 MB"]),
      Key("p90", .size, "90th percentile: nine in ten are smaller.", examples: ["6 MB"]),
    ])

  static let durationSpread = Construct(
    name: .durationSpread, phrase: "durations",
    summary:
      "A distribution of durations: uniform between two bounds, log-normal by median and 90th percentile, or exponential by mean.",
    keys: [
      Key("from", .duration, "Shortest.", examples: ["50ms"]),
      Key("to", .duration, "Longest.", examples: ["2s"]),
      Key("median", .duration, "Median: half of them are shorter.", examples: ["80ms"]),
      Key("p90", .duration, "90th percentile: nine in ten are shorter.", examples: ["400ms"]),
      Key("mean", .duration, "Mean of an exponential distribution.", examples: ["200ms"]),
    ])

  static let scenarioDisk = Construct(
    name: .scenarioDisk, phrase: "'disk'",
    summary: "The disk for files written by the run. The user's own files do not count.",
    keys: [
      Key(
        "free", .size,
        "Free space. By default unlimited. An entry of the timeline changes it with `free`.",
        examples: ["2 GB"]),
      Key(
        "write", .rate, "Write speed. By default files are written at once.", examples: ["100 MB/s"]
      ),
    ])

  static let scenarioServer = Construct(
    name: .scenarioServer, phrase: "'server'", summary: "How the server behaves.",
    keys: [
      Key("latency", durations, "Time to a response.", default: "0s", examples: ["200ms"]),
      Key(
        "lifetimes", .map(.duration, names: stepPattern),
        "How long a step's results are valid on the server, by step ID, whatever the response says.",
        examples: [["allocate": "1h"]]),
      Key("faults", .construct(.faults), "What goes wrong, and how often."),
      Key("clock_skew", .duration, "How far the server's clock is ahead.", default: "0s"),
    ])

  static let faults = Construct(
    name: .faults, phrase: "'faults'",
    summary: "What goes wrong on the server: probabilities per request, from 0 to 1.",
    keys: [
      Key("server_error", .fraction, "The server responds with 503.", default: 0),
      Key("throttled", .fraction, "The server responds with 429 and `Retry-After`.", default: 0),
      Key(
        "lost_reply", .fraction, "The server processes the request, but the response is lost.",
        default: 0),
      Key("lost_request", .fraction, "The request never arrives.", default: 0),
      Key("duplicate", .fraction, "The request arrives twice.", default: 0),
      Key("revoked", .fraction, "What the request created expires early.", default: 0),
      Key(
        "stale_reads", .duration, "Time until the result of a request becomes visible.",
        default: "0s"),
    ])

  package static let property = Construct(
    name: .property, phrase: "a property", summary: "A property that must hold.",
    keys: [
      Key("name", .pattern(namePattern), "Its name.", isRequired: true, examples: ["no-failure"]),
      Key(
        "always", .expression, "Must be true at all times.",
        examples: ["${{ disk.used <= 512 * 1024 * 1024 }}"]),
      Key("never", .expression, "Must never be true.", examples: ["${{ items.failed > 0 }}"]),
      Key(
        "eventually", .expression, "Must be true at some time.",
        examples: ["${{ items.completed == items.count }}"]),
      Key("within", .duration, "Time limit of `eventually`, from the start.", examples: ["7d"]),
      Key(
        "at_most_once", .expression, "Must be true for at most one response of the server.",
        examples: [#"${{ request.step == "finalize" && response.status < 300 }}"#]),
      Key(
        "per", .choice(ScenarioProperty.Scope.allCases.map(\.rawValue)),
        "Whether `at_most_once` counts responses per item or per run.", default: "item"),
    ],
    alternatives: [
      .exactlyOne("always", "never", "eventually", "at_most_once")
    ])
}

extension Construct.Name {
  package static let scenario: Self = .init("scenario") { Grammar.scenario }
  package static let device: Self = .init("device") { Grammar.device }
  static let allowance: Self = .init("allowance") { Grammar.allowance }
  static let resumeDelay: Self = .init("resume_delay") { Grammar.resumeDelay }
  static let transferRules: Self = .init("transfer_rules") { Grammar.transferRules }
  static let dayBudget: Self = .init("day_budget") { Grammar.dayBudget }
  static let discretion: Self = .init("discretion") { Grammar.discretion }
  static let scenarioItems: Self = .init("scenario_items") { Grammar.scenarioItems }
  static let sizeSpread: Self = .init("size_spread") { Grammar.sizeSpread }
  static let durationSpread: Self = .init("duration_spread") { Grammar.durationSpread }
  static let scenarioDisk: Self = .init("scenario_disk") { Grammar.scenarioDisk }
  static let conditions: Self = .init("conditions") { Grammar.conditions }
  static let timelineEntry: Self = .init("timeline_entry") { Grammar.timelineEntry }
  static let randomEntry: Self = .init("random_entry") { Grammar.randomEntry }
  static let scenarioServer: Self = .init("scenario_server") { Grammar.scenarioServer }
  static let faults: Self = .init("faults") { Grammar.faults }
  package static let property: Self = .init("property") { Grammar.property }

  package static let ofScenarios: [Self] = [
    .scenario, .device, .allowance, .resumeDelay, .transferRules, .dayBudget, .discretion,
    .scenarioItems, .sizeSpread, .durationSpread, .scenarioDisk, .conditions, .timelineEntry,
    .randomEntry, .scenarioServer, .faults, .property,
  ]
}
