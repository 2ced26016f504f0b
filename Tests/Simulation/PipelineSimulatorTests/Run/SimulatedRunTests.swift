import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator
import Testing

struct SimulatedRunTests {
  @Test func `a run completes with no waiting frame and no file left`() throws {
    var run = try Scene(count: 5).run()
    #expect(run.simulate() == .rested)
    #expect(run.state?.status == .finished)
    #expect(run.count(.done) == 5)
    #expect(run.disk.paths == [])
    #expect(run.sent.count == 1 + 3 * 5)
    // 100 ms to sign in; then 3 rounds (2, 2, 1 photos) of three requests.
    #expect(run.now - run.start == .milliseconds(100 + 3 * 300))
  }

  @Test func `one seed produces one trace, to the byte`() throws {
    func text(seed: UInt64) throws -> String {
      let jittered = Scene.photos.replacing("jitter: none", with: "jitter: full")
      var settings = SimulatedRun.Settings()
      settings.seed = seed
      settings.tracesBlockers = true
      var run = try Scene(
        jittered, files: ["a": 10, "b": 20, "c": 30, "d": 40, "e": 50]
      ).run(settings: settings) { exchange in
        // Every third attempt is lost, depending only on its number.
        exchange.purpose == .attempt && exchange.id.attempt % 3 == 1 && exchange.id.step != 0
          ? Scene.lost() : Scene.respond(to: exchange)
      }
      run.simulate()
      return TraceText(run).render(run.trace, .full)
    }
    let first = try text(seed: 1)
    #expect(first.split(separator: "\n").count > 100)
    #expect(try text(seed: 1) == first)
    #expect(try text(seed: 2) != first)
  }

