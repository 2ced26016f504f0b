import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator
import Testing

/// The whole phone, with the engine's own core running on it.
struct PhoneDeviceTests {
  /// The shipped pipeline that shows the mistake.
  static let oneByOne = Result { try TestFiles.text("Pipelines/one-by-one.yaml") }

  /// The server's response for a file that it has stored.
  private static func stored(_ exchange: SimulatedRequest) -> SimulatedResponse {
    SimulatedResponse(body: Array(#"{"size": \#(exchange.file?.size ?? 0)}"#.utf8))
  }

  /// 250 s per file, so that the allowance ends before one is through.
  private func run(
    _ profile: DeviceProfile, items: Int, concurrency: Int = 1,
    life: [PhoneDevice.ScheduledLifeEvent] = [.init(after: .seconds(10), .leaveApp)],
    conditions: DeviceConditions = .init(bandwidth: 1_000_000),
    limit: Duration = .seconds(60 * 86400)
  ) throws -> (run: SimulatedRun, phone: PhoneDevice) {
    let text = try Self.oneByOne.get()
      .replacing("concurrency: 1 ", with: "concurrency: \(concurrency) ")
    var scene = try Scene(text)
    let files = (0..<items).map {
      FileValue(path: "/p/\($0)", name: "\($0 + 100).mov", size: 250_000_000, modified: 0)
    }
    for file in files { scene.disk.add(file) }
    scene.inputs = .init(
      values: ["server": .string("https://server")], files: ["files": files])
    var settings = SimulatedRun.Settings()
    settings.limit = limit
    let phone = PhoneDevice(profile, life: life, from: settings.start, conditions: conditions)
    var run = scene.run(settings: settings, device: phone, Self.stored)
    run.simulate()
    return (run, try #require(run.device as? PhoneDevice))
  }

  @Test(arguments: 2...15)
  func `RL1: items one by one are delayed by 60·(2^(B−1) − 1) s`(items: Int) throws {
    let (run, phone) = try run(.ios8, items: items)
    #expect(run.outcome == .rested)
    #expect(run.state?.loops[0].counts[.done] == items)
    let added = Duration.seconds(60 * ((1 << (items - 1)) - 1))
    #expect(phone.addedWait(at: run.now) == added)
    #expect(run.now - run.start == .seconds(250 * items) + added)
    #expect(phone.counts.wakes == items)
  }

  @Test(arguments: [2, 5, 10])
  func `RL4: on iOS 7 the resumes are delayed, by as much in all`(items: Int) throws {
    let (run, phone) = try run(.ios7, items: items)
    #expect(run.outcome == .rested)
    #expect(phone.addedWait(at: run.now) == .seconds(60 * ((1 << (items - 1)) - 1)))
  }

  @Test func `TX5: five at once are resumed once and not delayed`() throws {
    let (run, phone) = try run(.ios8, items: 4, concurrency: 4)
    #expect(run.state?.loops[0].counts[.done] == 4)
    #expect(phone.counts.wakes == 1)
    #expect(phone.addedWait(at: run.now) == .zero)
  }

  @Test func `RL3: opening the app now and then completes the run soon`() throws {
    var life: [PhoneDevice.ScheduledLifeEvent] = []
    for hour in 0..<40 {
      life.append(.init(after: .seconds(hour * 3600), .openApp))
      life.append(.init(after: .seconds(hour * 3600 + 60), .leaveApp))
    }
    let (run, phone) = try run(.ios8, items: 12, life: life)
    #expect(run.state?.loops[0].counts[.done] == 12)
    // Five or six files an hour: the delay is back at 60 s before it is long.
    #expect(phone.addedWait(at: run.now) < .seconds(2 * 3600))
    #expect(run.now - run.start < .seconds(4 * 3600))
  }

  @Test func `RL7: a completion while the process runs does not raise the delay`() throws {
    let (run, phone) = try run(
      .ios8, items: 20, conditions: .init(bandwidth: 250_000_000))
    #expect(run.state?.loops[0].counts[.done] == 20)
    #expect(phone.counts.wakes == 0)
  }

  @Test func `FQ1: after a force quit nothing happens until the app is opened`() throws {
    let quit: [PhoneDevice.ScheduledLifeEvent] = [.init(after: .seconds(10), .forceQuit)]
    let (stuck, _) = try run(.ios8, items: 2, life: quit)
    #expect(stuck.outcome == .stuck)
    #expect(stuck.now - stuck.start == .seconds(10))
    let (run, _) = try run(
      .ios8, items: 2, life: quit + [.init(after: .seconds(86400), .openApp)])
    #expect(run.outcome == .rested)
    #expect(run.state?.loops[0].counts[.done] == 2)
    #expect(run.now - run.start == .seconds(86400 + 500))
  }

  @Test func `FQ4: a process that the system kills is launched again when its transfers are done`()
    throws
  {
    let (run, phone) = try run(
      .ios8, items: 2,
      life: [.init(after: .seconds(10), .leaveApp), .init(after: .seconds(100), .systemKill)])
    #expect(run.outcome == .rested)
    #expect(run.state?.loops[0].counts[.done] == 2)
    #expect(phone.counts.kills == 1)
    let launches = run.trace.events.count {
      if case .processBegan(resumed: true) = $0.fact { true } else { false }
    }
    #expect(launches == 1)
  }

  @Test(arguments: [100, 600])
  func `TX4: a killed process is followed by one that gets its missed events`(kill: Int) throws {
    let (run, phone) = try run(
      .ios8, items: 2, concurrency: 2,
      life: [
        .init(after: .seconds(10), .leaveApp), .init(after: .seconds(kill), .systemKill),
      ])
    #expect(run.outcome == .rested)
    #expect(run.state?.loops[0].counts[.done] == 2)
    // Nothing is sent twice: both were under way, or through, when the process ended.
    #expect(run.trace.exchanges.count == 2)
    #expect(phone.daemon.bytesWasted == 0)
  }

  @Test func `TX17: an update of the app ends its process, and loses no transfer`() throws {
    let (run, phone) = try run(
      .ios8, items: 1,
      life: [.init(after: .seconds(10), .leaveApp), .init(after: .seconds(100), .updateApp)])
    #expect(run.state?.loops[0].counts[.done] == 1)
    #expect(run.trace.exchanges.count == 1)
    #expect(phone.counts.kills == 1)
  }

  @Test func `FQ2: a transfer that a force quit cancelled is resent, without a failed attempt`()
    throws
  {
    let (run, phone) = try run(
      .ios8, items: 1,
      life: [
        .init(after: .seconds(100), .forceQuit), .init(after: .seconds(1000), .openApp),
      ])
    #expect(run.outcome == .rested)
    #expect(run.state?.loops[0].counts[.done] == 1)
    #expect(run.now - run.start == .seconds(1250))
    #expect(phone.daemon.bytesWasted == 100_000_000)
    let verdicts = run.trace.events.compactMap { event -> String? in
      guard case .concluded(_, let verdict) = event.fact else { return nil }
      return String("\(verdict)".prefix { $0 != "(" })
    }
    #expect(verdicts == ["interrupted", "success"])
  }

  @Test func `FQ3: a transfer that vanished is missed at the next start, and sent again`() throws {
    var scene = try Scene(try Self.oneByOne.get())
    let file = FileValue(path: "/p/a", name: "a.mov", size: 250_000_000, modified: 0)
    scene.disk.add(file)
    scene.inputs = .init(values: ["server": .string("https://server")], files: ["files": [file]])
    let phone = PhoneDevice(
      .ios8,
      life: [
        .init(after: .seconds(10), .leaveApp), .init(after: .seconds(20), .loseTask),
        .init(after: .seconds(30), .systemKill), .init(after: .seconds(1000), .openApp),
      ], from: SimulatedRun.Settings().start, conditions: .init(bandwidth: 1_000_000))
    var run = scene.run(device: phone, Self.stored)
    #expect(run.simulate() == .rested)
    #expect(run.state?.loops[0].counts[.done] == 1)
    #expect(run.now - run.start == .seconds(1250))
  }

  @Test func `TX12, RL6: a challenge resumes the app while others are under way, and counts`()
    throws
  {
    var scene = try Scene(
      try Self.oneByOne.get().replacing("concurrency: 1 ", with: "concurrency: 2 "))
    let files = [250_000_000, 900_000_000].enumerated().map { index, size in
      FileValue(path: "/p/\(index)", name: "\(index).mov", size: Int64(size), modified: 0)
    }
    for file in files { scene.disk.add(file) }
    scene.inputs = .init(
      values: ["server": .string("https://server")], files: ["files": files])
    let start = SimulatedRun.Settings().start
    let phone = PhoneDevice(
      .ios8, life: [.init(after: .seconds(10), .leaveApp)], from: start,
      conditions: .init(bandwidth: 1_000_000))
    var run = scene.run(device: phone) { exchange in
      exchange.file?.name == "0.mov"
        ? SimulatedResponse(
          status: 401, headers: [.init(name: "WWW-Authenticate", value: "Bearer")])
        : Self.stored(exchange)
    }
    #expect(run.simulate() == .rested)
    let failed = run.trace.events.first { event in
      if case .itemLeft(_, .failed, _) = event.fact { true } else { false }
    }
    // Both share the bandwidth, so the first is through after 500 s, and the app is notified at once.
    #expect(failed?.at == start + .seconds(500))
    #expect((run.device as? PhoneDevice)?.counts.wakes == 2)
  }

  @Test func `DI3: on battery transfers from the background wait for the charger`() throws {
    let evening = Duration.seconds(12 * 3600)
    let battery = DeviceConditions(bandwidth: 1_000_000, hasPower: false, battery: 0.8)
    let (run, _) = try run(
      .ios8, items: 2,
      life: [
        .init(after: .seconds(10), .leaveApp),
        .init(after: evening, .conditions(.init(bandwidth: 1_000_000))),
      ], conditions: battery)
    #expect(run.outcome == .rested)
    #expect(run.now - run.start == evening + .seconds(250))
  }

  @Test func `BT5, BT3: on the worst device everything is still done, and nothing twice`() throws {
    for seed in 1..<6 as Range<UInt64> {
      var scene = try Scene(count: 6)
      scene.inputs.values = [:]
      var settings = SimulatedRun.Settings()
      settings.seed = seed
      settings.limit = .seconds(60 * 86400)
      var life: [PhoneDevice.ScheduledLifeEvent] = []
      for day in 0..<20 {
        life.append(.init(after: .seconds(day * 86400), .openApp))
        life.append(.init(after: .seconds(day * 86400 + 2), .leaveApp))
      }
      let phone = PhoneDevice(.worst, life: life, from: settings.start, seed: seed)
      var run = scene.run(settings: settings, device: phone)
      run.simulate()
      #expect(run.outcome == .rested, "seed \(seed)")
      #expect(run.count(.done) == 6, "seed \(seed)")
      let keys = Set(
        run.trace.exchanges.compactMap { $0.header("Idempotency-Key") })
      #expect(keys.count >= 6)
    }
  }

  @Test func `one seed produces one life, to the byte`() throws {
    func text() throws -> String {
      let (run, _) = try run(.worst, items: 5)
      return TraceText(run).render(run.trace, .full)
    }
    #expect(try text() == text())
  }
}
