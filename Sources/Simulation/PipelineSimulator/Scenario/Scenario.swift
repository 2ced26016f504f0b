/// Days in the life of a device, the world around it, and properties that must hold throughout.
public struct Scenario: Hashable, Sendable {
  public var name: String
  /// The parameters of the device.
  public var profile: DeviceProfile
  /// When virtual time starts.
  public var start: Instant
  /// Virtual time after which it ends, even if work is left.
  public var length: Duration
  /// How long the app stays in the foreground at the start; `nil` means always.
  public var opening: Duration?
  /// The files that are uploaded.
  public var items: ScenarioItems
  /// Values of inputs.
  public var inputs: [ScenarioInput] = []
  /// Bytes per second at which files are written; `nil` means instantly.
  public var writeSpeed: Int64?
  /// The device's conditions by default.
  public var conditions: ScenarioConditions
  /// What users and the world do, and when.
  public var timeline: [TimelineEntry]
  /// What happens at random.
  public var random: [RandomEntry] = []
  /// How the server behaves.
  public var server = ServerModel()
  /// Where a document mentions the lifetimes of steps' results, which the pipeline may not have.
  public var lifetimes: [ScenarioServer.Lifetime] = []
  /// The properties that must hold.
  public var properties: [ScenarioProperty] = []
  /// Monday, 2026-01-05T08:00:00Z.
  private static let monday = Instant(milliseconds: 1_767_600_000_000)

  /// Creates a scenario.
  public init(
    name: String, profile: DeviceProfile, start: Instant? = nil, length: Duration,
    opening: Duration?, items: ScenarioItems, conditions: ScenarioConditions,
    timeline: [TimelineEntry]
  ) {
    (self.name, self.profile) = (name, profile)
    self.start = start ?? Self.monday
    (self.length, self.opening, self.items, self.conditions) = (length, opening, items, conditions)
    self.timeline = timeline
  }

  /// A typical user, who opens the app a few times a day, has Wi-Fi at home and charges at night.
  public static let standard: Self = {
    func time(_ hours: Int, _ minutes: Int = 0) -> Duration {
      .seconds(hours * 3600 + minutes * 60)
    }
    var base = ScenarioConditions()
    base.network = .cellular
    base.bandwidth = 1_000_000
    base.latency = .milliseconds(80)
    base.isExpensive = true
    base.hasPower = false
    base.battery = 0.7
    var home = ScenarioConditions()
    home.network = .wifi
    home.bandwidth = 5_000_000
    home.latency = .milliseconds(30)
    home.isExpensive = false
    var charger = ScenarioConditions()
    charger.hasPower = true
    charger.battery = 1
    let openings = [time(8, 10), time(12, 40), time(17, 50), time(21)].map {
      TimelineEntry(.daily($0, []), .open(.seconds(120)), jitter: .seconds(900), chance: 0.8)
    }
    return Self(
      name: "standard", profile: .ios17, length: .seconds(14 * 86400), opening: .seconds(120),
      items: ScenarioItems(count: 100, size: .logNormal(median: 2_000_000, p90: 6_000_000)),
      conditions: base,
      timeline: openings + [
        TimelineEntry(
          .daily(time(18, 30), []),
          .conditions(home, for: .constant(Double(time(13).milliseconds)))),
        TimelineEntry(
          .daily(time(23), []), .conditions(charger, for: .constant(Double(time(8).milliseconds)))),
      ])
  }()

  /// Ideal conditions: the app is always in the foreground, with Wi-Fi and power.
  public static let ideal = Self(
    name: "ideal", profile: .classic, length: .seconds(14 * 86400), opening: nil,
    items: ScenarioItems(count: 100, size: .constant(2_000_000)),
    conditions: plugged(bandwidth: 5_000_000), timeline: [])

  /// The default scenario of `pipeline simulate`: the app is opened once and not touched again.
  ///
  /// Each transfer takes longer than any allowance, so that the closed form of RL1 holds to the second.
  public static let leftAlone = Self(
    name: "left-alone", profile: .ios17, length: .seconds(30 * 86400), opening: .seconds(10),
    items: ScenarioItems(count: 100, size: .constant(250_000_000)),
    conditions: plugged(bandwidth: 1_000_000), timeline: [])

