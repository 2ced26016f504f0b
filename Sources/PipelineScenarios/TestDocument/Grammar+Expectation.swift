import PipelineDocument
import CEL

extension Grammar {
  private static let counts: ValueShape = .map(.integer(minimum: 0), names: stepPattern)

  static let expectation = Construct(
    name: .expectation, phrase: "an expectation",
    summary: "What must happen. What is not named may be as it likes.",
    keys: [
      Key(
        "status", .choice(TestRunStatus.allCases.map(\.rawValue)),
        """
        How the run ends. `done`: every item is done or skipped. `incomplete`: it is finished, and some items failed or are \
        paused. `paused`: a step outside of loops cannot go on. `stuck`: nothing can ever happen any more. `unfinished`: the \
        limit came first.
        """, examples: ["done"]),
      Key("reason", .text, "Text that stands in the reason why the run is paused."),
      Key(
        "items", .map(.integer(minimum: 0), names: "^(\(TestWords.items.joined(separator: "|")))$"),
        "How many items stand how at the end.", examples: [["done": 2, "paused": 1]]),
      Key("each", .filledList(.construct(.itemExpectation)), "How single items end."),
      Key(
        "requests", .filledList(.construct(.requestExpectation)),
        "Requests that are sent in this order; others may stand between them."),
      Key(
        "all_requests", .filledList(.construct(.requestExpectation)),
        "All requests that are sent, in order."),
      Key(
        "attempts", counts,
        "How often each step is attempted, probes not counted, over all items.",
        examples: [["upload": 2]]),
      Key("probes", counts, "How often each step is probed, over all items."),
      Key(
        "reissues", counts, "How often each step is done anew because a result has died.",
        examples: [["allocate": 1]]),
      Key(
        "outputs", .map(.map(.json, names: identifierPattern), names: stepPattern),
        "Outputs that steps had at last, by step and name; of any item, the last to make them.",
        examples: [["allocate": ["upload_id": "u2"]]]),
      Key("time", .construct(.timeBounds), "Virtual time that the run takes."),
      Key("disk", .construct(.sizeBounds), "Bytes that materialized files hold."),
    ],
    alternatives: [.atMostOne("requests", "all_requests")],
    reserved: ["never", "always", "eventually", "blocked_by", "properties"])
}
