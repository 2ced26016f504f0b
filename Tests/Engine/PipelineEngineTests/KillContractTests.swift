import CEL
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineEngine
import PipelineSimulator
import Synchronization
import Testing

/// A kill, a stop, a lost answer and a transfer that outlives its process mean the same in each shell
/// around the core: the executor, the simulator, and what tests and verifications make of it.
struct KillContractTests {
  /// The action on the run while the first request to `path` has no response.
  enum Disturbance: String, Sendable, CaseIterable {
    case kill, pause, lostAnswer, adoption
  }

  struct Story: Sendable, CustomTestStringConvertible {
    let disturbance: Disturbance
    let path: String
    /// The requests from the disturbed one on.
    let expected: [String]

    var testDescription: String { "\(disturbance) at \(path)" }
  }

  static let text = """
    pipeline: contract
    inputs: { files: { type: files } }
    retry: { standard: { jitter: none } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: begin
            request: { method: POST, url: "http://server/begin" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: "${{ response.json.id }}" }
          - id: put
            upload: { url: "http://server/put/${{ steps.begin.id }}", file: "${{ file }}" }
            on:
              - { if: "${{ response.error != '' }}", expired: begin }
          - id: finish
            depends_on: [put]
            request: { method: POST, url: "http://server/finish/${{ steps.begin.id }}" }
            effect: create
            probe:
              request: { url: "http://server/state/${{ steps.begin.id }}" }
              took_effect: ${{ response.json.done }}
    """

  static let stories = [
    Story(
      disturbance: .kill, path: "begin",
      expected: ["POST begin", "POST begin", "PUT put/1", "POST finish/1"]),
    // No response, so that no matcher applies: the transfer is repeated.
    Story(
      disturbance: .kill, path: "put", expected: ["PUT put/1", "PUT put/1", "POST finish/1"]),
    Story(
      disturbance: .kill, path: "finish",
      expected: ["POST finish/1", "GET state/1", "POST finish/1"]),
    Story(
      disturbance: .pause, path: "begin",
      expected: ["POST begin", "POST begin", "PUT put/1", "POST finish/1"]),
    Story(
      disturbance: .pause, path: "put", expected: ["PUT put/1", "PUT put/1", "POST finish/1"]),
    Story(
      disturbance: .pause, path: "finish",
      expected: ["POST finish/1", "GET state/1", "POST finish/1"]),
    Story(
      disturbance: .lostAnswer, path: "begin",
      expected: ["POST begin", "POST begin", "PUT put/1", "POST finish/1"]),
    // The server's side of it is gone: the matcher decides.
    Story(
      disturbance: .lostAnswer, path: "put",
      expected: ["PUT put/1", "POST begin", "PUT put/1", "POST finish/1"]),
    Story(
      disturbance: .lostAnswer, path: "finish",
      expected: ["POST finish/1", "GET state/1", "POST finish/1"]),
    Story(disturbance: .adoption, path: "put", expected: ["PUT put/1", "POST finish/1"]),
  ]

  private static let beginning = ["POST begin", "PUT put/1", "POST finish/1"]

  /// All that is sent in a story.
  private static func all(_ story: Story) -> [String] {
    beginning.prefix { !$0.contains(story.path) } + story.expected
  }

  private static func words(_ method: String, _ url: String) -> String {
    "\(method) " + url.replacing("http://server/", with: "")
  }

  private static func json(_ url: String) -> String {
    url.hasSuffix("begin") ? #"{"id": "1"}"# : #"{"done": false}"#
  }

  private static let lost = TransportFailure(
    .connectionLost, message: "lost", mayHaveBeenSent: true)

  // MARK: The shells

