extension Construct {
  /// The keys of which a step has exactly one: its action, or the file whose steps it includes.
  package static let kinds = StepKind.allCases.filter { $0 != .forEach }.map(\.rawValue) + ["use"]

  package static let step = Construct(
    "step", phrase: "a step", Key("id", .pattern(identifierPattern), isRequired: true),
    Key("description", .text), Key("if", .expression),
    Key("let", .map(.template, names: identifierPattern)), Key("request", .construct(.request)),
    Key("materialize", .construct(.materialize)), Key("poll", .construct(.poll)),
    Key("digest", .construct(.digest)), Key("upload", .construct(.upload)),
    Key("download", .construct(.download)), Key("repeat", .construct(.repeat)), Key("use", .text),
    Key("with", .map(.template, names: identifierPattern)), Key("batch", .construct(.batch)),
    Key("results", .construct(.results)), Key("on", .list(.construct(.matcher))),
    Key("success_if", .expression),
    Key("outputs", .map(.either([.template, .construct(.output)]), names: identifierPattern)),
    Key("retry", .either([.pattern(namePattern), .construct(.retry)])),
    Key("effect", .words(Step.ServerEffect.self), default: "repeatable"), Key("target", .template),
    Key("shared_target", .words(Step.TargetSharing.self)),
    Key("idempotency", .construct(.idempotency)), Key("probe", .construct(.probe)),
    Key("depends_on", .list(.pattern(identifierPattern))),
    Key("max_reissues", .integer(minimum: 0), default: 10),
    Key("max_stalled_turns", .integer(minimum: 0), default: 10), alternatives: [.exactlyOne(kinds)],
    reserved: [
      "wait", "credentials", "sign", "defaults", "timeout", "run", "deadline", "priority",
      "discretionary", "earliest", "network", "renew",
    ])

  package static let idempotency = Construct(
    "idempotency", Key("header", .pattern(headerPattern), default: .string(idempotencyHeader)),
    Key("query", .text), Key("field", .text), Key("key", .template),
    alternatives: [.atMostOne("header", "query", "field")])

  /// The header named by the draft of the HTTP working group, which most servers support.
  static let idempotencyHeader = "Idempotency-Key"

  package static let probe = Construct(
    "probe", Key("request", .construct(.request), isRequired: true),
    Key("took_effect", .expression, isRequired: true), Key("example", .construct(.probeExample)),
    Key("after", .duration, default: "0s"), Key("interval", .duration, default: "5s"),
    Key("until", .duration, default: "0s"), reserved: ["attempts"])

  package static let output = Construct(
    "output", phrase: "an output", Key("value", .template, isRequired: true),
    Key("secret", .either([.flag, .choice(["sealed"])]), default: false),
    Key("expires", .construct(.lifetime)), reserved: ["type", "renew"])

  package static let lifetime = Construct(
    "lifetime", phrase: "'expires'", Key("in", .durationOrExpression), Key("at", .expression),
    Key("url", .expression), Key("sliding", .flag, default: false), Key("skew", .duration),
    alternatives: [.exactlyOne("in", "at", "url")], reserved: ["max_age", "header"])

  package static let matcher = Construct(
    "matcher", phrase: "an entry of 'on'", Key("if", .expression), Key("same", .construct(.same)),
    Key("expired", .pattern(identifierPattern)), Key("then", .words(MatcherWord.self)),
    Key("message", .template), Key("after", .durationOrExpression), Key("slower", .duration),
    Key("progress", .flag, default: false), Key("refused", .flag, default: false),
    alternatives: [.exactlyOne("same", "expired", "then")], reserved: ["outputs", "set", "goto"])

  package static let same = Construct(
    "same", Key("file", .expression), Key("size", .expression), Key("modified", .expression),
    Key("digest", .filledList(.expression)), reserved: ["etag", "name", "server"])
}
package enum MatcherWord: String, CaseIterable, Sendable {
  case success, retry
  case finishItem = "finish_item"
  case skipItem = "skip_item"
  case fail, pause
  case pauseRun = "pause_run"
  case poll, resync

  /// The meaning; `nil` for `resync`, which depends on the place.
  package var outcome: Matcher.Outcome? {
    switch self {
    case .success: .success
    case .retry: .retry
    case .finishItem: .finishItem
    case .skipItem: .skipItem
    case .fail: .fail
    case .pause: .pause
    case .pauseRun: .pauseRun
    case .poll: .poll
    case .resync: nil
    }
  }
}
extension Construct {
  package static let `repeat`: Construct = .init(
    name: "repeat", phrase: "'repeat'",
    keys: [
      Key("from", .map(.template, names: identifierPattern), isRequired: true),
      Key("until", .expression, isRequired: true),
      Key("steps", .filledList(.construct(.step)), isRequired: true),
      Key("next", .map(.template, names: identifierPattern), isRequired: true),
      Key("resync", .construct(.resync)),
    ], reserved: ["while", "times", "turns", "stalled"])

  package static let resync = Construct(
    "resync", Key("request", .construct(.request), isRequired: true),
    Key("next", .map(.template, names: identifierPattern), isRequired: true))
}

/// A loop inside a loop: the parts of an item.
extension Construct {
  package static let innerLoop = Construct(
    "inner_loop", phrase: "an inner loop", Key("id", .pattern(identifierPattern), isRequired: true),
    Key("description", .text), Key("if", .expression),
    Key("for_each", .pattern(identifierPattern), isRequired: true),
    Key("in", .expression, isRequired: true), Key("concurrency", .integer(minimum: 1), default: 4),
    Key("steps", .filledList(.construct(.step)), isRequired: true),
    Key("collect", .map(.template, names: identifierPattern)),
    Key("depends_on", .list(.pattern(identifierPattern))),
    Key("max_reissues", .integer(minimum: 0), default: 10),
    reserved: ["failures", "on_abandon", "retry", "order"])

  package static let batch = Construct(
    "batch", Key("items", .integer(minimum: 2), isRequired: true),
    Key("within", .duration, isRequired: true), Key("entry", .json, isRequired: true),
    Key("by", .expression), Key("serial", .flag, default: false),
    Key("bytes", .either([.size, .construct(.batchBytes)])), reserved: ["key", "order"])

  package static let batchBytes = Construct(
    "batch_bytes", phrase: "'bytes'", Key("limit", .size, isRequired: true),
    Key("of", .expression, isRequired: true))

  package static let results = Construct(
    "results", Key("each", .expression, isRequired: true),
    Key("on", .filledList(.construct(.matcher)), isRequired: true), reserved: ["outputs", "status"])
}
