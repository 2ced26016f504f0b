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
    summary:
      "Days in the life of a device in which pipelines are simulated, and what must hold all the while.",
    keys: [
      Key(
        "scenario", .pattern(namePattern), "Name of the scenario.", isRequired: true,
        examples: ["commuter"]),
      Key("description", .text, "What it shows, in a sentence."),
      Key(
        "device", .either([.choice(ScenarioDevice.profiles), .construct(.device)]),
        "The numbers of the device: a profile by its name, or a profile with numbers of one's own.",
        default: "ios17", examples: ["ios8"]),
      Key(
        "days", .integer(minimum: 1),
        "Days after which the simulation ends, whatever is left to do.",
        default: 14),
      Key(
        "start", .text, "When virtual time begins, in RFC 3339. Times of day are UTC.",
        default: "2026-01-05T00:00:00Z"),
      Key(
        "opening", .either([.choice(["always"]), .duration]),
        "How long the app stays in front at the start, when a person begins the upload.",
        default: "1m", examples: ["5m"]),
      Key(
        "items", .construct(.scenarioItems), "The files that are uploaded.",
        examples: [["count": 300, "size": ["median": "2 MB", "p90": "6 MB"]]]),
      Key(
        "inputs", .map(.scalar, names: identifierPattern),
        """
        Values of the pipeline's inputs, by name. URLs and secrets without a value get a stand-in; inputs of files are given \
        the items.
        """, examples: [["server": "https://api.test"]]),
      Key("disk", .construct(.scenarioDisk), "The disk for files that a run makes."),
      Key(
        "conditions", .construct(.conditions),
        "What surrounds the device where nothing else is said.",
        examples: [["network": "cellular", "bandwidth": "1 MB/s"]]),
      Key(
        "timeline", .list(.construct(.timelineEntry)),
        "What a person and the world do, and when.",
        examples: [[["at": "08:10", "open": "2m"]]]),
      Key(
        "random", .list(.construct(.randomEntry)),
        "What happens again and again, at times that nobody knows.",
        examples: [[["do": "system_kill", "every": "6h"]]]),
      Key("server", .construct(.scenarioServer), "How the server behaves; left out, it is ideal."),
      Key(
        "properties", .list(.construct(.property)), "What must hold.",
        examples: [[["name": "no-failure", "never": "${{ items.failed > 0 }}"]]]),
    ],
    reserved: ["pipeline", "seed", "extends", "use", "servers", "devices"])

  package static let device = Construct(
    name: .device, phrase: "a device",
    summary: "A profile, and the numbers that differ from it.",
    keys: [
      Key(
        "profile", .choice(ScenarioDevice.profiles), "The profile that the rest is taken from.",
        isRequired: true, examples: ["ios17"]),
      Key("allowance", .construct(.allowance), "How long the app may run behind (BT1–BT8)."),
      Key("resume_delay", .construct(.resumeDelay), "The resume rate limiter (RL1–RL8)."),
      Key("transfers", .construct(.transferRules), "The transfer service (TX1–TX24)."),
      Key("budget", .construct(.dayBudget), "Bytes of discretionary transfers per day (DI4)."),
      Key("discretion", .construct(.discretion), "Transfers at the system's discretion (DI1–DI6)."),
    ],
    reserved: ["name"])

  static let allowance = Construct(
    name: .allowance, phrase: "'allowance'", summary: "How long the app may run behind.",
    keys: [
      Key("after_foreground", .duration, "After leaving the foreground (BT1).", examples: ["30s"]),
      Key(
        "per_resume", .duration, "Each time the transfer service resumes it (BT2).",
        examples: ["30s"]),
      Key("expiry_lead", .duration, "The expiry handler runs this long before the end (BT4)."),
      Key("certain_part", .fraction, "The least part that is really given (BT3)."),
      Key("refusals", .fraction, "How often an assertion is refused (BT5)."),
    ])

  static let resumeDelay = Construct(
    name: .resumeDelay, phrase: "'resume_delay'",
    summary: "The delay that grows each time the app is resumed for its transfers.",
    keys: [
      Key(
        "delays", .choice(["resumes", "starts"]),
        "What it delays: resumes, as iOS 7 does, or starts of transfers from the background (RL4)."),
      Key("first", .duration, "The first delay (RL2).", examples: ["60s"]),
      Key("factor", .number(minimum: 1), "Growth with each resume (RL1)."),
      Key(
        "quiet_reset", .number(minimum: 0),
        "It is forgotten after this many times its length without a resume (RL8)."),
    ])

  static let transferRules = Construct(
    name: .transferRules, phrase: "'transfers'", summary: "The numbers of the transfer service.",
    keys: [
      Key("connections", .integer(minimum: 1), "Transfers under way at once."),
      Key(
        "resumes_uploads", .flag,
        "Whether an upload that was cut off goes on where it was (TX9, TX10)."),
      Key("start_delay", .duration, "Time before the first byte (TX22)."),
      Key("creation_cost", .duration, "Time that creating a task takes the app (TX20)."),
      Key("soft_cap", .integer(minimum: 1), "Queued tasks beyond which it gets slow (TX21)."),
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
    name: .discretion, phrase: "'discretion'",
    summary: "What is left to the system's discretion.",
    keys: [
      Key(
        "lifted_in_front", .flag,
        "Whether the app in front makes its background transfers ordinary ones (DI2)."),
      Key("critical_battery", .fraction, "Charge below which only the essential runs (DI6)."),
    ])

  static let scenarioItems = Construct(
    name: .scenarioItems, phrase: "'items'", summary: "The files that are uploaded.",
    keys: [
      Key("count", .integer(minimum: 1), "How many there are.", default: 100),
      Key("size", sizes, "How large they are.", default: "2 MB", examples: ["2 MB"]),
    ],
    reserved: ["input", "content_type", "name"])

  static let sizeSpread = Construct(
    name: .sizeSpread, phrase: "sizes",
    summary:
      "Sizes that vary: between two bounds, or often small and at times large (log-normal, by median and ninth decile).",
    keys: [
      Key("from", .size, "Least size.", examples: ["1 MB"]),
      Key("to", .size, "Largest size.", examples: ["5 MB"]),
      Key("median", .size, "Half of them are smaller.", examples: ["2 MB"]),
      Key("p90", .size, "Nine of ten are smaller.", examples: ["6 MB"]),
    ])

  static let durationSpread = Construct(
    name: .durationSpread, phrase: "durations",
    summary:
      "Durations that vary: between two bounds, log-normal by median and ninth decile, or exponential by their mean.",
    keys: [
      Key("from", .duration, "Shortest.", examples: ["50ms"]),
      Key("to", .duration, "Longest.", examples: ["2s"]),
      Key("median", .duration, "Half of them are shorter.", examples: ["80ms"]),
      Key("p90", .duration, "Nine of ten are shorter.", examples: ["400ms"]),
      Key("mean", .duration, "Mean of an exponential distribution.", examples: ["200ms"]),
    ])

  static let scenarioDisk = Construct(
    name: .scenarioDisk, phrase: "'disk'",
    summary: "The disk for files that a run makes; the user's own files take nothing of it.",
    keys: [
      Key(
        "free", .size,
        "Bytes that are free; left out, it is without limit. An entry of the timeline changes it with `free`.",
        examples: ["2 GB"]),
      Key("write", .rate, "How fast files are written; left out, at once.", examples: ["100 MB/s"]),
    ])

  static let scenarioServer = Construct(
    name: .scenarioServer, phrase: "'server'", summary: "How the server behaves.",
    keys: [
      Key("latency", durations, "Time to an answer.", default: "0s", examples: ["200ms"]),
      Key(
        "lifetimes", .map(.duration, names: stepPattern),
        "How long what a step made lives at the server, by the step's id, whatever the answer says.",
        examples: [["allocate": "1h"]]),
      Key("faults", .construct(.faults), "What goes wrong, and how often."),
      Key("clock_skew", .duration, "How much the server's clock is ahead.", default: "0s"),
    ])

  static let faults = Construct(
    name: .faults, phrase: "'faults'",
    summary: "What goes wrong at the server: chances for each request, from 0 to 1.",
    keys: [
      Key("server_error", .fraction, "It answers 503.", default: 0),
      Key("throttled", .fraction, "It answers 429 with `Retry-After`.", default: 0),
      Key("lost_reply", .fraction, "It does what was asked, and the answer is lost.", default: 0),
      Key("lost_request", .fraction, "The request never arrives.", default: 0),
      Key("duplicate", .fraction, "The request arrives twice.", default: 0),
      Key("revoked", .fraction, "What the request made dies early.", default: 0),
      Key("stale_reads", .duration, "Time until what a request made can be seen.", default: "0s"),
    ])

  package static let property = Construct(
    name: .property, phrase: "a property", summary: "Something that must hold.",
    keys: [
      Key("name", .pattern(namePattern), "Its name.", isRequired: true, examples: ["no-failure"]),
      Key(
        "always", .expression, "True at every moment.",
        examples: ["${{ disk.used <= 512 * 1024 * 1024 }}"]),
      Key("never", .expression, "True at no moment.", examples: ["${{ items.failed > 0 }}"]),
      Key(
        "eventually", .expression, "True at some moment.",
        examples: ["${{ items.completed == items.count }}"]),
      Key("within", .duration, "How long after the start `eventually` may take.", examples: ["7d"]),
      Key(
        "at_most_once", .expression, "True of at most one answer of the server.",
        examples: [#"${{ request.step == "finalize" && response.status < 300 }}"#]),
      Key(
        "per", .choice(ScenarioProperty.Scope.allCases.map(\.rawValue)),
        "What the answers of `at_most_once` are counted by.", default: "item"),
    ],
    alternatives: [
      .exactlyOne("always", "never", "eventually", "at_most_once")
    ])
}