  @Test(arguments: stories)
  func `the executor`(story: Story) async throws {
    let fixture = try Fixture(Self.text)
    let (isThere, goesOn) = (Gate(), Gate())
    let isFirst = Mutex(true)
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      var response = ScriptedWorld.ScriptedResponse(json: Self.json(exchange.url))
      let path = Self.words("", exchange.url).dropFirst()
      let isMeant = isFirst.withLock { first in
        defer { if path.hasPrefix(story.path) { first = false } }
        return first && path.hasPrefix(story.path)
      }
      guard isMeant else { return response }
      if story.disturbance == .lostAnswer {
        response.error = Self.lost
        return response
      }
      isThere.open()
      response.hold = { await goesOn.pass() }
      return response
    }
    let state = try await fixture.state(files: 1)
    let clock = Task {
      while !Task.isCancelled {
        await fixture.clock.waitForSleepers(1)
        fixture.clock.jump()
      }
    }
    defer { clock.cancel() }
    let epoch = try await fixture.store.claim()
    let first = fixture.executor(world)
    let ended = Task { try await first.run(state, epoch: epoch, events: [.runBegan]) }
    let end: RunState
    switch story.disturbance {
    case .lostAnswer: end = try await ended.value
    case .pause:
      await isThere.pass()
      // Held requests are stopped, without a response.
      first.requestPause("enough")
      let paused = try await ended.value
      #expect(paused.status == .paused)
      end = try await fixture.executor(world).run(
        try await fixture.reloaded(), epoch: try await fixture.store.claim(),
        events: [.runResumed, .unpaused])
    case .kill, .adoption:
      await isThere.pass()
      // The process that acquires the run ends the other one, which cannot store anything from now on.
      let claimed = try await fixture.store.claim()
      let service = story.disturbance == .adoption ? OutlivingService(world) : nil
      end = try await fixture.executor(world, transfers: service).run(
        try await fixture.reloaded(), epoch: claimed, events: [.runResumed])
      goesOn.open()
      await #expect(throws: StoreFailure.self) { try await ended.value }
    }
    #expect(end.status == .finished)
    #expect(end.loops[0].counts[.done] == 1)
    #expect(world.exchanges.map { Self.words($0.method, $0.url) } == Self.all(story))
  }

  @Test(arguments: stories)
  func `the simulator`(story: Story) throws {
    let isFirst = Counter()
    let server = FunctionServer { exchange, _ in
      let path = Self.words("", exchange.request.url).dropFirst()
      var response = SimulatedResponse(body: Array(Self.json(exchange.request.url).utf8))
      guard path.hasPrefix(story.path), isFirst.next() == 1 else { return response }
      if story.disturbance == .lostAnswer { return SimulatedResponse(failure: Self.lost) }
      response.latency = .seconds(10)
      return response
    }
    var settings = SimulatedRun.Settings()
    switch story.disturbance {
    case .kill, .adoption: settings.interventions = [(.seconds(5), .restart)]
    case .pause: settings.interventions = [(.seconds(5), .pause)]
    case .lostAnswer: break
    }
    let device: any DeviceModel =
      story.disturbance == .adoption ? OutlivingDevice() : IdealDevice()
    var run = try Self.simulatedRun(server, device, settings)
    #expect(run.simulate() == .rested)
    if story.disturbance == .pause {
      #expect(run.state?.status == .paused)
      run.begin(retrying: false)
      #expect(run.simulate() == .rested)
    }
    Self.expect(run, story)
  }

  /// On a phone transfers outlive their process, so that the end of one is an adoption for them;
  /// swiping the app away ends them, and they are repeated as after any kill.
  @Test(arguments: stories.filter { [.kill, .adoption].contains($0.disturbance) })
  func `a phone`(story: Story) throws {
    let isFirst = Counter()
    let server = FunctionServer { exchange, _ in
      let path = Self.words("", exchange.request.url).dropFirst()
      var response = SimulatedResponse(body: Array(Self.json(exchange.request.url).utf8))
      if path.hasPrefix(story.path), isFirst.next() == 1 { response.latency = .seconds(10) }
      return response
    }
    let event: PhoneDevice.LifeEvent = story.disturbance == .kill ? .forceQuit : .updateApp
    let settings = SimulatedRun.Settings()
    let phone = PhoneDevice(
      .ios17, life: [.init(after: .seconds(5), event), .init(after: .seconds(6), .openApp)],
      from: settings.start)
    var run = try Self.simulatedRun(server, phone, settings)
    #expect(run.simulate() == .rested)
    Self.expect(run, story)
  }

  /// As `pipeline verify` and the swarm end a process: at a point of the shell's work.
  @Test(arguments: stories.filter { $0.disturbance == .kill })
  func `an end of the process at a point`(story: Story) throws {
    let server = FunctionServer { exchange, _ in
      SimulatedResponse(
        body: Array(Self.json(exchange.request.url).utf8), latency: .milliseconds(100))
    }
    var settings = SimulatedRun.Settings()
    settings.faultHooks = Killer(step: story.path)
    var run = try Self.simulatedRun(server, IdealDevice(), settings)
    #expect(run.simulate() == .rested)
    Self.expect(run, story)
  }

  @Test(arguments: stories.filter { [.kill, .lostAnswer].contains($0.disturbance) })
  func `a test`(story: Story) throws {
    let disturbed = story.disturbance == .kill ? "delay: 10s" : "error: connection-lost"
    func answers(_ step: String, _ json: String) -> String {
      let first =
        story.path != step
        ? ""
        : story.disturbance == .kill
          ? "{ \(disturbed), json: \(json) }, " : "{ \(disturbed) }, "
      return "  \(step): [\(first){ json: \(json) }]\n"
    }
    let text = """
      test: contract
      pipeline: contract.yaml
      inputs: { files: [{ name: a.jpg, size: 10 B }] }
      answers:
      \(answers("begin", "{ id: \"1\" }"))\(answers("put", "{}"))\(answers("finish", "{}"))
      probes:
        finish: [{ json: { done: false } }]
      cases:
        - name: story
          \(story.disturbance == .kill ? "restarts: [5s]" : "seed: 1")
          expect: { status: done }
      """
    let loaded = TestDocument.load(
      bytes: text.utf8, file: "contract.test.yaml",
      files: DocumentFiles { path in path == "contract.yaml" ? Array(Self.text.utf8) : nil })
    let document = try #require(loaded.document, "\(loaded.diagnostics)")
    var run = TestRunner(document).simulation(of: try #require(document.cases.first))
    run.simulate()
    Self.expect(run, story)
  }

  // MARK: Parts

  private static func simulatedRun(
    _ server: some SimulatedServer, _ device: any DeviceModel, _ settings: SimulatedRun.Settings
  ) throws -> SimulatedRun {
    let loaded = PipelineDocument.load(text: text, file: "contract.yaml")
    let pipeline = try #require(loaded.pipeline, "\(loaded.diagnostics)")
    let file = FileValue(path: "/p/0", name: "0", size: 10, modified: 0)
    var disk = VirtualDisk()
    disk.add(file)
    return SimulatedRun(
      pipeline, inputs: .init(files: ["files": [file]]), server: server, device: device, disk: disk,
      settings: settings)
  }

  private static func expect(
    _ run: SimulatedRun, _ story: Story, at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let sent = run.trace.exchanges.map { words($0.request.method, $0.request.url) }
    #expect(sent == all(story), sourceLocation: location)
    #expect(run.state?.status == .finished, sourceLocation: location)
    #expect(run.state?.loops[0].counts[.done] == 1, sourceLocation: location)
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// Ends the process once, after the first request of a step was sent.
  private struct Killer: FaultHooks {
    let step: String
    private var isOver = false
    private var pipeline: Pipeline?

    init(step: String) { self.step = step }

    mutating func takeEvents(from queue: inout EventQueue, _ machine: Machine) -> [Event] {
      pipeline = machine.pipeline
      return queue.takeAll()
    }

    mutating func endsProcess(at point: CrashPoint) -> Bool {
      guard !isOver, case .after(.perform(let command)) = point,
        pipeline?.name(of: command.id) == step
      else { return false }
      isOver = true
      return true
    }
  }

  /// A service in another process: it has the responses to the transfers that were handed over.
  private final class OutlivingService: TransferService {
    private let world: ScriptedWorld

    init(_ world: ScriptedWorld) { self.world = world }

    func upload(
      _ request: RenderedRequest, body: Body, paths: @escaping @Sendable (FileValue) -> String,
      renew: @escaping Renew,
      progress: @escaping @Sendable (Int64) -> Void
    ) async -> Response {
      await world.upload(request, body: body, paths: paths, renew: renew, progress: progress)
    }

    func download(
      _ request: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
      progress: @escaping @Sendable (Int64) -> Void
    ) async throws(FileFailure) -> Response {
      try await world.download(request, into: sink, renew: renew, progress: progress)
    }

    func adopt(
      _ transfer: TransferSettings, into sink: (any FileSink)?, renew: @escaping Renew,
      progress: @escaping @Sendable (Int64) -> Void
    ) async throws(FileFailure) -> Response? {
      Response(
        status: 200, url: "http://server/put/1", sent: Instant(milliseconds: 0),
        received: Instant(milliseconds: 0))
    }
  }

  /// The same in the simulator.
  private struct OutlivingDevice: DeviceModel {
    func processBegan(at now: Instant) -> [DeviceAction] { [] }
    func transfersAdopted(_ wanted: [EffectID], at now: Instant) -> [DeviceAction] { [] }
    func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction] { [] }
    func transferQueued(_ transfer: QueuedTransfer, at now: Instant) -> [DeviceAction] {
      [.beginTransfer(transfer.id, duration: .zero)]
    }
    func transferAnswered(
      _ id: EffectID, _ response: Response, at now: Instant
    ) -> [DeviceAction] { [.deliver(id)] }
    func transferRenewed(_ id: EffectID, isAnew: Bool, at now: Instant) -> [DeviceAction] { [] }
    func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction] { [] }
    func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction] { [] }
  }
}
