extension Construct {
  package static let pipeline: Construct = .init(
    name: "pipeline", phrase: "a pipeline",
    keys: [
      Key("pipeline", .pattern(namePattern), isRequired: true), versionKey,
      Key("description", .text), Key("inputs", .map(.construct(.input), names: identifierPattern)),
      Key("budgets", .construct(.budgets)), Key("background_session", .pattern(sessionPattern)),
      Key("retry", .map(.construct(.retry), names: namePattern)), defaultsKey,
      Key("credentials", .map(.construct(.credential), names: namePattern)),
      Key("use", .list(.text)),
      Key("steps", .filledList(.either([.construct(.step), .construct(.loop)])), isRequired: true),
      Key("outputs", .map(.template, names: identifierPattern)),
    ], reserved: ["sign", "network", "schedule", "batch"])

  /// The version of the language; files of all kinds have it.
  package static let versionKey = Key("version", .integer(minimum: 1), default: 1)
  /// The newest version of the language that this reader supports.
  package static let version = 1

  package static let definitions: Construct = .init(
    name: "definitions", phrase: "a file of definitions",
    keys: [
      Key("definitions", .pattern(namePattern), isRequired: true), versionKey,
      Key("description", .text), Key("retry", .map(.construct(.retry), names: namePattern)),
      Key("credentials", .map(.construct(.credential), names: namePattern)),
      Key("use", .list(.text)),
    ], reserved: ["inputs", "steps"])

  package static let input: Construct = .init(
    name: "input", phrase: "an input",
    keys: [
      Key("type", .choice(InputDeclaration.Kind.allCases.map(\.rawValue)), isRequired: true),
      Key("default", .scalar), Key("description", .text), Key("required", .flag, default: true),
      Key("exclude", .list(.text)), Key("hidden", .flag, default: false),
      Key("follow_links", .flag, default: false),
    ], reserved: ["pattern", "enum", "minimum", "maximum", "multiple", "env"])

  package static let budgets: Construct = .init(
    name: "budgets", phrase: "'budgets'",
    keys: [
      Key("disk", .size), Key("transfers", .integer(minimum: 1)),
      Key("requests_per_second", .integer(minimum: 1)), Key("bytes_per_second", .size),
      Key("refusals", .integer(minimum: 0), default: 3),
      Key("rates", .map(.either([.requestRate, .construct(.pace)]), names: namePattern)),
    ], reserved: ["requests", "bytes_per_day", "memory", "cellular"])

  package static let pace: Construct = .init(
    name: "pace", phrase: "a rate",
    keys: [
      Key("limit", .requestRate, isRequired: true), Key("burst", .integer(minimum: 1), default: 1),
    ])

  package static let retry: Construct = .init(
    name: "retry", phrase: "a retry policy",
    keys: [
      Key("attempts", .integer(minimum: 1), default: 6), Key("backoff", .construct(.backoff)),
      Key("jitter", .choice(RetryPolicy.Jitter.allCases.map(\.rawValue)), default: "full"),
      Key("elapsed", .duration),
      Key(
        "retry_after", .choice(RetryPolicy.RetryAfter.allCases.map(\.rawValue)), default: "honor"),
      Key("retry_after_max", .duration, default: "1d"),
      Key("exhausted", .choice(RetryPolicy.Exhausted.allCases.map(\.rawValue)), default: "pause"),
    ], reserved: ["on", "budget"])

  static let backoff: Construct = .init(
    name: "backoff", phrase: "'backoff'",
    keys: [
      Key("initial", .duration, default: "1s"), Key("factor", .number(minimum: 1), default: 2),
      Key("max", .duration, default: "5m"),
    ])

  package static let loop: Construct = .init(
    name: "loop", phrase: "a loop",
    keys: [
      Key("for_each", .pattern(identifierPattern), isRequired: true),
      Key("id", .pattern(identifierPattern)), Key("description", .text), Key("if", .expression),
      Key("in", .expression, isRequired: true),
      Key("concurrency", .integer(minimum: 1), default: 8),
      Key("waiting", .integer(minimum: 0)), defaultsKey,
      Key(
        "steps", .filledList(.either([.construct(.step), .construct(.innerLoop)])),
        isRequired: true),
      Key("failures", .choice(Loop.Failures.allCases.map(\.rawValue)), default: "stop"),
      Key("on_abandon", .list(.construct(.abandonment))),
    ], reserved: ["priority", "batch", "while", "order", "key"])

  package static let abandonment: Construct = .init(
    name: "abandonment", phrase: "an entry of 'on_abandon'",
    keys: [
      Key("request", .construct(.request), isRequired: true),
      Key("undoes", .list(.pattern(identifierPattern))),
    ], reserved: ["if"])
}
