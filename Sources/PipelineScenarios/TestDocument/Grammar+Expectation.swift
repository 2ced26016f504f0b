import PipelineDocument
import CEL

extension Grammar {
  private static let counts: ValueShape = .map(.integer(minimum: 0), names: stepPattern)

  static let expectation = Construct(
    name: .expectation, phrase: "an expectation",
    summary: "What must happen. Anything not named here may have any value.",
    keys: [
      Key(
        "status", .choice(TestRunStatus.allCases.map(\.rawValue)),
        """
        How the run ends. `done`: every item is done or skipped. `incomplete`: it is finished, but some items failed or are \
        paused. `paused`: a step outside loops cannot continue. `stuck`: nothing more can ever happen. `unfinished`: the \
        time limit came first.
        """, examples: ["done"]),
      Key("reason", .text, "Text contained in the reason why the run is paused."),
      Key(
        "items", .map(.integer(minimum: 0), names: "^(\(TestWords.items.joined(separator: "|")))$"),
        "Number of items per status at the end.", examples: [["done": 2, "paused": 1]]),
      Key("each", .filledList(.construct(.itemExpectation)), "How single items end."),
      Key(
        "requests", .filledList(.construct(.requestExpectation)),
        "Requests sent in this order; others may come between them."),
      Key(
        "all_requests", .filledList(.construct(.requestExpectation)),
        "All requests sent, in order."),
      Key(
        "attempts", counts, "Number of attempts per step over all items, without probes.",
        examples: [["upload": 2]]),
      Key("probes", counts, "Number of probes per step over all items."),
      Key(
        "reissues", counts, "How often each step is reissued because a result has expired.",
        examples: [["allocate": 1]]),
      Key(
        "outputs", .map(.map(.json, names: identifierPattern), names: stepPattern),
        "Final outputs of steps, by step and name; in a loop, those made last.",
        examples: [["allocate": ["upload_id": "u2"]]]),
      Key("time", .construct(.timeBounds), "Virtual time that the run takes."),
      Key("disk", .construct(.sizeBounds), "Disk space used by materialized files."),
      Key(
        "saved", .list(.text),
        "Absolute paths of all files that stay after downloads, in any order. A folder given as a list of files is `/test/INPUT`.",
        examples: [["/test/target/a/b.jpg"]]),
    ],
    alternatives: [.atMostOne("requests", "all_requests")],
    reserved: ["never", "always", "eventually", "blocked_by", "properties"])
}
