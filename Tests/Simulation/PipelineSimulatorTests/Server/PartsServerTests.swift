import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

/// The server of a pipeline that sends files in parts, and what simulations, verifications and tests make of it.
struct PartsServerTests {
  private static func text(
    size: Int = 1000, effect: String = "", ask: String = "", url: String = "${{ steps.open.id }}",
    expired: String = ""
  ) -> String {
    """
    pipeline: parts
    inputs:
      server: { type: url, default: "http://s" }
      files: { type: files }
    retry: { standard: { attempts: 6, jitter: none } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: open
            request: { method: POST, url: "${{ inputs.server }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: { value: "${{ response.json.id }}", expires: { in: 1h } } }
          - id: sent
            for_each: part
            in: '${{ parts(file.size, {"size": \(size)}) }}'
            concurrency: 2
            steps:
    \(ask)
              - id: put
                upload:
                  url: ${{ inputs.server }}/\(url)/${{ part.number }}
                  file: ${{ file }}
                  range: { offset: "${{ part.offset }}", length: "${{ part.length }}" }
    \(effect)
                on:
                  - { if: "${{ response.status == 404 }}", expired: open }
    \(expired)
                outputs: { tag: "${{ response.headers.etag }}" }
            collect: { tags: '${{ {"number": part.number, "tag": steps.put.tag} }}' }
          - id: finish
            request: { method: POST, url: "${{ inputs.server }}/${{ steps.open.id }}", json: { parts: "${{ steps.sent.tags }}" } }
            on: [{ if: "${{ response.status == 404 }}", expired: open }]
    """
  }

  private static let asking = text(
    ask: """
                - id: ask
                  request: { method: POST, url: "${{ inputs.server }}/${{ steps.open.id }}/urls/${{ part.number }}" }
                  on: [{ if: "${{ response.status == 404 }}", expired: open }]
                  effect: repeatable
                  outputs: { path: { value: "${{ response.json.path }}", expires: { in: 5m } } }
      """, url: "${{ steps.ask.path }}",
    expired: "              - { if: \"${{ response.status == 403 }}\", expired: ask }")

  private func run(
    _ text: String, _ model: ServerModel = .ideal, seed: UInt64 = 1
  ) throws -> (run: SimulatedRun, parts: [Int]) {
    let scene = try ModelScene(text)
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
    let put = scene.pipeline.stepIndex[StepID("put")]
    var parts: [ItemKey?: Int] = [:]
    for commit in run.journal.commits where commit.step == put {
      parts[commit.id.item, default: 0] += 1
    }
    return (run, parts.values.sorted())
  }

  @Test(arguments: [text(), asking])
  func `each part of each file is sent once, and an empty file has one`(text: String) throws {
    let (run, parts) = try run(text)
    #expect(run.outcome == .rested, "\(TraceText(run).render(run.trace, limit: 60))")
    #expect(run.done() == 4)
    #expect(parts == [1, 1, 1, 1, 1, 1, 1])
  }

  @Test(arguments: [text(), asking])
  func `faults repeat single parts, and every file is finally whole`(text: String) throws {
    for seed in UInt64(1)...5 {
      var model = ServerModel.ideal
      model.faults.lostReply = 0.2
      model.faults.serverError = 0.1
      model.faults.revoked = 0.2
      model.latency = .constant(20)
      let (run, parts) = try run(text, model, seed: seed)
      #expect(run.done() == 4, "\(TraceText(run).render(run.trace, limit: 60))")
      #expect(parts.count >= 7 && parts.allSatisfy { $0 < 6 })
    }
  }

  @Test(arguments: [text(), asking])
  func `crashes at each point leave each file whole`(text: String) throws {
    let scene = try ModelScene(text)
    let safety = try CrashVerifierTests.verify(scene.pipeline, pairs: 40)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
    // Several parts of the trials' file, and the steps around them.
    #expect(safety.effort.crashPoints > 12)
    #expect(!safety.steps.contains { !$0.isReached })
  }

  @Test func `a part that creates something without a key is found`() throws {
    let scene = try ModelScene(
      Self.text(
        effect: """
                      effect: create
                      idempotency: { header: Key, key: "${{ item.key }}" }
          """))
    let safety = try CrashVerifier(scene.pipeline, file: "test.yaml", pairLimit: 0).result()
    #expect(
      safety.counterexamples.contains { $0.message.contains("'put'") },
      "two parts of an item send one key: \(safety.counterexamples)")
  }

  @Test func `a test distinguishes parts, and sees the collected values`() throws {
    let test = """
      test: parts
      pipeline: parts.yaml
      inputs: { files: [{ name: film.mov, size: 2500 B }] }
      answers:
        open: [{ status: 201, json: { id: u1 } }]
        put:
          - { if: "${{ part.number == 2 }}", status: 503, times: 1 }
          - { status: 200, headers: { ETag: "e${{ part.number }}" } }
        finish: [{ status: 200 }]
      cases:
        - name: the second part is sent twice
          expect:
            status: done
            attempts: { put: 4 }
            outputs: { sent: { tags: [{ number: 1, tag: e1 }, { number: 2, tag: e2 }, { number: 3, tag: e3 }] } }
            requests:
              - { step: put, item: film.mov, url: "http://s/u1/2" }
              - { step: finish, json: { parts: [{ number: 1, tag: e1 }, { number: 2, tag: e2 }, { number: 3, tag: e3 }] } }
        - name: an upload that expired is sent again as a whole
          answers:
            open: [{ status: 201, json: { id: "u${{ request.number }}" } }]
            put:
              - { if: "${{ part.number == 3 }}", status: 404, times: 1 }
              - { status: 200, headers: { ETag: "e${{ part.number }}" } }
          expect:
            status: done
            attempts: { open: 2 }
            requests: [{ step: finish, url: "http://s/u2" }]
      """
    let loaded = TestDocument.load(
      bytes: test.utf8, file: "parts.test.yaml",
      files: DocumentFiles { $0 == "parts.yaml" ? Array(Self.text().utf8) : nil })
    #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
    let results = TestRunner(try #require(loaded.document)).results()
    let report = TestReport([.init(name: "parts.test.yaml", results: results)])
    #expect(report.isPassed, "\(report.text())")
  }
}
