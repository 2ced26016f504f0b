import PipelineCore
import PipelineEngine
import Synchronization
import Testing

struct SimulatedDeviceTests {
  /// Changes as they were delivered, with the seconds since the start.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    private let clock: VirtualClock
    private let start: Instant

    init(_ clock: VirtualClock) {
      self.clock = clock
      start = clock.now()
    }

    var lines: [String] { entries.withLock { $0 } }

    func note(_ change: DeviceChange) {
      let second = (clock.now() - start).milliseconds / 1000
      let text: String
      switch change {
      case .granted(until: nil): text = "\(second) granted"
      case .granted(let until?): text = "\(second) until \((until - start).milliseconds / 1000)"
      case .expiring: text = "\(second) expiring"
      }
      entries.withLock { $0.append(text) }
    }
  }

  private static let phases = [
    SimulatedDevice.Phase(isForeground: true, duration: .seconds(5)),
    SimulatedDevice.Phase(isForeground: false, duration: .seconds(600)),
  ]

  @Test func `BT1: 180 s after leaving the foreground the handler has run`() async {
    let clock = VirtualClock()
    let log = Log(clock)
    let device = SimulatedDevice(phases: Self.phases, clock: clock)
    let life = Task { await device.run { log.note($0) } }
    await clock.waitForSleepers(1)
    clock.jump()
    await clock.waitForSleepers(1)
    #expect(log.lines == ["0 granted", "5 until 185"])
    clock.jump()
    // The device now waits for the end of the phase, or for its transfers.
    await clock.waitForSleepers(1)
    #expect(log.lines == ["0 granted", "5 until 185", "180 expiring"])
    clock.jump()
    await clock.waitForSleepers(1)
    #expect(log.lines.last == "605 granted")
    life.cancel()
    await life.value
  }

  @Test func `BT2: when its transfers are done the process gets 30 s`() async {
    let clock = VirtualClock()
    let log = Log(clock)
    let device = SimulatedDevice(phases: Self.phases, clock: clock)
    let life = Task { await device.run { log.note($0) } }
    for _ in 0..<2 {
      await clock.waitForSleepers(1)
      clock.jump()
    }
    await clock.waitForSleepers(1)
    device.didSuspend(transfers: 2)
    device.didHoldBack(events: 1)
    #expect(log.lines.last == "180 expiring", "TX5: one transfer of two does not wake the process")
    device.didHoldBack(events: 2)
    // The alarm of the wait and the new allowance sleep; the alarm goes away.
    while log.lines.last == "180 expiring" { await Task.yield() }
    #expect(log.lines.last == "180 until 210")
    life.cancel()
    await life.value
  }

  @Test func `a process without transfers is not resumed before the foreground`() async {
    let clock = VirtualClock()
    let log = Log(clock)
    let device = SimulatedDevice(phases: Self.phases, clock: clock)
    let life = Task { await device.run { log.note($0) } }
    for _ in 0..<2 {
      await clock.waitForSleepers(1)
      clock.jump()
    }
    await clock.waitForSleepers(1)
    device.didSuspend(transfers: 0)
    device.didHoldBack(events: 1)
    clock.jump()
    await clock.waitForSleepers(1)
    #expect(log.lines.last == "605 granted")
    life.cancel()
    await life.value
  }
}

/// The executor on a device whose changes the test orders.
struct AllowanceTests {
  private final class OrderedDevice: Device {
    private let changes: AsyncStream<DeviceChange>
    private let continuation: AsyncStream<DeviceChange>.Continuation
    let suspended = Gate()
    let held = Gate()

    init() { (changes, continuation) = AsyncStream.makeStream() }

    func order(_ change: DeviceChange) { continuation.yield(change) }

    func run(_ deliver: @escaping @Sendable (DeviceChange) -> Void) async {
      for await change in changes { deliver(change) }
    }

    func didSuspend(transfers: Int) { suspended.open() }
    func didHoldBack(events: Int) { held.open() }
  }

  @Test func `expiry stops short requests, lets transfers continue, and holds responses back`()
    async throws
  {
    let fixture = try Fixture()
    let device = OrderedDevice()
    let transferring = Gate()
    let response = Gate()
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      guard exchange.url.contains("/content/") else { return Fixture.respond(to: exchange) }
      transferring.open()
      return .init(hold: { await response.pass() })
    }
    let executor = fixture.executor(world, device: device)
    let state = try await fixture.state(files: 1)
    let epoch = try await fixture.store.claim()
    async let run = executor.run(state, epoch: epoch, events: [.runBegan])
    await transferring.pass()
    device.order(.expiring)
    await device.suspended.pass()
    let before = world.exchanges.count
    response.open()
    await device.held.pass()
    #expect(world.exchanges.count == before, "a suspended process sends nothing")
    device.order(.granted(until: nil))
    let end = try await run
    #expect(end.loops[0].counts[.done] == 1)
    #expect(world.exchanges.count { $0.url.contains("/content/") } == 1)
    #expect(world.exchanges.last?.url == "http://server/finalize/id-0")
  }
}