  private static func plugged(bandwidth: Int64) -> ScenarioConditions {
    var conditions = ScenarioConditions()
    conditions.network = .wifi
    conditions.bandwidth = bandwidth
    conditions.hasPower = true
    conditions.battery = 1
    return conditions
  }

  /// Maximum number of items; more would need more memory than machines have.
  static let itemLimit = 1_000_000
  /// Maximum number of events; more are treated as a mistake.
  static let happeningLimit = 200_000
  /// Maximum number of conditions that hold at the same time, added up over all changes.
  private static let overlapLimit = 20_000_000.0

  /// Rejects a scenario that is too large to simulate.
  func checkSize() throws(SimulationProblem) {
    guard items.count <= Self.itemLimit else {
      throw SimulationProblem(
        "\(items.count) items are too many to simulate",
        help: "use at most \(Self.itemLimit); fewer items show the same delays")
    }
    var happenings = 0.0
    var overlapping = 0.0
    let length = Double(length.milliseconds)
    func count(_ number: Double, _ happening: ScenarioHappening) {
      happenings += number
      guard case .conditions(_, let lasts) = happening, length > 0 else { return }
      overlapping += number * lasts.mean / length
    }
    for entry in timeline {
      switch entry.time {
      case .after, .day: count(1, entry.happening)
      case .daily: count(length / 86_400_000 * entry.chance, entry.happening)
      }
    }
    for entry in random {
      count(length / Double(max(entry.every.milliseconds, 1)), entry.happening)
    }
    guard happenings <= Double(Self.happeningLimit) else {
      throw SimulationProblem(
        "the scenario has about \(Self.text(happenings)) events, more than the "
          + "\(Self.happeningLimit) that can be simulated",
        help: "make it shorter, or its events rarer")
    }
    guard happenings * overlapping <= Self.overlapLimit else {
      throw SimulationProblem(
        "about \(Self.text(overlapping)) condition entries overlap, at "
          + "\(Self.text(happenings)) times", help: "end each one before the next starts")
    }
  }

  private static func text(_ number: Double) -> String {
    number < 1e15 ? "\(Int64(number.rounded()))" : "\(number)"
  }
}

extension DeviceConditions {
  /// A device's view of a scenario's conditions; unspecified ones are as at home on a desk.
  init(_ conditions: ScenarioConditions) {
    self.init()
    network = conditions.network ?? network
    bandwidth = conditions.bandwidth ?? bandwidth
    isExpensive = conditions.isExpensive ?? (network == .cellular)
    isConstrained = conditions.isConstrained ?? isConstrained
    hasPower = conditions.hasPower ?? hasPower
    battery = conditions.battery ?? battery
    isLowPowerMode = conditions.isLowPowerMode ?? isLowPowerMode
    isLocked = conditions.isLocked ?? isLocked
  }
}

extension Scenario {
  /// The scenario that a document describes.
  public init(_ document: ScenarioDocument) {
    self.init(
      name: document.name, profile: DeviceProfile(document.device), start: document.start,
      length: document.length, opening: document.opening, items: document.items,
      conditions: document.conditions, timeline: document.timeline)
    inputs = document.inputs
    writeSpeed = document.writeSpeed
    random = document.random
    lifetimes = document.server.lifetimes
    server = ServerModel(document.server)
    properties = document.properties
  }
}

extension ServerModel {
  init(_ server: ScenarioServer) {
    var faults = Faults(staleReads: server.staleReads)
    for (fault, path) in Faults.chances { faults[keyPath: path] = server.faults[fault] ?? 0 }
    self.init(
      latency: server.latency?.divided(by: 1000) ?? .constant(0),
      lifetimes: Dictionary(
        server.lifetimes.map { (StepID($0.step), $0.life) }, uniquingKeysWith: { _, last in last }),
      faults: faults, clockSkew: server.clockSkew)
    resumesUploads = server.resumesUploads
  }
}

extension ServerModel.Faults {
  /// The probabilities that documents set.
  static var chances: [(fault: ScenarioServer.Fault, path: WritableKeyPath<Self, Double>)] {
    [
      (.serverError, \.serverError), (.throttled, \.throttled), (.lostReply, \.lostReply),
      (.lostRequest, \.lostRequest), (.duplicate, \.duplicate), (.revoked, \.revoked),
    ]
  }
}