  @Test func `an id that the server reports as expired is reissued, and the body file is kept`()
    throws
  {
    var run = try Scene(files: ["a": 10]).run { exchange in
      exchange.request.url.hasSuffix("/content/id-a-1")
        ? SimulatedResponse(status: 410) : Scene.respond(to: exchange)
    }
    #expect(run.simulate() == .rested)
    #expect(
      run.sent == [
        "POST login", "POST allocate/a", "PUT content/id-a-1", "POST allocate/a",
        "PUT content/id-a-2", "POST finalize/id-a-2",
      ])
    let wrote = run.trace.events.count { if case .wrote = $0.fact { true } else { false } }
    #expect(wrote == 1)
    let reissued = run.trace.events.compactMap { event -> String? in
      guard case .reissued(let id, _) = event.fact else { return nil }
      return run.pipeline.name(of: id)
    }
    #expect(reissued == ["allocate", "upload"])
  }

  @Test func `a lost reply to a creating step is probed, not repeated`() throws {
    var run = try Scene(files: ["a": 10]).run { exchange in
      exchange.request.url.contains("/finalize/") ? Scene.lost() : Scene.respond(to: exchange)
    }
    #expect(run.simulate() == .rested)
    #expect(run.sent.suffix(2) == ["POST finalize/id-a-1", "GET status/id-a-1"])
    #expect(run.count(.done) == 1)
  }

  @Test func `an id expires by the clock while its file waits for the disk budget`() throws {
    var scene = try Scene(files: ["a": 900, "b": 900])
    scene.disk = VirtualDisk(writeSpeed: 1)
    for file in scene.inputs.files["photos"] ?? [] { scene.disk.add(file) }
    var run = scene.run()
    run.simulate()
    // Both IDs are created at once and are valid for 10 minutes; writing one file needs 15,
    // and the budget holds one at a time.
    #expect(run.count(.done) == 2)
    #expect(run.sent.count { $0 == "POST allocate/b" } > 1)
    #expect(run.disk.peak == 900)
  }

  @Test func `an item waits for a full disk, and the others continue`() throws {
    var scene = try Scene(files: ["a": 600, "b": 300])
    scene.disk = VirtualDisk(capacity: 500)
    for file in scene.inputs.files["photos"] ?? [] { scene.disk.add(file) }
    var settings = SimulatedRun.Settings()
    settings.limit = .seconds(3600)
    var run = scene.run(settings: settings)
    #expect(run.simulate() == .outOfTime)
    #expect(run.count(.done) == 1)
    #expect(run.count(.active) == 1)
    #expect(run.disk.peak == 300)
  }

  @Test func `a response after the request's timeout is ignored`() throws {
    let text = """
      pipeline: one
      retry: { standard: { attempts: 1 } }
      steps:
        - id: ask
          request: { url: "http://server/ask", timeout: 5s }
      """
    var run = try Scene(text).run { _ in SimulatedResponse(latency: .seconds(6)) }
    #expect(run.simulate() == .rested)
    #expect(run.state?.status == .paused)
    #expect(run.now - run.start == .seconds(5))
  }

  @Test func `retries that are used up pause the item after the policy's time`() throws {
    var run = try Scene(files: ["a": 10]).run { exchange in
      exchange.request.url.contains("/allocate/")
        ? SimulatedResponse(status: 503) : Scene.respond(to: exchange)
    }
    #expect(run.simulate() == .rested)
    #expect(run.count(.paused) == 1)
    #expect(run.sent.count == 1 + 3)
    #expect(run.now - run.start == .milliseconds(100 + 1000 + 2000))
  }

  @Test func `a process that crashes at any time is followed by one that completes the run`()
    throws
  {
    for moment in stride(from: 0, to: 1400, by: 50) {
      var settings = SimulatedRun.Settings()
      settings.interventions = [(.milliseconds(moment), .restart)]
      var run = try Scene(count: 4).run(settings: settings)
      #expect(run.simulate() == .rested)
      #expect(run.count(.done) == 4, "killed after \(moment) ms")
      #expect(run.disk.paths == [])
      // A secret is never kept, so the second process signs in again, if it is there to need it.
      #expect(run.sent.count { $0 == "POST login" } <= 2)
      let keys = Dictionary(
        grouping: run.trace.exchanges.filter { $0.request.url.contains("/allocate/") },
        by: { $0.header("Idempotency-Key") ?? "" })
      #expect(keys.count == 4, "a repeat shows the key of what it repeats")
    }
  }

  @Test func `a run that the user stops reports its waits`() throws {
    var settings = SimulatedRun.Settings()
    settings.interventions = [(.milliseconds(150), .pause)]
    var run = try Scene(count: 3).run(settings: settings)
    #expect(run.simulate() == .rested)
    #expect(run.state?.status == .paused)
    let items = run.waiting.filter { $0.key != nil }
    #expect(!items.isEmpty)
    #expect(items.values.allSatisfy { $0 == .stopped })
  }

  @Test func `a circle without duration ends the simulation`() throws {
    let text = """
      pipeline: one
      steps:
        - id: ask
          request: { url: "http://server/ask" }
          on: [{ then: poll, after: 0s }]
      """
    var settings = SimulatedRun.Settings()
    settings.turnsPerInstant = 1000
    var run = try Scene(text).run(settings: settings) { _ in SimulatedResponse() }
    #expect(run.simulate() == .endless)
  }

  @Test func `a billion turns without duration end the simulation before they are expensive`()
    throws
  {
    let text = """
      pipeline: one
      steps:
        - id: count
          repeat:
            from: { n: 0 }
            until: ${{ steps.count.n >= 1000000000 }}
            steps: [{ id: ask, request: { url: "http://server/ask" } }]
            next: { n: "${{ steps.count.n + 1 }}" }
      """
    var run = try Scene(text).run { _ in SimulatedResponse() }
    #expect(run.simulate() == .endless)
    #expect(run.trace.events.count < 100_000)
  }

  @Test func `a run that only polls ends with the time of the simulation`() throws {
    let text = """
      pipeline: one
      steps:
        - id: ask
          request: { url: "http://server/ask" }
          on: [{ then: poll, after: 1h }]
      """
    var settings = SimulatedRun.Settings()
    settings.limit = .seconds(86400)
    var run = try Scene(text).run(settings: settings) { _ in SimulatedResponse() }
    #expect(run.simulate() == .outOfTime)
    #expect(run.now - run.start == .seconds(86400))
    #expect(run.sent.count == 25)
  }
}

/// Devices that hold the process back.
struct SimulatedDeviceModelTests {
  /// Lets the process run for a while, and never again; keeps transfers forever.
  private struct Coffin: DeviceModel {
    func processBegan(at now: Instant) -> [DeviceAction] {
      [.setAlarm(0, at: now + .milliseconds(250))]
    }
    func transfersAdopted(_ wanted: [EffectID], at now: Instant) -> [DeviceAction] { [] }
    func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction] { [.change(.expiring)] }
    func transferQueued(_ transfer: QueuedTransfer, at now: Instant) -> [DeviceAction] { [] }
    func transferAnswered(
      _ id: EffectID, _ response: Response, at now: Instant
    ) -> [DeviceAction] { [] }
    func transferRenewed(
      _ id: EffectID, isAnew: Bool, at now: Instant
    ) -> [DeviceAction] { [] }
    func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction] { [] }
    func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction] { [] }
  }

  @Test func `a run that is stuck reports it, with its waits`() throws {
    var run = try Scene(files: ["a": 10]).run(device: Coffin())
    #expect(run.simulate() == .stuck)
    #expect(run.now - run.start == .milliseconds(250))
    let upload = try #require(run.pipeline.stepIndex[StepID("upload")])
    #expect(run.waiting[ItemKey(loop: 0, ordinal: 0)] == .attempt(step: upload))
    let last = TraceText(run).render(run.trace).split(separator: "\n").last ?? ""
    #expect(last.contains("the run is stuck"))
  }
}
