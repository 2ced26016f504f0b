import PipelineDocument
import CEL

extension Grammar {
  private static let counts: ValueShape = .map(.integer(minimum: 0), names: stepPattern)

  static let expectation = Construct(
    name: .expectation, phrase: "an expectation",
    keys: [
      Key("status", .choice(TestRunStatus.allCases.map(\.rawValue)), examples: ["done"]),
      Key("reason", .text),
      Key(
        "items", .map(.integer(minimum: 0), names: "^(\(TestWords.items.joined(separator: "|")))$"),
        examples: [["done": 2, "paused": 1]]),
      Key("each", .filledList(.construct(.itemExpectation))),
      Key("requests", .filledList(.construct(.requestExpectation))),
      Key("all_requests", .filledList(.construct(.requestExpectation))),
      Key("attempts", counts, examples: [["upload": 2]]),
      Key("probes", counts),
      Key("reissues", counts, examples: [["allocate": 1]]),
      Key(
        "outputs", .map(.map(.json, names: identifierPattern), names: stepPattern),
        examples: [["allocate": ["upload_id": "u2"]]]),
      Key("time", .construct(.timeBounds)),
      Key("disk", .construct(.sizeBounds)),
      Key("saved", .list(.text), examples: [["/test/target/a/b.jpg"]]),
    ], alternatives: [.atMostOne("requests", "all_requests")],
    reserved: ["never", "always", "eventually", "blocked_by", "properties"])
}
