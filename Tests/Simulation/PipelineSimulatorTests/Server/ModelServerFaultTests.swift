import Basics
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import Testing

struct ModelServerFaultTests {
  private func scene(_ faults: ServerModel.Faults = .none) throws -> ModelScene {
    var scene = try ModelScene(try TestFiles.text("Pipelines/photos.yaml"))
    scene.model.faults = faults
    scene.settings.limit = .seconds(7 * 86400)
    return scene
  }

  private func index(_ id: String, _ scene: ModelScene) throws -> Int {
    try #require(scene.pipeline.stepIndex[StepID(id)])
  }

  @Test
  func `a repeat with the key of a lost response commits nothing and gets the first response`()
    throws
  {
    var scene = try scene(.init(lostReply: 0.4))
    scene.settings.seed = 3
    let run = try scene.run(count: 10, seed: 5)
    #expect(run.done() == 10)
    let allocate = try index("allocate", scene)
    let repeats = run.journal.deliveries.filter { delivery in
      if case .repeated = delivery.outcome { delivery.id.step == allocate } else { false }
    }
    #expect(!repeats.isEmpty)
    let keys = run.journal.commits.filter { $0.id.step == allocate }.compactMap(\.key)
    #expect(Set(keys).count == keys.count)
  }

  @Test func `without a key each delivery commits again`() throws {
    let text = """
      pipeline: p
      inputs: { files: { type: files } }
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - { id: put, upload: { url: "http://s/${{ file.name }}", file: "${{ file }}" } }
      """
    var scene = try ModelScene(text)
    scene.model.faults = .init(duplicate: 1)
    let run = try scene.run(count: 2)
    #expect(run.journal.commits.count == 4)
    #expect(run.journal.commits.count(where: \.isDuplicate) == 2)
  }

  @Test func `a probe sees committed effects, and a finalize with a lost response is not repeated`()
    throws
  {
    let scene = try scene(.init(lostReply: 0.3))
    let run = try scene.run(count: 10, seed: 2)
    #expect(run.done() == 10)
    let finalize = try index("finalize", scene)
    #expect(run.journal.deliveries.contains { $0.outcome == .probed(isDone: true) })
    for ordinal in 0..<10 {
      let item = ItemKey(loop: 0, ordinal: ordinal)
      #expect(run.journal.commits(of: finalize, item: item).count == 1)
    }
  }

  @Test func `a probe that comes too early for the replicas sees that nothing happened`() throws {
    let scene = try scene(.init(lostReply: 0.5, staleReads: .seconds(3600)))
    let run = try scene.run(count: 5, seed: 2)
    let finalize = try index("finalize", scene)
    let counts = (0..<5).map {
      run.journal.commits(of: finalize, item: ItemKey(loop: 0, ordinal: $0)).count
    }
    #expect(counts.contains { $0 > 1 }, "what the author has to know of such servers")
  }

  @Test func `a request that never arrives commits nothing`() throws {
    let run = try scene(.init(lostRequest: 1)).run(count: 1)
    #expect(run.journal.commits.isEmpty)
    #expect(run.journal.deliveries.allSatisfy { $0.outcome == .lost })
    #expect(!run.journal.deliveries.isEmpty)
  }

