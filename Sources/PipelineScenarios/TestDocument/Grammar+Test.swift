package import PipelineDocument
import CEL
import PipelineCore

extension Grammar {
  /// The pattern of step IDs; a step of a used file is prefixed with the ID of the step that uses it.
  static let stepPattern = #"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$"#

  private static let inputs = Key(
    "inputs",
    .map(
      .either([.scalar, .filledList(.construct(.sourceFile)), .construct(.sourceFile)]),
      names: identifierPattern),
    """
    Values of the pipeline's inputs, by name. A `file` input takes a file, a `files` input a list of files, a `folder` input an absolute path or a \
    list of the files that are in it. They exist only in the test.
    """, examples: [["server": "http://api.test", "photos": [["name": "a.jpg", "size": "2 MiB"]]]])
  private static let answers = Key(
    "answers", .map(.filledList(.construct(.reply)), names: stepPattern),
    """
    Server responses, by the ID of the requesting step; a step of a used file is `ID.STEP`. Each item goes through the list by itself, in order; the last \
    entry is repeated.
    """, examples: [["upload": [["status": 503], ["status": 200]]]])
  private static let probes = Key(
    "probes", .map(.filledList(.construct(.reply)), names: stepPattern),
    "Server responses to the probes of steps, by step ID.")
  private static let onAbandon = Key(
    "on_abandon", .filledList(.construct(.reply)),
    "Server responses to the requests of `on_abandon`. By default 204.")

  package static let test = Construct(
    name: .test, phrase: "a test",
    summary:
      "Runs of one pipeline in virtual time, without a network: the server responses, and what must happen.",
    keys: [
      Key(
        "test", .pattern(namePattern), "Name of the test.", isRequired: true, examples: ["photos"]),
      versionKey,
      Key("description", .text, "What is tested, in a sentence."),
      Key(
        "pipeline", .text, "File of the pipeline, relative to this file.", isRequired: true,
        examples: ["photos.yaml"]),
      inputs, answers, probes, onAbandon,
      Key(
        "cases", .filledList(.construct(.testCase)),
        "The runs. A case overrides the inputs and responses given above.",
        isRequired: true),
    ],
    reserved: ["device", "scenario", "server", "network", "use"])

  static let testCase = Construct(
    name: .testCase, phrase: "a case", summary: "One run and what must happen in it.",
    keys: [
      Key(
        "name", .text, "What is tested, as a statement; unique in the file.", isRequired: true,
        examples: ["an expired upload ID is replaced"]),
      inputs, answers, probes, onAbandon,
      Key(
        "start", .text, "Start of virtual time, in RFC 3339.", default: "2026-01-05T08:00:00Z"),
      Key(
        "seed", .integer(minimum: 0), "Seed for the jitter of back-offs.", default: 1),
      Key(
        "limit", .duration, "Virtual time after which the run ends, even if work remains.",
        default: "30d"),
      Key(
        "free_space", .size, "Free disk space for materialized files. By default unlimited.",
        examples: ["10 MiB"]),
      Key(
        "restarts", .list(.duration),
        "Times after the start at which the process is killed and restarted.", examples: [["5s"]]),
      Key("expect", .construct(.expectation), "What must happen.", isRequired: true),
    ],
    reserved: ["device", "scenario", "server", "network", "skip", "pauses", "cancels"])

  static let sourceFile = Construct(
    name: .sourceFile, phrase: "a file", summary: "A file that exists only in the test.",
    keys: [
      Key(
        "name", .text,
        "Its name, or its path below the folder of the input. With `count`, `*` is replaced by the file's number.",
        isRequired: true, examples: ["a.jpg", "2026/a.jpg", "photo-*.jpg"]),
      Key("size", .size, "Number of bytes, with unspecified content.", examples: ["2 MiB"]),
      Key("text", .text, "The content, UTF-8."),
      Key(
        "count", .integer(minimum: 1), "Number of files like this one.", default: 1, examples: [100]
      ),
      Key("content_type", .text, "Media type.", examples: ["image/jpeg"]),
    ],
    alternatives: [.exactlyOne("size", "text")],
    reserved: ["modified", "path"])

