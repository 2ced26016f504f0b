package import PipelineDocument
import CEL

extension Construct {
  private static let counts: ValueShape = .map(.integer(minimum: 0), names: stepPattern)

  package static let expectation: Construct = .init(
    name: "expectation", phrase: "an expectation",
    keys: [
      Key("status", .choice(TestRunStatus.allCases.map(\.rawValue))), Key("reason", .text),
      Key(
        "items", .map(.integer(minimum: 0), names: "^(\(TestWords.items.joined(separator: "|")))$")),
      Key("each", .filledList(.construct(.itemExpectation))),
      Key("requests", .filledList(.construct(.requestExpectation))),
      Key("all_requests", .filledList(.construct(.requestExpectation))), Key("attempts", counts),
      Key("probes", counts), Key("reissues", counts),
      Key("outputs", .map(.map(.json, names: identifierPattern), names: stepPattern)),
      Key("time", .construct(.timeBounds)), Key("disk", .construct(.sizeBounds)),
      Key("saved", .list(.text)),
    ], alternatives: [.atMostOne("requests", "all_requests")],
    reserved: ["never", "always", "eventually", "blocked_by", "properties"])
}
