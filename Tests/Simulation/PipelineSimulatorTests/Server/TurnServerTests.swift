import PipelineCore
import PipelineDocument
import PipelineSimulator
import Testing

/// The server of a pipeline that sends files in pieces reports its received bytes,
/// in the form that the pipeline reads.
struct TurnServerTests {
  /// How a server reports its number of bytes: on request, and after a piece.
  struct Wording: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var outputs = ""
    let next: String
    let found: String
    var on = ""
    var onResync = ""
  }

  private static let protocols = [
    Wording(
      testDescription: "a header with the number",
      outputs: #"offset: "${{ int(response.headers['upload-offset']) }}""#,
      next: "${{ steps.send.offset }}", found: "${{ int(response.headers['upload-offset']) }}"),
    Wording(
      testDescription: "a header with the last byte, and 308 until the end",
      outputs:
        #"offset: "${{ response.status == 308 ? int(response.headers.range.split('-')[1]) + 1 : file.size }}""#,
      next: "${{ steps.send.offset }}",
      found:
        "${{ has(response.headers.range) ? int(response.headers.range.split('-')[1]) + 1 : 0 }}",
      on: #"- { if: "${{ response.status == 308 }}", then: success }"#,
      onResync: #"- { if: "${{ response.status == 308 }}", then: success }"#),
    Wording(
      testDescription: "a list of what is expected next",
      outputs:
        #"offset: "${{ has(response.json.next) ? int(response.json.next[0].split('-')[0]) : file.size }}""#,
      next: "${{ steps.send.offset }}",
      found: "${{ int(response.json.next[0].split('-')[0]) }}"),
    Wording(
      testDescription: "no word after a piece, and a number when asked",
      next: "${{ math.least(steps.sent.offset + 1000, file.size) }}",
      found: "${{ response.json.received }}"),
    // A 200 only confirms the device's own number, which must not be trusted.
    Wording(
      testDescription: "a refusal that names the place, in words and in a number",
      next: "${{ math.least(steps.sent.offset + 1000, file.size) }}",
      found:
        "${{ response.status == 200 ? steps.sent.offset : response.json.error.kind == 'closed' ? file.size : int(response.json.error.offset) }}",
      onResync:
        #"- { if: "${{ response.status == 409 && response.text.matches('incorrect|closed') }}", then: success }"#
    ),
  ]

  private static func text(_ words: Wording, isAsked: Bool = true) -> String {
    """
    pipeline: pieces
    inputs:
      server: { type: url, default: "http://s" }
      files: { type: files }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: create
            request: { method: POST, url: "${{ inputs.server }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { url: "${{ response.headers.location }}" }
          - id: sent
            repeat:
              from: { offset: 0 }
              until: ${{ steps.sent.offset == file.size }}
              next: { offset: "\(words.next)" }
    \(isAsked ? """
              resync:
                request: { url: "${{ steps.create.url }}" }
                next: { offset: "\(words.found)" }
    """ : "")
              steps:
                - id: send
                  upload:
                    url: ${{ steps.create.url }}
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ math.least(1000, file.size - steps.sent.offset) }}" }
    \(words.outputs.isEmpty ? "" : "              outputs: { \(words.outputs) }")
    \(on(words.on, isAsked))
    \(words.onResync.isEmpty || !isAsked ? "" : "        on:\n          \(words.onResync)")
    """
  }

  private static func on(_ matchers: String, _ isAsked: Bool) -> String {
    let asks = isAsked ? #"- { if: "${{ response.status == 409 }}", then: resync }"# : ""
    let all = [matchers, asks].filter { !$0.isEmpty }
    return all.isEmpty
      ? "" : "              on:\n" + all.map { "                " + $0 }.joined(separator: "\n")
  }

  private func run(
    _ text: String, _ model: ServerModel = .ideal, seed: UInt64 = 1
  ) throws -> (run: SimulatedRun, pieces: [ItemKey?: Int]) {
    var scene = try ModelScene(text)
    scene.model = model
    var (inputs, disk) = try scene.inputs(count: 0)
    inputs.files["files"] = [0, 999, 1000, 3500].enumerated().map { index, size in
      FileValue(path: "/p/\(index)", name: "\(index)", size: size, modified: 0)
    }
    for file in inputs.files["files"] ?? [] { disk.add(file) }
    var settings = SimulatedRun.Settings()
    settings.limit = .seconds(3 * 86400)
    var run = SimulatedRun(
      scene.pipeline.pipeline, inputs: inputs,
      server: try ModelServer(scene.pipeline, model: model, seed: seed), disk: disk,
      settings: settings)
    run.simulate()
    let send = scene.pipeline.stepIndex[StepID("send")]
    var pieces: [ItemKey?: Int] = [:]
    for commit in run.journal.commits where commit.step == send {
      pieces[commit.id.item, default: 0] += 1
    }
    return (run, pieces)
  }

  @Test(arguments: protocols)
  func `each piece is sent once`(words: Wording) throws {
    let (run, pieces) = try self.run(Self.text(words))
    #expect(run.outcome == .rested, "\(TraceText(run).render(run.trace, limit: 60))")
    #expect(run.done() == 4)
    #expect(pieces.values.sorted() == [1, 1, 4])
  }

  /// A lost response leaves the bytes at the server: it is asked, and no piece is sent twice.
  @Test(arguments: protocols)
  func `a piece whose response is lost is not sent again`(words: Wording) throws {
    for seed in UInt64(1)...5 {
      var model = ServerModel.ideal
      model.faults.lostReply = 0.3
      let (run, pieces) = try run(Self.text(words), model, seed: seed)
      #expect(run.done() == 4, "\(TraceText(run).render(run.trace, limit: 60))")
      #expect(pieces.values.sorted() == [1, 1, 4])
    }
  }

  /// Without `resync` the same pieces are sent again, which their author says is harmless.
  @Test func `without resync a piece whose response is lost is sent again`() throws {
    var model = ServerModel.ideal
    model.faults.lostReply = 0.3
    var most = 0
    for seed in UInt64(1)...5 {
      let (run, pieces) = try run(Self.text(Self.protocols[0], isAsked: false), model, seed: seed)
      #expect(run.done() == 4)
      most = max(most, pieces.values.reduce(0, +))
    }
    #expect(most > 6)
  }

  @Test(arguments: protocols)
  func `crashes at each point leave each file whole`(words: Wording) throws {
    let scene = try ModelScene(Self.text(words))
    let safety = try CrashVerifierTests.verify(scene.pipeline, pairs: 40)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
    // Three pieces of the trials' file, and the steps around them.
    #expect(safety.effort.crashPoints > 12)
    #expect(!safety.steps.contains { !$0.isReached })
  }
}