  static let reply = Construct(
    name: .reply, phrase: "a response",
    summary: "A server's response, or a failure of the connection.",
    keys: [
      Key(
        "if", .expression,
        """
        The entry only applies to requests for which this is true. Expressions see the inputs, the earlier steps, the item, and \
        `request.method`, `.url`, `.headers`, `.json`, `.text`, `.size`, `.number` and `.elapsed`.
        """, examples: [#"${{ photo.name == "b.jpg" }}"#, "${{ request.number == 1 }}"]),
      Key(
        "times", .integer(minimum: 1), "How often the entry is used before the next one.",
        default: 1),
      responseStatus, responseHeaders, responseJSON, responseText,
      Key(
        "error", .choice(TestWords.errors.map(\.rawValue)),
        "No response, and why; the value of `response.error`.", examples: ["connection-lost"]),
      Key(
        "reached", .flag,
        """
        Whether a request without a response may have reached the server. By default it may if the connection was lost or timed \
        out.
        """),
      responseDelay,
    ],
    alternatives: [.atMostOne("status", "error"), .atMostOne("json", "text", "error")],
    reserved: ["body", "file", "drop", "url"])

  static let itemExpectation = Construct(
    name: .itemExpectation, phrase: "an expected item", summary: "How one item must end.",
    keys: [
      Key(
        "name", .text, "Name of the item's file as the test gives it, or its value as text.",
        isRequired: true, examples: ["a.jpg"]),
      Key("status", .choice(TestWords.items), "How it must end."),
      Key("reason", .text, "Text contained in the reason for its status."),
      Key(
        "outputs", .map(.map(.json, names: identifierPattern), names: stepPattern),
        "Final outputs of its steps, by step and name.",
        examples: [["allocate": ["upload_id": "u2"]]]),
    ])

  static let requestExpectation = Construct(
    name: .requestExpectation, phrase: "an expected request",
    summary: "A request that must be sent.",
    keys: [
      Key(
        "step", .pattern(stepPattern),
        "ID of the step that sends it; for a used file, `ID.STEP`.", examples: ["upload"]),
      Key(
        "purpose", .choice(TestPurpose.allCases.map(\.rawValue)),
        "An `attempt` of the step, its `probe`, or an `abandon` request that undoes what its item left on the server."
      ),
      Key(
        "item", .text, "Name of the item's file as the test gives it, or its value as text.",
        examples: ["a.jpg"]),
      Key("method", .pattern(methodPattern), "Method, in capital letters."),
      Key("url", .template, "The whole URL."),
      Key(
        "headers", .map(.template, names: headerPattern),
        "Headers that it has, by name; it may have others too."),
      Key(
        "json", .json,
        "Body. An object may have members not named here; anything else must be equal."),
      Key("text", .template, "Plain-text body."),
      Key(
        "if", .expression, "True for the request; see `if` of a response.",
        examples: ["${{ request.elapsed > duration(\"1m\") }}"]),
    ],
    alternatives: [.atMostOne("json", "text")], reserved: ["count", "times"])

  static let timeBounds = Construct(
    name: .timeBounds, phrase: "'time'", summary: "Bounds of the virtual time that the run takes.",
    keys: [
      Key("at_least", .duration, "Minimum time.", examples: ["30s"]),
      Key("at_most", .duration, "Maximum time.", examples: ["10m"]),
    ])

  static let sizeBounds = Construct(
    name: .sizeBounds, phrase: "'disk'",
    summary: "Bounds of the disk space used by materialized files.",
    keys: [Key("at_most", .size, "Maximum bytes at any time.", isRequired: true)])
}

enum TestWords {
  /// Connection failures that a test can specify: all except our own interruption.
  static let errors = TransportFailure.Kind.shown
  package static let items = ItemWord.allCases.map(\.rawValue)
}

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

extension Construct.Name {
  package static let test: Self = .init("test") { Grammar.test }
  package static let testCase: Self = .init("test_case") { Grammar.testCase }
  static let sourceFile: Self = .init("source_file") { Grammar.sourceFile }
  static let reply: Self = .init("reply") { Grammar.reply }
  package static let expectation: Self = .init("expectation") { Grammar.expectation }
  package static let itemExpectation: Self = .init("item_expectation") { Grammar.itemExpectation }
  package static let requestExpectation: Self = .init("request_expectation") {
    Grammar.requestExpectation
  }
  static let timeBounds: Self = .init("time_bounds") { Grammar.timeBounds }
  static let sizeBounds: Self = .init("size_bounds") { Grammar.sizeBounds }

  /// Constructs of `*.test.yaml` files.
  package static let ofTests: [Self] = [
    .test, .testCase, .sourceFile, .reply, .expectation, .itemExpectation, .requestExpectation,
    .timeBounds, .sizeBounds,
  ]
}
