import CEL
import PipelineCore

extension Grammar {
  package static let pipeline = Construct(
    name: .pipeline, phrase: "a pipeline",
    keys: [
      Key("pipeline", .pattern(namePattern), isRequired: true, examples: ["photos"]),
      versionKey,
      Key("description", .text, examples: ["Upload a folder of photos."]),
      Key(
        "inputs", .map(.construct(.input), names: identifierPattern),
        examples: [["server": ["type": "url"]]]),
      Key("budgets", .construct(.budgets), examples: [["disk": "512 MiB", "transfers": 100]]),
      Key("background_session", .pattern(sessionPattern), examples: ["com.example.photos.uploads"]),
      Key(
        "retry", .map(.construct(.retry), names: namePattern),
        examples: [["standard": ["attempts": 6]]]),
      defaultsKey,
      Key(
        "credentials", .map(.construct(.credential), names: namePattern),
        examples: [["api": ["bearer": "${{ steps.sign_in.token }}"]]]),
      Key("use", .list(.text), examples: [["shared/definitions.yaml"]]),
      Key(
        "steps", .filledList(.either([.construct(.step), .construct(.loop)])), isRequired: true,
        examples: [[["id": "ping", "request": ["url": "https://example.com/ping"]]]]),
      Key(
        "outputs", .map(.template, names: identifierPattern),
        examples: [["token": "${{ steps.sign_in.token }}"]]),
    ], reserved: ["sign", "network", "schedule", "batch"])

  /// The version of the language; files of all kinds have it.
  package static let versionKey = Key("version", .integer(minimum: 1), default: 1)
  /// The newest version of the language that this reader knows.
  package static let version = 1

  package static let definitions = Construct(
    name: .definitions, phrase: "a file of definitions",
    keys: [
      Key("definitions", .pattern(namePattern), isRequired: true, examples: ["company"]),
      versionKey,
      Key("description", .text, examples: ["Policies that all pipelines share."]),
      Key(
        "retry", .map(.construct(.retry), names: namePattern),
        examples: [["patient": ["attempts": 20]]]),
      Key(
        "credentials", .map(.construct(.credential), names: namePattern),
        examples: [["api": ["bearer": "${{ inputs.token }}"]]]),
      Key("use", .list(.text), examples: [["more.yaml"]]),
    ], reserved: ["inputs", "steps"])

  package static let input = Construct(
    name: .input, phrase: "an input",
    keys: [
      Key(
        "type", .choice(InputDeclaration.Kind.allCases.map(\.rawValue)), isRequired: true,
        examples: ["files"]),
      Key("default", .scalar, examples: ["Pictures/**/*.jpg"]),
      Key("description", .text, examples: ["Root of the API, without a slash at the end."]),
      Key("required", .flag, default: true),
      Key("exclude", .list(.text), examples: [[".DS_Store", "*.tmp", "drafts/"]]),
      Key("hidden", .flag, default: false),
      Key("follow_links", .flag, default: false),
    ], reserved: ["pattern", "enum", "minimum", "maximum", "multiple", "env"])

  package static let budgets = Construct(
    name: .budgets, phrase: "'budgets'",
    keys: [
      Key("disk", .size, examples: ["512 MiB"]),
      Key("transfers", .integer(minimum: 1), examples: [100]),
      Key("requests_per_second", .integer(minimum: 1), examples: [10]),
      Key("bytes_per_second", .size, examples: ["5 MB"]),
      Key(
        "rates", .map(.either([.requestRate, .construct(.pace)]), names: namePattern),
        examples: [["init": "6/1m"]]),
    ], reserved: ["requests", "bytes_per_day", "memory", "cellular"])

  package static let pace = Construct(
    name: .pace, phrase: "a rate",
    keys: [
      Key("limit", .requestRate, isRequired: true, examples: ["6/1m"]),
      Key("burst", .integer(minimum: 1), default: 1),
    ])

  package static let retry = Construct(
    name: .retry, phrase: "a retry policy",
    keys: [
      Key("attempts", .integer(minimum: 1), default: 6),
      Key(
        "backoff", .construct(.backoff), examples: [["initial": "1s", "factor": 2, "max": "5m"]]),
      Key("jitter", .choice(RetryPolicy.Jitter.allCases.map(\.rawValue)), default: "full"),
      Key("elapsed", .duration, examples: ["1d"]),
      Key(
        "retry_after", .choice(RetryPolicy.RetryAfter.allCases.map(\.rawValue)), default: "honor"),
      Key("retry_after_max", .duration, default: "1d", examples: ["2h"]),
      Key("exhausted", .choice(RetryPolicy.Exhausted.allCases.map(\.rawValue)), default: "pause"),
    ], reserved: ["on", "budget"])

  static let backoff = Construct(
    name: .backoff, phrase: "'backoff'",
    keys: [
      Key("initial", .duration, default: "1s"),
      Key("factor", .number(minimum: 1), default: 2),
      Key("max", .duration, default: "5m"),
    ])

  package static let loop = Construct(
    name: .loop, phrase: "a loop",
    keys: [
      Key("for_each", .pattern(identifierPattern), isRequired: true, examples: ["photo"]),
      Key("id", .pattern(identifierPattern), examples: ["uploads"]),
      Key("description", .text, examples: ["Upload each photo."]),
      Key("if", .expression, examples: ["${{ inputs.publish }}"]),
      Key("in", .expression, isRequired: true, examples: ["${{ inputs.photos }}"]),
      Key("concurrency", .integer(minimum: 1), default: 8),
      defaultsKey,
      Key(
        "steps", .filledList(.either([.construct(.step), .construct(.innerLoop)])),
        isRequired: true,
        examples: [
          [["id": "put", "upload": ["url": "https://example.com/a", "file": "${{ photo }}"]]]
        ]),
      Key("failures", .choice(Loop.Failures.allCases.map(\.rawValue)), default: "stop"),
      Key(
        "on_abandon", .list(.construct(.abandonment)),
        examples: [[["request": ["method": "DELETE", "url": "${{ steps.allocate.url }}"]]]]),
    ], reserved: ["priority", "batch", "while", "order", "key"])

  package static let abandonment = Construct(
    name: .abandonment, phrase: "an entry of 'on_abandon'",
    keys: [
      Key(
        "request", .construct(.request), isRequired: true,
        examples: [["method": "DELETE", "url": "${{ steps.allocate.url }}"]]),
      Key("undoes", .list(.pattern(identifierPattern)), examples: [["finalize"]]),
    ], reserved: ["if"])
}
