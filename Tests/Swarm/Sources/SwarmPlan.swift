import Basics
public import PipelineCore
import PipelineDocument
public import PipelineScenarios
public import PipelineSimulator

/// Everything that is decided before a run starts: drawn from a seed, or read from a trace.
public struct SwarmPlan: Sendable {
  /// The seed.
  public let seed: UInt64
  /// The origin of the pipeline, for messages: its name, or its text.
  public let shape: String
  /// The pipeline's text.
  let text: String
  /// The pipeline with its examples.
  let simulated: SimulatedPipeline
  /// The pipeline.
  public var pipeline: Pipeline { simulated.pipeline }
  /// Its items.
  public internal(set) var items: [FileValue]
  /// How the server misbehaves.
  public internal(set) var server: ServerModel
  /// When the server's clock jumps, after the start, and by how much.
  public internal(set) var clockJump: (after: Duration, by: Duration)?
  /// When the device's clock is put, after the start, and by how much.
  public internal(set) var deviceClockJumps: [(after: Duration, by: Duration)]
  /// What goes wrong on the way to the server and back.
  public internal(set) var way = WayFaults()
  /// The limits of the process.
  public internal(set) var limits = ProcessLimits()
  /// The user's actions, with their times after the start.
  public internal(set) var wishes: [(after: Duration, SimulatedRun.Intervention)] = []
  /// The actions on the process.
  public internal(set) var process: ProcessFaults
  /// The actions of the device.
  public internal(set) var device: DeviceFaults
  /// Free disk space while faults are on.
  public internal(set) var freeSpace: Int64?
  /// How long faults are on.
  public internal(set) var safety: Duration

  /// Faults of the process and its store.
  public struct ProcessFaults: Hashable, Sendable, Codable {
    /// Chance that the process ends at a point.
    public var crash = 0.0
    /// Chance that the store refuses a checkpoint.
    public var refusal = 0.0
    /// Chance that a stale response is replayed.
    public var lateAnswer = 0.0
    /// Whether each event has a turn of its own.
    public var isSingle = false
  }

  /// Faults of the way to the server, and responses that contradict the effect.
  public struct WayFaults: Hashable, Sendable, Codable {
    /// Chance that a request is carried out and the response contradicts it.
    public var misreported = 0.0
    /// Chance that a compensation is refused for good.
    public var refusedCompensation = 0.0
    /// Chance that the server answers 503 until the year 9999, and does nothing.
    public var endlessWish = 0.0
    /// Chance that a creating request is carried out after its response is no longer awaited,
    /// where the step is safe against that.
    public var late = 0.0
    /// Chance that no descriptor is left.
    public var descriptors = 0.0
    /// Chance that the answer to a batch is lost after the server has carried it out.
    public var lostBatch = 0.0
    /// Spans without a network, as seconds after the start.
    public var offline: [Range<Int64>] = []
    /// When the user's storage at the server is full, as seconds after the start.
    public var full: Range<Int64>?
  }

  /// Faults of the device.
  public struct DeviceFaults: Hashable, Sendable, Codable {
    /// Seconds that the process may run at a time; `nil` is without limit.
    public var allowance: Distribution?
    /// Seconds that it sleeps then.
    public var sleep = Distribution.constant(0)
    /// Chance that the process is ended while it sleeps.
    public var death = 0.0
    /// Chance that the whole device restarts then.
    public var restart = 0.0
    /// Seconds until a transfer starts.
    public var queueing = Distribution.constant(0)
    /// Bytes per second.
    public var bandwidth = 1000.0
    /// Chance that the connection of a transfer breaks.
    public var breaks = 0.0
    /// Chance that the transfer service forgets a transfer while no process asks for it.
    public var vanishes = 0.0
    /// Chance, at each end of a transfer, that the transfer service breaks down with all that it has.
    public var breakdown = 0.0
  }

  /// What `seed` decides.
  public init(seed: UInt64, library: PipelineLibrary) {
    var random = SplitMix64(seed: seed ^ 0x5357_4152_4D00)
    self.seed = seed
    (shape, text, simulated) = library.draw(seed, &random)
    items = (0..<(1 + Int(random.next() % 6))).map { index in
      FileValue(
        path: "/items/\(index).jpg", name: "\(index).jpg", size: Int64(1 + random.next() % 3000),
        modified: 0)
    }
    var server = Self.server(&random)
    // Generators of their own: what earlier seeds have found stays where it is.
    var ways = SplitMix64(seed: seed ^ 0x5741_5953_00)
    way = Self.way(&ways)
    if ways.flip(0.4) { limits.exchanges = ways.pick([1, 2, 3]) }
    if ways.flip(0.3) { limits.networkTimeout = .seconds(300) }
    var bodies = SplitMix64(seed: seed ^ 0x5049_4543_4553)
    limits.sendsPieces = bodies.flip(0.5)
    wishes = Self.wishes(&ways)
    if ways.flip(0.1) {
      server.lifetimes = [StepID("sign_in"): ways.pick([.seconds(1), .milliseconds(50)])]
    }
    clockJump =
      random.flip(0.3)
      ? (.seconds(Int64(random.next() % 7200)), .seconds(Int64(random.next() % 7200) - 3600)) : nil
    process = Self.process(&random)
    var device = Self.device(&random)
    // A generator of its own: what earlier seeds have found stays where it is.
    var clocks = SplitMix64(seed: seed ^ 0x434C_4F43_4B00)
    deviceClockJumps = Self.jumps(&clocks)
    if !deviceClockJumps.isEmpty {
      server.isDated = true
      device.restart = clocks.weight(1)
    }
    self.server = server
    self.device = device
    freeSpace = random.flip(0.25) ? Int64(500 + random.next() % 6000) : nil
    // A full disk is asked again every 5 s, which is short enough.
    safety = .seconds(Int64(300 + random.next() % (freeSpace == nil ? 15000 : 900)))
  }

