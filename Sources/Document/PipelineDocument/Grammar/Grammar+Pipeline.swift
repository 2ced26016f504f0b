extension Construct {
  package static let pipeline = Construct(
    "pipeline", phrase: "a pipeline", Key("pipeline", .pattern(namePattern), isRequired: true),
    versionKey, Key("description", .text),
    Key("inputs", .map(.construct(.input), names: identifierPattern)),
    Key("budgets", .construct(.budgets)), Key("background_session", .pattern(sessionPattern)),
    Key("retry", .map(.construct(.retry), names: namePattern)), defaultsKey,
    Key("credentials", .map(.construct(.credential), names: namePattern)), Key("use", .list(.text)),
    Key("steps", .filledList(.either([.construct(.step), .construct(.loop)])), isRequired: true),
    Key("outputs", .map(.template, names: identifierPattern)),
    reserved: ["sign", "network", "schedule", "batch"])

  /// The version of the language; files of all kinds have it.
  package static let versionKey = Key("version", .integer(minimum: 1), default: 1)
  /// The newest version of the language that this reader supports.
  package static let version = 1

  package static let definitions = Construct(
    "definitions", phrase: "a file of definitions",
    Key("definitions", .pattern(namePattern), isRequired: true), versionKey,
    Key("description", .text), Key("retry", .map(.construct(.retry), names: namePattern)),
    Key("credentials", .map(.construct(.credential), names: namePattern)), Key("use", .list(.text)),
    reserved: ["inputs", "steps"])

  package static let input = Construct(
    "input", phrase: "an input", Key("type", .words(InputDeclaration.Kind.self), isRequired: true),
    Key("default", .scalar), Key("description", .text), Key("required", .flag, default: true),
    Key("exclude", .list(.text)), Key("hidden", .flag, default: false),
    Key("follow_links", .flag, default: false),
    reserved: ["pattern", "enum", "minimum", "maximum", "multiple", "env"])

  package static let budgets = Construct(
    "budgets", Key("disk", .size), Key("transfers", .integer(minimum: 1)),
    Key("requests_per_second", .integer(minimum: 1)), Key("bytes_per_second", .size),
    Key("refusals", .integer(minimum: 0), default: 3),
    Key("rates", .map(.either([.requestRate, .construct(.pace)]), names: namePattern)),
    reserved: ["requests", "bytes_per_day", "memory", "cellular"])

  package static let pace = Construct(
    "pace", phrase: "a rate", Key("limit", .requestRate, isRequired: true),
    Key("burst", .integer(minimum: 1), default: 1))

  package static let retry = Construct(
    "retry", phrase: "a retry policy", Key("attempts", .integer(minimum: 1), default: 6),
    Key("backoff", .construct(.backoff)),
    Key("jitter", .words(RetryPolicy.Jitter.self), default: "full"), Key("elapsed", .duration),
    Key("retry_after", .words(RetryPolicy.RetryAfter.self), default: "honor"),
    Key("retry_after_max", .duration, default: "1d"),
    Key("exhausted", .words(RetryPolicy.Exhausted.self), default: "pause"),
    reserved: ["on", "budget"])

  static let backoff = Construct(
    "backoff", Key("initial", .duration, default: "1s"),
    Key("factor", .number(minimum: 1), default: 2), Key("max", .duration, default: "5m"))

  package static let loop = Construct(
    "loop", phrase: "a loop", Key("for_each", .pattern(identifierPattern), isRequired: true),
    Key("id", .pattern(identifierPattern)), Key("description", .text), Key("if", .expression),
    Key("in", .expression, isRequired: true), Key("concurrency", .integer(minimum: 1), default: 8),
    Key("waiting", .integer(minimum: 0)), defaultsKey,
    Key(
      "steps", .filledList(.either([.construct(.step), .construct(.innerLoop)])), isRequired: true),
    Key("failures", .words(Loop.Failures.self), default: "stop"),
    Key("on_abandon", .list(.construct(.abandonment))),
    reserved: ["priority", "batch", "while", "order", "key"])

  package static let abandonment = Construct(
    "abandonment", phrase: "an entry of 'on_abandon'",
    Key("request", .construct(.request), isRequired: true),
    Key("undoes", .list(.pattern(identifierPattern))), reserved: ["if"])
}