  @Test func `a busy server is asked again no earlier than it wishes`() throws {
    let run = try scene(.init(throttled: 0.5)).run(count: 3, seed: 4)
    #expect(run.done() == 3)
    let throttled = run.journal.deliveries.filter { $0.outcome == .throttled }
    #expect(!throttled.isEmpty)
    for delivery in throttled {
      let next = run.journal.deliveries.first {
        $0.id.item == delivery.id.item && $0.id.step == delivery.id.step
          && $0.id.attempt > delivery.id.attempt
      }
      if let next { #expect(next.at - delivery.at >= .seconds(1)) }
    }
  }

  @Test func `a result that has expired on the server is reported by the pipeline`() throws {
    var scene = try ModelScene(Scene.photos.replacing("1000 B", with: "1 GiB"))
    // The author assumes ten minutes; the server keeps it for ten seconds.
    scene.model.lifetimes = [StepID("allocate"): .seconds(10)]
    scene.model.latency = .constant(12)
    let run = try scene.run(count: 1)
    let allocate = try index("allocate", scene)
    let refused = run.journal.deliveries.compactMap { delivery -> Int? in
      if case .refused(let status, allocate) = delivery.outcome { status } else { nil }
    }
    #expect(refused.first == 410)
    #expect(run.tally.reissues[allocate, default: 0] > 0)
  }

  @Test func `a revoked token is refused with the status that makes the pipeline sign in again`()
    throws
  {
    let scene = try scene(.init(revoked: 1))
    let run = try scene.run(count: 20)
    let signIn = try index("sign_in", scene)
    let server = try ModelServer(scene.pipeline)
    #expect(server.journal.deliveries.isEmpty)
    #expect(run.outcome == .rested)
    let refusals = run.journal.deliveries.compactMap { delivery -> Int? in
      if case .refused(let status, signIn) = delivery.outcome { status } else { nil }
    }
    #expect(refusals.allSatisfy { $0 == 401 })
  }

  @Test func `the same seed produces the same history, another seed another`() throws {
    let faults = ServerModel.Faults(serverError: 0.1, throttled: 0.1, lostReply: 0.1, revoked: 0.1)
    let first = try scene(faults).run(count: 5, seed: 1)
    let again = try scene(faults).run(count: 5, seed: 1)
    let other = try scene(faults).run(count: 5, seed: 2)
    #expect(first.journal == again.journal)
    #expect(first.trace == again.trace)
    #expect(first.journal != other.journal)
  }

  @Test(arguments: [-3600, 3600])
  func `a server's clock that is wrong is learnt from its dates`(seconds: Int) throws {
    var scene = try scene()
    scene.model.clockSkew = .seconds(seconds)
    let run = try scene.run(count: 2)
    #expect(run.done() == 2)
    #expect(run.tally.reissues.isEmpty)
    let dates = run.trace.responses.values.compactMap { $0.header("date") }
    #expect(!dates.isEmpty)
    #expect(dates.allSatisfy { HTTPDate.parse($0, at: Instant(milliseconds: 0)) != nil })
  }

  @Test func `faults that stop let everything be finished`() throws {
    var scene = try scene(.init(serverError: 0.9))
    scene.settings.limit = .seconds(60)
    var run = try scene.run(count: 2)
    #expect(run.done() == 0)
    let server = try #require(run.server as? ModelServer)
    #expect(!server.journal.deliveries.isEmpty)
    scene.model.faults = .none
    run = try scene.run(count: 2)
    #expect(run.done() == 2)
  }
}

struct DistributionTests {
  private func samples(_ distribution: Distribution, _ count: Int = 4000) -> [Double] {
    var random = SplitMix64(seed: 9)
    return (0..<count).map { _ in distribution.sample(using: &random) }.sorted()
  }

  @Test func `nothing is ever negative`() {
    #expect(samples(.uniform(-2, -1)).allSatisfy { $0 == 0 })
    #expect(samples(.constant(-1)).allSatisfy { $0 == 0 })
    #expect(samples(.exponential(mean: -1)).allSatisfy { $0 == 0 })
  }

  @Test func `quantiles are where they were asked for`() {
    let latencies = samples(.logNormal(median: 0.2, p90: 1))
    #expect(abs(latencies[2000] - 0.2) < 0.02)
    #expect(abs(latencies[3600] - 1) < 0.1)
    let waits = samples(.exponential(mean: 10))
    #expect(abs(waits.reduce(0, +) / 4000 - 10) < 0.5)
    let even = samples(.uniform(2, 4))
    #expect(even.allSatisfy { (2...4).contains($0) })
    #expect(abs(even[2000] - 3) < 0.1)
  }
}