  /// A plan without any fault.
  init(
    seed: UInt64, shape: String, text: String, pipeline: SimulatedPipeline, items: [FileValue],
    safety: Duration
  ) {
    self.seed = seed
    self.shape = shape
    self.text = text
    simulated = pipeline
    self.items = items
    self.safety = safety
    server = .ideal
    clockJump = nil
    deviceClockJumps = []
    process = ProcessFaults()
    device = DeviceFaults()
    freeSpace = nil
  }

  /// The same items and pipeline without any fault.
  public var faultless: SwarmPlan {
    SwarmPlan(
      seed: seed, shape: shape, text: text, pipeline: simulated, items: items, safety: safety)
  }

  private static func server(_ random: inout SplitMix64) -> ServerModel {
    var model = ServerModel(latency: .uniform(0, 0.5))
    // Each kind is on in half of all seeds, with a weight of its own:
    // faults that hide each other occur separately, too.
    model.faults.serverError = random.weight(0.3)
    model.faults.throttled = random.weight(0.3)
    model.faults.lostReply = random.weight(0.3)
    model.faults.lostRequest = random.weight(0.3)
    model.faults.duplicate = random.weight(0.2)
    model.faults.revoked = random.weight(0.2)
    if random.flip(0.3) { model.latency = .exponential(mean: 1 + 20 * random.nextFraction()) }
    if random.flip(0.3) { model.clockSkew = .seconds(Int64(random.next() % 1200) - 600) }
    return model
  }

  /// By seconds and by years, forward and back, so that both are far outside of all waits and lives.
  private static func jumps(_ random: inout SplitMix64) -> [(after: Duration, by: Duration)] {
    guard random.flip(0.4) else { return [] }
    return (0..<(1 + Int(random.next() % 4))).map { _ in
      let size = random.pick([30.0, 3600, 86400, 40_000_000])
      let by = Int64((random.nextFraction() * 2 - 1) * size * 1000)
      return (.seconds(Int64(random.next() % 7200)), .milliseconds(by))
    }
  }

  private static func way(_ random: inout SplitMix64) -> WayFaults {
    var faults = WayFaults()
    // Separate from the others, so that a seed has the other faults that it had before.
    var aside = SplitMix64(seed: random.state ^ 0x4241_5443_4845_5321)
    faults.lostBatch = aside.flip(0.4) ? 0.4 + 0.5 * aside.nextFraction() : 0
    if aside.flip(0.2) {
      let begin = Int64(aside.next() % 20)
      faults.full = begin..<(begin + 1 + Int64(aside.next() % 600))
    }
    faults.misreported = random.weight(0.4)
    faults.refusedCompensation = random.weight(0.5)
    faults.endlessWish = random.flip(0.1) ? 0.05 : 0
    faults.late = random.weight(0.4)
    faults.descriptors = random.flip(0.3) ? random.weight(0.3) : 0
    if random.flip(0.3) {
      faults.offline = (0..<(1 + Int64(random.next() % 3))).map { _ in
        let begin = Int64(random.next() % 3600)
        return begin..<(begin + 1 + Int64(random.next() % random.pick([60, 3600])))
      }
    }
    return faults
  }

  private static func wishes(
    _ random: inout SplitMix64
  ) -> [(after: Duration, SimulatedRun.Intervention)] {
    var wishes: [(after: Duration, SimulatedRun.Intervention)] = []
    if random.flip(0.15) { wishes.append((.milliseconds(Int64(random.next() % 200_000)), .pause)) }
    if random.flip(0.2) { wishes.append((.milliseconds(Int64(random.next() % 300_000)), .cancel)) }
    return wishes
  }

  private static func process(_ random: inout SplitMix64) -> ProcessFaults {
    var faults = ProcessFaults()
    faults.crash = random.weight(0.04)
    faults.refusal = random.weight(0.03)
    faults.lateAnswer = random.weight(0.2)
    faults.isSingle = random.flip(0.5)
    return faults
  }

  private static func device(_ random: inout SplitMix64) -> DeviceFaults {
    var faults = DeviceFaults()
    if random.flip(0.5) {
      faults.allowance = .exponential(mean: 3 + 60 * random.nextFraction())
      faults.sleep = .exponential(mean: 60 + 1800 * random.nextFraction())
      faults.death = random.weight(0.5)
    }
    if random.flip(0.5) { faults.queueing = .exponential(mean: 1 + 600 * random.nextFraction()) }
    faults.bandwidth = 50 + 5000 * random.nextFraction()
    faults.breaks = random.weight(0.3)
    faults.vanishes = random.weight(0.5)
    faults.breakdown = random.weight(0.05)
    return faults
  }
}

extension SplitMix64 {
  /// Whether what happens with `probability` happens.
  mutating func flip(_ probability: Double) -> Bool { nextFraction() < probability }
  /// Nothing in one seed of two, else a weight up to `most`.
  mutating func weight(_ most: Double) -> Double { flip(0.5) ? most * nextFraction() : 0 }
  /// One of the elements.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }
}
