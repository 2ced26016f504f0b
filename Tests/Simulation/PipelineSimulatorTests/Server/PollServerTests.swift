import CEL
import PipelineCore
import PipelineDocument
import PipelineSimulator
import Testing

/// The server of a pipeline that polls is not ready at first, in words that it finds in the pipeline; digests are those of
/// the simulated content.
struct PollServerTests {
  private static let text = """
    pipeline: waits
    inputs:
      server: { type: url, default: "http://s" }
      files: { type: files }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [sha256, crc64nvme] }
          - id: create
            request:
              method: POST
              url: ${{ inputs.server }}
              headers: { X-Sum: "${{ steps.sum.sha256.hex }}", X-Check: "${{ steps.sum.crc64nvme.base64 }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { url: "${{ response.headers.location }}" }
          - id: wait
            poll:
              url: ${{ steps.create.url }}
              until: ${{ response.json.state == "done" }}
              fail_when: ${{ response.json.state == "error" }}
              every: 1m
              deadline: 10m
            outputs: { id: "${{ response.json.id }}" }
          - id: tell
            request: { method: PUT, url: "${{ inputs.server }}", text: "${{ steps.wait.id }}" }
            shared_target: allow
    """

  @Test func `a request that can never succeed fails with the server's message`() throws {
    let run = try run(
      Self.text.replacing(
        "every: 1m", with: "every: 1m\n          message: ${{ response.json.state }}"
      ).replacing(
        "deadline: 10m",
        with: "deadline: 10m\n          example: { json: { state: error, id: a } }"))
    #expect(run.done() == 0)
    let told = TraceText(run).render(run.trace, limit: 200)
    #expect(told.contains("failed: error"), "\(told)")
  }

  private func run(_ text: String = text) throws -> SimulatedRun {
    let scene = try ModelScene(text)
    var (inputs, disk) = try scene.inputs(count: 0)
    inputs.files["files"] = [FileValue(path: "/p/a", name: "a", size: 5, modified: 0)]
    for file in inputs.files["files"] ?? [] { disk.add(file, content: Array("Hello".utf8)) }
    var settings = SimulatedRun.Settings()
    settings.limit = .seconds(86400)
    var run = SimulatedRun(
      scene.pipeline.pipeline, inputs: inputs,
      server: try ModelServer(scene.pipeline, model: .ideal, seed: 1), disk: disk,
      settings: settings)
    run.simulate()
    return run
  }

  private func sent(_ run: SimulatedRun, _ step: String) -> [SimulatedRequest] {
    let index = run.pipeline.steps.firstIndex { $0.id.rawValue == step }
    return run.trace.events.compactMap { event in
      if case .sent(let request) = event.fact, request.id.step == index { request } else { nil }
    }
  }

  /// The deadline is shorter than the two waits of the server: the last question comes at the deadline.
  @Test func `a server that is not ready at the deadline pauses the item, in its own words`() throws
  {
    let run = try run(Self.text.replacing("deadline: 10m", with: "deadline: 90s"))
    #expect(run.done() == 1)
    let late = try self.run(Self.text.replacing("deadline: 10m", with: "deadline: 1s"))
    #expect(late.done() == 0)
    #expect(sent(late, "wait").count == 2)
    let told = TraceText(late).render(late.trace, limit: 200)
    #expect(told.contains("still not ready after"), "\(told)")
    #expect(told.contains("response.json.state is '"), "\(told)")
  }

  @Test func `the server is asked until it is ready, at the interval`() throws {
    let run = try run()
    #expect(run.done() == 1, "\(TraceText(run).render(run.trace, limit: 60))")
    let questions = sent(run, "wait")
    #expect(questions.count == 3)
    let gaps = zip(questions, questions.dropFirst()).map { ($1.at - $0.at).milliseconds / 1000 }
    #expect(gaps.allSatisfy { (60...62).contains($0) }, "\(gaps)")
  }

  @Test func `digests are those of the content`() throws {
    let headers = sent(try run(), "create").first?.request.headers ?? []
    let values = Dictionary(headers.map { ($0.name, $0.value) }) { first, _ in first }
    #expect(
      values["X-Sum"] == "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969")
    #expect(values["X-Check"]?.count == 12)
  }

  @Test func `crashes at each point lose no question and no digest`() throws {
    let scene = try ModelScene(Self.text)
    let safety = try CrashVerifierTests.verify(scene.pipeline, pairs: 40)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
    #expect(!safety.steps.contains { !$0.isReached })
  }
}
