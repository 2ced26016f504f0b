import Basics
import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator
import Synchronization
import Testing

/// The simulator runs the production code (invariant 10):
/// for the same responses both shells produce the same history.
struct DifferentialTests {
  /// Responses by request and by how often it was sent for the same item, with virtual time.
  struct Script: Sendable {
    let seed: UInt64
    let latency: Duration

    struct Line: Sendable {
      var status = 200
      var json = "{}"
      var isLost = false
    }

    func line(url: String, number: Int) -> Line {
      let parts = url.split(separator: "/")
      var hash = seed &+ UInt64(number) &* 1_000_003
      for byte in url.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      var generator = SplitMix64(seed: hash)
      var line = Line()
      switch parts[2] {
      case "login": line.json = #"{"token": "t0ken"}"#
      case "allocate": line = Line(status: 201, json: #"{"id": "\#(parts[3])-\#(number)"}"#)
      case "status": line.json = #"{"done": \#(generator.next() % 2 == 0)}"#
      default: break
      }
      // One in three fails in one of the ways that differ for the machine.
      guard parts[2] != "login", seed > 0 else { return line }
      switch generator.next() % 12 {
      case 0: line.isLost = true
      case 1: line.status = 503
      case 2: line.status = 401
      case 3: line.status = 410
      default: break
      }
      return line
    }
  }

  private static let pipeline = Fixture.photos.replacing(
    "file: ${{ steps.body.file }}\n",
    with: """
      file: ${{ steps.body.file }}
              on:
                - { if: "${{ response.status == 410 }}", expired: allocate }

      """)

  /// Counts requests to one URL.
  private final class Counter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func next(_ url: String) -> Int {
      counts.withLock { counts in
        counts[url, default: 0] += 1
        return counts[url, default: 0]
      }
    }
  }

  private struct Server: SimulatedServer {
    let script: Script
    let counter = Counter()

    func respond(to exchange: SimulatedRequest, for command: Command) -> SimulatedResponse {
      let url = exchange.request.url
      let line = script.line(url: url, number: counter.next(url))
      if line.isLost {
        let failure = TransportFailure(.connectionLost, message: "lost", mayHaveBeenSent: true)
        return SimulatedResponse(failure: failure, latency: script.latency)
      }
      return SimulatedResponse(
        status: line.status, body: Array(line.json.utf8), latency: script.latency)
    }
  }

  private func simulated(_ script: Script, files: Int) throws -> [HistoryEvent] {
    let fixture = try Fixture(Self.pipeline)
    var settings = SimulatedRun.Settings()
    settings.start = fixture.clock.now()
    settings.keepsHistory = true
    let values = Fixture.files(files)
    var disk = VirtualDisk()
    for file in values { disk.add(file) }
    var run = SimulatedRun(
      fixture.pipeline, inputs: .init(secrets: fixture.secrets, files: ["photos": values]),
      server: Server(script: script), disk: disk, settings: settings)
    #expect(run.simulate() == .rested)
    return try HistoryEvent.all(run.table.history(after: 0, limit: .max))
  }

  private func executed(_ script: Script, files: Int) async throws -> [HistoryEvent] {
    let fixture = try Fixture(Self.pipeline)
    let counter = Counter()
    let clock = fixture.clock
    let world = ScriptedWorld(clock: clock) { exchange in
      let line = script.line(url: exchange.url, number: counter.next(exchange.url))
      let until = clock.now() + script.latency
      return ScriptedWorld.ScriptedResponse(
        status: line.status, json: line.json, hold: { await clock.sleep(until: until) },
        error: line.isLost
          ? TransportFailure(.connectionLost, message: "lost", mayHaveBeenSent: true) : nil)
    }
    let pump = Task {
      while !Task.isCancelled {
        await clock.waitForSleepers(1)
        clock.jump()
        await Task.yield()
      }
    }
    var state = try await fixture.state(files: files)
    state.inputs["photos"] = .list(Fixture.files(files).map(\.value))
    _ = try await fixture.executor(world).run(
      state, epoch: try await fixture.store.claim(), events: [.runBegan])
    pump.cancel()
    let history = try await fixture.store.history(after: 0, limit: .max)
    return try HistoryEvent.all(history)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `one item has the same history to the millisecond`(seed: UInt64) async throws {
    let script = Script(seed: seed, latency: .milliseconds(40))
    let left = try simulated(script, files: 1).filter { $0.name == "concluded" }
    let right = try await executed(script, files: 1).filter { $0.name == "concluded" }
    #expect(left.count >= 5)
    #expect(left == right)
  }

  @Test(arguments: 1..<7 as Range<UInt64>)
  func `each of many items has the same history`(seed: UInt64) async throws {
    let script = Script(seed: seed, latency: .zero)
    let left = try simulated(script, files: 9)
    let right = try await executed(script, files: 9)
    for item in 0..<9 {
      let expected = left.filter { $0.item == item }.map(\.withoutTime)
      #expect(!expected.isEmpty)
      #expect(right.filter { $0.item == item }.map(\.withoutTime) == expected, "item \(item)")
    }
  }
}

/// One event of a history.
struct HistoryEvent: Hashable {
  let at: Instant
  let name: String
  let item: Int?
  let fields: Value

  /// All that does not depend on when things happened.
  var withoutTime: [String] {
    let map = fields.mapValue ?? MapValue()
    return map.keys.compactMap(\.stringValue).sorted()
      .filter { !["milliseconds", "after", "file"].contains($0) }
      .map { "\($0)=\(map[$0]?.description ?? "")" }
  }

  static func all(_ batches: [HistoryBatch]) throws -> [HistoryEvent] {
    try batches.flatMap { batch in
      (try Value(json: batch.events).listValue ?? []).map { value in
        HistoryEvent(
          at: batch.at, name: value.mapValue?["event"]?.stringValue ?? "",
          item: value.mapValue?["item"]?.intValue.map(Int.init), fields: value)
      }
    }
  }
}
