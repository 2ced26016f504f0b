extension Construct {
  package static let ofTests: [Construct] = [
    .test, .testCase, .sourceFile, .reply, .expectation, .itemExpectation, .requestExpectation,
    .timeBounds, .sizeBounds,
  ]

  /// The pattern of step IDs; a step of a used file is prefixed with the ID of the step that uses it.
  static let stepPattern = #"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$"#

  private static let inputs = Key(
    "inputs",
    .map(
      .either([.scalar, .filledList(.construct(.sourceFile)), .construct(.sourceFile)]),
      names: identifierPattern))
  private static let answers: Key = .init(
    "answers", .map(.filledList(.construct(.reply)), names: stepPattern))
  private static let probes: Key = .init(
    "probes", .map(.filledList(.construct(.reply)), names: stepPattern))
  private static let onAbandon: Key = .init("on_abandon", .filledList(.construct(.reply)))

  package static let test = Construct(
    "test", phrase: "a test", Key("test", .pattern(namePattern), isRequired: true), versionKey,
    Key("description", .text), Key("pipeline", .text, isRequired: true), inputs, answers, probes,
    onAbandon, Key("cases", .filledList(.construct(.testCase)), isRequired: true),
    reserved: ["device", "scenario", "server", "network", "use"])

  package static let testCase = Construct(
    "test_case", phrase: "a case", Key("name", .text, isRequired: true), inputs, answers, probes,
    onAbandon, Key("start", .text, default: "2026-01-05T08:00:00Z"),
    Key("seed", .integer(minimum: 0), default: 1), Key("limit", .duration, default: "30d"),
    Key("free_space", .size), Key("restarts", .list(.duration)),
    Key("expect", .construct(.expectation), isRequired: true),
    reserved: ["device", "scenario", "server", "network", "skip", "pauses", "cancels"])

  static let sourceFile = Construct(
    "source_file", phrase: "a file", Key("name", .text, isRequired: true), Key("size", .size),
    Key("text", .text), Key("count", .integer(minimum: 1), default: 1), Key("content_type", .text),
    alternatives: [.exactlyOne("size", "text")], reserved: ["modified", "path"])

  static let reply = Construct(
    "reply", phrase: "a response", Key("if", .expression),
    Key("times", .integer(minimum: 1), default: 1), responseStatus, responseHeaders, responseJSON,
    responseText, Key("error", .choice(TestWords.errors.map(\.rawValue))), Key("reached", .flag),
    responseDelay,
    alternatives: [.atMostOne("status", "error"), .atMostOne("json", "text", "error")],
    reserved: ["body", "file", "drop", "url"])

  package static let itemExpectation = Construct(
    "item_expectation", phrase: "an expected item", Key("name", .text, isRequired: true),
    Key("status", .choice(TestWords.items)), Key("reason", .text),
    Key("outputs", .map(.map(.json, names: identifierPattern), names: stepPattern)))

  package static let requestExpectation = Construct(
    "request_expectation", phrase: "an expected request", Key("step", .pattern(stepPattern)),
    Key("purpose", .words(TestPurpose.self)), Key("item", .text),
    Key("method", .pattern(methodPattern)), Key("url", .template),
    Key("headers", .map(.template, names: headerPattern)), Key("json", .json),
    Key("text", .template), Key("if", .expression), alternatives: [.atMostOne("json", "text")],
    reserved: ["count", "times"])

  static let timeBounds = Construct(
    "time_bounds", phrase: "'time'", Key("at_least", .duration), Key("at_most", .duration))

  static let sizeBounds = Construct(
    "size_bounds", phrase: "'disk'", Key("at_most", .size, isRequired: true))
}

enum TestWords {
  /// Connection failures that a test can specify: all except our own interruption.
  static let errors = TransportFailure.Kind.shown
  package static let items = ItemWord.allCases.map(\.rawValue)
}

/// The statuses of items in expectations.
enum ItemWord: String, CaseIterable, Sendable {
  case done, failed, paused, skipped, cancelled, active, pending

  package var status: Item.Status {
    switch self {
    case .done: .done
    case .failed: .failed
    case .paused: .paused
    case .skipped: .skipped
    case .cancelled: .cancelled
    case .active: .active
    case .pending: .pending
    }
  }
}

extension Construct {
  private static let counts: ValueShape = .map(.integer(minimum: 0), names: stepPattern)

  package static let expectation = Construct(
    "expectation", phrase: "an expectation", Key("status", .words(TestRunStatus.self)),
    Key("reason", .text),
    Key(
      "items", .map(.integer(minimum: 0), names: "^(\(TestWords.items.joined(separator: "|")))$")),
    Key("each", .filledList(.construct(.itemExpectation))),
    Key("requests", .filledList(.construct(.requestExpectation))),
    Key("all_requests", .filledList(.construct(.requestExpectation))), Key("attempts", counts),
    Key("probes", counts), Key("reissues", counts),
    Key("outputs", .map(.map(.json, names: identifierPattern), names: stepPattern)),
    Key("time", .construct(.timeBounds)), Key("disk", .construct(.sizeBounds)),
    Key("saved", .list(.text)), alternatives: [.atMostOne("requests", "all_requests")],
    reserved: ["never", "always", "eventually", "blocked_by", "properties"])
}
