package import PipelineDocument
import CEL
import PipelineCore

/// The keys of `*.test.yaml` files.
extension Grammar {
  /// The pattern of a step's id; a step of a used file is named behind the id of the step that uses it.
  static let stepPattern = #"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$"#

  private static let inputs = Key(
    "inputs",
    .map(
      .either([.scalar, .filledList(.construct(.sourceFile)), .construct(.sourceFile)]),
      names: identifierPattern),
    """
    Values of the pipeline's inputs, by name. A `file` input takes a file, a `files` input a list of files; they exist only in \
    the test.
    """,
    examples: [
      ["server": "http://api.test", "photos": [["name": "a.jpg", "size": "2 MiB"]]]
    ])
  private static let answers = Key(
    "answers", .map(.filledList(.construct(.reply)), names: stepPattern),
    """
    What servers answer, by the id of the step that asks; a step of a used file is `ID.STEP`. Each item goes through the list on its own, in order; the last \
    entry is repeated.
    """,
    examples: [["upload": [["status": 503], ["status": 200]]]])
  private static let probes = Key(
    "probes", .map(.filledList(.construct(.reply)), names: stepPattern),
    "What servers answer to the probes of steps, by the id of the step.")
  private static let onAbandon = Key(
    "on_abandon", .filledList(.construct(.reply)),
    "What servers answer to the requests of `on_abandon`; left out, it is 204.")

  package static let test = Construct(
    name: .test, phrase: "a test",
    summary:
      "Runs of one pipeline in virtual time, without a network: what servers answer, and what must happen.",
    keys: [
      Key(
        "test", .pattern(namePattern), "Name of the test.", isRequired: true, examples: ["photos"]),
      Key("description", .text, "What is tested, in a sentence."),
      Key(
        "pipeline", .text, "File of the pipeline, relative to this file.", isRequired: true,
        examples: ["photos.yaml"]),
      inputs, answers, probes, onAbandon,
      Key(
        "cases", .filledList(.construct(.testCase)),
        "The runs. What a case says of an input or a step takes the place of what is said above.",
        isRequired: true),
    ],
    reserved: ["device", "scenario", "server", "network", "use"])

  static let testCase = Construct(
    name: .testCase, phrase: "a case", summary: "One run and what must happen in it.",
    keys: [
      Key(
        "name", .text, "What is tested, as a statement; unique in the file.", isRequired: true,
        examples: ["an upload id that has died is made again"]),
      inputs, answers, probes, onAbandon,
      Key(
        "start", .text, "When virtual time begins, in RFC 3339.", default: "2026-01-05T08:00:00Z"),
      Key(
        "seed", .integer(minimum: 0), "Seeds the jitter of back-offs.", default: 1),
      Key(
        "limit", .duration, "Virtual time after which the run is ended, whatever is left to do.",
        default: "30d"),
      Key(
        "free_space", .size,
        "Free disk space for materialized files; beyond it the disk is full. Left out, it is without limit.",
        examples: ["10 MiB"]),
      Key(
        "restarts", .list(.duration),
        "Times after the start at which the process is killed and begins again.", examples: [["5s"]]
      ),
      Key("expect", .construct(.expectation), "What must happen.", isRequired: true),
    ],
    reserved: ["device", "scenario", "server", "network", "skip", "pauses", "cancels"])

  static let sourceFile = Construct(
    name: .sourceFile, phrase: "a file", summary: "A file that exists only in the test.",
    keys: [
      Key(
        "name", .text, "Its name. With `count`, `*` stands for the file's number.",
        isRequired: true, examples: ["a.jpg", "photo-*.jpg"]),
      Key(
        "size", .size, "Number of bytes; their content is nobody's business.", examples: ["2 MiB"]),
      Key("text", .text, "The content, UTF-8."),
      Key(
        "count", .integer(minimum: 1), "So many files like this one.", default: 1, examples: [100]),
      Key("content_type", .text, "Media type.", examples: ["image/jpeg"]),
    ],
    alternatives: [.exactlyOne("size", "text")],
    reserved: ["modified", "path"])

  static let reply = Construct(
    name: .reply, phrase: "an answer",
    summary: "What comes back from a server, or what becomes of the connection.",
    keys: [
      Key(
        "if", .expression,
        """
        The entry is only for requests for which this is true. Expressions see the inputs, the steps before, the item, and \
        `request.method`, `.url`, `.headers`, `.json`, `.text`, `.size`, `.number` and `.elapsed`.
        """,
        examples: [#"${{ photo.name == "b.jpg" }}"#, "${{ request.number == 1 }}"]),
      Key(
        "times", .integer(minimum: 1), "How often the entry is given before the next one.",
        default: 1),
      responseStatus, responseHeaders, responseJSON, responseText,
      Key(
        "error", .choice(TestWords.errors.map(\.rawValue)),
        "No answer, and why; what `response.error` shows.", examples: ["connection-lost"]),
      Key(
        "reached", .flag,
        """
        Whether an unanswered request may have reached the server. Left out, it may where the connection was lost or timed \
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
        "name", .text, "Name of the item's file, or its value as text.", isRequired: true,
        examples: ["a.jpg"]),
      Key("status", .choice(TestWords.items), "How it must end."),
      Key("reason", .text, "Text that stands in the reason of its end."),
      Key(
        "outputs", .map(.map(.json, names: identifierPattern), names: stepPattern),
        "Outputs that its steps had at last, by step and name.",
        examples: [["allocate": ["upload_id": "u2"]]]),
    ])

  static let requestExpectation = Construct(
    name: .requestExpectation, phrase: "an expected request",
    summary: "A request that must be sent.",
    keys: [
      Key(
        "step", .pattern(stepPattern),
        "Id of the step that sends it; of a used file, `ID.STEP`.", examples: ["upload"]),
      Key(
        "purpose", .choice(TestPurpose.allCases.map(\.rawValue)),
        "`attempt` at the step, its `probe`, or the `abandon` of what its item left on the server."),
      Key("item", .text, "Name of the item's file, or its value as text.", examples: ["a.jpg"]),
      Key("method", .pattern(methodPattern), "Method, in capitals."),
      Key("url", .template, "The whole URL."),
      Key(
        "headers", .map(.template, names: headerPattern),
        "Headers that it has, by name; others may stand beside them."),
      Key(
        "json", .json,
        "Body. An object may have members that are not named here; all else has to be equal."),
      Key("text", .template, "Body of text."),
      Key(
        "if", .expression, "True on the request; see `if` of an answer.",
        examples: ["${{ request.elapsed > duration(\"1m\") }}"]),
    ],
    alternatives: [.atMostOne("json", "text")], reserved: ["count", "times"])

  static let timeBounds = Construct(
    name: .timeBounds, phrase: "'time'", summary: "Bounds of the virtual time that the run takes.",
    keys: [
      Key("at_least", .duration, "Least time.", examples: ["30s"]),
      Key("at_most", .duration, "Most time.", examples: ["10m"]),
    ])

  static let sizeBounds = Construct(
    name: .sizeBounds, phrase: "'disk'",
    summary: "Bounds of the bytes that materialized files hold.",
    keys: [Key("at_most", .size, "Most bytes at any moment.", isRequired: true)])
}

/// Words of `*.test.yaml` files.
enum TestWords {
  /// Failures of the connection that a script can ask for: all but our own interruption.
  static let errors = TransportFailure.Kind.shown
  /// How an item can stand.
  package static let items = ItemWord.allCases.map(\.rawValue)
}

/// How an item can stand, as expectations write it.
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
