import CEL
import PipelineCore
import PipelineDocument
import PipelineSimulator
import Testing

/// A loop whose `if` is false has no items, and what comes after it runs.
struct LoopConditionTests {
  private static func text(_ condition: String, in list: String) -> String {
    """
    pipeline: loops
    inputs: { files: { type: files }, publish: { type: bool, default: true } }
    steps:
      - id: ask
        request: { url: "http://server/ask" }
        outputs: { open: "${{ response.json.open }}", names: "${{ response.json.names }}" }
      - for_each: one
        id: sent
        if: ${{ \(condition) }}
        in: ${{ \(list) }}
        steps:
          - id: send
            request: { url: "http://server/send" }
      - id: finish
        request: { url: "http://server/finish" }
    """
  }

  private func sent(_ condition: String, in list: String, publish: Bool = true) throws -> Int {
    var scene = try Scene(Self.text(condition, in: list), files: ["a": 1, "b": 2, "c": 3])
    scene.inputs = .init(
      values: ["publish": .bool(publish)], files: ["files": scene.inputs.files["photos"] ?? []])
    var run = scene.run { exchange in
      exchange.request.url.hasSuffix("/ask")
        ? SimulatedResponse(body: Array(#"{"open": false, "names": ["x", "y"]}"#.utf8))
        : SimulatedResponse()
    }
    #expect(run.simulate() == .rested)
    #expect(run.state?.status == .finished)
    #expect(run.sent.count { $0.hasSuffix("finish") } == 1)
    return run.sent.count { $0.hasSuffix("send") }
  }

  @Test(arguments: ["inputs.files", "steps.ask.names"])
  func `a condition that reads an input is kept for lists of both kinds`(_ list: String) throws {
    let all = list == "inputs.files" ? 3 : 2
    #expect(try sent("inputs.publish", in: list, publish: false) == 0)
    #expect(try sent("inputs.publish", in: list, publish: true) == all)
  }

  @Test(arguments: ["inputs.files", "steps.ask.names"])
  func `a condition that reads a step is asked when the step is done`(_ list: String) throws {
    #expect(try sent("steps.ask.open", in: list) == 0)
    #expect(try sent("!steps.ask.open", in: list) > 0)
  }
}
